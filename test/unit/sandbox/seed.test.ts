/** @module-tag sweep */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Books, breaches } from '../../../src/data/scenarios/books.js';
import type { Scene } from '../../../src/sandbox/rules/call.js';
import { defaultCard } from '../../../src/sandbox/rules/payments.js';
import { openSandbox } from '../../../src/sandbox/serve/embedded.js';
import { SANDBOX_TEST_KEY } from '../../../src/sandbox/serve/embedded-keys.js';
import { advanceTo, resetStore } from '../../../src/sandbox/serve/index.js';
import { endSchedules } from '../../harness/seeded.js';

const NOON = Date.UTC(2026, 4, 17, 12);
const DAY = 86_400;
/** Of 500 renewals by seed 7, laid out at `NOON`. */
const DIGEST = '18ed5a0e558092870ebe43f7a8fcd17a91f19bae9a84f45ee65b82d3a57061ae';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'seed-'));
  folders.push(made);
  return made;
}

type Opened = Awaited<ReturnType<typeof resetStore>>;

type Options = { seed?: number; at?: number; renewals?: number; refundTransactions?: boolean };

async function layOut({ seed = 7, at = NOON, renewals = 300, ...more }: Options = {}): Promise<Opened> {
  return resetStore({ dataDir: folder(), now: () => at, seed, renewals, ...more });
}

function dump({ database }: Opened): string {
  const rows = database
    .prepare(
      "SELECT i.kind, i.created, i.id, i.body || coalesce(p.text, '') FROM items i LEFT JOIN parts p ON p.id = i.part ORDER BY i.kind, i.id",
    )
    .all();
  const due = database.prepare('SELECT * FROM due ORDER BY at, task, id').all();
  return JSON.stringify([rows, due]);
}

describe('seeded data', () => {
  it('is the same for the same seed and day, at any hour, and another for another seed or day', async () => {
    const renewals = 100;
    const [one, evening, other, tomorrow] = await Promise.all([
      layOut({ renewals }),
      layOut({ renewals, at: NOON + 11 * 3_600_000 }),
      layOut({ renewals, seed: 8 }),
      layOut({ renewals, at: NOON + 24 * 3_600_000 }),
    ]);
    expect(dump(evening)).toBe(dump(one));
    expect(dump(other)).not.toBe(dump(one));
    expect(dump(tomorrow)).not.toBe(dump(one));
    for (const opened of [one, evening, other, tomorrow]) opened.database.close();
  });

  it('has as many renewals as asked for, all before the day of the reset', async () => {
    const opened = await layOut({ renewals: 321 });
    const renewals = opened.store.all('subscription_renewals', false);
    expect(renewals).toHaveLength(321);
    const day = Math.floor(NOON / 1000 / DAY) * DAY;
    for (const item of renewals) {
      expect(item.created).toBeLessThan(day);
      expect(item.created).toBeGreaterThan(day - 401 * DAY);
    }
    opened.database.close();
  });

  it('has nothing that was made or changed after now', async () => {
    const opened = await layOut({ renewals: 600 });
    const kinds = ['customers', 'sales', 'subscriptions', 'subscription_renewals', 'trials', 'transactions'];
    const items = kinds.flatMap((kind) => opened.store.all(kind, false));
    const times = items.flatMap(({ created, value }) => [created, Number(value.updated_date_unix ?? created)]);
    expect(times.length).toBeGreaterThan(1000);
    expect(Math.max(...times)).toBeLessThan(NOON / 1000);
    opened.database.close();
  });

  it('lets nothing fall due on the day itself', async () => {
    const opened = await layOut();
    const day = Math.floor(NOON / 1000 / DAY) * DAY;
    expect(opened.store.nextDue(day + DAY - 1)).toBeUndefined();
    opened.database.close();
  });

  it('names only items that exist', async () => {
    const opened = await layOut();
    const families = [
      'sales',
      'product_sales',
      'shipping',
      'tax',
      'discounts',
      'trials',
      'subscriptions',
      'subscription_renewals',
      'transactions',
      'salvage_transactions',
      'wallet_transactions',
      'offline_payments',
      'check_directs',
    ];
    const missing: string[] = [];
    for (const live of [false, true]) {
      for (const family of [...families, 'pending_refunds', 'chargebacks']) {
        for (const item of opened.store.all(family, live)) {
          for (const other of families) {
            for (const id of (item.value[other] as string[] | undefined) ?? []) {
              if (!opened.store.get(other, id, live)) missing.push(`${family} ${item.id}: ${other} ${id}`);
            }
          }
        }
      }
    }
    expect(missing).toEqual([]);
    opened.database.close();
  });

  it('has the same fields as what happens later', async () => {
    const opened = await layOut();
    endSchedules(opened);
    const fields = (family: string, made: (created: number) => boolean) => {
      const names = new Set<string>();
      for (const item of opened.store.all(family, false))
        if (made(item.created)) for (const name of Object.keys(item.value)) names.add(name);
      return [...names].sort();
    };
    const now = Math.floor(NOON / 1000);
    await advanceTo(opened, now + 40 * DAY);
    const seeded = fields('subscription_renewals', (created) => created < now);
    expect(fields('subscription_renewals', (created) => created > now)).toEqual(seeded);
    const later = fields('transactions', (created) => created > now);
    for (const name of fields('transactions', (created) => created < now)) {
      if (name !== 'payment_profile') expect(later).toContain(name);
    }
    opened.database.close();
  });

  it('goes on by the rules of its past: what a renewal costs, and when the first one after a trial falls due', async () => {
    const opened = await layOut();
    const now = Math.floor(NOON / 1000);
    type Item = { product: { name: string; price: number }; amount_original_total: number };
    const more = ({ value }: { value: object }) =>
      Number(((value as Item).amount_original_total - (value as Item).product.price).toFixed(2));
    const trials = opened.store.all('trials', false).filter(({ value }) => value.status === 'active');
    expect(trials.length).toBeGreaterThan(0);
    for (const { value } of trials) {
      const [id] = value.subscriptions as string[];
      const subscription = id === undefined ? undefined : opened.store.get('subscriptions', id, false);
      const billing = subscription?.value.billing as { next_renewal_date_unix: number } | undefined;
      if (billing) expect(billing.next_renewal_date_unix).toBeGreaterThan(Number(value.expiration_date_unix) + 6 * DAY);
    }
    await advanceTo(opened, now + 40 * DAY);
    const renewals = opened.store.all('subscription_renewals', false);
    for (const isLater of [false, true]) {
      const some = renewals.filter(({ created }) => created > now === isLater);
      expect(some.length).toBeGreaterThan(20);
      expect(new Set(some.map(more))).toEqual(new Set([0]));
    }
    opened.database.close();
  });

  it('makes the same things happen for the same data', async () => {
    const [one, two] = [await layOut({ renewals: 100 }), await layOut({ renewals: 100 })];
    const then = Math.floor(NOON / 1000) + 25 * DAY;
    expect(await advanceTo(one, then)).toBeGreaterThan(0);
    await advanceTo(two, then - 10 * DAY);
    await advanceTo(two, then);
    expect(dump(two)).toBe(dump(one));
    one.database.close();
    two.database.close();
  });
});

function groupedBy<T extends { readonly customer: string | null }>(items: readonly T[]): Map<string | null, T[]> {
  const groups = new Map<string | null, T[]>();
  for (const item of items) groups.set(item.customer, [...(groups.get(item.customer) ?? []), item]);
  return groups;
}

describe('a larger account', () => {
  it('has orders of several lines, lost shipments, blocked people, coupons, fraud, and books that balance', async () => {
    const opened = await layOut({ renewals: 4000 });
    const all = (family: string) => opened.store.all(family, false).map(({ value }) => value);
    const lines = all('sales').map(({ product_sales }) => (product_sales as string[]).length);
    expect([2, 3, 4, 5].filter((count) => !lines.includes(count))).toEqual([]);
    const old = NOON / 1000 - 30 * DAY;
    const late = all('shipping').filter(({ created_date_unix }) => Number(created_date_unix) < old);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set(['delivered', 'shipped', 'error']));
    expect(all('customers').filter(({ blocked }) => blocked).length).toBeGreaterThan(0);
    expect(all('fraud_detections').filter(({ false_positive }) => !false_positive).length).toBeGreaterThan(0);
    const discounts = all('discounts');
    for (const { id, coupon_code, num_use } of all('coupons')) {
      expect([coupon_code, num_use]).toEqual([coupon_code, discounts.filter((one) => one.coupon_id === id).length]);
      expect(Number(num_use) > 0).toBe(coupon_code !== 'OLD2020');
    }
    const bought = all('customers').map(({ sales_count }) => Number(sales_count));
    expect(Math.max(...bought)).toBeGreaterThan(4);
    expect(breaches(new Books(opened.store, false)).slice(0, 3)).toEqual([]);
    opened.database.close();
  });

  it('has no date far ahead for what has ended', async () => {
    const opened = await layOut({ renewals: 500 });
    const ended = opened.store.all('subscriptions', false).filter(({ value }) => value.status === 'cancelled');
    expect(ended.length).toBeGreaterThan(5);
    const ahead = ended.filter(
      ({ value }) => Number((value.billing as { next_renewal_date_unix: number }).next_renewal_date_unix) > NOON / 1000,
    );
    expect(ahead.length).toBeLessThan(ended.length);
    opened.database.close();
  });
});

describe('the digest of a reset', () => {
  // What changes it changes the data that people and scripts know by heart: say so in the changelog.
  it('is the one of its seed, size and day', async () => {
    const opened = await layOut({ renewals: 500 });
    expect(createHash('sha256').update(dump(opened)).digest('hex')).toBe(DIGEST);
    opened.database.close();
  });
});

describe('seeded sales', () => {
  it('have an internal id each, however many there are', async () => {
    const opened = await layOut({ renewals: 14_000 });
    const sales = opened.store.all('sales', false).flatMap(({ value }) => value.internal_id ?? []);
    expect(sales.length).toBeGreaterThan(2500);
    expect(new Set(sales).size).toBe(sales.length);
    opened.database.close();
  });
});

describe('seeded people', () => {
  it('have cards, names and addresses as real ones have', async () => {
    const opened = await layOut({ renewals: 3000 });
    const customers = opened.store.all('customers', false).map(({ value }) => value);
    const cards = groupedBy(opened.store.all('customer_cards', false));
    const held = [...cards.values()].map((list) => list.map(({ value }) => value));
    expect(new Set(held.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
    expect(held.flat().some(({ enabled }) => enabled === false)).toBe(true);
    const defaults = held.map((list) => list.filter(({ is_default }) => is_default === true).length);
    expect(new Set(defaults)).toEqual(new Set([0, 1]));
    const enabled = held.filter((list) => list.filter((card) => card.enabled === true).length > 1);
    expect(enabled.filter((list) => list.every((card) => card.is_default !== true)).length).toBeGreaterThan(1);
    const all = (name: string) => customers.map((customer) => String(customer[name]));
    const texts = (name: string) => all(name).join('\n');
    for (const form of [/^\+1555\d{7}$/m, /^\(555\) /m, /^555-/m, /^\+44 161 /m, /^0161 /m])
      expect(texts('phone')).toMatch(form);
    for (const sign of ["'", '’', /[éöü]/, /[ŁØú]/, /van der|-/]) expect(texts('last_name')).toMatch(sign);
    for (const sign of ['&', '"', ', Ltd.', "'s"]) expect(texts('company')).toContain(sign);
    expect(new Set(all('email')).size).toBeLessThan(customers.length);
    const homes = customers.map(({ address_line_1, zip }) => `${address_line_1} ${zip}`);
    expect(new Set(homes).size).toBeLessThan(new Set(all('email')).size);
    opened.database.close();
  });

  it('are charged by the card of their purchases, whatever else they have', async () => {
    const opened = await layOut();
    const before = opened.store.all('transactions', false).map(({ value }) => value);
    for (const { customer, customer_card } of before as { customer: { id: string }; customer_card: { id: string } }[])
      expect(defaultCard({ store: opened.store, live: false } as Scene, customer.id)?.id).toBe(customer_card.id);
    opened.database.close();
  });

  it('dispute a payment in its currency', async () => {
    const opened = await layOut();
    const disputes = opened.store.all('chargebacks', false).map(({ value }) => value);
    const paid = disputes.map((one) => opened.store.get('transactions', String(one.transaction_id), false)?.value);
    expect(disputes.map((one) => one.iso_currency)).toEqual(paid.map((one) => one?.iso_currency));
    expect(new Set(paid.map((one) => one?.iso_currency)).size).toBeGreaterThan(1);
    opened.database.close();
  });
});

describe('refunds as transactions', () => {
  const isRefund = ({ value }: { value: Record<string, unknown> }) => value.method === 'refund';
  const rest = ({ store }: Opened) =>
    ['transactions', 'subscription_renewals', 'pending_refunds', 'sales', 'customers'].map((family) =>
      store
        .all(family, false)
        .filter((item) => !isRefund(item))
        .map(({ value }) => value),
    );

  it('come to all else that is there, one a processed refund, also of those that are processed later', async () => {
    const [without, having] = [
      await layOut({ renewals: 2000 }),
      await layOut({ renewals: 2000, refundTransactions: true }),
    ];
    for (const days of [0, 6]) {
      for (const opened of [without, having]) {
        endSchedules(opened);
        await advanceTo(opened, NOON / 1000 + days * DAY);
      }
      expect(rest(having)).toEqual(rest(without));
      expect(without.store.all('transactions', false).some(isRefund)).toBe(false);
      const processed = having.store.all('pending_refunds', false).filter(({ value }) => value.status === 'processed');
      const refunds = having.store.all('transactions', false).filter(isRefund);
      const facts = (list: typeof refunds, of: string) =>
        list.map(({ value }) => [value[of] ?? (value.transactions as string[])[0], value.amount]).sort();
      expect(facts(refunds, 'refunded')).toEqual(facts(processed, 'transaction_id'));
      expect(refunds.every(({ value }) => value.amount_captured === 0)).toBe(true);
    }
    without.database.close();
    having.database.close();
  });
});

describe('the embedded transport', () => {
  it('has the clock of the sandbox', async () => {
    const dataDir = folder();
    const opened = await resetStore({ dataDir, now: () => NOON, seed: 1, renewals: 50 });
    await advanceTo(opened, NOON / 1000 + 5 * DAY);
    opened.database.close();
    const transport = await openSandbox({ dataDir, key: SANDBOX_TEST_KEY, now: () => NOON + 1000 });
    expect(transport.now()).toBe(NOON + 1000 + 5 * DAY * 1000);
    const reply = await transport.send(
      {
        method: 'GET',
        path: '/campaigns',
        query: [
          ['limit', '5'],
          ['page', '1'],
        ],
      },
      { timeoutMs: 1000 },
    );
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body.toString()).api_call_unix).toBe(NOON / 1000 + 1 + 5 * DAY);
    await transport.close();
    await expect(
      transport.send({ method: 'GET', path: '/campaigns', query: [] }, { timeoutMs: 1000 }),
    ).rejects.toMatchObject({ stage: 'not_sent' });
  });

  it('reports a folder that cannot be used as a local fault', async () => {
    await expect(openSandbox({ dataDir: '/dev/null/nowhere', key: SANDBOX_TEST_KEY })).rejects.toMatchObject({
      kind: 'local',
      exitCode: 11,
    });
  });
});
