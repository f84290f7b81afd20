import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FetchPage, Page } from '../../../src/service/lists/growing-lists.js';
import { type ListPlan, newReport, readList } from '../../../src/service/lists/read-list.js';
import { cutWindows } from '../../../src/service/lists/windows.js';

interface Row {
  readonly id: string;
  readonly at: number;
}

/** A list service in memory that counts its range ends in or out, and may change while it is read. */
function serviceOf(
  rows: readonly Row[],
  startIn: boolean,
  endIn: boolean,
  change?: (asked: number) => readonly Row[],
): { fetch: FetchPage; asked: () => number } {
  let asked = 0;
  let held = rows;
  return {
    asked: () => asked,
    fetch: async ({ range, limit = 25, page = 1 }) => {
      asked += 1;
      held = change?.(asked) ?? held;
      const inside = held.filter(
        ({ at }) =>
          !range || ((startIn ? at >= range.from : at > range.from) && (endIn ? at <= range.to : at < range.to)),
      );
      const items = inside.slice((page - 1) * limit, page * limit);
      return {
        items: items.map(({ id }) => ({ raw: JSON.stringify({ id }), id, liveMode: undefined })),
        totalCount: inside.length,
        totalPages: Math.ceil(inside.length / limit),
        envelope: () => '',
      };
    },
  };
}

async function readAll(
  plan: ListPlan,
  fetch: FetchPage,
): Promise<{ ids: string[]; report: ReturnType<typeof newReport> }> {
  const report = newReport();
  const ids: string[] = [];
  for await (const page of readList(plan, fetch, report)) ids.push(...page.items.map((item) => item.id ?? ''));
  return { ids, report };
}

const DAY = 86_400;
const rowsOf = fc
  .array(fc.integer({ min: 1, max: 20 * DAY - 1 }), { maxLength: 120 })
  .map((times) => times.map((at, index): Row => ({ id: `id${index}`, at })).sort((a, b) => b.at - a.at));
const planOf = (more: Partial<ListPlan> = {}): ListPlan => ({
  windows: cutWindows({ from: 0, to: 20 * DAY }, 7),
  paged: true,
  pageSize: 5,
  ahead: 3,
  ...more,
});

describe('a list over windows and pages (command-line.md#lists)', () => {
  it('has every item once, whichever range ends the service counts in', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowsOf,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 25 }),
        async (rows, startIn, endIn, pageSize) => {
          const { ids, report } = await readAll(planOf({ pageSize }), serviceOf(rows, startIn, endIn).fetch);
          expect(ids.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
          expect(report.unproven).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never claims to be complete when the service counts more than it serves', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.integer({ min: 1, max: 3 }), async (rows, hidden) => {
        const { fetch } = serviceOf(rows, true, true);
        const lying: FetchPage = async (query) => {
          const page: Page = await fetch(query);
          return { ...page, totalCount: (page.totalCount ?? 0) + hidden };
        };
        const { ids, report } = await readAll(planOf(), lying);
        expect(report.unproven.length).toBe(planOf().windows?.length);
        expect(new Set(ids).size).toBe(rows.length);
      }),
      { numRuns: 60 },
    );
  });

  it('reads a window again when a row vanishes between two pages, and still yields each other row once', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.nat(), fc.integer({ min: 2, max: 20 }), async (rows, pick, when) => {
        const gone = rows[pick % Math.max(1, rows.length)];
        const service = serviceOf(rows, true, true, (asked) =>
          asked >= when ? rows.filter((row) => row !== gone) : rows,
        );
        const { ids, report } = await readAll(planOf({ ahead: 1 }), service.fetch);
        const others = rows.filter((row) => row !== gone).map((row) => row.id);
        expect(ids.filter((id) => id !== gone?.id).toSorted()).toEqual(others.toSorted());
        expect(report.unproven).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('stops at the limit, and says how many more there are', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, index): Row => ({ id: `id${index}`, at: index * 28_000 + 1 }),
    ).reverse();
    const { ids, report } = await readAll(planOf({ limit: 7 }), serviceOf(rows, true, true).fetch);
    expect(ids).toEqual(rows.slice(0, 7).map((row) => row.id));
    expect(report).toMatchObject({ shown: 7, more: true, total: 60 });
  });

  it('never shows more than the limit where a window is read again', async () => {
    const rows = Array.from({ length: 12 }, (_, index): Row => ({ id: `id${index}`, at: 1 }));
    // The first reading misses most rows, the second has them all.
    let asked = 0;
    const fetch: FetchPage = async (query) => {
      const page = await serviceOf(rows, true, true).fetch(query);
      return ++asked === 1 ? { ...page, items: page.items.slice(0, 4), totalPages: 1 } : page;
    };
    const { ids, report } = await readAll(planOf({ windows: undefined, pageSize: 25, limit: 6 }), fetch);
    expect(ids).toHaveLength(6);
    expect(report).toMatchObject({ shown: 6, more: true });
  });

  it('says that a list continues after the last page that the service serves', async () => {
    const rows = Array.from({ length: 60 }, (_, index): Row => ({ id: `id${index}`, at: 1 }));
    const plan: ListPlan = { windows: undefined, paged: true, pageSize: 25, lastPage: 2, ahead: 2 };
    const { ids, report } = await readAll(plan, serviceOf(rows, true, true).fetch);
    expect(ids.length).toBe(50);
    expect(report.unproven.join()).toMatch(/50 of 60/);
  });
});

describe('counts that tell nothing', () => {
  const rows: Row[] = Array.from({ length: 100 }, (_, index) => ({ id: `id${index}`, at: 1000 - index }));
  const told = (totalCount: number | undefined, totalPages: number | undefined): FetchPage => {
    const { fetch } = serviceOf(rows, true, true);
    return async (query) => ({ ...(await fetch(query)), totalCount, totalPages });
  };
  const plan = planOf({ windows: undefined, pageSize: 25 });

  it.each([
    [undefined, undefined],
    [undefined, 1],
    [undefined, 4],
    [undefined, 1_000_000],
    [25, 4],
    [25, undefined],
    [1e12, 4e10],
  ])('total_count %s, total_pages %s: nothing is lost without a word', async (totalCount, totalPages) => {
    const { ids, report } = await readAll(plan, told(totalCount, totalPages));
    if (totalCount !== 25 || totalPages !== undefined) expect(new Set(ids).size).toBe(100);
    else expect(ids.length).toBeGreaterThanOrEqual(25);
    if (totalCount !== 25 || totalPages !== undefined) expect(report.unproven).not.toEqual([]);
  });

  it.each([undefined, 1, 1_000_000])('total_pages %s beside the right total_count changes nothing', async (pages) => {
    const { ids, report } = await readAll(plan, told(100, pages));
    expect(ids).toHaveLength(100);
    expect(report.unproven).toEqual([]);
  });

  it('the same page under every number ends', async () => {
    const { fetch } = serviceOf(rows, true, true);
    let asked = 0;
    const same: FetchPage = async (query) => {
      asked++;
      return { ...(await fetch({ ...query, page: 1 })), totalCount: 1e9, totalPages: 4e7 };
    };
    const { ids, report } = await readAll(plan, same);
    expect(ids).toHaveLength(25);
    expect(report.unproven).not.toEqual([]);
    expect(asked).toBeLessThan(30);
  });

  it.each(['null', '5', '"text"', '[1]'])('a row that is %s is shown and proves nothing', async (raw) => {
    const fetch: FetchPage = async () => ({
      items: [
        { raw: '{"id":"a"}', id: 'a', liveMode: undefined },
        { raw, id: undefined, liveMode: undefined },
      ],
      totalCount: 2,
      totalPages: 1,
      envelope: () => '',
    });
    const { ids, report } = await readAll(plan, fetch);
    expect(ids).toHaveLength(2);
    expect(report.unproven).not.toEqual([]);
  });
});

describe('a range that reaches to now', () => {
  const NOW = 1_800_000_000;
  const old = Array.from({ length: 12 }, (_, index): Row => ({ id: `old${index}`, at: NOW - 100 - index }));
  const plan = (now: () => number, more: Partial<ListPlan> = {}): ListPlan =>
    planOf({ windows: cutWindows({ from: NOW - 20 * DAY, to: NOW }, 7), ahead: 1, now, ...more });

  it('has what was created while its newest window was read, once, and counts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        async (delays, oldestFirst) => {
          let clock = NOW * 1000;
          const late = delays.map((delay, index): Row => ({ id: `late${index}`, at: NOW + delay }));
          // The third page of the newest window is the last: what comes after it no page of this window shows.
          let ofNewest = 0;
          const service = serviceOf(old, true, true, () => (ofNewest > 3 ? [...late, ...old] : old));
          const fetch: FetchPage = (query) => {
            clock += 4000;
            if ((query.range?.to ?? 0) >= NOW) ofNewest++;
            return service.fetch(query);
          };
          const windows = cutWindows({ from: NOW - 20 * DAY, to: NOW }, 7, oldestFirst);
          const { ids, report } = await readAll(
            plan(() => clock, { windows }),
            fetch,
          );
          const until = NOW + Math.ceil((clock - NOW * 1000) / 1000);
          const there = late.filter(({ at }) => at <= until);
          expect(ids.toSorted()).toEqual([...there, ...old].map(({ id }) => id).toSorted());
          expect(report).toMatchObject({ shown: ids.length, total: ids.length, more: false, unproven: [] });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has what a service dated that is ahead of our clock, and believes no clock that is far off', async () => {
    const created: Row = { id: 'new', at: NOW + 119 };
    for (const [ahead, found] of [
      [120, true],
      [100_000, false],
    ] as const) {
      const service = serviceOf([created, ...old], true, true);
      const fetch: FetchPage = async (query) => ({ ...(await service.fetch(query)), callUnix: NOW + ahead });
      const { ids } = await readAll(
        plan(() => NOW * 1000),
        fetch,
      );
      expect(ids.includes('new')).toBe(found);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('asks no more than before where it is read quickly, and never beyond the limit', async () => {
    const asked = async (more: Partial<ListPlan>, step: number): Promise<number> => {
      let clock = NOW * 1000;
      const service = serviceOf(old, true, true);
      const fetch: FetchPage = async (query) => {
        clock += step;
        return { ...(await service.fetch(query)), callUnix: Math.floor(clock / 1000) };
      };
      const { ids } = await readAll(
        plan(() => clock, more),
        fetch,
      );
      expect(ids.length).toBeLessThanOrEqual(more.limit ?? 12);
      return service.asked();
    };
    const frozen = { now: undefined } as unknown as Partial<ListPlan>;
    expect(await asked({}, 100)).toBe(await asked(frozen, 100));
    expect(await asked({}, 2000)).toBe((await asked(frozen, 2000)) + 1);
    expect(await asked({ limit: 5 }, 2000)).toBe(await asked({ ...frozen, limit: 5 }, 2000));
  });
});
