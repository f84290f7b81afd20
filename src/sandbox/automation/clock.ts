import type { Database } from '../../base/database/types.js';
import { closing } from '../../base/errors/errors.js';
import { MONTHS, SECONDS, type Span } from '../../base/time/spans.js';
import { isoDay } from '../../base/time/units.js';
import { addMonths } from '../../catalogue/payment-schedule.js';
import type { ItemStore } from '../store/item-store.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { readMeta } from '../store/store-tables.js';
import { openHost } from './automation-host.js';
import { passTime, type Watcher } from './pass-time.js';

/**
 * Moves the clock forward to a moment (unix seconds) and runs everything that falls due on the way. After an
 * interruption, the clock stops at the next due event.
 * @returns how many things happened.
 * @throws the reason of the signal
 */
export async function advanceTo(
  opened: OpenedSandbox,
  target: number,
  { interrupted, ...watcher }: Watcher & { readonly interrupted?: AbortSignal } = {},
): Promise<number> {
  const between = async (next: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (interrupted?.aborted !== true) return;
    reach(opened, next);
    interrupted.throwIfAborted();
  };
  const happened = await happen(opened, target, interrupted ? { ...watcher, between } : watcher);
  reach(opened, target);
  return happened;
}

function reach(opened: OpenedSandbox, moment: number): void {
  opened.setOffset(opened.offset() + moment * 1000 - opened.now());
}

async function happen(opened: OpenedSandbox, until: number, watcher?: Watcher): Promise<number> {
  const host = openHost(opened.functionThread);
  return closing(host.engine, () => passTime(opened.store, until, host, watcher));
}

/** Runs everything that is due by now, as a request does before its answer. */
export async function catchUp(opened: OpenedSandbox): Promise<void> {
  const { isDue, isReady, unix } = opened.moment();
  if (isDue && isReady) await happen(opened, unix);
}

/** The moment that lies a span after another, unix seconds; months keep the day if the month has it. */
export function afterSpan(now: number, { count, unit }: Span): number {
  if (unit === 'mo' || unit === 'q' || unit === 'y') return addMonths(now, count * MONTHS[unit]);
  return now + count * SECONDS[unit];
}

/**
 * Like `advanceTo`, but while requests are served: the clock moves along with the tasks, so a request in between sees a
 * moment before which everything due has happened.
 */
export function advanceInSlices(opened: OpenedSandbox, target: number): Promise<number> {
  return advanceTo(opened, target, {
    slice: (next) => {
      if (next !== undefined) reach(opened, next);
      return new Promise((resolve) => setImmediate(resolve));
    },
  });
}

/** The number of items of each family, in test and live mode. */
export function countItems(store: ItemStore): { items: Record<string, { test: number; live: number }> } {
  const rows = store.database
    .prepare(
      `SELECT f.name, c.kind % 4, c.n FROM counts c JOIN families f ON f.code = c.kind / 4
       WHERE c.level = 0 ORDER BY f.name, c.kind`,
    )
    .all();
  const items: Record<string, { test: number; live: number }> = {};
  for (const [name, mode, n] of rows as [string, number, number][]) {
    const entry = items[name] ?? { test: 0, live: 0 };
    if (mode !== 1) entry.test = n;
    if (mode !== 0) entry.live = n;
    items[name] = entry;
  }
  return { items };
}

/** The seed, size and day of the data. */
export function readSeed(database: Database): { seed: number; renewals: number; day: string } | Record<string, never> {
  const text = readMeta(database, 'seed');
  if (!text) return {};
  const { seed, renewals, day } = JSON.parse(text) as { seed: number; renewals: number; day: number };
  return { seed, renewals, day: isoDay(day) };
}
