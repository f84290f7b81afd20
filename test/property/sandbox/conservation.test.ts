import { describe, expect, it } from 'vitest';
import { breaches } from '../../sandbox/conservation.js';
import { World } from '../../sandbox/random-life.js';

/*
 * Random operations with random bodies, cards that fail, gateways that are switched off, requests sent twice, writes
 * that fail half way and a clock that jumps, with functions, mail and an assistant that does things at work: after each
 * of them the books balance and every id that an item names exists. `COPS_LONG=1` takes 50 seeds of 500 operations.
 */

const LONG = process.env.COPS_LONG === '1';
const SEEDS = LONG ? 50 : 3;
const OPERATIONS = LONG ? 500 : 60;

describe('the books of the sandbox', () => {
  it('balance in what is seeded', async () => {
    const world = await World.make(7);
    expect(breaches(world.books())).toEqual([]);
  });

  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'balance after every operation, seed %i',
    async (seed) => {
      const world = await World.make(seed);
      await world.enliven();
      const done: string[] = [];
      let books = world.books();
      for (let turn = 0; turn < OPERATIONS; turn++) {
        const since = world.now;
        done.push(await world.step(books));
        books = world.books();
        const found = breaches(books, since);
        expect(found.slice(0, 3), `${done.slice(-3).join('\n')}`).toEqual([]);
      }
      expect(breaches(world.books()), 'at the end').toEqual([]);
      // Most of it was really done, not refused.
      const taken = done.filter((line) => line.endsWith('-> 200')).length;
      expect(taken, done.join('\n')).toBeGreaterThan(OPERATIONS / 4);
      const worked = world.books();
      expect(worked.all('function_runs').filter(({ status }) => status === 'success').length).toBeGreaterThan(0);
      expect(worked.all('ai_threads').some(({ status, notation }) => notation && status === 'Complete')).toBe(true);
      expect(worked.all('ai_threads').filter(({ status, notation }) => notation && status === 'Error')).toEqual([]);
    },
  );
});
