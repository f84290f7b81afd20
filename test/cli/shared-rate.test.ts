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
  // How many come in one second depends on a busy machine too, how long all take at least does not.
  const least = (moments.length / RATE - 1) * 1000;
  expect(Math.max(...moments) - Math.min(...moments)).toBeGreaterThan(least * 0.7);
}, 120_000);
