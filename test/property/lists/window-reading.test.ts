import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtText, type Verdict, WindowReading } from '../../../src/service/lists/window-reading.js';

/** How a service may be; each oddity is one that some service shows. */
interface Habits {
  readonly rows: number;
  readonly pageSize: number;
  /** It gives smaller pages than were asked for. */
  readonly servedSize: number;
  /** Added to its count, on each page from this one on. */
  readonly lie: number;
  readonly lieFrom: number;
  readonly pagesTold: 'right' | 'one' | 'huge' | 'none';
  /** Pages that give no count. */
  readonly uncounted: 'none' | 'all' | 'later';
  /** The same page under every number. */
  readonly repeatsPage: boolean;
  /** Every row twice. */
  readonly doubled: boolean;
  /** After so many pages its first row is gone: another slips over the edge of a page. */
  readonly goneAfter: number;
  readonly lastPage: number | undefined;
  /** Answers in flight at once; they come in any order. */
  readonly atOnce: number;
  readonly order: number;
  readonly readings: number;
  readonly againForRepeats: boolean;
}

const habits: fc.Arbitrary<Habits> = fc.record({
  rows: fc.nat(130),
  pageSize: fc.integer({ min: 1, max: 25 }),
  servedSize: fc.integer({ min: 1, max: 25 }),
  lie: fc.constantFrom(0, 0, 0, 1, -1, 7, 1e12),
  lieFrom: fc.constantFrom(1, 1, 2, 3),
  pagesTold: fc.constantFrom('right', 'right', 'one', 'huge', 'none'),
  uncounted: fc.constantFrom('none', 'none', 'none', 'all', 'later'),
  repeatsPage: fc.constant(false),
  doubled: fc.constantFrom(false, false, false, true),
  goneAfter: fc.constantFrom(0, 0, 0, 1, 2, 4),
  lastPage: fc.constantFrom(undefined, undefined, undefined, 1, 3),
  atOnce: fc.integer({ min: 1, max: 6 }),
  order: fc.nat(1000),
  readings: fc.constantFrom(2, 3),
  againForRepeats: fc.boolean(),
});

/** Drives the engine as its drivers do, and tells what came of it. */
function read(how: Habits) {
  let rows = Array.from({ length: how.rows }, (_, index) => index);
  if (how.doubled) rows = rows.flatMap((row) => [row, row]);
  let asked = 0;
  let began = 0;
  let isGone = false;
  const size = Math.min(how.pageSize, how.servedSize);
  const answer = (page: number) => {
    asked++;
    if (how.goneAfter > 0 && asked > how.goneAfter && !isGone) {
      isGone = true;
      rows = rows.slice(1);
    }
    const at = how.repeatsPage ? 0 : (page - 1) * size;
    const isCut = how.lastPage !== undefined && page > how.lastPage;
    const count = new Set(rows).size + (page >= how.lieFrom ? how.lie : 0);
    const isUncounted = how.uncounted === 'all' || (how.uncounted === 'later' && page > 1);
    const right = Math.ceil(rows.length / size);
    return {
      page,
      rows: isCut ? [] : rows.slice(at, at + size),
      totalCount: isUncounted || count < 0 ? undefined : count,
      totalPages: { right, one: 1, huge: 1_000_000, none: undefined }[how.pagesTold],
    };
  };
  const { pageSize, lastPage, readings, againForRepeats } = how;
  let reading = new WindowReading({ paged: true, pageSize, lastPage, readings, againForRepeats });
  let found = new Set<number>();
  const all = new Set<number>();
  let verdict: Verdict = 'again';
  const pages: number[] = [];
  for (;;) {
    began++;
    const flying: ReturnType<typeof answer>[] = [];
    for (;;) {
      for (let page: number | undefined; flying.length < how.atOnce; ) {
        page = reading.next();
        if (page === undefined) break;
        pages.push(page);
        flying.push(answer(page));
      }
      const [came] = flying.splice((how.order + asked) % Math.max(1, flying.length), 1);
      if (!came) break;
      let fresh = 0;
      for (const row of came.rows) {
        if (!found.has(row)) fresh++;
        found.add(row);
        all.add(row);
      }
      const { totalCount, totalPages } = came;
      reading.take(came.page, { totalCount, totalPages, count: came.rows.length, fresh, odd: 0 });
    }
    expect(reading.isWhole).toBe(true);
    expect(reading.unique).toBe(found.size);
    verdict = reading.verdict();
    if (verdict !== 'again') break;
    reading = reading.again();
    found = new Set();
  }
  return { verdict, asked, began, found, all, pages, there: new Set(rows) };
}

const runs = { numRuns: process.env.COPS_LONG === '1' ? 20_000 : 2_000 };

describe('a window of a list, whoever reads it (command-line.md#lists)', () => {
  it('is never called proven unless as many different items were read as the service counts', () => {
    fc.assert(
      fc.property(habits, (how) => {
        const { verdict, found, there } = read(how);
        if (verdict.length > 0) {
          expect(doubtText(verdict as Exclude<Verdict, 'again'>)).not.toBe('');
          return;
        }
        const isHonest = how.lie === 0;
        if (isHonest) for (const row of there) expect(found.has(row)).toBe(true);
        expect(how.uncounted).not.toBe('all');
      }),
      runs,
    );
  });

  it('is proven at its first reading by a service without oddities, with no page asked for twice or in vain', () => {
    fc.assert(
      fc.property(habits, (odd) => {
        const how: Habits = {
          ...odd,
          lie: 0,
          uncounted: 'none',
          doubled: false,
          goneAfter: 0,
          lastPage: undefined,
          servedSize: odd.pageSize,
          pagesTold: odd.pagesTold === 'none' ? 'none' : 'right',
        };
        const { verdict, began, found, pages } = read(how);
        expect(verdict).toEqual([]);
        expect(began).toBe(1);
        expect(found.size).toBe(how.rows);
        expect(pages).toEqual(Array.from({ length: Math.max(1, Math.ceil(how.rows / how.pageSize)) }, (_, i) => i + 1));
      }),
      runs,
    );
  });

  it('has every item of a service with smaller pages than were asked for', () => {
    fc.assert(
      fc.property(habits, fc.integer({ min: 1, max: 24 }), (odd, less) => {
        const how: Habits = {
          ...odd,
          pageSize: 25,
          servedSize: less,
          lie: 0,
          uncounted: 'none',
          doubled: false,
          goneAfter: 0,
          lastPage: undefined,
          pagesTold: 'right',
        };
        const { verdict, found, began } = read(how);
        expect([verdict, found.size, began]).toEqual([[], how.rows, 1]);
      }),
      runs,
    );
  });

  it('is read at most as often as its driver says, and ends whatever the service tells', () => {
    fc.assert(
      fc.property(habits, fc.boolean(), (odd, repeatsPage) => {
        const how = { ...odd, repeatsPage };
        const { began, asked } = read(how);
        expect(began).toBeLessThanOrEqual(how.readings);
        const most = how.rows * 2 + 2 * how.atOnce + 8;
        expect(asked).toBeLessThanOrEqual(how.readings * most);
      }),
      runs,
    );
  });

  it('never asks for a page that the service does not serve, and says how many of all were read', () => {
    fc.assert(
      fc.property(habits, fc.integer({ min: 1, max: 4 }), (odd, lastPage) => {
        const { pages, verdict } = read({ ...odd, lastPage, lie: 0, uncounted: 'none', goneAfter: 0 });
        expect(Math.max(...pages)).toBeLessThanOrEqual(lastPage);
        if (odd.rows > lastPage * odd.pageSize) expect(verdict).toMatchObject([{ kind: 'capped', total: odd.rows }]);
      }),
      runs,
    );
  });

  it('is doubted where only some of its pages give a count', () => {
    const how = { rows: 60, pageSize: 25, uncounted: 'later' } as const;
    const [plain] = fc.sample(habits, { numRuns: 1, seed: 1 }) as [Habits];
    const quiet = { lie: 0, pagesTold: 'right', doubled: false, goneAfter: 0, lastPage: undefined } as const;
    const { verdict, began } = read({ ...plain, ...quiet, ...how, servedSize: 25, repeatsPage: false, readings: 2 });
    expect(verdict).toMatchObject([{ kind: 'moved', move: { from: 60, to: undefined } }]);
    expect(began).toBe(2);
  });

  it('is read again for rows that came twice only where its driver wants that, and then proven by its count', () => {
    const [plain] = fc.sample(habits, { numRuns: 1, seed: 1 }) as [Habits];
    const quiet = { lie: 0, pagesTold: 'none', uncounted: 'none', goneAfter: 0, lastPage: undefined } as const;
    const how: Habits = {
      ...plain,
      ...quiet,
      rows: 10,
      pageSize: 20,
      servedSize: 20,
      repeatsPage: false,
      doubled: true,
    };
    for (const [againForRepeats, times] of [
      [true, 3],
      [false, 1],
    ] as const) {
      const { verdict, began } = read({ ...how, readings: 3, againForRepeats });
      expect([verdict, began]).toEqual([[], times]);
    }
  });
});
