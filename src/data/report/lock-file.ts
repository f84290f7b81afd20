import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase, withDatabase } from '../../base/database/open.js';
import type { Cell, Database } from '../../base/database/types.js';
import { CopsError, local, orLocal, orThrow, stopped } from '../../base/errors/errors.js';
import { whileLocked } from '../../base/files/lock.js';
import { readGivenFile, readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import type { Context } from '../../session/context/context.js';
import { sqlName } from '../mirror/layout.js';
import { teamInUse } from '../mirror/own-mirror.js';
import type { SharedLine, TeamCloses } from '../mirror/team/team-closes.js';
import type { TeamReplica } from '../mirror/team/team-replica.js';

/** Everything that a lock's figures rest on. Times are unix seconds. */
export interface LockFacts {
  /** `2026-10`, in the zone. */
  readonly month: string;
  /** 1 for the month's first lock; each lock after an unlock has the next number. */
  readonly number: number;
  readonly begins: number;
  readonly ends: number;
  readonly zone: string;
  readonly mode: string;
  readonly service: string;
  /** The key's fingerprint. */
  readonly account: string;
  readonly profile: string;
  readonly who: string;
  readonly lockedAt: number;
  /** The service's time up to which the rows were read. */
  readonly asOf: number;
  readonly tool: string;
  /** A hash of the queries behind the figures. */
  readonly definitions: string;
}

/** A lock with its rows. */
export interface LockContent {
  readonly facts: LockFacts;
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly rows: Iterable<Cell[]>;
  }[];
}

/** An event in the life of a month's lock, one line each in order of time. */
interface LockEvent {
  readonly what: 'lock' | 'unlock' | 'restore';
  readonly month: string;
  readonly number: number;
  readonly digest: string;
  readonly at: number;
  readonly who: string;
  readonly reason?: string | undefined;
}

/** The newest lock of a month, and whether it is in force. */
export interface MonthLock extends Omit<LockEvent, 'what' | 'reason'> {
  readonly file: string;
  /** The event that unlocked it; undefined for a lock in force. */
  readonly unlocked: LockEvent | undefined;
}

const LAYOUT = 1;

/**
 * The folder with the locks of the profile and mode in use, beside the mirrors. The locks that a team shares are brought
 * there first; if its database does not answer, those of this machine are used, with a warning.
 */
export async function locksFolder(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  const folder = join(context.dataDir, 'closes', `${encodeURIComponent(name.value)}-${mode.value}`);
  const team = await teamInUse(context);
  if (team === undefined) return folder;
  const { readTeamCloses } = await import('../mirror/team/team-closes.js');
  try {
    await readTeamCloses(context, team, async (closes) => {
      const shared = await closes.lines();
      if (shared.length > 0) await whileHeld(folder, () => bring(folder, shared, closes));
    });
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind !== 'network') throw error;
    context.notes.warn(`The team's locks are not followed: ${error.message}`, {});
  }
  return folder;
}

/** Takes in events of a team that are not in the record of this machine, with the files of their locks. */
async function bring(folder: string, shared: readonly SharedLine[], closes: TeamCloses): Promise<void> {
  const known = linesIn(folder);
  const missing = shared.filter(({ line }) => !known.includes(line));
  if (missing.length === 0) return;
  for (const { n, line } of missing) {
    const event = eventOf(line, folder);
    const file = fileOf(folder, event.month, event.number);
    const own = known.map((one) => eventOf(one, folder)).find((one) => isOfOneLock(one, event));
    if (own !== undefined && own.digest !== event.digest)
      throw stopped(
        `The team has another lock ${event.number} of ${event.month} than this machine, by ${event.who}`,
        `This machine made its own before it used the team's mirror. Keep a copy of ${folder} elsewhere, then remove it: the team's locks are fetched again.`,
        { digest: own.digest, expected: event.digest },
      );
    const bytes = existsSync(file) ? undefined : await closes.file(n);
    if (bytes !== undefined) {
      await replaceFile(`${file}.draft`, bytes);
      await placed(`${file}.draft`, file);
    }
    known.push(line);
  }
  await replaceFile(join(folder, 'locks.jsonl'), `${known.join('\n')}\n`);
}

const isOfOneLock = (one: LockEvent, other: LockEvent): boolean =>
  one.month === other.month && one.number === other.number && one.what !== 'unlock' && other.what !== 'unlock';

const fileOf = (folder: string, month: string, number: number): string => join(folder, `${month}.${number}.sqlite`);

function recordIn(folder: string): string {
  const file = join(folder, 'locks.jsonl');
  return orLocal(() => readOwnFile(file)?.toString('utf8') ?? '', `Cannot read the record of locked months ${file}`);
}

const linesIn = (folder: string): string[] =>
  recordIn(folder)
    .split('\n')
    .filter((line) => line !== '');

function eventOf(line: string, folder: string): LockEvent {
  return orThrow(
    () => JSON.parse(line) as LockEvent,
    (cause) =>
      local(`The record of locked months ${join(folder, 'locks.jsonl')} was changed by hand.`, undefined, cause),
  );
}

/** The newest lock of each month. A file that the record lacks counts too: losing the record unlocks nothing. */
export async function locksIn(folder: string): Promise<MonthLock[]> {
  const found = new Map<string, MonthLock>();
  for (const event of linesIn(folder).map((line) => eventOf(line, folder))) {
    const { what, month, number, digest, at, who } = event;
    const before = found.get(month);
    if (what === 'unlock') {
      if (before?.number === number) found.set(month, { ...before, unlocked: event });
    } else if (before === undefined || number >= before.number) {
      const unlocked = before?.number === number ? before.unlocked : undefined;
      found.set(month, { month, number, file: fileOf(folder, month, number), digest, at, who, unlocked });
    }
  }
  for (const name of await readdir(folder).catch(() => [])) {
    const [, month, number] = /^(\d{4}-\d{2})\.(\d+)\.sqlite$/.exec(name) ?? [];
    if (month === undefined || (found.get(month)?.number ?? 0) >= Number(number)) continue;
    const file = join(folder, name);
    found.set(month, { month, number: Number(number), file, digest: '', at: 0, who: '', unlocked: undefined });
  }
  return [...found.values()].sort((one, other) => (one.month < other.month ? -1 : 1));
}

/**
 * Appends an event to the record, and to that of the team. Runs `work` first, with the current state, while no other
 * process and no other machine can change it.
 */
export async function recordLock(
  context: Context,
  folder: string,
  month: string,
  work: (known: MonthLock | undefined) => Promise<LockEvent>,
): Promise<LockEvent> {
  const team = await teamInUse(context);
  return whileHeld(folder, async () => {
    const decide = async () => work((await locksIn(folder)).find((one) => one.month === month));
    const event = team ? await sharedEvent(context, team, folder, decide) : await decide();
    await replaceFile(join(folder, 'locks.jsonl'), `${[...linesIn(folder), JSON.stringify(event)].join('\n')}\n`);
    return event;
  });
}

/** Decides on an event with all that the team has recorded, and adds it there with what the team does not have yet. */
async function sharedEvent(
  context: Context,
  team: TeamReplica,
  folder: string,
  decide: () => Promise<LockEvent>,
): Promise<LockEvent> {
  const { addTeamCloses } = await import('../mirror/team/team-closes.js');
  let event: LockEvent | undefined;
  try {
    await addTeamCloses(context, team, async (closes) => {
      const there = await closes.lines();
      await bring(folder, there, closes);
      const unshared = linesIn(folder).filter((line) => !there.some((one) => one.line === line));
      event = await decide();
      const lines = [...unshared, JSON.stringify(event)];
      return lines.map((line) => ({ line, file: madeBy(eventOf(line, folder), folder) }));
    });
  } catch (error) {
    // A lock that the team does not have is none.
    const mayBeThere = error instanceof CopsError && error.facts.more?.commit === 'unknown';
    if (event?.what === 'lock' && !mayBeThere) await rm(fileOf(folder, event.month, event.number), { force: true });
    throw error;
  }
  // Without a mirror the team has no record yet.
  return event ?? decide();
}

/** The file of the lock that an event made, for other machines. */
function madeBy({ what, month, number }: LockEvent, folder: string): Buffer | undefined {
  const file = fileOf(folder, month, number);
  return what === 'unlock' ? undefined : readOwnFile(file);
}

const whileHeld = <T>(folder: string, work: () => Promise<T>): Promise<T> =>
  whileLocked(join(folder, 'locks.jsonl'), {}, work);

/**
 * Writes a lock to a file of its own, which exists whole or not at all and is never rewritten.
 * @returns its digest
 */
export async function writeLockFile(folder: string, { facts, tables }: LockContent): Promise<string> {
  const file = fileOf(folder, facts.month, facts.number);
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  const digest = await withDatabase({ file: draft, what: 'The lock', journal: 'delete' }, (database) => {
    database.transaction(() => {
      database.exec('CREATE TABLE _close (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID');
      const put = database.prepare('INSERT INTO _close (name, value) VALUES (?, ?)');
      for (const [name, value] of Object.entries({ layout: LAYOUT, ...facts })) put.run(name, JSON.stringify(value));
      for (const { name, columns, rows } of tables) {
        database.exec(`CREATE TABLE ${sqlName(name)} (${columns.map(sqlName).join(', ')})`);
        const insert = database.prepare(`INSERT INTO ${sqlName(name)} VALUES (${columns.map(() => '?').join(', ')})`);
        for (const row of rows) insert.runAll(row.map(exactly));
      }
    });
    const made = digestOf(database);
    database.prepare('INSERT INTO _close (name, value) VALUES (?, ?)').run('digest', JSON.stringify(made));
    return made;
  });
  await placed(draft, file);
  return digest;
}

/** Keeps a whole number whole in an untyped column, which would turn it into a fraction. */
const exactly = (cell: Cell): Cell => (Number.isSafeInteger(cell) ? BigInt(cell as number) : cell);

/** Renames a draft to its final name, unless another file has it. */
async function placed(draft: string, file: string): Promise<void> {
  try {
    await chmod(draft, 0o400);
    await link(draft, file);
  } catch (cause) {
    throw local(`cannot write ${file}: ${(cause as Error).message}`, undefined, cause);
  } finally {
    await rm(draft, { force: true });
  }
}

/** A hash of everything in a lock except the hash itself. */
function digestOf(database: Database): string {
  const hash = createHash('sha256');
  const feed = (row: readonly Cell[]): void => {
    hash.update(`${JSON.stringify(row.map((cell) => (typeof cell === 'bigint' ? `${cell}n` : cell)))}\n`);
  };
  for (const row of database.prepare("SELECT * FROM _close WHERE name <> 'digest' ORDER BY name").all()) feed(row);
  const names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_close' ORDER BY name";
  for (const [name] of database.prepare(names).all()) {
    const statement = database.prepare(`SELECT * FROM ${sqlName(String(name))} ORDER BY rowid`);
    feed([String(name), ...statement.columns]);
    for (const row of statement.iterate()) feed(row);
  }
  return hash.digest('hex');
}

/**
 * Opens the file of a lock and checks that its content is unchanged since it was written.
 * @param expected the digest in the record; '' if the record has none
 * @throws CopsError `local` for a file that is missing or no lock, `incomplete` (10) for one that somebody changed
 */
export async function openLockFile(
  file: string,
  expected: string,
): Promise<{ readonly database: Database; readonly facts: LockFacts; readonly digest: string }> {
  if (!existsSync(file))
    throw local(
      `The file of the lock is gone: ${file}.`,
      'Restore it from a copy: cops report close --restore <file>. Its figures are nowhere else.',
    );
  const database = await openDatabase({ file, what: 'The lock', readonly: true });
  try {
    const known = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_close'").all();
    if (known.length === 0) throw local(`${file} is not the lock of a month.`);
    const facts = Object.fromEntries(
      database
        .prepare('SELECT name, value FROM _close')
        .all()
        .map(([name, value]) => [String(name), JSON.parse(String(value)) as unknown]),
    ) as unknown as LockFacts & { readonly layout: number; readonly digest: string };
    if (facts.layout !== LAYOUT) throw local(`${file} is a lock of another version of cops (${facts.tool}).`);
    const digest = digestOf(database);
    if (digest !== facts.digest || (expected !== '' && digest !== expected))
      throw new CopsError('incomplete', `The lock of ${facts.month} was changed since it was written: ${file}.`, {
        hint: 'Put back a copy of the original file; no report shows what it holds now.',
        more: { digest, expected: expected === '' ? facts.digest : expected },
      });
    return { database, facts, digest };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies a lock file from elsewhere. */
export async function copyLockFile(folder: string, from: string, { month, number }: LockFacts): Promise<void> {
  const file = fileOf(folder, month, number);
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  await replaceFile(draft, await readGivenFile(from));
  await placed(draft, file);
}

/** The path of a lock's file in a folder. */
export const lockFileOf = fileOf;
