import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedPace, take } from '../../../src/account/pace/shared-pace.js';
import { makePacer } from '../../../src/service/http/pacer.js';

const T = 1_780_000_000_000;
const kept = (more: object) => ({ at: T, next: T, rate: 5, until: T, ...more });
const folder = () => mkdtempSync(path.join(tmpdir(), 'pace-'));

/** The most that begins within any second. */
function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1000).length));
}

describe('turns that several processes take', () => {
  it('begin one after the other, whoever takes them', () => {
    let last = take(undefined, { wanted: 1, rate: 5, now: T });
    const turns = [...last.turns];
    for (let at = 0; at < 9; at++) {
      last = take(last.kept, { wanted: 1, rate: 5, now: T + at });
      turns.push(...last.turns);
    }
    expect(turns).toEqual(Array.from({ length: 10 }, (_, at) => T + at * 200));
  });

  it('keep to the slowest rate of those who take them, until it is gone', () => {
    const slow = take(undefined, { wanted: 1, rate: 2, now: T });
    const quick = take(slow.kept, { wanted: 1, rate: 50, now: T });
    const next = take(quick.kept, { wanted: 1, rate: 50, now: T + 510 });
    expect([...quick.turns, ...next.turns]).toEqual([T + 500, T + 1000]);
    expect(take(next.kept, { wanted: 5, rate: 50, now: T + 9000 }).kept.next).toBe(T + 9040);
  });

  it('move along with a clock that is set back, and leave nothing to make up for when it is set forward', () => {
    const ahead = kept({ next: T + 400 });
    expect(take(ahead, { wanted: 1, rate: 5, now: T - 3_600_000 }).turns).toEqual([T - 3_600_000 + 400]);
    const late = take(ahead, { wanted: 9, rate: 5, now: T + 3_600_000 });
    expect(late.turns).toEqual([T + 3_600_000]);
    expect(late.kept.next).toBe(T + 3_600_200);
  });

  it('are taken in advance only as far as a crash may lose', () => {
    expect(take(undefined, { wanted: 500, rate: 1000, now: T }).turns).toHaveLength(50);
    expect(take(undefined, { wanted: 500, rate: 5, now: T }).turns).toHaveLength(1);
  });
});

it('begins anew from a file that a crash cut', async () => {
  const there = folder();
  writeFileSync(path.join(there, 'k.pace'), '{"at":17');
  const pace = sharedPace({ folder: there, key: 'k', rate: 5, now: () => T, onFault: expect.unreachable });
  expect([await pace.reserve(1), await pace.reserve(1)]).toEqual([[0], [200]]);
});

it('says once that it keeps a pace of its own where the file cannot be', async () => {
  const there = path.join(folder(), 'file');
  writeFileSync(there, '');
  const faults: string[] = [];
  const pace = sharedPace({ folder: there, key: 'k', rate: 5, now: () => T, onFault: (why) => faults.push(why) });
  expect([await pace.reserve(1), await pace.reserve(1)]).toEqual([[0], [0]]);
  expect(faults).toHaveLength(1);
});

it('lets several pacers send together no more than one alone', async () => {
  const there = folder();
  let now = T;
  const sent: number[] = [];
  // Whoever sleeps is woken in the order of the clock.
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake }));
  const workers = [1, 2, 3].map(async () => {
    const shared = sharedPace({ folder: there, key: 'k', rate: 5, now: () => now, onFault: expect.unreachable });
    const pacer = makePacer({ now: () => now, sleep, rate: 5, shared });
    for (let at = 0; at < 8; at++) {
      await pacer.acquire();
      sent.push(now);
      pacer.answered();
    }
  });
  let running = workers.length;
  for (const worker of workers) void worker.then(() => running--);
  while (running > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (sleepers.length < running) continue;
    sleepers.sort((a, b) => a.at - b.at);
    const first = sleepers.shift();
    now = Math.max(now, first?.at ?? now);
    first?.wake();
  }
  await Promise.all(workers);
  expect(sent).toHaveLength(24);
  expect(mostInASecond(sent)).toBeLessThanOrEqual(5);
});
