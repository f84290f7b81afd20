import { copyFileSync, existsSync, constants as files, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../base/files/replace-file.js';
import type { KeptThread } from '../../base/world.js';
import { endKeptThread } from '../../sandbox/automation/function-engine.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';
import { databaseFile, type OpenedSandbox, openSandboxStore, resetStore } from '../../sandbox/store/open-store.js';
import { ScenarioClock } from './inner-world.js';

/** What a service is made from. */
export interface Ground {
  /** Milliseconds; the data ends before the start of its day. */
  readonly now: number;
  readonly seed: number;
  readonly renewals: number;
  /** Folder of a set-up to apply: the service then contains only what nobody can create. */
  readonly setup?: string | undefined;
  /** Variables for the set-up. */
  readonly env: Readonly<Record<string, string>>;
}

/** A copy of a ground for one scenario. */
export interface Copied {
  readonly home: string;
  readonly clock: ScenarioClock;
  /** Ids of items that existed before a set-up was applied. */
  readonly before: ReadonlySet<string>;
}

/** Prepares a service on the ground made for it. */
export type Prepare = (home: string, clock: ScenarioClock) => Promise<void>;

/** Services made once, set-up included, and copied for each scenario; all are deleted with the run. */
export class ServiceCopies {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cops-test-'));
  readonly #laid = new Map<string, Promise<Copied>>();
  #made = 0;
  /** Functions of all services run in it, one after the other, each in a separate world. */
  readonly functionThread: KeptThread = { worker: undefined };

  /** A home whose sandbox is a copy of that ground. */
  async home(ground: Ground, prepare: Prepare): Promise<Copied> {
    const key = JSON.stringify(ground);
    const laid = this.#laid.get(key) ?? this.#layOut(ground, prepare);
    this.#laid.set(key, laid);
    const { home: from, clock, before } = await laid;
    const home = this.#newHome('home');
    copyFileSync(databaseFile(join(from, 'data')), databaseFile(join(home, 'data')), files.COPYFILE_FICLONE);
    return { home, clock: new ScenarioClock(clock.now), before };
  }

  #newHome(name: string): string {
    const home = join(this.#folder, `${name}-${this.#made++}`);
    makeFolder(join(home, 'data'));
    return home;
  }

  async #layOut({ now, seed, renewals, setup }: Ground, prepare: Prepare): Promise<Copied> {
    const home = this.#newHome('ground');
    const dataDir = join(home, 'data');
    const clock = new ScenarioClock(now);
    const empty = setup === undefined ? {} : ({ testData: 'empty' } as const);
    const laid = await resetStore({ dataDir, now: () => now, seed, renewals, ...empty });
    const before = new Set<string>();
    if (setup !== undefined)
      for (const family of KINDS_OF_ITEMS) for (const { id } of laid.store.scan(family, false)) before.add(id);
    laid.database.close();
    if (setup !== undefined) await prepare(home, clock);
    const opened = await this.open(home, () => clock.now);
    opened.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    opened.database.close();
    return { home, clock, before };
  }

  /** The service of a home, for reading while command lines work on it. */
  open(home: string, now: () => number): Promise<OpenedSandbox> {
    return openSandboxStore({ dataDir: join(home, 'data'), now });
  }

  async close(): Promise<void> {
    await endKeptThread(this.functionThread);
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
  }
}
