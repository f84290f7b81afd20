/** @module-tag thorough */
/** Groups of a list's items, their sums, and the newest item of each (command-line.md#lists). */
import { describe, expect, it } from 'vitest';
import { account, clock, LIST, MANY, STATES, subscription, T } from '../fixtures/many-subscriptions.js';
import { listHandler } from '../fixtures/service/service.js';
import { json, pair } from './helpers.js';

it('says which items of a group would stand in others as well', async () => {
  const products = [{ name: 'Tea' }, { name: 'Mug' }];
  const some = [products, products.slice(1), []].map((each, at) =>
    JSON.stringify({ id: `A000000000000000000${at}`, products: each, created_date_unix: T - 9 }),
  );
  const { home } = await pair({ handler: listHandler({ items: some }) });
  const ran = await home.run(['sales', 'list', '--group-by', 'products.name', '-o', 'csv'], { clock });
  expect(ran.stdout.split(/\r?\n/).slice(0, 4)).toEqual(['products.name,count', 'Mug,1', 'Tea,1', ',1']);
  expect(ran.stderr).toContain('1 item has more than one products.name: each is in the group of its first.');
});

it('adds up exactly, and never one currency to another', async () => {
  const some = [
    ...Array.from(
      { length: 3 },
      (_, at) => `{"id":"A000000000000000000${at}","amount":0.1,"iso_currency":"USD","created_date_unix":${T - 9}}`,
    ),
    `{"id":"B0000000000000000001","amount":12345678901234567.89,"iso_currency":"EUR","created_date_unix":${T - 9}}`,
    `{"id":"B0000000000000000002","amount":"10.00","iso_currency":"EUR","created_date_unix":${T - 9}}`,
    `{"id":"B0000000000000000003","amount":null,"iso_currency":"EUR","created_date_unix":${T - 9}}`,
  ];
  const { home } = await pair({ handler: listHandler({ items: some }) });
  const ran = await home.run(['transactions', 'list', '--sum', 'amount', '-o', 'json'], { clock });
  expect(ran.stdout).toContain('12345678901234577.89');
  expect(ran.stdout.replaceAll('\n', '')).toBe(
    '[{"iso_currency":"EUR","count":3,"sum_amount":12345678901234577.89},{"iso_currency":"USD","count":3,"sum_amount":0.3}]',
  );
  expect(ran.stderr).toContain('1 item has nothing to add up for sum_amount');
  const grouped = await home.run(
    ['transactions', 'list', '--group-by', 'Currency,created:month', '--sum', 'amount', '-o', 'csv', '--tz', 'UTC'],
    { clock },
  );
  expect(grouped.stdout).toBe(
    'Currency,created:month,count,sum_amount\r\nEUR,2026-05,3,12345678901234577.89\r\nUSD,2026-05,3,0.3\r\n'.replaceAll(
      '\r\n',
      grouped.stdout.includes('\r\n') ? '\r\n' : '\n',
    ),
  );
});

describe('figures over several customers or currencies', () => {
  const item = (at: number, amount: string, iso_currency: string, customer: string) => ({
    ...{ id: `A000000000000000000${at}`, result: 'approved', amount, iso_currency, created_date_unix: T - 9 - at },
    customer: { id: `CUSTOMER00000000000${customer}`, email: 'shared@example.com', name: `Jo ${customer}` },
  });
  const some = [
    ...[item(0, '10.00', 'USD', 'A'), item(1, '1001', 'JPY', 'A'), item(2, '1000', 'JPY', 'B')],
    item(3, '1.005', 'KWD', 'B'),
  ];
  const ran = async (...words: string[]) =>
    (await account(some)).home.run(['transactions', 'list', '--last', '30d', ...words], { clock });
  const told = ({ stderr }: { stderr: string }) => /CUSTOMER00000000000A, CUSTOMER00000000000B/.test(stderr);
  const where = ['--where', 'customer.email=Shared@example.com'];

  it('say that an address is that of several customers', async () => {
    for (const words of [['--sum', 'amount'], ['--count'], ['--group-by', 'result']])
      expect([words, told(await ran(...where, ...words))]).toEqual([words, true]);
    for (const words of [
      ['--group-by', 'customer'],
      // A name that tells the two apart.
      ['--group-by', 'customer.email,customer.name'],
      ['--where', 'iso_currency=KWD', '--count'],
      ['-o', 'json'],
    ])
      expect([words, told(await ran(...where, ...words))]).toEqual([words, false]);
  });

  it('keep the currency that their rows differ by, and round to its digits', async () => {
    const columns = ['--group-by', 'result', '--columns', 'result,avg(amount)', '-o', 'json'];
    const averages = await ran(...columns);
    expect(json(averages)).toEqual(
      [
        { result: 'approved', 'avg(amount)': '1001', iso_currency: 'JPY' },
        { result: 'approved', 'avg(amount)': '1.005', iso_currency: 'KWD' },
        { result: 'approved', 'avg(amount)': '10.00', iso_currency: 'USD' },
      ].map((row) => ({ ...row, 'avg(amount)': Number(row['avg(amount)']) })),
    );
    expect(averages.stdout).toMatch(/":1001,.*":10\.00,/s);
    expect(averages.stderr).toContain('rounded half up');
    expect((await ran(...columns, '--where', 'iso_currency=USD')).stderr).not.toContain('rounded');
    const counts = await ran('--group-by', 'result', '--sum', 'amount', '--columns', 'count', '-o', 'csv');
    expect(counts.stdout.split(/\r?\n/)[0]).toBe('count,iso_currency');
    const named = await ran('--group-by', 'currency', '--columns', 'max(amount)', '-o', 'csv');
    expect(named.stdout.split(/\r?\n/)[0]).toBe('max(amount),currency');
  });

  it('say that amounts are compared whatever their currency', async () => {
    const by = ['--group-by', 'result'];
    for (const words of [
      ['--having', 'avg(amount)>25'],
      ['--sum', 'amount', '--sort', '-sum_amount'],
    ])
      expect((await ran(...by, ...words)).stderr).toMatch(/compared by its number, whether in JPY or KWD or USD/);
    for (const words of [
      ['--having', 'avg(amount)>5 USD'],
      ['--having', 'count>0'],
    ])
      expect((await ran(...by, ...words)).stderr).not.toContain('compared by its number');
  });
});

it('puts groups in the order of --sort', async () => {
  const { home } = await account();
  const ran = await home.run([...LIST, '--group-by', 'status', '--sort', '-count,status', '-o', 'json'], { clock });
  expect(json(ran)).toEqual(STATES.map((status) => ({ status, count: 104 })));
});

it('takes a day by itself for the one on which items were made', async () => {
  const { home } = await account();
  const [short, long] = await Promise.all(
    ['day', 'created:day'].map((by) => home.run([...LIST, '--group-by', by, '-o', 'json'], { clock })),
  );
  expect(short?.code, short?.stderr).toBe(0);
  expect(json<object[]>(short as never).length).toBeGreaterThan(1);
  expect(short?.stdout).toBe(long?.stdout);
});

it.each(['csv', 'tsv', 'table'])('shows what rows of groups are grouped by in %s, dots or not', async (format) => {
  const { home } = await account();
  const words = ['--group-by', 'product.name', '--sort', '-product.name', '-o', format];
  const ran = await home.run([...LIST, ...words], { clock, ...(format === 'table' && { terminal: 100 }) });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/Vitamin Plan\D+156[\s\S]*Tea Box\D+156/);
});

it('keeps a dotted name of the rows with --columns', async () => {
  const { home } = await account();
  const words = ['--group-by', 'product.name', '--columns', 'product.name', '-o', 'json'];
  const ran = await home.run([...LIST, ...words], { clock });
  expect(json(ran)).toEqual([{ 'product.name': 'Tea Box' }, { 'product.name': 'Vitamin Plan' }]);
});

describe('groups of time that the range holds only in part', () => {
  const line = ['subscriptions', 'list', '--last', '10d', '--group-by', 'created:month'];
  const said = 'Only a part: 2026-05 from 2026-05-22 on';

  it('carry a star in a table, with a line that says from when on', async () => {
    const { home } = await account();
    const ran = await home.run([...line, '-o', 'table', '--tz', 'UTC'], { clock });
    expect(ran.stdout).toContain('2026-05*');
    expect(ran.stderr).toContain(`* ${said}`);
  });

  it('are said to be missing where they have no items', async () => {
    const { home } = await account();
    const days = ['subscriptions', 'list', '--last', '30d', '--group-by', 'created:day', '-o', 'csv', '--tz', 'UTC'];
    const ran = await home.run(days, { clock });
    const rows = ran.stdout.trim().split('\n').length - 1;
    expect(ran.stderr).toContain(`${30 - rows} of 30 days have no items, and so no row.`);
    expect((await home.run([...days, '--limit', '1'], { clock })).stderr).not.toContain('no row');
  });

  it('keep their values in a pipe, where a note names them', async () => {
    const { home } = await account();
    const ran = await home.run([...line, '-o', 'json', '--tz', 'UTC'], { clock });
    expect(json<object[]>(ran)).toEqual([{ 'created:month': '2026-05', count: 240 }]);
    expect(ran.stderr).toContain(said);
  });

  it('are not marked where the range begins and ends on the border', async () => {
    const { home } = await account();
    const whole = [...line.slice(0, 2), '--month', '2026-05', ...line.slice(4)];
    for (const format of ['table', 'json']) {
      const ran = await home.run([...whole, '-o', format, '--tz', 'UTC'], { clock });
      expect(ran.stdout).not.toContain('*');
      expect(ran.stderr).not.toContain('Only a part');
    }
  });

  it('can be weeks', async () => {
    const { home } = await account();
    const ran = await home.run([...line.slice(0, 4), '--group-by', 'created:week', '-o', 'json', '--tz', 'UTC'], {
      clock,
    });
    expect(json<Record<string, string>[]>(ran).map((row) => row['created:week'])).toEqual(['2026-W21', '2026-W22']);
  });
});

describe('texts that differ in case and accents alone', () => {
  const mails = [
    'Ann@Example.com',
    'bo@example.com',
    'ann@example.com',
    'ANN@example.com',
    'zoé@example.com',
    'zoe@example.com',
  ];
  const some = mails.map((email, at) => ({
    ...subscription(at),
    amount: at + 1,
    iso_currency: 'USD',
    customer: { id: `CUSTOMER${String(at).padStart(12, '0')}`, email },
  }));

  it('are one group, under the spelling that comes first, with one sum and one answer of --having', async () => {
    const { home } = await account(some);
    const line = [...LIST, '--group-by', 'customer.email', '--sum', 'amount', '-o', 'json'];
    const rows = json<unknown[]>(await home.run(line, { clock }));
    expect(rows).toEqual([
      { 'customer.email': 'Ann@Example.com', iso_currency: 'USD', count: 3, sum_amount: 8 },
      { 'customer.email': 'bo@example.com', iso_currency: 'USD', count: 1, sum_amount: 2 },
      { 'customer.email': 'zoé@example.com', iso_currency: 'USD', count: 2, sum_amount: 11 },
    ]);
    const having = await home.run([...line, '--having', 'count>2'], { clock });
    expect(json(having)).toEqual([rows[0]]);
  });

  it('are one of the different ones that are counted', async () => {
    const { home } = await account(some);
    const line = [...LIST, '--group-by', 'iso_currency', '--columns', 'iso_currency,count,customer.email.count'];
    const ran = await home.run([...line, '-o', 'csv'], { clock });
    expect(ran.stdout.split('\n').slice(1, 2), ran.stderr).toEqual(['USD,6,3']);
  });

  it('are equal to an order, so that what is named next decides', async () => {
    const { home } = await account(some);
    const ran = await home.run([...LIST, '--sort', 'customer.email,-amount', '-o', 'json'], { clock });
    expect(json<{ amount: number }[]>(ran).map(({ amount }) => amount)).toEqual([4, 3, 1, 2, 6, 5]);
  });
});

it('takes of each only its newest item, by whatever field, before it sorts and cuts', async () => {
  const odd = { ...subscription(400), customer: null };
  const { home } = await account([...MANY, odd]);
  const run = (...more: string[]) => home.run([...LIST, '--latest-per', ...more, '-o', 'json'], { clock });
  const newest = await run('customer');
  expect(json<{ id: string }[]>(newest).map(({ id }) => id)).toEqual(MANY.slice(0, 5).map(({ id }) => id));
  expect(newest.stderr).toContain('1 left out: each needs exactly one customer.');
  const turned = await run('customer', '--oldest-first');
  expect(new Set(json<{ id: string }[]>(turned).map(({ id }) => id))).toEqual(
    new Set(MANY.slice(0, 5).map(({ id }) => id)),
  );
  const both = await run('customer,iso_currency', '--where', 'status=active', '--sort=-amount', '--limit', '3');
  const wanted = new Map<string, Record<string, unknown>>();
  for (const one of MANY.filter(({ status }) => status === 'active')) {
    const key = JSON.stringify([one.customer, one.iso_currency]);
    if (!wanted.has(key)) wanted.set(key, one);
  }
  const amounts = [...wanted.values()].map(({ amount }) => Number(amount)).sort((a, b) => b - a);
  expect(json<{ amount: number }[]>(both).map(({ amount }) => amount)).toEqual(amounts.slice(0, 3));
  expect((await run('customer', '--count')).stdout).toBe('5\n');
  const fit = await run('customer', '--having', 'status=overdue');
  expect(json<{ id: string }[]>(fit).map(({ id }) => id)).toEqual(
    MANY.slice(0, 5).flatMap(({ id, status }) => (status === 'overdue' ? [id] : [])),
  );
  expect(both.stderr).toContain('The conditions apply first');
  expect(fit.stderr).not.toContain('The conditions apply first');
  const groups = await run('customer', '--group-by', 'status');
  expect(json<{ count: number }[]>(groups).reduce((sum, { count }) => sum + count, 0)).toBe(5);
  for (const wrong of ['created:month', 'nonsense']) expect((await run(wrong)).code, wrong).toBe(2);
});

it('says of two that were created in the same second that either may be the newest', async () => {
  const twins = [0, 5].map((at) => ({ ...subscription(at), created_date_unix: T - 60 }));
  const { home } = await account(twins);
  const ran = await home.run([...LIST, '--latest-per', 'customer.email', '-o', 'json'], { clock });
  expect([json<unknown[]>(ran).length, ran.stderr]).toEqual([
    1,
    expect.stringContaining('1 of the newest shares its second'),
  ]);
});
