/** Rows of a file that give e-mail addresses, order numbers, internal ids and names in the place of ids. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, ok, type Recorded, wrote } from '../../fixtures/service/service.js';
import { errorOf, json, pair } from '../helpers.js';

const id = (at: number): string => `N${String(at).padStart(19, '0')}`;
const DAY = { created_date_unix: 1_700_000_000 };
const customer = <More extends object>(at: number, more: More) => ({ id: id(at), ...DAY, ...more });
const JANE = customer(1, { first_name: 'Jane', last_name: 'Miller', email: 'jane@example.com', internal_id: 'C-1' });
const ZOE = customer(2, { first_name: 'Zoé', last_name: 'García', email: 'zoe@example.com', phone: '+1 555 813 1033' });
const BRIEN = customer(3, { first_name: 'Pat', last_name: 'O’Brien', email: 'pat@example.com', internal_id: 'C-3' });
const TWIN = (at: number) => customer(at, { first_name: 'Tom', last_name: 'Twin', email: 'twin@example.com' });
const PEOPLE = [JANE, ZOE, BRIEN, TWIN(4), TWIN(5)];
const SALE = { id: id(50), ...DAY, internal_id: 'O-264', customer: { id: id(3), email: 'pat@example.com' } };

/** Payments by the numbers of their ids, days and customers. */
const payment = (at: number, day: number, who: { id: string; email: string }, more: object = {}) => ({
  ...{ id: id(at), created_date_unix: DAY.created_date_unix + day * 86_400, result: 'approved', approved: true },
  ...{ amount: '20.00', amount_captured: '20.00', amount_refunded: '0.00', iso_currency: 'USD' },
  ...{ customer: { id: who.id, email: who.email }, live_mode: false, ...more },
});
const PAYMENTS = [
  payment(71, 1, JANE),
  payment(72, 3, JANE),
  payment(73, 4, JANE, { result: 'declined', approved: false, amount_captured: '0.00' }),
  payment(74, 1, ZOE, { amount_refunded: '5.00' }),
  payment(75, 1, TWIN(4)),
  payment(76, 2, TWIN(5)),
  payment(77, 1, BRIEN),
  payment(78, 2, BRIEN, { amount_refunded: '20.00' }),
];

const plan = (at: number, status: string, who: { id: string; email: string }) => ({
  ...{ id: id(at), ...DAY, status, customer: { id: who.id, email: who.email } },
});
const PLANS = [
  plan(81, 'cancelled', JANE),
  plan(82, 'active', JANE),
  plan(83, 'cancelled', TWIN(4)),
  plan(84, 'active', TWIN(5)),
  plan(85, 'active', BRIEN),
  plan(86, 'overdue', BRIEN),
];

function shop(people: readonly object[], live = false) {
  const customers = listHandler({ items: people.map((one) => ({ ...one, live_mode: live })) });
  const sales = listHandler({ items: [{ ...SALE, live_mode: live }] });
  const payments = listHandler({ items: PAYMENTS.map((one) => ({ ...one, live_mode: live })) });
  const profiles = listHandler({ items: [{ id: id(60), ...DAY, live_mode: live, name: 'Coffee Club' }], dated: false });
  const plans = listHandler({ items: PLANS.map((one) => ({ ...one, live_mode: live })) });
  return (request: Recorded) => {
    if (request.path === '/subscriptions') return plans(request);
    if (request.method === 'POST') return wrote('note', id(90));
    if (request.path === '/customers') return customers(request);
    if (request.path === '/sales') return sales(request);
    if (request.path === '/transactions') return payments(request);
    if (request.path === '/subscription_profiles') return profiles(request);
    return ok({ ...(people.find((one) => request.path.endsWith((one as { id: string }).id)) ?? {}), live_mode: live });
  };
}

async function setting(people: readonly object[] = PEOPLE, mode: 'test' | 'live' = 'test') {
  const serve = { handler: shop(people, mode === 'live') };
  const { service, home } = await pair((request) => serve.handler(request), mode);
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(home.folder, name), text);
    return path.join(home.folder, name);
  };
  const sent = () => service.requests.filter(({ method }) => method === 'POST');
  const notes = () =>
    sent().map(({ body }) => {
      const { item_id, text, item_type } = JSON.parse(body) as Record<string, string>;
      return [item_type, item_id, text];
    });
  return { service, serve, home, file, sent, notes };
}

const MESSY = [
  'Kunde-Nr;E-Mail Address ;Complaint text;Betrag',
  '1; JANE@example.com ;Parcel was late;14,50',
  '',
  '2;"mailto:zoe@example.com";Wrong colour;9,00',
  ';;;',
  '3;#O-264;"Called; wants a call";0,00',
  '4;C-3;Second letter;1,00',
  '5;nobody@example.com;Never came;2,00',
  '6;jane@example.com;Parcel was late again;3,00',
].join('\r\n');
const NOTE = ['bulk', 'customers', 'note', '--concurrency', '1', '-d', 'text={Complaint text}'];

it('sends nothing while a row names nobody, and says which', async () => {
  const { home, file, sent } = await setting();
  const ran = await home.run([...NOTE, '--input', file('complaints.csv', MESSY), '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(errorOf(ran).hint).toContain('line 8');
  expect(errorOf(ran).hint).toContain('nobody@example.com');
  expect(sent()).toEqual([]);
});

it('leaves such rows out where that is said, shows what each became, and ends with 10', async () => {
  const { home, file, notes } = await setting();
  const ran = await home.run([...NOTE, '--input', file('complaints.csv', MESSY), '--skip-unresolved', '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(notes()).toEqual([
    ['customer', id(1), 'Parcel was late'],
    ['customer', id(2), 'Wrong colour'],
    ['customer', id(3), 'Called; wants a call'],
    ['customer', id(3), 'Second letter'],
    ['customer', id(1), 'Parcel was late again'],
  ]);
  for (const at of [1, 2, 3]) expect(ran.stderr).toContain(id(at));
  expect(ran.stderr).toContain('Jane Miller');
});

it('shows in a dry run what each row is, and writes nothing', async () => {
  const { home, file, sent } = await setting();
  const ids = file('emails.txt', 'jane@example.com\n\nC-3\n');
  const ran = await home.run(['bulk', 'customers', 'disable', '--ids', ids, '--dry-run', '-o', 'json']);
  expect(ran).toMatchObject({ code: 0 });
  expect(json<{ url: string }[]>(ran).map(({ url }) => url.split('/').at(-2))).toEqual([id(1), id(3)]);
  expect(ran.stderr).toContain(`"jane@example.com" is ${id(1)}`);
  expect(sent()).toEqual([]);
});

it('finds two rows of one person that are the same write, however each names them', async () => {
  const { home, file, sent } = await setting();
  const ids = file('emails.txt', 'jane@example.com\nC-1\n');
  const ran = await home.run(['bulk', 'customers', 'disable', '--ids', ids]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('line 2: is the same as line 1');
  expect(sent()).toEqual([]);
});

it('takes the only item for which the action is still possible, never one of two people; unsent cells may be empty', async () => {
  const { home, file, sent } = await setting();
  const cancel = async (rows: string) =>
    home.run(['bulk', 'subscriptions', 'cancel', '--input', file('c.csv', `E-Mail,comment\n${rows}`), '--dry-run']);
  const one = await cancel(' JANE@example.com ,\n');
  expect(one.code, one.stderr).toBe(0);
  expect(one.stdout).toContain(id(82));
  const twins = await cancel('twin@example.com,\n');
  expect(twins.code).toBe(2);
  expect(sent()).toEqual([]);
});

it('lists the faults of all rows at once', async () => {
  const { home, file, sent } = await setting();
  const rows =
    'E-Mail,Sum\nnobody@example.com,1\nzoe@example.com,2 €\njane@example.com,1\nC-1@,x\nJANE@EXAMPLE.COM,1\n';
  const refund = ['bulk', 'transactions', 'refund', '--latest', '-d', 'amount={Sum}', '--input', file('r.csv', rows)];
  const ran = await home.run(refund);
  expect(ran.code).toBe(2);
  const lines = [
    'line 3: .*EUR',
    'line 5, .*',
    'line 6: is the same as line 4',
    'line 2: "nobody@example.com" names no',
  ];
  expect(ran.stderr).toMatch(new RegExp(lines.join('[^]*')));
  expect(sent()).toEqual([]);
});

it('never settles on one of two people', async () => {
  const { home, file, sent } = await setting();
  const ran = await home.run(['bulk', 'customers', 'disable', '--ids', file('e.txt', 'twin@example.com\n')]);
  expect(ran.code).toBe(2);
  for (const at of [4, 5]) expect(ran.stderr).toContain(id(at));
  expect(sent()).toEqual([]);
});

it.each(['zoe garcia', 'Garcia Zoe', '(555) 813-1033'])(
  'takes %j in test mode, and in live mode lists whom it may mean and stops',
  async (word) => {
    const test = await setting();
    const tested = await test.home.run(['bulk', 'customers', 'disable', '--ids', test.file('e.txt', `${word}\n`)]);
    expect(tested).toMatchObject({ code: 0 });
    expect(test.sent().map(({ path: at }) => at)).toEqual([`/customers/${id(2)}/disable`]);
    const live = await setting(PEOPLE, 'live');
    const line = ['bulk', 'customers', 'disable', '--ids', live.file('e.txt', `${word}\n`)];
    const ran = await live.home.run([...line, '--yes', '--no-strict-ids', '--expect', '1']);
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain(id(2));
    expect(live.sent()).toEqual([]);
  },
);

it('asks before a live run by name: --yes and the count alone confirm no name', async () => {
  const { home, file, sent } = await setting(PEOPLE, 'live');
  const line = ['bulk', 'customers', 'disable', '--ids', file('e.txt', 'jane@example.com\n'), '--expect', '1', '--yes'];
  const alone = await home.run(line);
  expect(alone.code).toBe(12);
  expect(alone.stderr).toContain('--no-strict-ids');
  expect(sent()).toEqual([]);
  expect(await home.run([...line, '--no-strict-ids'])).toMatchObject({ code: 0 });
  expect(sent()).toHaveLength(1);
});

it('continues after a stop with the items that the names meant when the run began', async () => {
  const { home, file, sent, serve } = await setting();
  const journal = path.join(home.folder, 'run.journal');
  const ids = file('e.txt', 'jane@example.com\nC-3\n');
  const usual = serve.handler;
  serve.handler = (request: Recorded) =>
    request.method === 'POST' ? { status: 400, body: '{"code":2,"message":"no"}' } : usual(request);
  const ran = await home.run([
    'bulk',
    'customers',
    'disable',
    '--ids',
    ids,
    '--journal',
    journal,
    '--max-failures',
    '1',
    '--concurrency',
    '1',
  ]);
  expect(ran.code).not.toBe(0);
  // Whoever is called so by now is somebody else.
  serve.handler = shop([customer(7, { email: 'jane@example.com', internal_id: 'C-3' })]);
  writeFileSync(ids, '');
  const before = sent().length;
  expect(await home.run(['bulk', 'resume', journal])).toMatchObject({ code: expect.any(Number) });
  expect(
    sent()
      .slice(before)
      .map(({ path: at }) => at),
  ).toEqual([`/customers/${id(3)}/disable`]);
  expect(readFileSync(journal, 'utf8')).toContain('"settled":true');
});

it('takes names of what a body refers to', async () => {
  const { home, file, sent } = await setting();
  const rows = file('rows.csv', `subscription_id,subscription_profile\n${id(70)},Coffee Club\n`);
  const ran = await home.run(['bulk', 'subscriptions', 'edit', '--input', rows]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(id(60))]);
  expect(JSON.parse(sent()[0]?.body ?? '{}')).toMatchObject({ subscription_profile: id(60) });
});

it('reads the list of the family once for all of many rows', async () => {
  const many = Array.from({ length: 5_000 }, (_none, at) => ({
    ...customer(100 + at, {}),
    first_name: `F${at}`,
    last_name: `L${at}`,
    email: `p${at}@example.com`,
  }));
  const { home, file, service } = await setting(many);
  const rows = many.map(({ email }) => email).join('\n');
  const ran = await home.run([
    'bulk',
    'customers',
    'disable',
    '--ids',
    file('e.txt', rows),
    '--dry-run',
    '-q',
    '-o',
    'json',
  ]);
  expect(ran).toMatchObject({ code: 0 });
  expect(json<unknown[]>(ran)).toHaveLength(5000);
  // 25 items a page, 90 days a window, and the first pages are counted anew at most.
  expect(service.requests.length).toBeLessThan(5_000 / 25 + 150);
});

it('looks up several names of one line in one pass, and asks for them in live mode as for one', async () => {
  const test = await setting();
  const line = ['customers', 'disable', 'jane@example.com', 'C-3', '-o', 'json'];
  expect(await test.home.run(line)).toMatchObject({ code: 0 });
  expect(test.sent().map(({ path: at }) => at)).toEqual([`/customers/${id(1)}/disable`, `/customers/${id(3)}/disable`]);
  const once = test.service.requests.filter(({ path: at }) => at === '/customers').length;
  const one = await setting();
  await one.home.run(['customers', 'disable', 'jane@example.com']);
  expect(once).toBe(one.service.requests.filter(({ path: at }) => at === '/customers').length);
  const live = await setting(PEOPLE, 'live');
  expect((await live.home.run([...line, '--yes'])).code).toBe(12);
  expect(live.sent()).toEqual([]);
  expect(await live.home.run([...line, '--yes', '--no-strict-ids'])).toMatchObject({ code: 0 });
  expect(live.sent()).toHaveLength(2);
});

it('lists each of several names that means nothing or several', async () => {
  const { home, sent } = await setting();
  const ran = await home.run(['customers', 'disable', 'jane@example.com', 'twin@example.com', 'nobody@example.com']);
  expect(ran.code).toBe(2);
  for (const told of [id(4), id(5), 'nobody@example.com']) expect(ran.stderr).toContain(told);
  expect(sent()).toEqual([]);
});

describe('the newest item of each person', () => {
  const REFUND = ['bulk', 'transactions', 'refund', '--latest', '--concurrency', '1'];
  const refunded = (sent: readonly Recorded[]) => sent.map(({ path: at }) => at.split('/')[2]);

  it('is taken for each row, failed attempts passed over, and each row is shown', async () => {
    const { home, file, sent } = await setting();
    const ran = await home.run([...REFUND, '--ids', file('e.txt', 'jane@example.com\nzoe@example.com\n')]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(refunded(sent())).toEqual([id(72), id(74)]);
    expect(ran.stderr).toMatch(new RegExp(`"jane@example.com" is ${id(72)} \\(.*the latest of 3`));
  });

  it('is the same for two rows of one person, and no earlier one where it has nothing left', async () => {
    const { home, file, sent } = await setting();
    const twice = await home.run([...REFUND, '--ids', file('e.txt', 'jane@example.com\nC-1\nJANE@example.com\n')]);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('line')]);
    const none = await home.run([...REFUND, '--ids', file('e.txt', 'pat@example.com\n')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining(`${id(78)} of 2023-11-16, has nothing left`)]);
    expect(sent()).toEqual([]);
  });

  it.each([
    ['test', 2],
    ['live', 12],
  ] as const)('is never that of one of two people: %s', async (mode, code) => {
    const { home, file, sent } = await setting(PEOPLE, mode);
    const rows = file('e.txt', 'twin@example.com\njane@example.com\n');
    const ran = await home.run([...REFUND, '--ids', rows, '--yes', '--no-strict-ids', '--expect', '2']);
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stderr).toContain('of more than one person');
    for (const at of [75, 76]) expect(ran.stderr).toContain(id(at));
    expect(sent()).toEqual([]);
    const rest = await home.run([
      ...REFUND,
      '--ids',
      rows,
      '--skip-unresolved',
      '--yes',
      '--no-strict-ids',
      '--expect',
      '1',
    ]);
    expect([rest.code, refunded(sent())]).toEqual([10, [id(72)]]);
  });

  it('is told by its state where a person has several: the refusal names the line for what is active', async () => {
    const { home, file, sent } = await setting();
    const rows = file('e.txt', 'pat@example.com\n');
    const ran = await home.run(['bulk', 'subscriptions', 'suspend', '--ids', rows, '--dry-run']);
    expect(ran.code).toBe(2);
    const line = 'bulk subscriptions suspend --where status=active --where customer.email=pat@example.com';
    expect(ran.stderr).toContain(`only what is active: cops ${line}`);
    expect(sent()).toEqual([]);
  });

  it('is meant by several addresses of one line too', async () => {
    const { home, sent } = await setting();
    const ran = await home.run(['transactions', 'refund', 'jane@example.com', 'zoe@example.com', '--latest']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(refunded(sent()).toSorted()).toEqual([id(72), id(74)]);
  });

  it('is proposed where rows mean several, and refused with a line that works where there is none', async () => {
    const { home, file, service } = await setting();
    const ids = file('e.txt', 'jane@example.com\n');
    const several = await home.run(['bulk', 'transactions', 'refund', '--ids', ids]);
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('--latest')]);
    const before = service.requests.length;
    const none = await home.run(['bulk', 'customers', 'disable', '--ids', ids, '--latest']);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining(`cops bulk customers disable --ids ${ids}\n`),
    ]);
    const chosen = await home.run([...REFUND, '--where', 'amount>5']);
    expect([chosen.code, chosen.stderr]).toEqual([2, expect.stringContaining("--concurrency 1 --where 'amount>5'\n")]);
    expect(service.requests).toHaveLength(before);
  });
});
