/**
 * A rate is one of all processes that use the key.
 * @module-tag process
 */
import { expect, it } from 'vitest';
import { listHandler } from '../fixtures/service/service.js';
import { items, pair } from './helpers.js';

const RATE = 6;
const JOBS = 3;

it('sends from several processes together what the rate allows one', async () => {
  const moments: number[] = [];
  const serve = listHandler({ items: items(125, Math.floor(Date.now() / 1000) - 60) });
  const { home } = await pair((request) => {
    moments.push(Date.now());
    return serve(request);
  });
  const line = ['transactions', 'list', '--last', '30d', '-o', 'ids', '--rate', String(RATE)];
  const ran = await Promise.all(Array.from({ length: JOBS }, () => home.spawn(line)));
  for (const one of ran) {
    expect(one.code, one.stderr).toBe(0);
    expect(one.stdout.trim().split(/\r?\n/)).toHaveLength(125);
  }
  expect(moments.length).toBeGreaterThanOrEqual(JOBS * 5);
  // Timers wake late by themselves: one more than the rate may fall into the same second.
  for (const from of moments)
    expect(moments.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(RATE + 1);
}, 120_000);
