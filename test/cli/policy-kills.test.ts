/** @module-tag process */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok, slow, wrote } from '../fixtures/service/service.js';
import { A, pair } from './helpers.js';

const LONG = process.env.COPS_LONG === '1';
const ROUNDS = LONG ? 25 : 2;
const PROCESSES = 8;

/** Numbers between 0 and 1 that are the same at every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

it('lets a day pass its limit in none of eight processes that are killed at random', {
  timeout: LONG ? 3_600_000 : 120_000,
}, async () => {
  let moved = 0;
  const { home } = await pair((request) => {
    if (request.method === 'GET')
      return ok({ live_mode: false, amount: 100, amount_total: 100, amount_refunded: 0, iso_currency: 'USD' });
    moved += Number((request.json as { amount: number }).amount);
    return slow(wrote('item', A), 15);
  });
  const folder = home.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(folder, { recursive: true });
  const policy = (limit: number) =>
    writeFileSync(
      path.join(folder, 'policy.yaml'),
      `zone: UTC\nrules:\n  - {name: day, most_a_day: {USD: ${limit}}}\n`,
    );
  const random = seeded(7);
  const codes: (number | null)[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each round leaves room for about half of what its processes try.
    const limit = moved + 7 * (PROCESSES / 2);
    policy(limit);
    const ran = Array.from({ length: PROCESSES }, (_, index) =>
      home.spawn(
        ['transactions', 'refund', `T${round * PROCESSES + index}`.padEnd(20, 'x'), '-d', 'amount=7', '-o', 'json'],
        {
          timeoutMs: 60_000,
          onStart: (child) => {
            if (random() < 0.4) setTimeout(() => child.kill('SIGKILL'), 150 + random() * 1500);
          },
        },
      ),
    );
    for (const { code } of await Promise.all(ran)) codes.push(code);
    expect(moved).toBeLessThanOrEqual(limit);
  }
  expect(moved).toBeGreaterThan(0);
  expect(codes).toContain(12);
  // An outcome that nobody saw counts as done: what is left to the limit is never more than the service says.
  policy(moved);
  expect((await home.spawn(['transactions', 'refund', 'LAST'.padEnd(20, 'x'), '-d', 'amount=0.01'])).code).toBe(12);
});
