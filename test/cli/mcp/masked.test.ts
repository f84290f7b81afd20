/**
 * What a server shows that hides personal data, or was given some families only.
 * @module-tag sweep
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../harness/clock.js';
import { Home } from '../program.js';
import { Agent } from './agent.js';

/** What the reports below are made of. */
const FAMILIES = [
  ...['customers', 'campaigns', 'subscriptions', 'transactions', 'pending-refunds', 'product-sales', 'sales'],
  ...['subscription-renewals', 'shipping', 'tax', 'chargebacks', 'discounts', 'invoices', 'trials'],
];
let home: Home;
let email = '';
let customer = '';

beforeAll(async () => {
  home = new Home();
  expect((await home.run(['sandbox', 'reset', '--size', '300'])).code).toBe(0);
  expect((await home.run(['-p', 'sandbox', 'sync', ...FAMILIES], { timeoutMs: 120_000 })).code).toBe(0);
  const ran = await home.run(['-p', 'sandbox', 'customers', 'list', '--last', '200d', '--limit', '1', '-o', 'json']);
  [{ id: customer, email }] = JSON.parse(ran.stdout) as [{ id: string; email: string }];
  expect(email).toContain('@');
}, 120_000);
afterAll(() => home.remove());

describe('cops mcp --mask', () => {
  const started = () => Agent.start(home, ['-p', 'sandbox', 'mcp', '--mask'], realClock);

  it('asks the mirror, and shows figures, dates, ids and states', async () => {
    const agent = await started();
    const { items } = await agent.call('sql', {
      query: 'select id, status, email, name, created_unix from customers order by created_unix desc limit 3',
    });
    expect(items[0]).toMatchObject({ id: expect.any(String), email: '(masked)', name: '(masked)' });
    expect(items[0].created_unix).toBeGreaterThan(0);
    const sums = await agent.call('sql', {
      query: 'select currency, sum(amount_minor) as total from payments group by 1',
    });
    expect(sums.items[0].total).toBeGreaterThan(0);
  });

  it.each([
    'select * from customers',
    'select * from raw_customers',
    'select hex(email) from customers',
    'select json_group_array(email) from raw_customers',
    'select a.email from customers as a join customers as b on a.id = b.id',
    'with c as (select * from raw_customers) select * from c',
    "select * from 'raw_customers'",
    'select * from [raw_customers]',
    'select * from main.raw_customers',
    'select * from "main"."customers"',
    "select * from 'main'.'customers'",
    'select * from temp.customers',
    'select json from _history',
    'select * from _columns',
    'select sql from sqlite_master',
    'select * from sqlite_temp_schema',
    "select * from pragma_table_info('customers')",
    'select * from report_customer_payments',
    'select * from transactions',
  ])('tells nothing personal: %s', async (query) => {
    const agent = await started();
    const answer = JSON.stringify(await agent.call('sql', { query }));
    expect(answer).not.toContain(email);
    expect(answer.toUpperCase()).not.toContain(Buffer.from(email).toString('hex').toUpperCase());
    expect(answer).not.toMatch(/[\w.]+@[\w.]+\.\w+/);
  });

  it('cannot be asked whether a person is there', async () => {
    const agent = await started();
    const where = await agent.call('sql', { query: `select count(*) as n from customers where email = '${email}'` });
    expect(where.items).toEqual([{ n: 0 }]);
    expect(await agent.call('find', { what: email })).toMatchObject({ outcome: 'refused' });
    const found = await agent.call('find', { what: customer });
    expect(JSON.stringify(found)).not.toContain(email);
    expect(JSON.stringify(found)).toContain(customer);
  });

  it('reports figures', async () => {
    const agent = await started();
    const told = await agent.call('report', { name: 'revenue', last: '200d' });
    expect(JSON.stringify(told)).toMatch(/USD|EUR/);
  });
});

describe('cops mcp --families', () => {
  const started = () => Agent.start(home, ['-p', 'sandbox', 'mcp', '--families', 'campaigns,subscriptions'], realClock);

  it('asks tables and views of those families alone', async () => {
    const agent = await started();
    const { items } = await agent.call('sql', { query: 'select count(*) as n from raw_subscriptions' });
    expect(items[0].n).toBeGreaterThan(0);
    for (const table of ['customers', 'raw_customers', 'transactions', 'payments', 'main.raw_customers', '_history']) {
      const answer = await agent.call('sql', { query: `select * from ${table} limit 1` });
      expect(answer, table).toMatchObject({ outcome: 'refused' });
    }
  });

  it('finds and reports within them', async () => {
    const agent = await started();
    expect(JSON.stringify(await agent.call('find', { what: email }))).not.toContain(customer);
    expect(await agent.call('report', { name: 'revenue' })).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringContaining('transactions') },
    });
    const reports = await agent.call('report', {});
    expect([reports.items, String(reports.notes)]).toEqual([[], expect.stringContaining('Every report reads more')]);
    const failed = await agent.call('sql', { query: 'select * from nothing_like_it' });
    expect(failed.error).toMatchObject({ hint: expect.stringContaining('select * from <table> limit 1') });
  });
});

describe('search', () => {
  it('finds operations by business terms, and explains codes, events, fields, states and topics', async () => {
    const agent = await Agent.start(home, ['-p', 'sandbox', 'mcp'], realClock);
    const operations = async (words: string) =>
      ((await agent.call('search', { words })).operations as { operation: string }[]).map(({ operation }) => operation);
    const meanings = async (words: string) =>
      ((await agent.call('search', { words })).meanings as { kind: string; name: string }[]).map(
        ({ kind, name }) => `${kind} ${name}`,
      );
    expect(await operations('refund order')).toContain('sales void');
    expect((await operations('pause subscription')).slice(0, 3)).toContain('subscriptions suspend');
    expect(await meanings('E0583')).toContain('error code E0583');
    expect(await meanings('subscription.created')).toEqual(expect.arrayContaining([expect.stringMatching(/^event /)]));
    expect(await meanings('amount_refunded')).toContain('field amount_refunded');
    expect(await meanings('limits')).toContain('topic limits');
    expect(await meanings('orders')).toContain('term of the trade orders');
  });
});
