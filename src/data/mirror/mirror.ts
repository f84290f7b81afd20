import { existsSync, statSync } from 'node:fs';
import { openDatabase, removeAnnexes } from '../../base/database/open.js';
import type { Database } from '../../base/database/types.js';
import { local, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Context } from '../../session/context/context.js';
import { layEventTable } from './event-rows.js';
import { followFacts } from './kept-facts.js';
import { createMirrorTables, LAYOUT } from './layout.js';

const PAGE_BYTES = 16_384;

/** The owner of a mirror's data. */
export interface Owner {
  /** The service's address. */
  readonly service: string;
  /** The key's fingerprint: identifies the account without showing the key. */
  readonly account: string;
  readonly mode: 'test' | 'live';
}

/** The owner of a mirror of the profile in use. */
export async function mirrorOwner(context: Context): Promise<Owner> {
  const { baseUrl, fingerprint, mode } = await context.profile();
  return { service: baseUrl.value, account: fingerprint, mode: mode.value };
}

/** The description in a mirror. */
export interface MirrorFacts extends Owner {
  readonly layout: number;
  /** Version of the program that created it. */
  readonly tool: string;
  /** The day from which it holds everything, unix seconds; undefined until the first sync has ended. */
  readonly firstDay: number | undefined;
  /** The service's time when the last sync began, unix seconds; undefined until the first one has ended. */
  readonly asOf: number | undefined;
}

/** Reads the description in a mirror; undefined for another kind of file. */
export function readMirrorFacts(database: Database): MirrorFacts | undefined {
  // Reads to the end: an unfinished statement keeps its view of the file, and a writer would have to wait.
  const has = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_mirror'").all();
  if (has.length === 0) return undefined;
  const facts = new Map(
    database
      .prepare('SELECT name, value FROM _mirror')
      .all()
      .map(([name, value]) => [String(name), String(value)]),
  );
  const number = (name: string) => (facts.has(name) ? Number(facts.get(name)) : undefined);
  return {
    layout: number('layout') ?? 0,
    tool: facts.get('tool') ?? '',
    service: facts.get('service') ?? '',
    account: facts.get('account') ?? '',
    mode: facts.get('mode') === 'live' ? 'live' : 'test',
    firstDay: number('first_day'),
    asOf: number('as_of'),
  };
}

export function writeFact(database: Database, name: string, value: string | number): void {
  database.prepare('INSERT OR REPLACE INTO _mirror (name, value) VALUES (?, ?)').run(name, String(value));
}

/**
 * Opens the mirror at `file` for writing; creates it if it does not exist.
 * @throws CopsError `stopped` (12) for the mirror of another service, account or mode; `local` (11) for a file that is
 *   no mirror, or one of another version.
 */
export async function openToSync(file: string, owner: Owner, tool: string): Promise<Database> {
  const isNew = !existsSync(file) || statSync(file).size === 0;
  const database = await openDatabase({ file, what: 'The mirror', journal: 'delete' });
  try {
    // Most writes are new data: a larger cache would fill with pages that nobody reads again.
    database.exec('PRAGMA cache_size = -4000');
    if (isNew) {
      // A row takes 2 to 3 kB: 4 kB pages would leave nearly half of the file empty.
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
      database.transaction(() => {
        createMirrorTables(database);
        const facts = { layout: LAYOUT, tool, ...owner };
        for (const [name, value] of Object.entries(facts)) writeFact(database, name, value);
      });
    } else checkOwner(checkLayout(database, file), owner, file);
    database.transaction(() => {
      removeAnnexes(database);
      layEventTable(database);
      followFacts(database);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a mirror for reading only.
 * @throws CopsError as {@link openToSync}; `local` if the file does not exist.
 */
export async function openToRead(
  file: string,
  owner: Owner | undefined,
): Promise<{ database: Database; facts: MirrorFacts }> {
  if (!existsSync(file)) throw local(`There is no mirror at ${file}.`, say`Make it: ${cops`sync ${file}`}`);
  // Opening a pipe would block forever, and nobody could stop it.
  if (!statSync(file).isFile()) throw local(`${file} is not a mirror: it is not a file.`);
  const database = await openDatabase({ file, what: 'The mirror', readonly: true });
  try {
    const facts = checkLayout(database, file);
    if (owner) checkOwner(facts, owner, file);
    return { database, facts };
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkLayout(database: Database, file: string): MirrorFacts {
  const facts = readMirrorFacts(database);
  if (!facts) {
    throw local(
      `${file} is not a mirror: another program created it, or a cops that did not keep mirrors yet.`,
      'Sync into a new file, then delete this one; all of its data comes from the service.',
    );
  }
  if (facts.layout !== LAYOUT) {
    throw local(
      `${file} is a mirror of ${facts.layout > LAYOUT ? 'a newer' : 'an older'} cops (${facts.tool}).`,
      facts.layout > LAYOUT
        ? say`Update cops: ${cops`update`}.`
        : 'Sync into a new file, then delete this one; the service has all of it except _history.',
    );
  }
  return facts;
}

function checkOwner(facts: MirrorFacts, owner: Owner, file: string): void {
  const differences = [
    facts.service === owner.service ? '' : `the service ${facts.service}, not ${owner.service}`,
    facts.mode === owner.mode ? '' : `${facts.mode} mode, not ${owner.mode} mode`,
    facts.account === owner.account || facts.mode !== owner.mode ? '' : "another key's account",
  ].filter((text) => text !== '');
  if (differences.length === 0) return;
  throw stopped(
    `stopped: the mirror ${file} belongs to ${differences.join(', and ')}`,
    'Nothing was read or written. Choose the profile and mode it belongs to (-p, --live, --test), or another file.',
    { mirror_service: facts.service, mirror_mode: facts.mode },
  );
}
