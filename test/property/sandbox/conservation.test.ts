import { describe, expect, it } from 'vitest';
import { breaches } from '../../../src/data/scenarios/books.js';
import { differences } from '../../sandbox/conservation.js';
import { World } from '../../sandbox/random-life.js';

/*
 * Random operations with random bodies, cards that fail, gateways that are switched off, requests sent twice, writes
 * that fail half way and a clock that jumps, with functions, mail and an assistant that does things at work: the books
 * balance and every id that an item names exists. `COPS_LONG=1` takes 50 seeds of 500 operations.
 *
 * After each operation every item is checked that it, and all that fell due before it, changed (and what the check of
 * such an item looks at); what was written is read again, the rest is kept. After every 25th and at the end everything
 * is read anew, must be what was kept, and is checked whole.
 */

const LONG = process.env.COPS_LONG === '1';
// `COPS_SEEDS=11-20` takes a part of the seeds.
const [FIRST = 1, LAST = LONG ? 50 : 2] = (process.env.COPS_SEEDS ?? '').split('-').filter(Boolean).map(Number);
const OPERATIONS = LONG ? 500 : 60;
const WHOLE_EVERY = 25;

describe('the books of the sandbox', () => {
  it('balance in what is seeded', async () => {
    const world = await World.make(7);
    expect(breaches(world.books())).toEqual([]);
  });

  describe.each(Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index))('in a random life', (seed) => {
    it(`balance after every operation, seed ${seed}`, { tags: seed === FIRST ? [] : ['sweep'] }, async () => {
      const world = await World.make(seed);
      await world.enliven();
      const done: string[] = [];
      const books = world.keptBooks();
      for (let turn = 1; turn <= OPERATIONS; turn++) {
        const since = world.now;
        done.push(await world.step(books));
        const found = breaches(books.refresh(), since);
        expect(found.slice(0, 3), `${done.slice(-3).join('\n')}`).toEqual([]);
        if (turn % WHOLE_EVERY !== 0 && turn !== OPERATIONS) continue;
        const whole = world.books();
        expect(differences(books, whole), `after ${turn}`).toEqual([]);
        expect(breaches(whole).slice(0, 3), `all of it after ${turn}`).toEqual([]);
      }
      // Most of it was really done, not refused.
      const taken = done.filter((line) => line.endsWith('-> 200')).length;
      expect(taken, done.join('\n')).toBeGreaterThan(OPERATIONS / 4);
      const worked = world.books();
      expect(worked.all('function_runs').filter(({ status }) => status === 'success').length).toBeGreaterThan(0);
      expect(worked.all('ai_threads').some(({ status, notation }) => notation && status === 'Complete')).toBe(true);
      expect(worked.all('ai_threads').filter(({ status, notation }) => notation && status === 'Error')).toEqual([]);
    });
  });
});
