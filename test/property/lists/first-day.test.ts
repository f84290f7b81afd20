import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFirstDay } from '../../../src/service/lists/account-begin.js';

const DAY = 86_400;
const NOW = Date.UTC(2026, 9, 1, 13, 30) / 1000;
const RUNS = process.env.COPS_LONG === '1' ? 20_000 : 400;

/** A service that counts what lies in a range, both its ends inside, of at most 90 days. */
function counting(moments: readonly { readonly list: 'customers' | 'sales'; readonly at: number }[]) {
  const asked: number[] = [];
  const count = async (list: 'customers' | 'sales', { from, to }: { from: number; to: number }): Promise<number> => {
    expect(to - from).toBeLessThanOrEqual(90 * DAY);
    expect(from).toBeGreaterThanOrEqual(0);
    asked.push(from);
    return moments.filter((one) => one.list === list && one.at >= from && one.at <= to).length;
  };
  return { count, asked };
}

/** Ages in seconds, oldest last, never two empty years between two of them, nor between the newest and now. */
const ages = fc
  .array(fc.integer({ min: 0, max: 700 * DAY }), { minLength: 1, maxLength: 12 })
  .map((gaps) => {
    let age = 0;
    return gaps.map((gap) => (age += gap));
  })
  .filter((list) => (list.at(-1) as number) < 12 * 365 * DAY);
const lists = fc.infiniteStream(fc.constantFrom('customers', 'sales') as fc.Arbitrary<'customers' | 'sales'>);

describe('the first day of an account', () => {
  it('is that of its oldest item, or is said not to be proven', async () => {
    await fc.assert(
      fc.asyncProperty(ages, lists, async (found, kinds) => {
        const moments = found.map((age) => ({ list: kinds.next().value as 'customers' | 'sales', at: NOW - age }));
        const { count, asked } = counting(moments);
        const { day, isProven, requests } = await findFirstDay(count, NOW);
        const first = Math.min(...moments.map(({ at }) => at));
        const oldest = Math.floor(first / DAY) * DAY;
        expect(requests).toBe(asked.length);
        expect(requests).toBeLessThanOrEqual(60);
        // It may be earlier, which costs an empty window; later would lose rows.
        if (isProven) expect(day).toBeLessThanOrEqual(oldest);
        // At midnight the day before is as good: a service may count either end of a range.
        if (isProven && requests < 60) expect(oldest - (day as number)).toBeLessThanOrEqual(first === oldest ? DAY : 0);
      }),
      { numRuns: RUNS },
    );
  });

  it('is none for an account with nothing in it', async () => {
    expect(await findFirstDay(counting([]).count, NOW)).toMatchObject({ day: undefined, isProven: true });
  });
});
