import { copyFileSync, existsSync, constants as files, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptThread } from '../../base/world.js';
import { endKeptThread } from '../../sandbox/automation/function-engine.js';
import { databaseFile, type OpenedSandbox, openSandboxStore, resetStore } from '../../sandbox/store/open-store.js';

/** What a service is laid out from. */
export interface Ground {
  /** Milliseconds; the data lies before the beginning of its day. */
  readonly now: number;
  readonly seed: number;
  readonly renewals: number;
  /** Nothing is set up but what nobody can create: a set-up is applied to it. */
  readonly isEmpty: boolean;
}

/** Services laid out once and copied for each scenario; all of it goes with the run. */
export class ServiceCopies {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cops-test-'));
  readonly #laid = new Map<string, Promise<string>>();
  #made = 0;
  /** Functions of all of them run in it, one after the other, each in a world of its own. */
  readonly functionThread: KeptThread = { worker: undefined };

  /** A home whose sandbox is a copy of that ground. */
  async home(ground: Ground): Promise<string> {
    const key = JSON.stringify(ground);
    const laid = this.#laid.get(key) ?? this.#layOut(ground);
    this.#laid.set(key, laid);
    const from = await laid;
    const home = join(this.#folder, `home-${this.#made++}`);
    mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
    copyFileSync(from, databaseFile(join(home, 'data')), files.COPYFILE_FICLONE);
    return home;
  }

  async #layOut({ now, seed, renewals, isEmpty }: Ground): Promise<string> {
    const dataDir = join(this.#folder, `ground-${this.#laid.size}`);
    const opened = await resetStore({
      dataDir,
      now: () => now,
      seed,
      renewals,
      ...(isEmpty ? { testData: 'empty' } : {}),
    });
    opened.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    opened.database.close();
    return databaseFile(dataDir);
  }

  /** The service of a home, to be looked at beside the lines that work on it. */
  open(home: string, now: () => number): Promise<OpenedSandbox> {
    return openSandboxStore({ dataDir: join(home, 'data'), now });
  }

  async close(): Promise<void> {
    await endKeptThread(this.functionThread);
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
  }
}
