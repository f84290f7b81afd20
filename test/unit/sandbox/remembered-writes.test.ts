import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandboxStore } from '../../../src/sandbox/serve/index.js';
import { createService } from '../../../src/sandbox/serve/service.js';
import { bodyBytes } from '../../../src/sandbox/store/prebuilt-json.js';
import { idMaker } from '../../../src/sandbox/store/seeded-ids.js';
import { SandboxWorld } from '../../sandbox/world.js';

/*
 * What the sandbox remembers between two writes must never be older than what is in the database: other processes
 * (here: a second connection with a service of its own) change products, gateways and templates in between.
 */

const KEY = 'sandbox-key-no-secret-0000000001-test';

describe('what is remembered between writes', () => {
  let world: SandboxWorld;
  let other: { post(path: string, body: object): Promise<number>; close(): Promise<void> };

  beforeAll(async () => {
    world = await SandboxWorld.make(5);
    const opened = await openSandboxStore({ dataDir: world.dataDir, now: () => world.now * 1000 });
    const { store, moment, isReady } = opened;
    const service = createService({ store, moment, isReady });
    other = {
      async post(path, body) {
        const answer = await service.handle({ method: 'POST', path, query: [], key: KEY, body: JSON.stringify(body) });
        if (answer.status !== 200) throw new Error(bodyBytes(answer.body).toString());
        return answer.status;
      },
      async close() {
        await service.close();
        opened.database.close();
      },
    };
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const amountOf = async (body: object) => {
    const { sale_id } = await world.post('/sales', body);
    return (await world.get(`/sales/${sale_id}`)).amount_original_total;
  };

  it('is what another process wrote since', async () => {
    const body = { ...world.order(), shipping_amount: 0, tax_amount: 0 };
    const { id } = body.products[0];
    const before = await amountOf(body);
    await other.post(`/products/${id}`, { price: 77.5 });
    expect(before).not.toBe(77.5);
    expect(await amountOf(body)).toBe(77.5);
    // And the other way: it has remembered this product too.
    await world.post(`/products/${id}`, { price: 12.25 });
    await other.post('/sales', body);
    expect(world.one('sales').amount_original_total).toBe(12.25);
  });

  it('goes with what this process writes', async () => {
    const body = { ...world.order(), shipping_amount: 0, tax_amount: 0 };
    await world.post('/sales', body);
    await world.post(`/products/${body.products[0].id}`, { price: 3.5 });
    expect(await amountOf(body)).toBe(3.5);
  });

  it('does not outlive a write that was undone', async () => {
    const body = { ...world.order(), shipping_amount: 0, tax_amount: 0 };
    const { id } = body.products[0];
    const { store } = world.opened;
    const price = () => store.transaction(() => store.get('products', id, false)?.value.price);
    const before = price();
    expect(() =>
      store.transaction(() => {
        const product = store.get('products', id, false);
        if (product) store.update(product, { price: 999 }, world.now);
        expect(store.get('products', id, false)?.value.price).toBe(999);
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect(price()).toBe(before);
    store.transaction(() => {
      const undone = () =>
        store.step(() => {
          const product = store.get('products', id, false);
          if (product) store.update(product, { price: 998 }, world.now);
          store.get('products', id, false);
          throw new Error('one step undone');
        });
      expect(undone).toThrow('one step undone');
      expect(store.get('products', id, false)?.value.price).toBe(before);
    });
  });

  it('cannot be changed by one of those who look at it', () => {
    const { store } = world.opened;
    store.transaction(() => {
      const product = store.get('products', world.one('products').id, false);
      expect(() => Object.assign(product?.value ?? {}, { price: 1 })).toThrow(TypeError);
    });
  });

  it('counts the changes of a family while they wait to be written', () => {
    const { store } = world.opened;
    const kind = store.kind('campaigns', false);
    const before = store.counts.version(kind);
    store.transaction(() => {
      const campaign = store.newest('campaigns', false);
      if (!campaign) throw new Error('there is no campaign');
      for (const round of [1, 2]) {
        store.update(campaign, { name: `C${round}` }, world.now);
        expect(store.counts.version(kind)).toBe(before + round);
      }
    });
    expect(store.counts.version(kind)).toBe(before + 2);
  });
});

describe('counts that are gathered in a transaction', () => {
  it('are right when a step that had them written is undone', async () => {
    const world = await SandboxWorld.make(6, 400);
    const { store, database } = world.opened;
    const kind = store.kind('subscriptions', false);
    const kept = () => [store.counts.total(kind), store.counts.version(kind)];
    const status = (word: string) =>
      store.pages.countOf('subscriptions', false, [
        { name: 'status_filter', holds: (values) => values.includes(word) },
      ]);
    const before = { kept: kept(), active: status('active'), cancelled: status('cancelled') };
    store.transaction(() => {
      const [one, two] = store.all('subscriptions', false).filter(({ value }) => value.status === 'active');
      if (!one || !two) throw new Error('there are no active subscriptions');
      store.update(one, { status: 'cancelled' }, world.now);
      // A filter is answered from what is still gathered too.
      expect(status('cancelled')).toBe(before.cancelled + 1);
      store.insert('subscriptions', { ...one.value, id: 'A'.repeat(20), status: 'active' }, { live: false });
      const undone = () =>
        store.step(() => {
          store.remove(two);
          expect(status('active')).toBe(before.active - 1);
          store.counts.version(kind);
          throw new Error('undone');
        });
      expect(undone).toThrow('undone');
      expect(kept()).toEqual([(before.kept[0] ?? 0) + 1, (before.kept[1] ?? 0) + 2]);
    });
    expect([status('active'), status('cancelled')]).toEqual([before.active, before.cancelled + 1]);
    expect(store.counts.total(kind)).toBe(database.prepare('SELECT count(*) FROM items WHERE kind = ?').get(kind)?.[0]);
    await world.close();
  });
});

describe('identifiers made in a row', () => {
  it('are of twenty characters, none twice, and differ in more than anyone can guess', () => {
    const next = idMaker();
    const ids = Array.from({ length: 3000 }, next);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[0-9A-Za-z]{20}$/.test(id))).toEqual([]);
    expect(new Set(ids.map((id) => id.slice(4))).size).toBe(ids.length);
    for (let place = 4; place < 20; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(62);
    // Those of one maker and of another do not begin alike, nor do those of other moments.
    expect(new Set([...ids, idMaker()()].map((id) => id.slice(0, 4))).size).toBeGreaterThan(5);
  });
});
