/** @module-tag thorough */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import { ruleName } from '../../../src/sandbox/rules/call.js';
import { RULES } from '../../../src/sandbox/rules/index.js';
import { openSandboxStore, resetStore } from '../../../src/sandbox/serve/index.js';
import { type Durable, durableLog } from '../../../src/sandbox/store/durable.js';
import { facetFilters } from '../../../src/sandbox/store/facets.js';
import { GroupCommit } from '../../../src/sandbox/store/group.js';
import type { ItemStore } from '../../../src/sandbox/store/item-store.js';
import { type FilterCondition, itemFilterValues, readFilters } from '../../../src/sandbox/store/list-filters.js';

/* What indexes answer is what a look at every item would answer, also after changes, undone steps and a new layout. */

const dataDir = mkdtempSync(join(tmpdir(), 'filtered-'));
const NOW = Date.UTC(2026, 5, 1);
let opened: Awaited<ReturnType<typeof resetStore>>;
let store: ItemStore;

beforeAll(async () => {
  opened = await resetStore({ dataDir, now: () => NOW, seed: 11, renewals: 250 });
  store = opened.store;
});
afterAll(() => {
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const FAMILIES = ['subscription_renewals', 'transactions', 'sales', 'customers', 'products', 'tax', 'subscriptions'];

/** Every page of a filtered list, put together, and what a walk over all items finds. */
function bothWays(
  family: string,
  conditions: readonly FilterCondition[],
  window: { start: number; end: number },
  limit: number,
) {
  const found: number[] = [];
  let total = 0;
  for (let offset = 0; offset <= total; offset += limit) {
    const page = store.pages.filtered(family, false, conditions, { window, offset, limit });
    total = page.total;
    found.push(...page.seqs);
  }
  const walked = [...store.scan(family, false, window)]
    .filter(({ value }) => conditions.every(({ name, holds }) => holds(itemFilterValues(name, value))))
    .sort((one, other) => other.created - one.created || other.seq - one.seq)
    .map(({ seq }) => seq);
  return { found, total, walked };
}

function conditionsOf(family: string, picks: readonly number[]): FilterCondition[] {
  const items = store.all(family, false);
  return (facetFilters(family) ?? []).flatMap((name, index) => {
    const pick = picks[index % picks.length] as number;
    if (pick % 3 === 0) return [];
    const values = itemFilterValues(name, items[pick % items.length]?.value ?? {});
    return [{ name, holds: (held: readonly string[]) => held.some((value) => values.includes(value)) }];
  });
}

describe('filters by facets', () => {
  const asked = fc.record({
    family: fc.constantFrom(...FAMILIES),
    picks: fc.array(fc.nat(10_000), { minLength: 3, maxLength: 5 }),
    from: fc.nat(400 * 86_400),
    span: fc.nat(90 * 86_400),
    limit: fc.integer({ min: 1, max: 25 }),
    change: fc.nat(10_000),
  });

  it('find what a walk finds, in its order, whatever changed before', () => {
    fc.assert(
      fc.property(asked, ({ family, picks, from, span, limit, change }) => {
        const items = store.all(family, false);
        const item = items[change % items.length];
        if (item && change % 4 === 0)
          store.update(item, { campaign_id: `Campaign${change % 5}`, status: 'changed' }, 1);
        if (item && change % 9 === 1) store.remove(item);
        const end = Math.floor(NOW / 1000);
        const window = { start: end - from, end: end - from + span };
        const { found, total, walked } = bothWays(family, conditionsOf(family, picks), window, limit);
        expect(found).toEqual(walked);
        expect(total).toBe(walked.length);
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('forget what was undone', () => {
    const before = store.pages.countOf('sales', false, []);
    const sale = store.newest('sales', false);
    expect(() =>
      store.transaction(() =>
        store.step(() => {
          store.insert('sales', { ...sale?.value, id: 'U'.repeat(20), iso_currency: 'XXX' }, { live: false });
          throw new Error('undone');
        }),
      ),
    ).toThrow('undone');
    expect(store.pages.countOf('sales', false, [])).toBe(before);
    const isNew: FilterCondition = { name: 'currency_filter', holds: (held) => held.includes('XXX') };
    expect(store.pages.countOf('sales', false, [isNew])).toBe(0);
    store.insert('sales', { ...sale?.value, id: 'V'.repeat(20), iso_currency: 'YYY' }, { live: false });
    expect(store.pages.countOf('sales', false, [{ ...isNew, holds: (held) => held.includes('YYY') }])).toBe(1);
    expect(store.pages.countOf('sales', false, [isNew])).toBe(0);
  });

  it('see what another process writes and lays out anew', async () => {
    const isMine: FilterCondition = { name: 'currency_filter', holds: (held) => held.includes('ZZZ') };
    expect(store.pages.countOf('sales', false, [isMine])).toBe(0);
    const newest = () => store.pages.items(store.kind('sales', false), 0, 3).map(({ id }) => id);
    const page = newest();
    expect(newest()).toEqual(page);
    const beside = await openSandboxStore({ dataDir, now: () => NOW });
    const sale = beside.store.newest('sales', false);
    beside.store.insert('sales', { ...sale?.value, id: 'W'.repeat(20), iso_currency: 'ZZZ' }, { live: false });
    expect(store.pages.countOf('sales', false, [isMine])).toBe(1);
    expect(newest()[0]).toBe('W'.repeat(20));
    beside.database.close();
    (await resetStore({ dataDir, now: () => NOW, seed: 12, renewals: 20 })).database.close();
    expect(opened.isReady()).toBe(true);
    expect(store.pages.countOf('sales', false, [isMine])).toBe(0);
    expect(store.pages.countOf('sales', false, [])).toBe(store.all('sales', false).length);
    expect(newest()).toEqual(
      store
        .all('sales', false)
        .slice(-3)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  it('take no filter that nobody knows', () => {
    expect(() => readFilters([['nonsense_filter', 'y']])).toThrow(/nonsense_filter is not known/);
  });
});

describe('look-ups by name', () => {
  it('find an item by its whole name only, whatever letters it is asked for in', () => {
    const campaign = store.newest('campaigns', false);
    const name = String(campaign?.value.name);
    expect(store.named('campaigns', false, 'name', name.toUpperCase()).map(({ id }) => id)).toContain(campaign?.id);
    expect(store.named('campaigns', false, 'name', name.slice(0, 3))).toEqual([]);
    expect(store.named('campaigns', true, 'name', 'nothing of the kind')).toEqual([]);
    const long = store.insert(
      'campaigns',
      { id: 'L'.repeat(20), created_date_unix: 1, name: `${'x'.repeat(100)}1` },
      { live: false },
    );
    expect(store.named('campaigns', false, 'name', `${'x'.repeat(100)}2`)).toEqual([]);
    expect(store.named('campaigns', false, 'name', `${'x'.repeat(100)}1`).map(({ id }) => id)).toEqual([long.id]);
    store.update(long, { name: 'short' }, 1);
    expect(store.named('campaigns', false, 'name', `${'x'.repeat(100)}1`)).toEqual([]);
    expect(store.named('campaigns', false, 'name', 'short')).toHaveLength(1);
  });
});

describe('a group of writes', () => {
  it('is committed once, and what one of them throws undoes nothing of the others', async () => {
    const group = new GroupCommit(store);
    const write = (id: string, fails = false) =>
      group.run(() =>
        store.step(() => {
          store.insert('campaigns', { id, created_date_unix: 1, name: id }, { live: false });
          if (fails) throw new Error(`no ${id}`);
          return id;
        }),
      );
    const { transaction } = opened.database;
    let commits = 0;
    opened.database.transaction = (work) => {
      commits++;
      return transaction(work);
    };
    const [one, other, third] = ['1', '2', '3'].map((digit) => digit.repeat(20)) as [string, string, string];
    // A group ends after 20 ms too, which a busy machine may take for one write: time stands still.
    const clock = vi.spyOn(process, 'uptime').mockReturnValue(0);
    const ends = await Promise.allSettled([write(one), write(other, true), write(third)]);
    clock.mockRestore();
    opened.database.transaction = transaction;
    expect(commits).toBe(1);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([one, other, third].map((id) => store.get('campaigns', id, false)?.id)).toEqual([one, undefined, third]);
  });

  it('answers each with the reason when it cannot be committed', async () => {
    const group = new GroupCommit(store);
    const { transaction } = opened.database;
    opened.database.transaction = (work) => {
      transaction(() => {
        work();
        throw new Error('disk full');
      });
      throw new Error('never');
    };
    const id = '4'.repeat(20);
    const made = () => store.insert('campaigns', { id, created_date_unix: 1, name: id }, { live: false });
    const ends = await Promise.allSettled([group.run(made), group.run(() => 2)]);
    opened.database.transaction = transaction;
    expect(ends).toMatchObject([{ reason: { message: 'disk full' } }, { reason: { message: 'disk full' } }]);
    expect(store.get('campaigns', id, false)).toBeUndefined();
    expect(await group.run(() => 3)).toBe(3);
  });

  it('is answered when the disk has it, and a commit meanwhile waits for a turn of its own', async () => {
    const turns: PromiseWithReject[] = [];
    const asked: boolean[] = [];
    const log = {
      settled: (isChange: boolean) => {
        asked.push(isChange);
        return new Promise<void>((resolve, reject) => turns.push({ resolve, reject }));
      },
      close: async () => {},
    };
    const group = new GroupCommit(store, log);
    const ends: string[] = [];
    const write = (name: string, isChange = true) =>
      group
        .run(() => name, isChange)
        .then(
          (end) => ends.push(end),
          (error: Error) => ends.push(error.message),
        );
    // A group also ends by time: on a busy machine, even after one of two writes.
    vi.spyOn(process, 'uptime').mockReturnValue(1);
    const first = write('first');
    await tick();
    const others = [write('second'), write('noted', false)];
    await tick();
    const noted = write('noted alone', false);
    await tick();
    expect(ends).toEqual([]);
    expect(asked).toEqual([true, true, false]);
    turns[0]?.resolve();
    await first;
    expect(ends).toEqual(['first']);
    turns[1]?.reject(new Error('the disk is gone'));
    turns[2]?.resolve();
    await Promise.all([...others, noted]);
    vi.restoreAllMocks();
    expect(ends.slice(1).sort()).toEqual(['noted alone', 'the disk is gone', 'the disk is gone']);
  });

  it('waits for the log of its own database', async () => {
    const log = durableLog(opened.database) as Durable;
    const group = new GroupCommit(store, log);
    const ids = ['5', '6', '7'].map((digit) => digit.repeat(20));
    const made = (id: string) => () =>
      store.insert('campaigns', { id, created_date_unix: 1, name: id }, { live: false }).id;
    expect(await Promise.all(ids.map((id) => group.run(made(id))))).toEqual(ids);
    await log.close();
    // Closed twice, and asked for nothing since: there is nothing to wait for.
    await log.settled(false);
    await log.close();
  });
});

describe('what a transaction wrote', () => {
  it('is read in it as it is in the database, also after an undone step', () => {
    const id = '8'.repeat(20);
    const item = { id, created_date_unix: 1, amount: 1.5, name: 'one', sales: ['a'] };
    store.transaction(() => {
      const made = store.insert('chargebacks', item, { live: false });
      item.sales.push('b');
      const read = store.get('chargebacks', id, false);
      expect(read?.value).toEqual({ ...item, sales: ['a'] });
      expect(read).toMatchObject({ seq: made.seq, created: 1, customer: null });
      expect(() =>
        store.step(() => {
          store.update(made, { name: 'two' }, 2);
          expect(store.get('chargebacks', id, false)?.value.name).toBe('two');
          throw new Error('undone');
        }),
      ).toThrow('undone');
      expect(store.get('chargebacks', id, false)?.value.name).toBe('one');
      store.remove(made);
      expect(store.get('chargebacks', id, false)).toBeUndefined();
    });
  });
});

interface PromiseWithReject {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Until every group that was asked for has been committed. */
const tick = () => new Promise((done) => setTimeout(done, 20));

it('answers no list of a range by a rule: such a list loads none', async () => {
  const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
  const lists = families.flatMap(({ operations }) => operations).filter(({ list }) => list?.style === 'windowed');
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.map(ruleName).filter((name) => name in RULES)).toEqual([]);
});
