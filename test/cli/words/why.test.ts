/** @module-tag thorough */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { parseLossless } from '../../../src/items/json/lossless.js';
import { chargesSaid } from '../../../src/session/lookup/charges.js';
import { ok, refusal } from '../../fixtures/service/service.js';
import { A, B, C, errorOf, home, json, pair } from '../helpers.js';

const DAY = 1_780_000_000;
const RENEWAL = {
  id: A,
  live_mode: false,
  created_date_unix: DAY,
  is_overdue: true,
  iso_currency: 'USD',
  transactions: [B],
  salvage_transactions: [C],
};
const KNOWN: Readonly<Record<string, object>> = {
  [`/subscription_renewals/${A}`]: RENEWAL,
  [`/transactions/${B}`]: {
    id: B,
    created_date_unix: DAY,
    result: 'declined',
    gateway_name: 'Main',
    gateway_response: 'Insufficient funds',
    customer_card: { type: 'visa', last_4: '4242' },
  },
  [`/salvage_transactions/${C}`]: {
    id: C,
    status: 'created',
    amount_remaining: 10.5,
    iso_currency: 'USD',
    created_date_unix: DAY + 5,
  },
};
const serve = (request: { readonly path: string }) => {
  const item = KNOWN[request.path];
  return item ? ok({ ...item }) : refusal(404, 'E0404');
};

it('says why a renewal failed: attempt, answer, card, what is left, what can be done', async () => {
  const { service, home } = await pair(serve);
  const ran = await home.run(['why', A, '-o', 'json']);
  expect(ran.code).toBe(0);
  const sheet = json<{ why: readonly string[]; next: readonly string[]; family: string }>(ran);
  expect(sheet.family).toBe('subscription_renewals');
  const text = sheet.why.join('\n');
  for (const part of ['overdue', 'declined at Main', 'visa 4242', 'Insufficient funds', '10.5 USD is still to collect'])
    expect(text).toContain(part);
  expect(sheet.next).toContain(`cops salvage-transactions process ${C}`);
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('ends with 4 for an id that nobody has', async () => {
  const { home } = await pair(serve);
  const ran = await home.run(['why', 'ZZZZZZZZZZZZZZZZZZZ9', '-o', 'json']);
  expect(ran.code).toBe(4);
  expect(errorOf(ran).hint).toContain('cops find');
});

it('shows what happened in order, each thing once', async () => {
  const { home } = await pair(serve);
  const ran = await home.run(['timeline', A, '-o', 'json']);
  expect(ran.code).toBe(0);
  const events = json<{ time: number; family: string; what: string }[]>(ran);
  expect(events.map(({ family, what }) => `${family} ${what}`)).toEqual([
    'subscription_renewals created',
    'transactions created',
    'salvage_transactions created',
  ]);
});

it('shows what happened to a customer, and what was not read', async () => {
  const { service, home } = await pair((request) => {
    if (request.path === `/customers/${A}`) return ok({ id: A, email: 'jane@example.com', created_date_unix: DAY });
    if (request.path.startsWith('/chargebacks')) return refusal(403, 'E0403');
    if (request.path.startsWith('/sales/search'))
      return ok({ results: [{ id: B, created_date_unix: DAY + 1 }], total_count: 1 });
    return ok({ results: [], total_count: 0, total_pages: 1 });
  });
  const ran = await home.run(['timeline', A, '--family', 'customers', '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(json<{ id: string }[]>(ran).map(({ id }) => id)).toEqual([A, B]);
  expect(ran.stderr).toContain('Not read: chargebacks (this key lacks the permission)');
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('counts a refused payment and the renewal that it was for apart, and leads to the lists of just these', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const ran = await cops.run(['why', 'farid.haddad.43@example.com'], { terminal: 120 });
  expect(ran.code, ran.stderr).toBe(0);
  const text = stripVTControlCharacters(ran.stdout + ran.stderr);
  expect(text).toMatch(/\d+ refused card payments and \d+ overdue renewals/);
  expect(text).not.toMatch(/\d+ failures/);
});

it('never cuts off what is overdue now, and finds its failure by its id', async () => {
  const SUBSCRIPTION = 'DDDDDDDDDDDDDDDDDDD4';
  const customer = { id: 'EEEEEEEEEEEEEEEEEEE5', email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' };
  const items: Readonly<Record<string, object>> = {
    ...KNOWN,
    [`/subscription_renewals/${A}`]: { ...RENEWAL, subscriptions: [SUBSCRIPTION], customer },
    [`/salvage_transactions/${C}`]: { ...KNOWN[`/salvage_transactions/${C}`], subscription_renewals: [A], customer },
    [`/subscriptions/${SUBSCRIPTION}`]: {
      id: SUBSCRIPTION,
      status: 'overdue',
      overdue_count: 1,
      customer,
      salvage_transactions: [C],
      subscription_renewals: [B, A],
    },
    [`/customers/${customer.id}`]: customer,
  };
  const { service, home } = await pair((request) => {
    const item = items[request.path];
    if (item) return ok({ ...item });
    const hits =
      request.path === '/customers/search'
        ? [customer]
        : request.path === '/subscriptions/search'
          ? [{ id: SUBSCRIPTION }]
          : [];
    return ok({ results: hits, total_count: hits.length, total_pages: 1, current_page: 1, current_count: hits.length });
  });
  const ran = await home.run(['why', 'jane@example.com', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const sheet = json<{ family: string; item: { id: string }; overdue_subscriptions: object[]; to_collect: object[] }>(
    ran,
  );
  expect(sheet).toMatchObject({ family: 'subscription_renewals', item: { id: A } });
  expect([sheet.overdue_subscriptions.length, sheet.to_collect.length]).toEqual([1, 1]);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  const paths = service.requests
    .map(({ path }) => path)
    .filter((path) => path.split('/').length > 2 && !path.endsWith('search'));
  expect(new Set(paths).size).toBe(paths.length);
  const shown = stripVTControlCharacters((await home.run(['why', 'jane@example.com'], { terminal: 300 })).stdout);
  expect(shown).toContain('now one overdue subscription, 10.50 USD to collect; the latest failure is a renewal.');
});

it('says of a number that it is the least where not all subscriptions were read', async () => {
  const who = { id: 'EEEEEEEEEEEEEEEEEEE5', email: 'jane@example.com', first_name: 'Jane', last_name: 'Doe' };
  const ids = ['1', '2', '3', '4', '5', '6', '7', '8'].map((digit) => `DDDDDDDDDDDDDDDDDDD${digit}`);
  const { service, home } = await pair(({ path }) => {
    const id = ids.find((one) => path === `/subscriptions/${one}`);
    if (id) return ok({ id, status: 'overdue', customer: who, overdue_count: 1 });
    if (path === `/customers/${who.id}`) return ok(who);
    const hits =
      path === '/customers/search' ? [who] : path === '/subscriptions/search' ? ids.map((one) => ({ id: one })) : [];
    return ok({ results: hits, total_count: hits.length, total_pages: 1 });
  });
  const headline = async (...line: string[]) =>
    stripVTControlCharacters((await home.run(['why', ...line], { terminal: 300 })).stdout);
  expect(await headline('jane@example.com')).toMatch(/now at least \d overdue subscriptions/);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  expect(await headline('jane@example.com', '--all')).toContain('now 8 overdue subscriptions;');
});

it('adds up what it shows as still to collect, and names nothing as unread that was read', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const sheet = json<{
    to_collect: { id: string; amount_remaining: number }[];
    not_read: { command: string }[];
  }>(await cops.run(['why', 'farid.haddad.43@example.com', '-o', 'json']));
  expect(sheet.to_collect.length).toBeGreaterThan(1);
  const sum = sheet.to_collect.reduce((before, one) => before + one.amount_remaining, 0).toFixed(2);
  const ran = await cops.run(['why', 'farid.haddad.43@example.com'], { terminal: 300 });
  const shown = stripVTControlCharacters(ran.stdout);
  expect(shown).toContain(`${sum} USD to collect (${sheet.to_collect.length} amounts)`);
  const unread = sheet.not_read.map(({ command }) => command).join(' ');
  for (const { id } of sheet.to_collect) expect(unread).not.toContain(id);
});

it.each(['farid.haddad.43', 'ada.obrien.85', 'sofia.muller.132'])(
  'finds for %s what is still to collect as the person is shown with it, or says that there may be more',
  async (name) => {
    const cops = home({ COPS_PROFILE: 'sandbox' });
    const who = `${name}@example.com`;
    type Sheet = { to_collect: { id: string }[]; not_read: { what: string; command: string }[] };
    const sheet = async (...line: string[]) => json<Sheet>(await cops.run([...line, '-o', 'json']));
    const ids = ({ to_collect }: Sheet) => to_collect.map(({ id }) => id).sort();
    const shown = await sheet('customers', 'show', who, '--all');
    const all = await sheet('why', who, '--all');
    expect(ids(all)).toEqual(ids(shown));
    expect(all.not_read).toEqual([]);
    const first = await sheet('why', who);
    const more = first.not_read.find(({ what }) => what === 'further amounts to collect');
    if (ids(first).length < ids(shown).length) expect(more?.command).toContain('salvage-transactions list --all-time');
  },
);

const charge = (id: string, made: number, more: object = {}) => ({
  ...{ id, live_mode: false, result: 'approved', amount: 19.95, iso_currency: 'USD', created_date_unix: made },
  ...{ method: 'sale', captured: true, settled: false, void: false, sales: ['S'.repeat(20)], ...more },
});
const CANCELLED = {
  id: C,
  live_mode: false,
  status: 'cancelled',
  created_date_unix: DAY,
  updated_date_unix: DAY + 100,
};

it.each([
  ['a void, a refund and what waits', charge(A, DAY), ['A refund gives back all or part of it', 'not settled yet']],
  ['a payment that the gateway holds', charge(A, DAY, { result: 'held' }), ['It is held']],
  ['a voided payment', charge(A, DAY, { void: true }), ['It was voided']],
  [
    'a charge after a cancellation',
    charge(A, DAY + 200, { subscriptions: [C] }),
    [`Subscription ${C} is cancelled`, 'was made after it was last changed'],
  ],
])('explains %s', async (_what, item, says) => {
  const items: Readonly<Record<string, object>> = { [`/transactions/${A}`]: item, [`/subscriptions/${C}`]: CANCELLED };
  const { home } = await pair(({ path }) => {
    const found = items[path];
    return found ? ok({ ...found }) : refusal(404, 'E0404');
  });
  const ran = await home.run(['why', A, '--family', 'transactions', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const text = json<{ why: readonly string[] }>(ran).why.join('\n');
  for (const part of says) expect(text).toContain(part);
});

it('names a sum that was taken twice within a day', () => {
  const known = [charge(A, DAY), charge(B, DAY + 60), charge(C, DAY - 200_000)].map((one) => ({
    family: 'transactions',
    id: one.id,
    raw: JSON.stringify(one),
    item: parseLossless(JSON.stringify(one)),
  }));
  const said = chargesSaid(known, [], String);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`19.95 USD was taken twice within a day: ${A} (${DAY}) and ${B}`);
  expect(said[0]).toContain('may be too many');
});

it('says what a charge was for, of one that went through too', async () => {
  const charge = {
    ...{ id: B, created_date_unix: DAY, result: 'approved', amount: 12.5, iso_currency: 'EUR' },
    ...{ subscriptions: [C], subscription_renewals: [A], sales: ['SSSSSSSSSSSSSSSSSSS1'] },
  };
  const { home: there } = await pair((request) => {
    if (request.path === `/transactions/${B}`) return ok(charge);
    if (request.path === `/subscriptions/${C}`)
      return ok({ id: C, status: 'active', product: { name: 'Coffee Club' } });
    return refusal(404, 'E0404');
  });
  const why = json<{ why: string[] }>(await there.run(['why', B, '--family', 'transactions', '-o', 'json']));
  expect(why.why).toContain(`It is for a renewal of subscription ${C} (Coffee Club).`);
  const told = json<{ family: string; about: string }[]>(
    await there.run(['timeline', B, '--family', 'transactions', '-o', 'json']),
  );
  expect(told.find(({ family }) => family === 'transactions')?.about).toContain(
    `for a renewal of subscription ${C} (Coffee Club)`,
  );
});

it('explains a renewal by the payment that a list showed, though no request was left to read it', async () => {
  const person = { id: A, first_name: 'Hiro', last_name: 'Novak', email: 'hiro@example.com', live_mode: false };
  const list = (items: readonly object[], total = items.length) =>
    ok({ results: items, current_page: 1, current_count: items.length, total_count: total, total_pages: 1 });
  let asked = 0;
  const { home: there } = await pair((request) => {
    asked += 1;
    if (request.path === '/customers/search') return list([]);
    if (request.path === '/customers') return list([person]);
    if (request.path === `/customers/${A}`) return ok(person);
    if (request.path === '/subscription_renewals') return list([{ ...RENEWAL, customer: { id: A } }]);
    if (request.path === '/transactions') return list([{ ...KNOWN[`/transactions/${B}`], customer: { id: A } }]);
    // Nothing can be read by its id: what the list showed is all there is.
    return asked > 6 ? refusal(500) : list([]);
  });
  const ran = await there.run(['why', 'Novak, Hiro', '-o', 'json', '--max-retries', '0']);
  const { why } = json<{ why: string[] }>(ran);
  expect(why.join('\n')).not.toContain('No card payment');
  expect(why.join('\n')).toMatch(/declined at Main|was not read/);
});

it.each(['farid.haddad.43', 'ada.obrien.85', 'sofia.muller.132', 'katarzyna.rossi.23'])(
  'says of %s on the screen what its document says',
  async (name) => {
    const cops = home({ COPS_PROFILE: 'sandbox' });
    const { why, item } = json<{ why: string[]; item?: { id: string } }>(
      await cops.run(['why', `${name}@example.com`, '-o', 'json']),
    );
    const whole = async (word: string) =>
      stripVTControlCharacters((await cops.run(['why', word, '-o', 'table'])).stdout)
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    const shown = await whole(`${name}@example.com`);
    expect(shown.slice(0, why.length)).toEqual(why);
    if (!item) return;
    const one = json<{ why: string[] }>(await cops.run(['why', item.id, '-o', 'json']));
    expect((await whole(item.id)).slice(0, one.why.length)).toEqual(one.why);
  },
);
