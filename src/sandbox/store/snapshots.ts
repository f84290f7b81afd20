import {
  closeSync,
  copyFileSync,
  existsSync,
  constants as files,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { rollBack, withDatabase } from '../../base/database/open.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, local, orElse, orLocal, usage } from '../../base/errors/errors.js';
import { makeFolder, onceFreeSync, refuseNoFile } from '../../base/files/replace-file.js';
import { randomBytes } from '../../base/random.js';
import { databaseFile, type OpenedSandbox, openFile } from './open-store.js';
import { markBegin, NAMES, readMeta, SCHEMA_VERSION, writeMeta } from './store-tables.js';

/**
 * A saved state of the whole service: items, keys, queues and clock. `savedAt`: when it was saved, unix seconds on the
 * machine's clock.
 */
export type SavedSandbox = ReturnType<typeof snapshotAt>;

const FOLDER = 'snapshots';
const ENDING = '.sqlite';
/**
 * In a snapshot: the clock at the save, milliseconds. A restore sets the clock back to it, however long ago that was.
 */
const CLOCK = 'snapshot_clock';

/** The file of a named snapshot. @throws CopsError `usage` for a name that is not a valid file name on every system */
export function snapshotFile(dataDir: string, name: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) || name.endsWith('.'))
    throw usage(
      `${JSON.stringify(name)} cannot name a snapshot.`,
      'Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or a digit.',
    );
  return join(dataDir, FOLDER, `${name}${ENDING}`);
}

/** The snapshots in a data folder, by name. */
export function listSnapshots(dataDir: string): SavedSandbox[] {
  const folder = join(dataDir, FOLDER);
  const names = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(ENDING)) : [];
  const isFile = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile();
  return names
    .filter(isFile)
    .sort()
    .map((file) => snapshotAt(dataDir, file.slice(0, -ENDING.length)));
}

function snapshotAt(dataDir: string, name: string) {
  const file = snapshotFile(dataDir, name);
  const { size, mtimeMs } = statSync(file);
  return { name, file, bytes: size, savedAt: Math.floor(mtimeMs / 1000) };
}

/**
 * Saves the whole service under a name, replacing an existing snapshot. Works while the sandbox serves: a write is
 * saved whole or not at all. @throws CopsError `usage` for the name, `local` for the disk
 */
export async function saveSnapshot(opened: OpenedSandbox, dataDir: string, name: string): Promise<SavedSandbox> {
  const file = snapshotFile(dataDir, name);
  const draft = `${file}.${randomBytes(4).toString('hex')}.draft`;
  try {
    refuseNoFile(file);
    makeFolder(join(dataDir, FOLDER));
    // The file contains keys, so only its owner may read it from the first byte.
    closeSync(openSync(draft, 'wx', 0o600));
    const clock = Math.floor(opened.now());
    opened.database.prepare('VACUUM INTO ?').run(draft);
    await withDatabase({ file: draft, what: 'The snapshot', journal: 'delete' }, (saved) =>
      writeMeta(saved, CLOCK, String(clock)),
    );
    onceFreeSync(() => renameSync(draft, file));
  } catch (cause) {
    for (const left of [draft, `${draft}-journal`]) rmSync(left, { force: true });
    if (cause instanceof CopsError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw local(`Cannot write the snapshot ${file}: ${reason}`, 'Free some disk space, or check the folder.', cause);
  }
  return snapshotAt(dataDir, name);
}

/**
 * Restores the whole service from a snapshot in one transaction, even while it serves: items, keys, queues and clock.
 * Later changes are lost.
 * @throws CopsError `usage` where no snapshot has the name, `local` for one of another version or a damaged file
 */
export async function restoreSnapshot(opened: OpenedSandbox, dataDir: string, name: string): Promise<void> {
  const file = existingSnapshot(dataDir, name);
  const { database } = opened;
  try {
    const clock = await clockOf(file, database);
    // A large cache, so that each page is written once at the end instead of whenever a small cache evicts it.
    database.exec('PRAGMA cache_size = -262144');
    database.prepare('ATTACH ? AS saved').run(file);
    try {
      database.transaction(() => {
        takeTables(database);
        opened.setOffset(clock - (opened.now() - opened.offset()));
      });
    } finally {
      database.exec('DETACH saved');
    }
  } catch (cause) {
    if (cause instanceof CopsError) throw cause;
    throw noSnapshot(file, (cause as Error).message, cause);
  }
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
}

/**
 * Restores a snapshot by a copy of its file, a clone where the file system makes one, while no other process has the
 * sandbox open. Undefined where one has, or where the sandbox is not as it should be: nothing has changed then.
 * @param now the machine's clock, milliseconds
 * @returns the sandbox's clock, milliseconds
 * @throws CopsError as `restoreSnapshot`
 */
export async function copySnapshot(dataDir: string, name: string, now: number): Promise<number | undefined> {
  const file = existingSnapshot(dataDir, name);
  const target = databaseFile(dataDir);
  const draft = `${target}.${randomBytes(4).toString('hex')}.draft`;
  // A link would be replaced by the copy.
  if (!lstatSync(target, { throwIfNoEntry: false })?.isFile()) return undefined;
  const database = await openFile(dataDir);
  let former: number | undefined;
  try {
    const isOurs = readMeta(database, 'state') === 'ready' && readMeta(database, 'schema') === String(SCHEMA_VERSION);
    if (!isOurs || !takesAlone(database)) return undefined;
    const clock = await clockOf(file, database);
    const before = numbersOf(database);
    copyFileSync(file, draft, files.COPYFILE_FICLONE);
    await withDatabase({ file: draft, what: 'The copy of the snapshot', journal: 'delete' }, (copy) => {
      // As a plain copy does, it leaves the disk its time.
      copy.exec('PRAGMA synchronous = OFF');
      copy.transaction(() => {
        raiseNumbers(copy, before);
        writeMeta(copy, 'clock_offset', String(clock - now));
      });
    });
    former = openSync(target, 'r+');
    renameSync(draft, target);
    // A process that opened the former file a moment ago and waits for it must not continue with it.
    writeSync(former, Buffer.alloc(16), 0, 16, 0);
    return clock;
  } catch {
    // It is restored in the usual way, or the reason is reported there.
    return undefined;
  } finally {
    rollBack(database);
    database.close();
    if (former !== undefined) closeSync(former);
    for (const left of [draft, `${draft}-journal`]) rmSync(left, { force: true });
  }
}

/** Locks everybody out until the close; false where another process has the file open. */
function takesAlone(database: Database): boolean {
  database.exec('PRAGMA busy_timeout = 0');
  return orElse(() => {
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    if (database.prepare('PRAGMA journal_mode = DELETE').get()?.[0] !== 'delete') return false;
    database.exec('BEGIN EXCLUSIVE');
    return database.prepare('PRAGMA journal_mode').get()?.[0] === 'delete';
  }, false);
}

/** The highest change number, and the generation of the data. */
type ChangeNumbers = ReturnType<typeof numbersOf>;

const HIGHEST_CHANGE = 'SELECT max(n) FROM counts WHERE level = 3';

function numbersOf(database: Database) {
  const changes = Number(database.prepare(HIGHEST_CHANGE).get()?.[0] ?? 0);
  return { changes, generation: Number(readMeta(database, 'generation') ?? 0) };
}

/** The clock at the save, milliseconds. @throws CopsError `local` for a file that no save of this version has made */
function clockOf(file: string, database: Database): Promise<number> {
  return withDatabase({ file, what: 'The snapshot', readonly: true }, (saved) => {
    if (readMeta(saved, 'schema') !== String(SCHEMA_VERSION))
      throw local(`The snapshot ${file} was made by another version of cops.`, 'Save it again with this one.');
    // Rows are taken by the places of their columns, so these must be the same.
    const other = NAMES.find((name) => formOf(saved, name) !== formOf(database, name));
    if (other !== undefined) throw noSnapshot(file, `its table ${other} is not the one of a sandbox`);
    const clock = Number(readMeta(saved, CLOCK) ?? Number.NaN);
    if (Number.isNaN(new Date(clock).getTime())) throw noSnapshot(file, 'it holds no clock');
    return clock;
  });
}

/** How a table was made; undefined for a view, and where there is none. */
function formOf(database: Database, table: string): string | undefined {
  const read = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?";
  return database.prepare(read).get(table)?.map(String)[0];
}

function noSnapshot(file: string, why: string, cause?: unknown): CopsError {
  return local(
    `The snapshot ${file} cannot be restored: ${why}.`,
    'Nothing was changed. Take another snapshot.',
    cause,
  );
}

/** Change numbers only ever rise, so other processes notice that their cached data is from before. */
function raiseNumbers(database: Database, { changes, generation }: ChangeNumbers): void {
  database.prepare('UPDATE counts SET n = n + ? WHERE level = 3').run(changes);
  const later = Number(database.prepare(HIGHEST_CHANGE).get()?.[0] ?? 0);
  writeMeta(database, 'generation', String(Math.max(generation, later) + 1));
  markBegin(database);
}

function takeTables(database: Database): void {
  const before = numbersOf(database);
  // SQLite fills an empty table with the same indexes by copying whole pages.
  for (const table of NAMES) {
    database.exec(`DELETE FROM main.${table}`);
    database.exec(`INSERT INTO main.${table} SELECT * FROM saved.${table}`);
  }
  raiseNumbers(database, before);
}

/** Deletes a snapshot. @throws CopsError `usage` if no snapshot has that name */
export function removeSnapshot(dataDir: string, name: string): void {
  rmSync(existingSnapshot(dataDir, name));
}

/**
 * The file of an existing snapshot.
 * @throws CopsError `usage` where no snapshot has the name, `local` where something else than a file has it
 */
export function existingSnapshot(dataDir: string, name: string): string {
  const file = snapshotFile(dataDir, name);
  orLocal(() => refuseNoFile(file), `Cannot read the snapshot ${file}`);
  if (existsSync(file)) return file;
  const names = listSnapshots(dataDir).map((one) => one.name);
  throw usage(
    `There is no snapshot ${name}.`,
    names.length === 0 ? 'To save one: cops sandbox snapshot save <name>' : `There are: ${names.join(', ')}.`,
  );
}
