import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNoDatabase, openDatabase, rollBack } from '../../base/database/open.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, local } from '../../base/errors/errors.js';
import { makeFolder } from '../../base/files/replace-file.js';
import { cops, say } from '../../base/text/command-line.js';
import type { KeptThread } from '../../base/world.js';
import type { SeedOptions, seedDatabase } from '../seed/seed.js';
import { ItemStore } from './item-store.js';
import { readMeta, SCHEMA_VERSION, writeMeta } from './store-tables.js';

/** A reset to more renewals than this is committed in pieces, so that the log file stays small. */
const ONE_PIECE = 50_000;

/** The sandbox's database with its clock. */
export interface OpenedSandbox {
  readonly database: Database;
  readonly store: ItemStore;
  /** The sandbox's clock, milliseconds: the machine's clock plus the offset. */
  now(): number;
  /** Unix seconds on that clock, whether a task is due, and whether the data is complete (`isReady`). */
  moment(): { unix: number; isDue: boolean; isReady: boolean };
  /** False while another process is recreating the data in pieces. */
  isReady(): boolean;
  /** Sets the clock's offset from the machine's, milliseconds. */
  setOffset(ms: number): void;
  offset(): number;
  /** The thread that functions run in, if it outlives this object. */
  readonly functionThread?: KeptThread | undefined;
}

export interface OpenSandboxOptions {
  /** Folder that holds `sandbox.sqlite`; created when absent. */
  readonly dataDir: string;
  /** The machine's clock, milliseconds. */
  readonly now: () => number;
  /**
   * For a dry run, which does not change existing data. `undone`: everything is undone at the close. `calls`: only the
   * records of calls are kept. If no sandbox exists yet, both work on a temporary one.
   */
  readonly trial?: 'undone' | 'calls' | undefined;
  readonly functionThread?: KeptThread | undefined;
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'sandbox.sqlite');
}

/**
 * Opens the sandbox's database; the first use creates and fills it. Of two processes that start simultaneously, the one
 * that gets the write lock seeds; the other finds it done.
 * @throws CopsError `local` when the file cannot be used, is of another version, or a large reset was cut short.
 */
export async function openSandboxStore(options: OpenSandboxOptions): Promise<OpenedSandbox> {
  if (options.trial !== undefined && !existsSync(databaseFile(options.dataDir))) return openThrowaway(options);
  const file = databaseFile(options.dataDir);
  const database = await openFile(options.dataDir, options.trial === 'undone');
  if (!writing(database, file, () => isReady(database))) {
    const { SIZES, seedDatabase } = await import('../seed/seed.js');
    writing(database, file, () => {
      database.transaction(() => {
        if (isReady(database)) return;
        if (readMeta(database, 'state') === 'building') {
          throw local(
            `The sandbox database ${file} is being reset, or its last reset was cut short.`,
            say`Wait for it, or run: ${cops`sandbox reset`}`,
          );
        }
        // It holds somebody's work, which only an explicit command may discard.
        if (readMeta(database, 'state') === 'ready') {
          throw local(
            `The sandbox database ${file} comes from another version of cops, with another format.`,
            say`Create it again, which discards its contents: ${cops`sandbox reset`}. Or choose another folder with COPS_DATA_DIR.`,
          );
        }
        const renewals = SIZES.small as number;
        seedDatabase(database, { seed: 1, renewals, now: Math.floor(options.now() / 1000) });
      });
    });
  }
  return { ...opened(database, options.now), functionThread: options.functionThread };
}

async function openThrowaway({ now, functionThread }: OpenSandboxOptions): Promise<OpenedSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cops-sandbox-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const made = await openSandboxStore({ dataDir, now, functionThread });
    const { close } = made.database;
    made.database.close = () => {
      close();
      remove();
    };
    return made;
  } catch (error) {
    remove();
    throw error;
  }
}

/** How often to reopen a file that is replaced while being opened: limited, in case it is not a database at all. */
const MOST_OPENINGS = 10;

/** Opens the file, creating it and its folder when absent. @throws CopsError `local` where that fails */
export async function openFile(dataDir: string, isTrial = false): Promise<Database> {
  try {
    makeFolder(dataDir);
  } catch (cause) {
    const why = (cause as Error).message;
    throw local(`Cannot create the folder ${dataDir}: ${why}`, undefined, cause);
  }
  for (let opening = 1; ; opening++) {
    try {
      return await openDatabase({
        file: databaseFile(dataDir),
        isTrial,
        what: 'The sandbox database',
        hint: 'Check the folder and its rights, or delete a damaged file.',
      });
    } catch (error) {
      const isNone = error instanceof CopsError && isNoDatabase(error.cause);
      if (!isNone || opening === MOST_OPENINGS) throw error;
    }
  }
}

/** Works on a database. Any failure, such as a full disk, is reported as a local fault, and closes the database. */
function writing<T>(database: Database, file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    database.close();
    if (cause instanceof CopsError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = 'Free some disk space.';
    throw local(`Cannot write the sandbox database ${file}: ${reason}`, hint, cause);
  }
}

export interface ResetOptions extends OpenSandboxOptions, Omit<SeedOptions, 'now'> {}

/** Fills the sandbox with new data; existing data is lost. */
export async function resetStore(options: ResetOptions): Promise<OpenedSandbox> {
  const database = await openFile(options.dataDir);
  const facts = { ...options, now: Math.floor(options.now() / 1000) };
  const { seedDatabase } = await import('../seed/seed.js');
  writing(database, databaseFile(options.dataDir), () => layOut(database, facts, seedDatabase));
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  return opened(database, options.now);
}

function layOut(database: Database, facts: SeedOptions, seed: typeof seedDatabase): void {
  if (facts.renewals <= ONE_PIECE) {
    database.transaction(() => seed(database, facts));
    return;
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    seed(database, facts, () => {
      database.exec('COMMIT');
      database.exec('BEGIN IMMEDIATE');
    });
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function isReady(database: Database): boolean {
  return readMeta(database, 'state') === 'ready' && readMeta(database, 'schema') === String(SCHEMA_VERSION);
}

function opened(database: Database, now: () => number): OpenedSandbox {
  // Memory-maps the file, so that pages are read from the system's cache; a reset does not, to save memory.
  database.prepare('PRAGMA mmap_size = 1073741824').all();
  const offset = () => Number(database.prepare("SELECT value FROM meta WHERE name = 'clock_offset'").get()?.[0] ?? 0);
  const facts = database.prepare(
    `SELECT (SELECT value FROM meta WHERE name = 'clock_offset'), (SELECT at FROM due ORDER BY at LIMIT 1),
       (SELECT value FROM meta WHERE name = 'state'), (SELECT value FROM meta WHERE name = 'generation')`,
  );
  const state = database.prepare(
    "SELECT value, (SELECT value FROM meta WHERE name = 'generation') FROM meta WHERE name = 'state'",
  );
  const store = new ItemStore(database);
  let generation: unknown;
  const isWhole = (word: unknown, laidOut: unknown) => {
    if (laidOut !== generation) store.forget();
    generation = laidOut;
    return word === 'ready';
  };
  return {
    database,
    store,
    offset,
    now: () => now() + offset(),
    moment: () => {
      const [moved, due, word, laidOut] = facts.get() ?? [];
      const unix = Math.floor((now() + Number(moved ?? 0)) / 1000);
      const isDue = due !== null && due !== undefined && (due as number) <= unix;
      return { unix, isDue, isReady: isWhole(word, laidOut) };
    },
    isReady: () => {
      const [word, laidOut] = state.get() ?? [];
      return isWhole(word, laidOut);
    },
    setOffset: (ms) => writeMeta(database, 'clock_offset', String(ms)),
  };
}
