import path from 'node:path';
import { expect } from 'vitest';
import { QuickClock } from '../../harness/clock.js';
import { endSchedules } from '../../harness/seeded.js';
import { World } from '../../sandbox/random-life.js';
import { forgetFirstDay, pair } from '../helpers.js';
import { REPORT_FAMILIES } from './families.js';

// biome-ignore lint/suspicious/noExplicitAny: items of any shape
export type Json = any;

/** A random life on a service, and a mirror that follows it. */
export async function followedLife(seed: number) {
  const world = await World.make(seed);
  endSchedules(world.opened);
  const { home } = await pair(world.serve);
  forgetFirstDay(home);
  const file = path.join(home.folder, 'm.sqlite');
  const run = (words: readonly string[], options: object = {}) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock(world.now * 1000), timeoutMs: 100_000, ...options });
  const sync = async (...more: string[]): Promise<void> => {
    const ran = await run(['sync', '-q', file, ...REPORT_FAMILIES.map((name) => name.replaceAll('_', '-')), ...more]);
    expect(ran.code, ran.stderr).toBe(0);
  };
  /** The items of the service itself, as it has them now. */
  const items = (family: string): Json[] => world.books().all(family);
  return { world, home, file, run, sync, items };
}

/** An amount in cents. */
export const cents = (amount: unknown): number => Math.round(Number(amount ?? 0) * 100);
