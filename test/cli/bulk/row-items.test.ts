/** Values of the item that a row is about, and of what it refers to, beside the columns of the row. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  customers,
  FAMILIES,
  joinedAccount,
  type Row,
  serveRows,
  subscriptions,
} from '../../fixtures/joined-account.js';
import { ok, type Recorded, refusal, wrote } from '../../fixtures/service/service.js';
import { StandingClock } from '../../harness/clock.js';
import { errorOf, json } from '../helpers.js';

const idOf = (at: number): string => String(subscriptions[at]?.id);
const EDIT = ['bulk', 'subscriptions', 'edit', '--concurrency', '1'];

async function setting(families: Readonly<Record<string, readonly Row[]>> = FAMILIES) {
  const state = { families, refuses: false };
  const made = await joinedAccount();
  const answer = (request: Recorded) => {
    if (request.method === 'GET') return serveRows(state.families)(request);
    return state.refuses
      ? refusal(400, 'E0001', 'no')
      : request.path.startsWith('/notes')
        ? wrote('note', idOf(1))
        : ok({});
  };
  made.service.script(...Array.from({ length: 500 }, () => answer));
  const run = (line: readonly string[], more: object = {}) =>
    made.home.run([...line, '--tz', 'UTC'], { clock: new StandingClock(), ...more });
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(made.home.folder, name), text);
    return path.join(made.home.folder, name);
  };
  const posts = () => made.service.requests.filter(({ method }) => method === 'POST');
  const bodies = () =>
    posts().map(({ body }) => {
      const { idempotency_key: _key, ...rest } = JSON.parse(body) as Record<string, unknown>;
      return rest;
    });
  const reads = (of: string) =>
    made.service.requests.filter(({ method, path: at }) => method === 'GET' && at.startsWith(of)).length;
  return { ...made, state, run, file, posts, bodies, reads };
}

it('fills templates from the item of each row and from what it refers to, each item read once', async () => {
  const { run, file, bodies, reads } = await setting();
  const rows = file('rows.csv', `subscription;Strasse\n${idOf(0)};Ring 1\n${idOf(1)};Ring 2\n`);
  const line = [...EDIT, '--input', rows, '-d', 'ship_to.first_name={item.customer.first_name}'];
  const more = ['-d', 'ship_to.address={Strasse}, care of {item.customer.email}', '-d', 'amount={item.product.price}'];
  const ran = await run([...line, ...more]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(bodies()).toEqual([
    { ship_to: { first_name: 'Jane', address: 'Ring 1, care of c0@example.com' }, amount: 5 },
    { ship_to: { first_name: 'Zoë', address: 'Ring 2, care of c1@example.com' }, amount: 5 },
  ]);
  expect([reads('/subscriptions/'), reads('/customers/')]).toEqual([2, 2]);
});

it('asks for the row of today where that is said, and shows both in a dry run and by --curl', async () => {
  const { run, file, posts } = await setting();
  const ids = file('ids.txt', `${idOf(1)}\n`);
  const line = [...EDIT, '--ids', ids, '-d', 'amount={item.product@now.price}'];
  const dry = await run([...line, '--dry-run', '-o', 'json']);
  expect(dry.code, dry.stderr).toBe(0);
  expect(json<{ body: object }[]>(dry).map(({ body }) => body)).toEqual([expect.objectContaining({ amount: 11 })]);
  const curl = await run([...line, '--curl']);
  expect(curl.stdout).toContain('"amount":11');
  expect(posts()).toEqual([]);
});

it('takes them for rows that name their items, and for rows of a list', async () => {
  const { run, file, bodies } = await setting();
  const line = ['bulk', 'customers', 'note', '-d', 'text=Dear {item.first_name}, {Text}'];
  const ran = await run([...line, '--input', file('rows.csv', 'E-mail,Text\nc1@example.com,hello\n')]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(bodies()).toEqual([expect.objectContaining({ item_id: customers[1]?.id, text: 'Dear Zoë, hello' })]);
  const chosen = await run([...EDIT, '--where', `id=${idOf(2)}`, '-d', 'ship_to.email={item.customer.email}']);
  expect(chosen.code, chosen.stderr).toBe(0);
  expect(bodies().at(-1)).toEqual({ ship_to: { email: 'c2@example.com' } });
});

it('refuses the rows whose items lack the value, with their lines, and sends nothing', async () => {
  const { run, file, posts } = await setting();
  // Of the customer of 7 nobody can tell, 17 has none, 27 has one that is gone; the customer of 9 shows no country.
  const rows = file('rows.csv', ['id', ...[0, 7, 17, 27, 9].map(idOf)].join('\n'));
  const line = [...EDIT, '--input', rows, '-d', 'ship_to.country={item.customer.country}'];
  const ran = await run([...line, '-o', 'json']);
  expect(ran.code).toBe(2);
  const { message } = errorOf(ran);
  for (const at of [3, 4, 5, 6]) expect(message).toContain(`line ${at}, ship_to.country`);
  expect(message).not.toContain('line 2,');
  // What an empty cell means says nothing of a value that is not there.
  expect((await run([...line, '--empty', 'skip'])).code).toBe(2);
  expect(posts()).toEqual([]);
});

it('takes an empty value as an empty cell', async () => {
  const empty = subscriptions.map((row, at) => (at === 0 ? { ...row, customer: { id: 'x', email: '' } } : row));
  const { run, file, bodies } = await setting({ ...FAMILIES, subscriptions: empty });
  const ids = file('ids.txt', `${idOf(0)}\n${idOf(1)}\n`);
  const line = [...EDIT, '--ids', ids, '-d', 'amount=5', '-d', 'ship_to.email={item.customer.email}'];
  const ran = await run(line);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('line 1, ship_to.email')]);
  expect((await run([...line, '--empty', 'skip'])).code).toBe(0);
  expect(bodies()).toEqual([{ amount: 5 }, { amount: 5, ship_to: { email: 'c1@example.com' } }]);
});

it.each([
  [['-d', 'amount={item.prise}'], /"prise"/],
  [['-d', 'ship_to.email={item.customer.emial}'], /emial/],
  [['-d', 'ship_to.email={item.customer}'], /name one of its fields|id/],
  [['-d', 'amount={item.customer.email}'], /line 1, amount: a number is expected/],
])('refuses %j', async (data, why) => {
  const { run, file, posts } = await setting();
  const ran = await run([...EDIT, '--ids', file('ids.txt', `${idOf(0)}\n`), ...data]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(why)]);
  expect(posts()).toEqual([]);
});

it('takes no column for a value of the item, nor the other way round', async () => {
  const { run, file, service } = await setting();
  const rows = file('rows.csv', `id,item.amount\n${idOf(0)},3\n`);
  const ran = await run([...EDIT, '--input', rows, '-d', 'amount={item.amount}']);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('call the column otherwise')]);
  const none = await run(['bulk', 'products', 'create', '--input', rows, '-d', 'name={item.name}']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('only columns')]);
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('refuses a row that names nothing, and says that an id is of none', async () => {
  const { run, file, posts } = await setting();
  const line = ['bulk', 'customers', 'note', '-d', 'text=Dear {item.first_name}', '--ids'];
  const named = await run([...line, file('names.txt', 'c1@example.com\nnobody@example.com\n')]);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('nobody@example.com')]);
  expect(posts()).toEqual([]);
  const gone = await run([
    ...EDIT,
    '--ids',
    file('ids.txt', `${idOf(0).slice(0, -1)}x\n`),
    '-d',
    'amount={item.amount}',
  ]);
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('line 1: no item of subscriptions')]);
});

it('continues after a stop with the values that were read when the run began', async () => {
  const { run, file, state, bodies, home } = await setting();
  const journal = path.join(home.folder, 'run.journal');
  const line = [...EDIT, '--ids', file('ids.txt', `${idOf(0)}\n${idOf(1)}\n`), '--journal', journal];
  state.refuses = true;
  await run([...line, '-d', 'ship_to.email={item.customer.email}', '--max-failures', '1']);
  state.refuses = false;
  state.families = {
    ...FAMILIES,
    subscriptions: subscriptions.map((row) => ({ ...row, customer: { email: 'new@x.y' } })),
  };
  await run(['bulk', 'resume', journal]);
  expect(bodies().at(-1)).toEqual({ ship_to: { email: 'c1@example.com' } });
  expect(readFileSync(journal, 'utf8')).toContain('"settled":true');
});

it('says how many requests it takes where they are many', async () => {
  const many = Array.from({ length: 400 }, (_, at) => ({
    ...subscriptions[at % 7],
    id: `Many${String(at).padStart(16, '0')}`,
    created_date_unix: Number(subscriptions[0]?.created_date_unix) + at,
  }));
  const { run, file } = await setting({ ...FAMILIES, subscriptions: many });
  const ids = file('ids.txt', many.map(({ id }) => id).join('\n'));
  const ran = await run([...EDIT, '--ids', ids, '-d', 'ship_to.email={item.customer.email}', '--dry-run']);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/Reading subscriptions .*1[5-9] requests/)]);
});

it('computes a value from a field of each item: a date moved, an amount raised', async () => {
  const { run, file, bodies } = await setting();
  const where = ['--where', `id=${idOf(0)},${idOf(4)}`];
  const ran = await run([...EDIT, ...where, '-d', 'next_renewal_date={next_renewal}+7d', '-d', 'amount={amount}+5%']);
  expect(ran.stderr).toContain('are rounded half up');
  expect(ran.code, ran.stderr).toBe(0);
  // Both were due at 12:00, two days before 20 November and two after it, at 10 and 14.
  expect(bodies()).toEqual([
    { next_renewal_date: '2026-11-25T12:00:00Z', amount: 10.5 },
    { next_renewal_date: '2026-11-29T12:00:00Z', amount: 14.7 },
  ]);
  const rows = file('rows.csv', `id,more\n${idOf(3)},2\n`);
  for (const [line, amount] of [
    [['--input', rows, '-d', 'amount={more}+1.50'], 3.5],
    [['--input', rows, '-d', 'amount={item.amount}*1.005'], 13.07],
    [['--ids', file('ids.txt', idOf(3)), '-d', 'amount={amount} - 2'], 11],
  ] as const) {
    expect((await run([...EDIT, ...line])).code, line.join(' ')).toBe(0);
    expect(bodies().at(-1)).toEqual({ amount });
  }
});

it.each([
  ['amount={amount}-200', /less than zero/],
  ['amount={amount}+2 EUR', /amount: a number is expected/],
  ['amount={amount}+5%%', /amount: /],
  ['next_renewal_date={next_renewal}+1m', /is not a date/],
  ['next_renewal_date={amount}+7d', /is not a date/],
])('refuses to compute %s', async (data, why) => {
  const { run, file, posts } = await setting();
  const ran = await run([...EDIT, '--ids', file('ids.txt', idOf(0)), '-d', data]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(why)]);
  expect(posts()).toEqual([]);
});

it('leads from a missing column to the value of the item', async () => {
  const { run, file } = await setting();
  const ran = await run([...EDIT, '--input', file('rows.csv', `id,n\n${idOf(0)},1\n`), '-d', 'amount={amount}+1']);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("a value of the row's item is {item.amount}")]);
});

it('leaves out an item whose value changed after it was used', async () => {
  const { run, file, state, posts, bodies } = await setting();
  const renewed = subscriptions.map((row) => ({ ...row, billing: { next_renewal_date_unix: 1_800_000_000 } }));
  Object.defineProperty(state, 'families', {
    get: () => (posts().length > 0 ? { ...FAMILIES, subscriptions: renewed } : FAMILIES),
  });
  const ids = file('ids.txt', `${idOf(3)}\n${idOf(4)}\n`);
  const ran = await run([...EDIT, '--ids', ids, '-d', 'next_renewal_date={next_renewal}+7d']);
  expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('its next_renewal changed after it was read')]);
  expect(bodies()).toHaveLength(1);
});

it('leads from another name of a field to the line with the field, and names what is not a field', async () => {
  const { run, file, posts } = await setting();
  const ids = file('ids.txt', idOf(0));
  const line = [...EDIT, '--ids', ids, '-d', 'next_renewal={next_renewal}+7d'];
  const ran = await run(line);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("-d 'next_renewal_date={next_renewal}+7d'")]);
  expect(posts()).toEqual([]);
  const sent = await run([...EDIT, '--ids', ids, '-d', 'xyz=1']);
  expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining('no documented field of that name: xyz.')]);
  const single = await run(['subscriptions', 'edit', idOf(0), '-d', 'next_renewal=2027-01-01']);
  expect([single.code, single.stderr]).toEqual([2, expect.stringContaining('-d next_renewal_date=2027-01-01')]);
});
