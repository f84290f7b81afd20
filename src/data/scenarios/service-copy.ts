import { copyFileSync, existsSync, constants as files, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../account/profiles/glance.js';
import { makeFolder } from '../../base/files/replace-file.js';
import { parseWhen } from '../../base/time/when.js';
import { zoneOf } from '../../base/time/zones.js';
import type { KeptThread, World } from '../../base/world.js';
import type { ScenarioFile } from '../../items/checks/scenario-shape.js';
import { endKeptThread } from '../../sandbox/automation/function-engine.js';
import { type DecliningCard, setDecliningCards } from '../../sandbox/rules/cards.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';
import { databaseFile, type OpenedSandbox, openSandboxStore, resetStore } from '../../sandbox/store/open-store.js';
import { restoreSnapshot } from '../../sandbox/store/snapshots.js';
import { ScenarioClock } from './inner-world.js';

/** What a service is made from. */
export interface Ground {
  /** Milliseconds; the data ends before the start of its day. */
  readonly now: number;
  readonly seed: number;
  readonly renewals: number;
  /** Folder of a set-up to apply: otherwise the service contains only what nobody can create. */
  readonly setup?: string | undefined;
  /** A snapshot to restore: its clock takes the place of `now`. */
  readonly snapshot?: { readonly dataDir: string; readonly name: string } | undefined;
  readonly cards: readonly DecliningCard[];
  /** Variables for the set-up. */
  readonly env: Readonly<Record<string, string>>;
}

const BEGINNING = '2026-01-15T09:00:00Z';

/** What a scenario's `given` says of the service. @throws CopsError `usage` for an invalid moment */
export function groundOf(given: NonNullable<ScenarioFile['given']>, world: World): Omit<Ground, 'seed' | 'env'> {
  const zone = zoneOf(given.tz ?? 'UTC');
  const edge = { now: Date.parse(BEGINNING), zone, edge: 'start' } as const;
  const now = parseWhen(given.now ?? BEGINNING, { ...edge, option: 'given.now' }) * 1000;
  const ahead = { ...edge, now, option: 'given.cards', look: 'ahead' } as const;
  const cards = (given.cards ?? []).map((card) => ({ ...card, from: parseWhen(card.declines_from, ahead) }));
  const snapshot =
    given.snapshot === undefined ? {} : { snapshot: { dataDir: dataFolder(world), name: given.snapshot } };
  return { now, renewals: given.renewals ?? 0, cards, ...snapshot };
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

/** Services created once, set-up included, and copied for each scenario; all are deleted with the run. */
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

  async #layOut({ now, seed, renewals, setup, snapshot, cards }: Ground, prepare: Prepare): Promise<Copied> {
    const home = this.#newHome('ground');
    const dataDir = join(home, 'data');
    const clock = new ScenarioClock(now);
    const empty = setup === undefined ? {} : ({ testData: 'empty' } as const);
    const laid = await resetStore({ dataDir, now: () => now, seed, renewals, ...empty });
    const before = new Set<string>();
    if (setup !== undefined)
      for (const family of KINDS_OF_ITEMS) for (const { id } of laid.store.scan(family, false)) before.add(id);
    if (snapshot) {
      await restoreSnapshot(laid, snapshot.dataDir, snapshot.name);
      clock.now += laid.offset();
      laid.setOffset(0);
      // Whoever wrote the scenario may read what a function reads.
      laid.database.exec(`UPDATE secrets SET body = '{"value":"stand-in"}' WHERE body LIKE '{"value":%'`);
    }
    setDecliningCards(laid.database, cards);
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
