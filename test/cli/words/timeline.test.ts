/** @module-tag sweep */
/** What became of a person: everything in the order of time, and why a payment failed. */
import { afterAll, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, B, C, errorOf, home, json, pair } from '../helpers.js';
import { Home } from '../program.js';
import { clock, DAY, id, T } from './due-subscriptions.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const IN_SANDBOX = { COPS_PROFILE: 'sandbox' };

const SOFIA = 'sofia.muller.132@example.com';

const seeded = homesOf(SOME);

const shop = new Home();
afterAll(() => shop.remove());

const JANE = { id: A, email: 'jane@example.com', first_name: 'Jane', last_name: 'Roe', created_date_unix: T - DAY };
const payment = (result: string) => ({
  id: B,
  result,
  amount: 10,
  iso_currency: 'USD',
  customer: { id: A },
  created_date_unix: T - 60,
});
const person = (result: string) => (request: { readonly path: string }) => {
  if (request.path === `/customers/${A}`) return ok({ ...JANE });
  if (request.path === `/transactions/${B}`) return ok(payment(result));
  if (request.path.startsWith('/customers/search')) return ok({ results: [JANE], total_count: 1 });
  if (request.path === '/transactions') return ok({ results: [payment(result)], total_count: 1, total_pages: 1 });
  return ok({ results: [], total_count: 0, total_pages: 0 });
};

it('says why the latest payment of a customer failed', async () => {
  const { service, home } = await pair(person('declined'));
  const ran = await home.run(['why', 'jane@example.com', '-o', 'json'], { clock });
  expect(ran.code, ran.stderr).toBe(0);
  const sheet = json<{ item: { id: string }; why: string[]; attempts: unknown[] }>(ran);
  expect(sheet.item.id).toBe(B);
  expect(sheet.why.join('\n')).toContain('declined');
  expect(sheet.attempts).toHaveLength(1);
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('shows the newest first on demand, and says of what day the items are', async () => {
  const { home } = await pair(person('declined'));
  const times = async (...more: string[]) => {
    const ran = await home.run(['timeline', 'jane@example.com', ...more, '-o', 'json'], { clock });
    expect(ran.stderr).toContain('"about" shows each item as it is today');
    return json<{ time: unknown }[]>(ran).map(({ time }) => time);
  };
  expect(await times('--newest-first')).toEqual((await times()).toReversed());
});

it('says of a customer whose payments all went through just that', async () => {
  const { home } = await pair(person('approved'));
  const ran = await home.run(['why', A, '--family', 'customers', '-o', 'json'], { clock });
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<{ why: string[] }>(ran).why[0]).toContain('no card payment was refused and no renewal failed');
});

it('shows in a timeline what was created under an earlier address, and nothing of others', async () => {
  const other = { id: C, email: 'jane.roe@example.com', created_date_unix: T - 500 };
  const sale = {
    id: id(9),
    customer: { id: A },
    status: 'voided',
    created_date_unix: T - 90,
    updated_date_unix: T - 80,
  };
  const { home } = await pair((request) => {
    if (request.path.startsWith('/sales/search')) return ok({ results: [other], total_count: 1 });
    if (request.path === `/sales/${id(9)}`)
      return ok({ ...sale, amount: 44.1, amount_total: 0, amount_refunded: 44.1, iso_currency: 'GBP' });
    if (request.path === '/transactions')
      return ok({ results: [{ ...payment('approved'), sales: [id(9)] }], total_count: 1, total_pages: 1 });
    return person('approved')(request);
  });
  const ran = await home.run(['timeline', 'jane@example.com', '-o', 'json'], { clock });
  expect(ran.code, ran.stderr).toBe(0);
  const events = json<{ family: string; id: string; what: string; about: string }[]>(ran);
  expect(events.some((event) => event.id === C)).toBe(false);
  const made = events.find((event) => event.family === 'sales' && event.what === 'created');
  expect(made).toMatchObject({ id: id(9) });
  expect(made?.about).toContain('44.1 GBP, refunded 44.1');
});

it('shows in a timeline the notes, and payments before a refund, without the name in each row', async () => {
  const noted = { id: A, first_name: 'Jane', last_name: 'Roe', email: 'jane@example.com', created_date_unix: T - 900 };
  const notes = [{ id: id(7), created_date_unix: T - 60, text: 'called about tea' }];
  const renewal = { id: id(8), customer: noted, created_date_unix: T - 95, iso_currency: 'USD' };
  const money = { amount: 19.95, amount_original_total: 19.95, amount_total: 9.97, amount_refunded: 9.98 };
  const { home } = await pair((request) => {
    if (request.path === `/customers/${A}`) return ok({ ...noted, notes });
    if (request.path === '/subscription_renewals')
      return ok({ results: [{ ...renewal, ...money, retry_date_unix: T + 900 }], total_count: 1, total_pages: 1 });
    return person('approved')(request);
  });
  const ran = await home.run(['timeline', A, '--family', 'customers', '-o', 'json'], { clock });
  const events = json<{ family: string; id: string; what: string; about: string }[]>(ran);
  expect(events.filter((event) => 'due' in event)).toMatchObject([{ id: id(8), time: T + 900, due: true }]);
  const table = await home.run(['timeline', A, '--family', 'customers', '-o', 'table'], { clock });
  expect(table.stdout.match(/, due\b/g)).toHaveLength(1);
  expect(events).toContainEqual({ time: T - 60, family: 'notes', id: id(7), what: 'note', about: 'called about tea' });
  expect(events.find((event) => event.id === id(8))?.about).toBe('19.95 USD, refunded 9.98');
});

it('keeps a timeline to the range of the line, and says what lies outside', async () => {
  const { home } = await pair(person('approved'));
  const ran = await home.run(['timeline', 'jane@example.com', '--from', '1h', '-o', 'json'], { clock });
  expect(json<{ id: string }[]>(ran).map((event) => event.id)).toEqual([B]);
  expect(ran.stderr).toContain('1 of 2: the others are outside the range.');
  const twice = await home.run(['timeline', A, '--from', '1h', '--since', '2h', '-o', 'json'], { clock });
  expect(errorOf(twice).message).toContain('cannot be combined');
});

it('shows in a timeline the writes from here', async () => {
  const at = home();
  const [first] = json<{ id: string }[]>(
    await at.run(['-p', 'sandbox', 'subscriptions', 'list', '--where', 'status=active', '--limit', '1', '-o', 'json']),
  );
  const one = first?.id ?? '';
  expect((await at.run(['-p', 'sandbox', 'subscriptions', 'suspend', one, '--yes'])).code).toBe(0);
  const ran = await at.run(['-p', 'sandbox', 'timeline', one, '-o', 'json']);
  expect(json<{ what: string }[]>(ran).map(({ what }) => what)).toContain('suspend, from here');
  expect(ran.stderr).toContain(
    `The service keeps no former values. For the changes that syncs of the mirror saw: cops -p sandbox changes ${one}`,
  );
});

it('names in a timeline what has ended without the service showing since when', async () => {
  const at = home(IN_SANDBOX);
  const list = ['subscriptions', 'list', '--all-time', '--limit', '1', '-o', 'ids'];
  const [old = ''] = (await at.run([...list, '--where', 'status=cancelled'])).stdout.split('\n');
  expect((await at.run(['timeline', old])).stderr).toContain(`${old} cancelled`);
  const [now = ''] = (await at.run([...list, '--where', 'status=active'])).stdout.split('\n');
  expect((await at.run(['subscriptions', 'cancel', now, '--yes'])).code).toBe(0);
  const dated = await at.run(['timeline', now, '-o', 'json']);
  expect(json<{ what: string }[]>(dated).map(({ what }) => what)).toContain('cancelled');
  expect(dated.stderr).not.toContain(`${now} cancelled`);
});

it('says that a timeline from a day on lacks later changes of older items', async () => {
  const ran = await shop.run([...SANDBOX, 'timeline', 'sofia.muller.132@example.com', '--from', '2026-09-01']);
  expect(ran.stderr).toMatch(/Not read: items created before 2026-09-01T[\d:]+Z and changed since .*--all/);
});

it('says of a timeline since when it looked', async () => {
  const made = seeded();
  const ran = await made.run([...SANDBOX, 'timeline', 'katarzyna.rossi.23@example.com']);
  expect(ran.stderr).toMatch(/transactions, subscription-renewals[\w, -]* older than 20\d\d-\d\d-\d\d/);
  expect(ran.stderr).toMatch(/cops -p sandbox timeline \w{20} --all/);
});

it('keeps the range in the line that shows what a timeline left out', async () => {
  const cops = home(IN_SANDBOX);
  const ran = await cops.run(['timeline', SOFIA, '--from', '60d', '-o', 'json']);
  const [, line = ''] = /changed since \(.*\)\. cops (.*)$/m.exec(ran.stderr) ?? [];
  expect(line).toContain('--from 60d');
  const whole = await cops.run([...line.replace(/^-p sandbox /, '').split(' '), '-o', 'json']);
  expect(whole.code, whole.stderr).toBe(0);
  expect(whole.stderr).not.toContain('Not read');
  const times = (JSON.parse(whole.stdout) as { time: number }[]).map(({ time }) => time);
  expect(Math.min(...times)).toBeGreaterThan(Date.now() / 1000 - 61 * 86_400);
});

it('finds of every overdue subscription each attempt to charge it, as the raw lists show them', async () => {
  const cops = seeded();
  const run = async <T>(...line: string[]): Promise<T> => {
    const ran = await cops.run([...SANDBOX, ...line, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    return json<T>(ran);
  };
  type Item = Record<'subscriptions' | 'subscription_renewals', string[]> & { id: string; created_date_unix: number };
  const whole = ['list', '--all', '--all-time'];
  const behind = await run<Item[]>('subscriptions', ...whole, '--where', 'status=overdue');
  const payments = await run<(Item & { result: string })[]>('transactions', ...whole);
  expect(behind.length).toBeGreaterThan(1);
  for (const { id, subscription_renewals } of behind) {
    const own = payments
      .filter(
        (one) =>
          one.subscriptions.includes(id) ||
          one.subscription_renewals.some((renewal) => subscription_renewals.includes(renewal)),
      )
      .toSorted((a, b) => b.created_date_unix - a.created_date_unix);
    const ids = own.map((one) => one.id).sort();
    const all = await run<{ attempts: Item[]; why: string[] }>('why', id, '--all');
    expect(all.attempts.map((one) => one.id).sort()).toEqual(ids);
    const day = new Date((own[0]?.created_date_unix ?? 0) * 1000).toISOString().slice(0, 10);
    expect(all.why.join('\n')).toContain(`Last attempt ${day}: ${own[0]?.result}`);
    const first = await run<{ attempts: Item[]; why: string[]; not_read: object[] }>('why', id);
    expect(first.attempts[0]?.id).toBe(own[0]?.id);
    if (first.attempts.length < own.length) {
      expect(first.not_read).not.toEqual([]);
      expect(first.why.join('\n')).not.toContain('the only one');
    }
    const events = await run<{ family: string; id: string }[]>('timeline', id, '--all');
    expect(
      events
        .filter(({ family }) => family === 'transactions')
        .map((one) => one.id)
        .sort(),
    ).toEqual(ids);
    const last = await run<{ family: string; id: string }[]>('timeline', id, '--last', '30d');
    const since = Date.now() / 1000 - 30 * 86_400;
    const recent = own.filter((one) => one.created_date_unix > since).map((one) => one.id);
    expect(
      last
        .filter(({ family }) => family === 'transactions')
        .map((one) => one.id)
        .sort(),
    ).toEqual(recent.sort());
  }
});

it('takes the number of an order for the order, not for its customer', async () => {
  const cops = seeded();
  const [order] = json<{ id: string; internal_id: string; transactions: string[] }[]>(
    await cops.run([
      ...SANDBOX,
      'sales',
      'list',
      '--where',
      'status=paid',
      '--where',
      'amount>0',
      '--limit',
      '1',
      '-o',
      'json',
    ]),
  );
  const number = order?.internal_id ?? '';
  const why = json<{ family: string; item: { id: string }; attempts: { id: string }[] }>(
    await cops.run([...SANDBOX, 'why', number, '-o', 'json']),
  );
  expect(why).toMatchObject({ family: 'sales', item: { id: order?.id } });
  expect(why.attempts.map(({ id }) => id)).toEqual(order?.transactions);
  const events = json<{ id: string; family: string }[]>(await cops.run([...SANDBOX, 'timeline', number, '-o', 'json']));
  expect(events.filter(({ family }) => family === 'sales').map(({ id }) => id)).toContain(order?.id);
  expect(new Set(events.filter(({ family }) => family === 'sales').map(({ id }) => id)).size).toBe(1);
});
