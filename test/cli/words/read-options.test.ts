/** @module-tag sweep */
/** Options, fields, conditions and bodies in another form are read as what they plainly mean, and the reading is said. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listHandler, ok, refusal } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, home, json, pair } from '../helpers.js';
import { Home } from '../program.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const seeded = homesOf(SOME);

const shop = new Home();
afterAll(() => shop.remove());

it('takes an option that can only be a field below another, and says so', async () => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['customers', 'edit', A, '--email', 'x@example.com', '--dry-run', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('--email is read as -d customer.email.');
  expect(json<{ body: object }>(ran).body).toMatchObject({ customer: { email: 'x@example.com' } });
});

it.each([
  ['shipping list --latest', '--latest is read as --sort=-created --limit 1'],
  ['products list --disabled-only', '--disabled-only is read as --where enabled=false'],
  ['api-calls list --last 1h --where status>=400', ''],
])('reads what an option of a list says exactly: %s', async (line, note) => {
  const ran = await home().run(['-p', 'sandbox', ...line.split(' ')]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(note);
});

describe('an option that is none', () => {
  it.each([
    [
      ['subscriptions', 'cancel', A, '--at-period-end'],
      `cops -p sandbox subscriptions suspend ${A} stops renewals immediately`,
    ],
    [['trials', 'cancel', A, '--at-end'], 'never at the end of a period'],
    [
      ['customers', 'edit', 'a@b.c', '--customer-group', 'VIP'],
      "cops -p sandbox customers add-to-group a@b.c -d 'customer_group[0]=VIP' puts",
    ],
    [['sales', 'list', '--product', 'Coffee Club'], "cops -p sandbox product-sales list '--product=Coffee Club'"],
    [['history', 'list', '--customer', 'a@b.c'], 'cops -p sandbox timeline a@b.c'],
    [['products', 'list', '--watch'], 'use tail: cops -p sandbox sales tail'],
    [
      ['report', 'close', '--month', '2026-10', '--journal', 'hledger', '--out', 'october.journal'],
      'cops -p sandbox report close --month 2026-10 --journal hledger > october.journal',
    ],
    [['customers', 'edit', A, '--address', '1 Lane'], "-d 'customer.address_line_1=1 Lane'"],
  ])('%j says what there is instead', async (line, hint) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(hint);
  });

  it.each([
    [['subscriptions', 'list', '--overdue', '--count'], '--overdue is read as --status overdue.'],
    [['sales', 'list', '--today', '--count'], '--today is read as --from today.'],
    [
      ['api-calls', 'list', '--last', '1h', '--status', 'failed', '--count'],
      "--status failed is read as --where 'http_status>=400'.",
    ],
    [
      ['api-calls', 'list', '--last', '1h', '--method=POST', '--count'],
      '--method=POST is read as --where method=POST.',
    ],
    [['api-calls', 'list', '--last', '1h', '--failed', '--count'], "--failed is read as --where 'http_status>=400'."],
    [['sales', 'list', '--amount', '>100', '--count'], "--amount >100 is read as --where 'amount>100'."],
    [['sales', 'list', '--min-amount', '5', '--count'], "--min-amount 5 is read as --where 'amount>=5'."],
    [
      ['subscriptions', 'list', '--created-before=2026-10-01', '--count'],
      "--created-before=2026-10-01 is read as --where 'created<2026-10-01'.",
    ],
    [['customers', 'list', '--created', 'today', '--count'], '--created is read as --from today --to today.'],
  ])('%j works where a list can only mean one thing', async (line, note) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.stderr).toContain(note);
    expect(ran.code, ran.stderr).toBe(0);
  });

  it.each([
    ['sales', 'list', '--produ', 'x'],
    ['sales', 'list', '--forcee'],
    ['subscriptions', 'cancel', A, '--producton'],
    ['subscriptions', 'cancel', A, '--assume-ye'],
  ])('a slip leads neither to live mode nor past a question: %j %j %j %j', async (...line) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toMatch(/--live|--yes/);
  });

  it('is a condition for no write, and for no value that two fields take', async () => {
    for (const line of [
      ['subscriptions', 'suspend', A, '--overdue'],
      ['subscriptions', 'list', '--purple'],
    ])
      expect((await home().run([...SANDBOX, ...line])).code).toBe(2);
  });
});

it('reads the first page of a list that a bare path asks for, and says so', async () => {
  const { service, home } = await pair((request) =>
    request.query.get('limit') === null
      ? refusal(400, 'parameter limit is required')
      : ok({ results: [{ id: A, live_mode: false }], total_count: 1, total_pages: 1 }),
  );
  const ran = await home.run(['api', 'GET', '/campaigns', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain("read with cops api GET '/campaigns?limit=25&page=1'");
  expect(service.requests).toHaveLength(2);
});

it('reads a body from the file that stands without its @, and says so', async () => {
  const made = home();
  const file = path.join(made.folder, 'c.json');
  writeFileSync(file, '{"text":"hello"}');
  const line = ['notes', 'create', '--item-type', 'customer', '--item-id', A, '--body', file, '--dry-run'];
  const ran = await made.run([...SANDBOX, ...line, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`--body ${file} is read as --body @${file}.`);
  expect(json<{ body: { text: string } }>(ran).body.text).toBe('hello');
  const missing = await made.run([...SANDBOX, 'notes', 'create', '--body', 'none.json', '--dry-run']);
  expect(missing.code).toBe(2);
});

it('adds the range that a list wants to a page that was asked for by its path', async () => {
  const ran = await seeded().run([...SANDBOX, 'api', 'GET', '/products?limit=2&page=1']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('/products?limit=2&page=1&date_start=');
  expect(ran.stderr).toContain('All of them: cops -p sandbox products list');
  const refused = await seeded().run([...SANDBOX, 'api', 'GET', '/products?limit=2&page=1&date_start=1&date_end=0']);
  expect(refused.code).toBe(1);
});

it('orders by what was made where an item has no date', async () => {
  const ran = await seeded().run([
    ...SANDBOX,
    'sales',
    'list',
    '--last',
    '90d',
    '--sort',
    '-date',
    '--limit',
    '5',
    '-o',
    'json',
  ]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('date is read as created_date_unix.');
  const made = (JSON.parse(ran.stdout) as { created_date_unix: number }[]).map((item) => item.created_date_unix);
  expect(made).toEqual([...made].sort((a, b) => b - a));
});

it('groups by what is known of the customer', async () => {
  const words = ['tax', 'list', '--all-time', '--sum', 'amount', '-o', 'json', '--group-by'];
  const [short, whole] = await Promise.all(
    ['country', 'customer.country'].map((name) => seeded().run([...SANDBOX, ...words, name])),
  );
  expect(short?.code, short?.stderr).toBe(0);
  expect(short?.stdout.replaceAll('"country"', '"customer.country"')).toBe(whole?.stdout);
});

it('takes a word for what it stands for in a condition as well', async () => {
  const now = Math.floor(Date.now() / 1000);
  const calls = [200, 404, 500].map((status, at) => ({
    id: `AAAAAAAAAAAAAAAAAAA${at}`,
    created_date_unix: now - 600 - at,
    http_status: status,
  }));
  const { home: made } = await pair(listHandler({ items: calls }));
  const counted = async (...choice: string[]) =>
    (await made.run(['api-calls', 'list', '--last', '1h', ...choice, '--count'])).stdout;
  for (const choice of [
    ['--where', 'status=failed'],
    ['--where', 'http_status=failed'],
    ['--status', 'failed'],
  ])
    expect(await counted(...choice)).toBe('2\n');
});

it('takes what is set up by its name, whatever its key is', async () => {
  const ran = await shop.run([...SANDBOX, 'coupons', 'get', 'Five off', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'Five off' });
});

it('takes a sum with its currency', async () => {
  const list = async (...line: string[]) =>
    (await shop.run([...SANDBOX, 'sales', 'list', '--all-time', ...line])).stdout;
  const both = await list('--where', 'amount>50', '--where', 'iso_currency=GBP', '--count');
  expect(Number(both)).toBeGreaterThan(0);
  expect(await list('--where', 'amount>50 GBP', '--count')).toBe(both);
});
