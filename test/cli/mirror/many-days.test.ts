/** @module-tag sweep */
import { rmSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { QuickClock } from '../../harness/clock.js';
import { Dice, World } from '../../sandbox/random-life.js';
import { forgetFirstDay, json, pair } from '../helpers.js';
import { REPORT_FAMILIES } from '../report/families.js';

/*
 * A mirror beside the account that it follows: days of random life, a sync on most of them. `COPS_LONG=1` takes a year.
 */

const LONG = process.env.COPS_LONG === '1';
const DAYS = LONG ? 365 : 16;
/** Days from one full sync to the next. */
const EACH = LONG ? 7 : 8;
const LIMIT = LONG ? 3_600_000 : 240_000;
/** A plain sync reads every window again within this many runs (`docs/reports.md`, the help of sync). */
const PROMISED = 12;
const FAMILIES = [
  ...(LONG ? REPORT_FAMILIES : (['sales', 'subscription_renewals', 'transactions', 'pending_refunds'] as const)),
  ...(LONG ? (['tax_profiles', 'user_gateways'] as const) : (['subscriptions', 'customers', 'trials'] as const)),
  ...(['invoices', 'coupons', 'subscription_profiles'] as const),
];

interface Line {
  readonly family: string;
  readonly state: string;
  readonly seen_since: string | null;
}

async function account() {
  const world = await World.make(11);
  const { home } = await pair(world.serve);
  forgetFirstDay(home);
  const sync = async (file: string, ...words: string[]): Promise<Line[]> => {
    const clock = new QuickClock(world.now * 1000);
    const line = ['sync', file, ...FAMILIES.map((name) => name.replaceAll('_', '-')), ...words];
    const ran = await home.run([...line, '-o', 'json'], { cwd: home.folder, clock, timeoutMs: LIMIT });
    expect(ran.code, ran.stderr).toBe(0);
    return json<Line[]>(ran);
  };
  return { world, sync, folder: home.folder };
}

/** Every row of a mirror: family and id to the item. */
function rowsOf(file: string): Map<string, unknown> {
  const database = new Libsql(file);
  try {
    const rows = FAMILIES.flatMap((family) =>
      (database.prepare(`SELECT id, _json FROM raw_${family} ORDER BY id`).raw().all() as string[][]).map(
        ([id, item]): [string, unknown] => [`${family} ${id}`, JSON.parse(item as string)],
      ),
    );
    return new Map(rows);
  } finally {
    database.close();
  }
}

/** Rows that one mirror has otherwise than the other, or not at all. */
function differing(one: string, other: string): string[] {
  const [ours, theirs] = [rowsOf(one), rowsOf(other)];
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  return [...names].filter((name) => JSON.stringify(ours.get(name)) !== JSON.stringify(theirs.get(name)));
}

it(`equals a fresh one after each full sync of ${DAYS} days, and after the promised plain ones`, {
  timeout: LIMIT,
}, async () => {
  const { world, sync, folder } = await account();
  const [mirror, fresh] = [path.join(folder, 'm.sqlite'), path.join(folder, 'fresh.sqlite')];
  const differencesNow = async (): Promise<string[]> => {
    rmSync(fresh, { force: true });
    await sync(fresh);
    return differing(mirror, fresh);
  };
  const dice = new Dice(3);
  const done: string[] = [];
  let last: Line[] = [];
  let compared = 0;
  for (let day = 1; day <= DAYS; day++) {
    world.now += 86_400 - 3600;
    for (let left = dice.below(5); left > 0; left--) done.push(await world.step(world.books(), false));
    world.now += 3600;
    if (day % EACH === 0) {
      await sync(mirror, '--full');
      expect(await differencesNow(), `day ${day}: ${done.slice(-20).join('\n')}`).toEqual([]);
      compared++;
    } else if (dice.below(10) < (LONG ? 7 : 3)) last = await sync(mirror);
  }
  expect(compared).toBe(Math.floor(DAYS / EACH));
  expect(done.filter((line) => line.endsWith('-> 200')).length).toBeGreaterThan(DAYS / 2);

  // What nobody looks at changes too: an old customer and an old sale.
  for (let left = 8; left > 0; left--) done.push(await world.step(world.books(), false));
  const [old] = world.books().all('customers');
  const moved = await world.post(`/customers/${old?.id}`, { customer: { first_name: 'Moved' } });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  world.now += 3600;
  last = await sync(mirror);
  // Whatever is stale is said: its list was not seen whole at this sync.
  for (const name of await differencesNow()) {
    const line = last.find(({ family }) => family === name.split(' ')[0]);
    expect(Date.parse(line?.seen_since ?? ''), name).toBeLessThan(world.now * 1000);
  }
  for (let run = 1; run < PROMISED; run++) {
    world.now += 60;
    await sync(mirror);
  }
  expect(await differencesNow()).toEqual([]);
});
