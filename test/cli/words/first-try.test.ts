/** @module-tag sweep */
/** What people type first: words of time that look ahead, values that never occur, reasons asked for by name. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listHandler, ok, refusal } from '../../fixtures/service/service.js';
import { A, B, C, errorOf, home, json, pair } from '../helpers.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const T = NOW / 1000;
const DAY = 86_400;
const clock = { now: () => NOW, sleep: async () => {} };
const id = (at: number): string => `SUBSCRIPTION${String(at).padStart(8, '0')}`;
const subscription = (at: number, status: string, dueInDays: number) => ({
  id: id(at),
  status,
  amount: 10,
  iso_currency: 'USD',
  billing: { next_renewal_date_unix: T + dueInDays * DAY },
  created_date_unix: T - DAY * (at + 1),
  live_mode: false,
});
const SUBSCRIPTIONS = [
  subscription(0, 'active', 6),
  subscription(1, 'active', 8),
  subscription(2, 'cancelled', 3),
  subscription(3, 'overdue', 2),
  subscription(4, 'active', -1),
];
const account = () => pair({ handler: listHandler({ items: SUBSCRIPTIONS }) });

it('lists what is due within a span, soonest first, and says which states it took', async () => {
  const { home } = await account();
  const ran = await home.run(['subscriptions', 'list', '--next', '7d', '--last', '30d', '-o', 'ids'], { clock });
  expect(ran.stdout.split('\n').filter(Boolean)).toEqual([id(3), id(0)]);
  expect(ran.stderr).toContain('next renewal from 2026-06-01T00:00Z to 2026-06-08T00:00Z, status active or overdue');
  const counted = await home.run(['subscriptions', 'list', '--next', '+2w', '--last', '30d', '--count'], { clock });
  expect(counted.stdout).toBe('3\n');
});

it.each([
  [['sales', 'list', '--next', '7d'], /cops subscriptions list --next 7d/],
  [['trials', 'list', '--from', 'now', '--to', '+7d'], /cops trials list --next 7d/],
  [['subscriptions', 'list', '--next', 'soon'], /--next: "soon" is not a span/],
  [['customers', 'edit', A, '--group'], /cops customers add-to-group/],
] as const)('refuses %j with the line that answers', async (line, hint) => {
  const { service, home } = await account();
  const ran = await home.run(line, { clock });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(hint);
  expect(service.requests).toHaveLength(0);
});

it('names the values that there are where none is the one asked for', async () => {
  const { home } = await account();
  const line = ['subscriptions', 'list', '--last', '30d', '-o', 'json'];
  const none = await home.run([...line, '--where', 'iso_currency=ESD'], { clock });
  expect(none).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(none.stderr).toContain('No item has iso_currency=ESD; seen: USD 5.');
  const some = await home.run([...line, '--where', 'iso_currency=USD', '--where', 'amount>20'], { clock });
  expect(some.stderr).not.toContain('No item has iso_currency');
});

it('does not ask for a currency that the line names already', async () => {
  const items = [subscription(0, 'active', 1), { ...subscription(1, 'active', 1), iso_currency: 'EUR' }];
  const { home } = await pair({ handler: listHandler({ items }) });
  const line = ['subscriptions', 'list', '--last', '30d', '--where', 'amount>5'];
  expect((await home.run(line, { clock })).stderr).toContain('--where iso_currency=EUR');
  expect((await home.run([...line, '--where', 'currency=USD'], { clock })).stderr).not.toContain(
    '--where iso_currency',
  );
});

it('takes an option that can only be a field below another, and says so', async () => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['customers', 'edit', A, '--email', 'x@example.com', '--dry-run', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('--email is read as -d customer.email.');
  expect(json<{ body: object }>(ran).body).toMatchObject({ customer: { email: 'x@example.com' } });
});

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

it('says of a customer whose payments all went through just that', async () => {
  const { home } = await pair(person('approved'));
  const ran = await home.run(['why', A, '--family', 'customers', '-o', 'json'], { clock });
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<{ why: string[] }>(ran).why[0]).toContain('no card payment was refused and no renewal failed');
});

it('tells in a timeline what was made under an earlier address, and nothing of others', async () => {
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

it('tells in a timeline the notes, and what was paid before a refund, without the name in each row', async () => {
  const noted = { id: A, first_name: 'Jane', last_name: 'Roe', email: 'jane@example.com', created_date_unix: T - 900 };
  const notes = [{ id: id(7), created_date_unix: T - 60, text: 'called about tea' }];
  const renewal = { id: id(8), customer: noted, created_date_unix: T - 95, iso_currency: 'USD' };
  const money = { amount: 19.95, amount_original_total: 19.95, amount_total: 9.97, amount_refunded: 9.98 };
  const { home } = await pair((request) => {
    if (request.path === `/customers/${A}`) return ok({ ...noted, notes });
    if (request.path === '/subscription_renewals')
      return ok({ results: [{ ...renewal, ...money }], total_count: 1, total_pages: 1 });
    return person('approved')(request);
  });
  const ran = await home.run(['timeline', A, '--family', 'customers', '-o', 'json'], { clock });
  const events = json<{ family: string; id: string; what: string; about: string }[]>(ran);
  expect(events).toContainEqual({ time: T - 60, family: 'notes', id: id(7), what: 'note', about: 'called about tea' });
  expect(events.find((event) => event.id === id(8))?.about).toBe('19.95 USD, refunded 9.98');
});

it('keeps a timeline to the range of the line, and says what lies outside', async () => {
  const { home } = await pair(person('approved'));
  const ran = await home.run(['timeline', 'jane@example.com', '--from', '1h', '-o', 'json'], { clock });
  expect(json<{ id: string }[]>(ran).map((event) => event.id)).toEqual([B]);
  expect(ran.stderr).toContain('1 of 2: the others lie outside the range.');
  const twice = await home.run(['timeline', A, '--from', '1h', '--since', '2h', '-o', 'json'], { clock });
  expect(errorOf(twice).message).toContain('cannot be combined');
});

it('tells in a timeline what was done from here', async () => {
  const at = home();
  const [first] = json<{ id: string }[]>(
    await at.run(['-p', 'sandbox', 'subscriptions', 'list', '--where', 'status=active', '--limit', '1', '-o', 'json']),
  );
  const one = first?.id ?? '';
  expect((await at.run(['-p', 'sandbox', 'subscriptions', 'suspend', one, '--yes'])).code).toBe(0);
  const ran = await at.run(['-p', 'sandbox', 'timeline', one, '-o', 'json']);
  expect(json<{ what: string }[]>(ran).map(({ what }) => what)).toContain('suspend, from here');
});

it.each([
  ['cohorts', 'retention'],
  ['fee', 'fees'],
  ['vat', 'tax'],
  ['top-customers', 'customers'],
  ['month-end', 'close'],
])('reads the report %s as %s', async (typed, meant) => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['report', typed, '--explain']);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stderr).toContain(`${typed} is read as ${meant}`);
});

it.each([
  ['refunds list --last 1mo', 'refunds list is read as pending-refunds list.'],
  ['orders list', 'orders list is read as sales list.'],
  ['customers ls', ''],
  ['search tom.rossi.110@example.com', 'search is read as find.'],
  [
    'report postage --quarter last --by country',
    'report postage is read as shipping list --group-by customer.country --sum amount --quarter last.',
  ],
  [
    'report postage --quarter last --by country,month',
    'shipping list --group-by customer.country,created:month --sum amount',
  ],
  ['report signups --year this --by month', 'report signups is read as customers list --group-by created:month'],
  ['setup diff test live products', 'live is read as sandbox:live.'],
])('does what a plain word of the trade means, and says how it was read: %s', async (line, said) => {
  const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
  expect([0, 13], ran.stderr).toContain(ran.code);
  expect(ran.stderr).toContain(said);
  expect(ran.stdout).not.toBe('');
});

it('prints the version for the word', async () => {
  const { stdout: told } = await home().run(['--version']);
  expect(await home().run(['version'])).toMatchObject({ code: 0, stdout: told });
});

it('puts a customer into a group from either end', async () => {
  const there = home();
  for (const line of [
    ['customer-groups', 'add-customer', 'Regulars', 'tom.rossi.110@example.com'],
    ['customers', 'add-to-group', 'tom.rossi.110@example.com', '--group', 'Regulars'],
    ['customers', 'edit', 'tom.rossi.110@example.com', '--group=Regulars'],
  ]) {
    const ran = await there.run(['-p', 'sandbox', ...line, '--dry-run', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout).body.customer_group).toHaveLength(1);
  }
});

it.each([
  ['subscriptions pause {} 1mo', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions pause {} --for 2w', /This is read as cops subscriptions postpone \w+ --by 2w/],
  [
    'subscriptions pause {} --for +1m',
    /This is read as cops subscriptions postpone \w+ --by 1m\..*next_renewal_date":"2027-02-15/s,
  ],
  [
    'subscriptions pause --for=1m {}',
    /This is read as cops subscriptions postpone \w+ --by 1m\..*next_renewal_date":"2027-02-15/s,
  ],
  ['subscriptions pause {} --for 1 month', /This is read as cops subscriptions postpone \w+ --by '1 month'/],
  ['subscriptions pause {} --until 2027-02-21 --reason holiday', /--until 2027-02-21\..*T00/s],
  ['subscriptions pause --reason holiday {} 1 month --again', /--by '1 month'\./],
  ['subscriptions pause --for 2 weeks {}', /This is read as cops subscriptions postpone \w+ --by '2 weeks'/],
  ['subscriptions pause {} --months 1', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions pause {} for 1 quarter', /--by '1 quarter'.*next_renewal_date":"2027-04-15/s],
  [
    'subscriptions pause {} --until 2027-02-21',
    /postpone \w+ --until 2027-02-21\..*next_renewal_date":"2027-02-21T00/s,
  ],
  ['subs pause {} until 2027-02-21', /postpone \w+ --until 2027-02-21\..*next_renewal_date":"2027-02-21T00/s],
  ['pause {} 1mo', /This is read as cops subscriptions postpone \w+ --by 1mo/],
  ['products set-price {} --to 20', /This is read as cops products edit \w+ --price 20/],
])('puts a write whose line says all of it into our words: %s', async (line, note) => {
  const { service, home } = await pair(() => ok({ id: A, billing: { next_renewal_date_unix: 1_800_000_000 } }));
  const ran = await home.run([...line.replace('{}', A).split(' '), '--dry-run', '--tz', 'UTC']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr + ran.stdout).toMatch(note);
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it.each([
  ['subscriptions pause {}', /Did you mean "cops subscriptions suspend/],
  ['subscriptions pause {} {}', /Did you mean "cops subscriptions suspend/],
  ['subscriptions suspend {} --for 1mo', /cops subscriptions postpone \w+ --by 1mo/],
  ['subscriptions suspend {} --until 2026-12-21', /cops subscriptions postpone \w+ --until 2026-12-21/],
  ['subscriptions pause {} --sometime --yes', /"cops subscriptions suspend \w+ --yes"/],
  ['pause --quietly {} --why later', /"cops subscriptions suspend \w+"/],
  ['product-sales return {} --half --why=late', /"cops product-sales refund \w+ --half"/],
  ['subscriptions suspend {} --until 2028-02-21 --reason x', /--until 2028-02-21 --reason x"/],
  ['subscriptions pause --reason holiday {}', /suspend --reason holiday \w{20}".* postpone \w{20} --by 1mo$/m],
  ['auth --foo', /Did you mean "cops login"/],
  ['subscriptions postpone {}', /--by 1mo, or --until/],
  ['subscriptions postpone {} --by 5min', /no number of days/],
  ['policy deny refund', /cops policy add refund/],
  ['sales list -o xlsx', /cops export sales --out sales.xlsx/],
])('sends nothing for %s', async (line, hint) => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(line.replaceAll('{}', A).split(' '));
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(hint);
  expect(service.requests).toHaveLength(0);
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

it.each([
  ['sales get {} --latest', /its id is needed: cops -p sandbox sales list --customer \w{20}/],
  ['shipping list --livee', /^(?!.*Did you mean)/s],
  ['sales list --avg amount --year 2026', /cops -p sandbox report aov --by product --year 2026/],
  ['customers list --search emma', /cops -p sandbox customers search emma/],
  ['sales list --last 90d --where status>=400', /status holds words, and 400 is a number/],
  ['sales list --last 90d --group-by product', /Did you mean "products.name"/],
  ['pending-refunds list', /Any still pending, however old: cops -p sandbox pending-refunds list --status pending$/m],
])('leads from %s to what answers', async (line, hint) => {
  const ran = await home().run(['-p', 'sandbox', ...line.replace('{}', A).split(' ')]);
  expect(ran.stderr).toMatch(hint);
});

it('offers the latest order of a person only where a person was named', async () => {
  const hintFor = async (who: string) => (await home().run(['sales', 'refund', who])).stderr;
  const lines = async (who: string) => (await hintFor(who)).split('\n').filter((line) => /^ *cops /.test(line));
  expect((await lines('jane@example.com')).map((line) => line.trim())).toEqual([
    'cops product-sales refund jane@example.com --latest',
    'cops sales list --all-time --customer jane@example.com',
  ]);
  expect((await lines(A)).map((line) => line.trim())).toEqual([
    `cops sales get ${A} --columns id,product_sales,shipping,tax`,
  ]);
});

it('sends nothing where an edit names a group and more', async () => {
  const line = ['customers', 'edit', 'tom.rossi.110@example.com', '--group', 'Regulars', '--first-name', 'Tom'];
  expect(await home().run(['-p', 'sandbox', ...line])).toMatchObject({ code: 2, stdout: '' });
});

it.each([['subscriptions count'], ['subscriptions pause X'], ['declines list'], ['orders create']])(
  'only hints where a word means less plainly, or writes: %s',
  async (line) => {
    const ran = await home().run(['-p', 'sandbox', ...line.split(' ')]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Did you mean');
  },
);

it('names the list that answers where a report has an option that no list has', async () => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['report', 'shipping', '--quarter', '2026-Q3', '--explain', '-p', 'sandbox']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('cops -p sandbox shipping list --group-by status --sum amount --quarter 2026-Q3');
});

it.each([
  [['--html'], 'report retention --html retention.html'],
  [['--out', 'x.json'], 'report retention -o json > x.json'],
  [['--html', 'a.html', '--out', 'b.html'], 'One is enough'],
])('says what the page of a report needs: %j', async (options, hint) => {
  const ran = await home().run(['-p', 'sandbox', 'report', 'retention', ...options]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(hint);
});

it('keeps profile and mode in every command that a hint names', async () => {
  const ran = await home().run(['-p', 'sandbox', '--test', 'report', 'revenue', '--month', 'last', '--no-sync']);
  expect(ran.code).toBe(11);
  expect(ran.stderr).toContain('cops -p sandbox --test sync');
});

it('makes the mirror that a report wants', { tags: ['thorough'] }, async () => {
  const { home } = await account();
  const ran = await home.run(['report', 'refunds', '-o', 'json'], { clock });
  expect(ran.stderr).toContain('as of');
  expect(json<{ report: string }>(ran).report).toBe('refunds');
  // A day that nobody has synced is not a day without refunds.
  const ahead = await home.run(['report', 'refunds', '--day', '2040-01-31', '-o', 'json'], { clock });
  expect(ahead.stderr).toContain('--day is read as --from 2040-01-31 --to 2040-01-31.');
  expect(ahead.stderr).toContain('before the period begins (2040-01-31T00:00:00Z)');
  expect(ahead.code).toBe(10);
});

it('reads dates in rows and in bodies of any request as the command line does', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'POST' ? ok({ result: 'success' }) : ok({ ...subscription(0, 'active', 3), id: A }),
  );
  const file = path.join(home.folder, 'rows.csv');
  writeFileSync(file, `id,next_renewal_date\n${A},2026-12-21\n${B},tomorrow\n${C},+7d\n`);
  const bulk = await home.run(
    ['bulk', 'subscriptions', 'edit', '--input', file, '--expect', '3', '--yes', '--tz', 'UTC', '-o', 'json'],
    { clock },
  );
  expect(bulk.code, bulk.stderr).toBe(0);
  const sent = () => service.requests.filter(({ method }) => method === 'POST').map(({ json }) => json);
  expect(
    sent()
      .map((body) => (body as { next_renewal_date: string }).next_renewal_date)
      .sort(),
  ).toEqual(['2026-06-02T00:00:00Z', '2026-06-08T00:00:00Z', '2026-12-21T00:00:00Z']);
  const api = ['api', 'POST', `/subscriptions/${A}`, '-d', 'next_renewal_date=in 2 weeks', '--dry-run', '-o', 'json'];
  const ran = await home.run([...api, '--tz', 'UTC'], { clock });
  expect(json<{ body: object }>(ran).body).toMatchObject({ next_renewal_date: '2026-06-15T00:00:00Z' });
  const list = ['api', 'GET', '/sales', '--param', 'date_start=2026-05', '--param', 'date_end=2026-05', '--dry-run'];
  const read = await home.run([...list, '--tz', 'UTC', '-o', 'json'], { clock });
  expect(json<{ url: string }>(read).url).toContain(`date_start=${Date.UTC(2026, 4) / 1000}&date_end=${T - 1}`);
});

it('does not offer to send rows again whose ids the service does not know', async () => {
  const { home } = await pair((request) =>
    request.method === 'POST' ? refusal(404, 'E0404') : ok({ id: A, live_mode: false }),
  );
  const [file, journal] = [path.join(home.folder, 'ids.txt'), path.join(home.folder, 'j')];
  writeFileSync(file, `${A}\n${B}\n`);
  const run = ['bulk', 'subscriptions', 'suspend', '--ids', file, '--journal', journal, '--yes', '-o', 'json'];
  const resume = ['bulk', 'resume', journal, '-o', 'json'];
  for (const line of [run, resume]) {
    const ran = await home.run(line);
    expect(ran.code).not.toBe(0);
    expect(errorOf(ran).hint).toContain('correct their ids');
    expect(errorOf(ran).hint).not.toContain('retry-failed');
    expect(json<{ next: string[] }>(ran).next).toEqual([]);
  }
  expect(json<{ next: string[] }>(await home.run(['bulk', 'status', journal, '-o', 'json'])).next).toEqual([]);
});

it('knows the customer of the README by her address on any day', { tags: ['thorough'], timeout: 30_000 }, async () => {
  for (const day of ['2026-11-30', '2027-03-01', '2028-02-29']) {
    const now = Date.parse(`${day}T12:00:00Z`);
    const line = ['subscriptions', 'list', '--customer', 'katarzyna.rossi.23@example.com', '-o', 'json'];
    const ran = await home().run(['-p', 'sandbox', ...line], { clock: { now: () => now, sleep: async () => {} } });
    const found = json<{ id: string; status: string }[]>(ran);
    expect(found.map(({ id: one, status }) => [one, status])).toEqual([['xhbVfLBuuTjHMRBGlHRc', 'active']]);
  }
});

it.each([
  ['sales list --quarter last --sum amount_fees', 'All of it: cops -p sandbox report fees --quarter last'],
  ['transactions list --month last --sum amount', 'All of it: cops -p sandbox report revenue --month last'],
  [
    'subscription-renewals list --last 30d --sum amount_refunded',
    'All of it: cops -p sandbox report refunds --last 30d',
  ],
])('says what a sum is only a part of, and which report tells it all: %s', async (line, said) => {
  const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(said);
});

it('says no such thing of a count, and of sums that nobody takes for all', async () => {
  for (const line of ['sales list --group-by status', 'discounts list --sum amount']) {
    const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
    expect(ran.stderr).not.toContain('All of it');
  }
});

/** Two subscriptions and two renewals of one person, whatever is asked for; writes are answered. */
const several = () => {
  const person = { id: A, email: 'jane@example.com' };
  const one = (made: number, rest: object) => ({
    id: id(made),
    created_date_unix: T - made * DAY,
    customer: person,
    iso_currency: 'USD',
    live_mode: false,
    ...rest,
  });
  const paid = (made: number, refunded: number) =>
    one(made, { amount: 9.99, amount_original_total: 9.99, amount_total: 9.99 - refunded, amount_refunded: refunded });
  const lists: Readonly<Record<string, readonly { id: string }[]>> = {
    subscriptions: [one(1, { status: 'cancelled' }), one(2, { status: 'active' }), one(3, { status: 'suspended' })],
    subscription_renewals: [paid(4, 0), paid(5, 9.99), paid(6, 0)],
  };
  return pair((request) => {
    const [, family = '', item] = request.path.split('/');
    const items = lists[family] ?? [];
    if (request.method === 'POST') return ok({ result: 'success' });
    const found = items.find((each) => each.id === item);
    if (found) return ok(found);
    const answer = { results: items, current_page: 1, current_count: items.length, total_count: items.length };
    return ok({ ...answer, total_pages: 1 });
  });
};

it('lists what can be acted on first, each with its whole line, and chooses none', async () => {
  const { home: there, service } = await several();
  const cancel = await there.run(['subscriptions', 'cancel', 'jane@example.com', '--test']);
  expect(cancel.code).toBe(2);
  const said = cancel.stderr.slice(cancel.stderr.indexOf('Give the id'));
  expect(said.indexOf(`cops subscriptions cancel ${id(2)} --test\n`)).toBeGreaterThan(0);
  expect(said.indexOf(`cops subscriptions cancel ${id(3)} --test\n`)).toBeGreaterThan(said.indexOf(id(2)));
  expect(said).not.toContain(`cancel ${id(1)}`);
  expect(said.indexOf(id(1))).toBeGreaterThan(said.indexOf(id(3)));
  const refund = await there.run(['subscription-renewals', 'refund', 'jane@example.com', '--amount', '50%']);
  expect(refund.stderr).toContain(`cops subscription-renewals refund ${id(4)} --amount 50%\n`);
  expect(refund.stderr).not.toContain(`refund ${id(5)}`);
  expect(refund.stderr).toContain('--latest');
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
});

it.each(['--latest', '--newest', '--last'])('refunds half of the renewal made last with --half %s', async (latest) => {
  const { home: there, service } = await several();
  const ran = await there.run(['subscription-renewals', 'refund', 'jane@example.com', '--half', latest]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('50% of 9.99 USD is 4.995, rounded down to 4.99 USD.');
  expect(ran.stderr).toContain('the latest of 3');
  const posts = service.requests.filter(({ method }) => method === 'POST');
  expect(posts).toMatchObject([{ path: `/subscription_renewals/${id(4)}/refund`, json: { amount: 4.99 } }]);
});

it('names the line that pauses for a month with the words of the line', async () => {
  const ran = await home().run(['subscriptions', 'pause', 'jane@example.com']);
  expect(ran.stderr).toContain('cops subscriptions postpone jane@example.com --by 1mo');
});

it('says where a field belongs that stands at the top of a body', async () => {
  const body = JSON.stringify({ first_name: 'Jane', email: 'jane@example.com', nonsense: 1 });
  const ran = await home().run(['-p', 'sandbox', 'customers', 'create', '--body', body]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('first_name: is not a field here; it belongs below customer: customer.first_name');
  expect(ran.stderr).toContain('email: is not a field here; it belongs below customer: customer.email');
  expect(ran.stderr).not.toContain('nonsense: is not a field here; it belongs');
});
