/** Counts of different values, numbers of related rows, and columns with many values (command-line.md#lists). */
import { expect, it } from 'vitest';
import { loadFamily } from '../../src/catalogue/index.js';
import { columnMeant, fieldPath, isKnown, vocabularyOf } from '../../src/items/select/names.js';
import { columnPaths } from '../../src/screen/column-names.js';
import {
  cards,
  customers,
  FAMILIES,
  joinedAccount,
  type Row,
  sales,
  subscriptions,
  transactions,
} from '../fixtures/joined-account.js';
import { StandingClock } from '../harness/clock.js';
import { errorOf, json } from './helpers.js';

const run = (home: Awaited<ReturnType<typeof joinedAccount>>['home'], line: readonly string[]) =>
  home.run([...line, '-o', 'json', '--tz', 'UTC'], { clock: new StandingClock() });
const idOf = (value: unknown): unknown => (value as Row | null | undefined)?.id;

it('counts the different values of a field in each group, and says of whose rows count is', async () => {
  const { home } = await joinedAccount();
  const line = ['customer-cards', 'list', '--group-by', 'expires'];
  const plain = await run(home, line);
  expect(plain.stderr).toContain('count is the number of customer cards');
  const ran = await run(home, [...line, '--having', 'customers>1', '--sort', '-customers']);
  const owners = new Map<unknown, unknown[]>();
  for (const one of cards) owners.set(one.expiry_date, [...(owners.get(one.expiry_date) ?? []), one.customer_id]);
  const wanted = [...owners].map(([expires, all]) => ({ expires, count: all.length, customers: new Set(all).size }));
  expect(json<Row[]>(ran)).toEqual(
    wanted.filter((one) => one.customers > 1).toSorted((a, b) => b.customers - a.customers),
  );
  expect(ran.stderr).not.toContain('count is the number of');
  expect(json<Row[]>(await run(home, [...line, '--columns', 'expires,customer.count']))).toEqual(
    expect.arrayContaining(wanted.map((one) => ({ expires: one.expires, 'customer.count': one.customers }))),
  );
});

it('tells the largest and least of a field in each group, in --having and --sort too, and the ids of its rows', async () => {
  const { home } = await joinedAccount();
  const line = ['transactions', 'list', '--all-time', '--group-by', 'iso_currency'];
  const columns = ['--columns', 'iso_currency,count,max(created),min(amount),avg(amount),max(customer.created),ids'];
  const ran = await run(home, [...line, ...columns]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(json(ran)).toHaveLength(new Set(transactions.map((one) => one.iso_currency)).size);
  for (const row of json<Row[]>(ran)) {
    const own = transactions.filter((one) => one.iso_currency === row.iso_currency);
    const whose = own.flatMap((one) => customers.filter(({ id }) => id === idOf(one.customer)));
    expect({ ...row, 'min(amount)': Number(row['min(amount)']) }).toMatchObject({
      count: own.length,
      'max(created)': Math.max(...own.map((one) => Number(one.created_date_unix))),
      'min(amount)': Math.min(...own.map((one) => Number(one.amount))),
      'max(customer.created)': Math.max(...whose.map((one) => Number(one.created_date_unix))),
    });
    const average = own.reduce((sum, one) => sum + Number(one.amount), 0) / own.length;
    expect(Math.abs(Number(row['avg(amount)']) - average)).toBeLessThanOrEqual(0.005);
    expect([...(row.ids as string[])].sort()).toEqual(own.map(({ id }) => id).sort());
  }
  const first = await run(home, [...line, '--having', 'max(amount)>0', '--sort', '-max(amount)', '--limit', '1']);
  const most = Math.max(...transactions.map((one) => Number(one.amount)));
  expect(Number(json<Row[]>(first)[0]?.['max(amount)'])).toBe(most);
  // Amounts of different currencies have no largest.
  const results = ['transactions', 'list', '--all-time', '--group-by', 'result'];
  const mixed = json<Row[]>(await run(home, [...results, '--having', 'max(amount)>0']));
  expect(mixed[0]).toHaveProperty('iso_currency');
  const shown = await run(home, [...results, '--columns', 'count,max(amount)']);
  expect(shown.code, shown.stderr).toBe(0);
  expect(errorOf(await run(home, [...line, '--having', 'max(id)>1'])).message).toContain('has no order');
});

it('adds up the amounts under a table, each currency apart, and in no other format', async () => {
  const { home } = await joinedAccount();
  const list = (...more: string[]) =>
    home.run(['transactions', 'list', '--all-time', '--tz', 'UTC', ...more], { clock: new StandingClock() });
  const table = await list('-o', 'table', '--columns', 'id,amount');
  const codes = [...new Set(transactions.map((one) => String(one.iso_currency)))].sort();
  const sums = codes.map((code) => {
    const own = transactions.filter((one) => one.iso_currency === code);
    return [code, own.reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0)];
  });
  const said = /^Total of the (\d+) rows shown, whatever their state: amount (.*)\.$/im.exec(table.stderr);
  expect(Number(said?.[1])).toBe(transactions.length);
  const told = said?.[2]?.split(', ').map((one) => one.split(' ')) ?? [];
  expect(told.map(([sum, code]) => [code, Math.round(Number(sum) * 100)])).toEqual(sums);
  for (const format of ['json', 'csv', 'ids']) {
    const ran = await list('-o', format);
    expect(ran.stderr + ran.stdout).not.toContain('Total of');
  }
  expect((await list('-o', 'table', '--group-by', 'result')).stderr).not.toContain('Total of');
});

it('refuses a name that rows of groups will not have before anything is read', async () => {
  const { home, service } = await joinedAccount();
  for (const option of [
    ['--having', 'custommers>1'],
    ['--sort', '-custommers'],
    ['--columns', 'expires,custommers'],
  ]) {
    const ran = await run(home, ['customer-cards', 'list', '--group-by', 'expires', ...option]);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).message).toContain('"custommers"');
  }
  expect(service.requests.filter(({ path }) => path === '/customer_cards')).toEqual([]);
});

it('shows, orders and adds up how many related rows there are: those that --with asks for', async () => {
  const { home } = await joinedAccount();
  const active = (id: unknown) => subscriptions.filter((one) => idOf(one.customer) === id && one.status === 'active');
  const line = ['customers', 'list', '--with', 'subscriptions status=active, count>1'];
  const ran = await run(home, [...line, '--columns', 'id,subscriptions.count', '--sort', '-subscriptions.count']);
  // Of rows without a customer nobody knows whose they are.
  expect([0, 10]).toContain(ran.code);
  const rows = json<Row[]>(ran);
  const counts = rows.map((one) => Number(one['subscriptions.count'] ?? 0));
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  for (const one of rows)
    if (one['subscriptions.count'] !== null) expect(one['subscriptions.count']).toBe(active(one.id).length);
  const said = "Only the subscriptions of --with 'subscriptions status=active, count>1' are counted and shown.";
  expect(ran.stderr.split(said)).toHaveLength(2);
});

it('shows values of the rows that --with asks for, newest first, as many as are counted', async () => {
  const { home } = await joinedAccount();
  const columns = 'id,created,customer.transactions.id,customer.transactions.created,customer.transactions.count';
  const side = 'customer.transactions approved=yes, created>{created}';
  const line = ['transactions', 'list', '--all-time', '--with', side, '--columns', columns];
  const rows = json<Row[]>(await run(home, line));
  expect(rows.length).toBeGreaterThan(0);
  for (const one of rows) {
    const theirs = transactions
      .filter((other) => idOf(other.customer) === idOf(transactions.find(({ id }) => id === one.id)?.customer))
      .filter(
        (other) =>
          other.approved === true && Number(other.created_date_unix) > Number(one.created_date_unix ?? one.created),
      )
      .toSorted((a, b) => Number(b.created_date_unix) - Number(a.created_date_unix));
    expect([one['customer.transactions.id']].flat()).toEqual(theirs.map(({ id }) => id));
    expect(one['customer.transactions.count']).toBe(theirs.length);
  }
  const several = rows.find((one) => Array.isArray(one['customer.transactions.created']));
  expect(several).toBeDefined();
  const table = await home.run([...line, '-o', 'table', '--tz', 'UTC'], { clock: new StandingClock() });
  expect(table.stdout).toMatch(/\d\d:\d\d UTC, \d{4}-\d\d-\d\d/);
});

it('counts and shows the rows that name an item, not the few that it lists itself', async () => {
  const part = FAMILIES.subscriptions?.map((one) => ({ ...one, transactions: [transactions[0]?.id] }));
  const owned: Row[] = transactions.map((one, at) => ({ ...one, subscriptions: [subscriptions[at % 2]?.id] }));
  const { home } = await joinedAccount({ ...FAMILIES, subscriptions: part ?? [], transactions: owned });
  const ran = await run(home, [
    'subscriptions',
    'list',
    '--all-time',
    '--columns',
    'id,transactions.count,transactions.id',
  ]);
  expect(json(ran)).toHaveLength(subscriptions.length);
  for (const one of json<Row[]>(ran)) {
    const theirs = owned.filter(({ subscriptions: ids }) => (ids as unknown[]).includes(one.id));
    expect(one['transactions.count']).toBe(theirs.length);
    expect([one['transactions.id'] ?? []].flat().toSorted()).toEqual(theirs.map(({ id }) => id).toSorted());
  }
});

it('shows many values in a column, and leads to what asks for one value', async () => {
  const { home, service } = await joinedAccount();
  const ran = await run(home, ['customers', 'list', '--columns', 'id,sales.id']);
  const wanted = new Map(customers.map(({ id }) => [id, sales.filter((one) => idOf(one.customer) === id).length]));
  for (const one of json<Row[]>(ran)) {
    const ids = one['sales.id'];
    if (ids !== null && ids !== undefined) expect([ids].flat().length).toBe(wanted.get(one.id));
  }
  const before = service.requests.length;
  for (const [option, value, hint] of [
    ['--where', 'subscriptions.status=active', "--with 'subscriptions status=active'"],
    ['--sort', 'subscriptions.amount', '--sort -subscriptions.count'],
    ['--group-by', 'subscriptions.product.name', 'subscriptions list --group-by product.name'],
  ] as const) {
    const refused = await run(home, ['customers', 'list', option, value]);
    expect(refused.code).toBe(2);
    expect(String(errorOf(refused).hint)).toContain(hint);
  }
  expect(service.requests.length).toBe(before);
});

it('groups by what an item refers to by its id', async () => {
  const { home, service } = await joinedAccount();
  const ran = await run(home, ['customer-cards', 'list', '--group-by', 'customer']);
  const wanted = new Map<unknown, number>();
  for (const { customer_id } of cards) wanted.set(customer_id, (wanted.get(customer_id) ?? 0) + 1);
  expect(new Map(json<Row[]>(ran).map((one) => [one.customer, one.count]))).toEqual(wanted);
  expect(service.requests.some(({ path }) => path.startsWith('/customers'))).toBe(false);
});

it('says that a group by a text holds several rows of it', async () => {
  const twins = FAMILIES.transactions?.map((one, at) => ({
    ...one,
    customer: { id: `CUSTOMER${String(at % 4).padStart(12, '0')}`, email: `p${at % 2}@example.com` },
  }));
  const { home } = await joinedAccount({ ...FAMILIES, transactions: twins ?? [] });
  const ran = await run(home, ['transactions', 'list', '--all-time', '--group-by', 'customer.email']);
  expect(json<Row[]>(ran)).toHaveLength(2);
  expect(ran.stderr).toMatch(/More than one customer has the same email.*p0@example\.com.*p1@example\.com/);
});

it('says how many are equal to the last that a limit lets through', async () => {
  const { home } = await joinedAccount();
  const line = ['transactions', 'list', '--all-time', '--group-by', 'customer', '--sort', '-count', '--limit', '1'];
  const ran = await run(home, line);
  const all = json<Row[]>(await run(home, line.slice(0, -2)));
  const ties = all.filter((one) => one.count === all[0]?.count).length - 1;
  expect(ran.stderr.includes('equal to the last one shown in count')).toBe(ties > 0);
  expect(transactions.length).toBeGreaterThan(all.length);
});

it('asks for no related list where a name is none', async () => {
  const { home, service } = await joinedAccount();
  for (const line of [
    ['--columns', 'id,customer.company,updatd'],
    ['--where', 'customer.country=CAN', '--columns', 'id,updatd'],
    ['--where', 'customer.country=CAN', '--sort', 'updatd'],
    ['--where', 'customer.country=CAN', '--group-by', 'updatd'],
  ]) {
    const ran = await run(home, ['subscriptions', 'list', ...line]);
    expect(ran.code, ran.stderr).toBe(2);
    expect(errorOf(ran).message).toContain('"updatd"');
  }
  expect(service.requests.some(({ path }) => path.startsWith('/customers'))).toBe(false);
});

it('takes a name in a column that it takes in a condition', async () => {
  const names: string[] = [];
  for (const name of ['subscriptions', 'sales', 'transactions', 'customers', 'customer_cards', 'shipping', 'trials']) {
    const family = await loadFamily(name);
    const list = family.operations.find(({ action }) => action === 'list');
    if (!list) continue;
    const vocabulary = vocabularyOf(family, list);
    const fields = Object.keys(family.item ?? {});
    const short = fields.map((field) => field.replace(/^amount_|_name$|_date_unix$/, ''));
    const headings = family.columns.flatMap(({ title, path, state }) => (state ? [] : (title ?? path)));
    for (const typed of new Set([...fields, ...short, ...headings])) {
      const path = fieldPath(vocabulary, typed, 'path');
      const isObject = vocabulary.columns.some((column) => column.path.startsWith(`${typed}.`));
      if (!isKnown(vocabulary, path) || isObject) continue;
      const [column] = columnPaths([columnMeant(vocabulary, typed) ?? typed], family.columns, 'json');
      if (column !== path && fieldPath(vocabulary, typed, 'heading') !== column) names.push(`${name} ${typed}`);
    }
  }
  expect(names).toEqual([]);
});

it('takes a field that is added up as its sum, in --having and --sort', async () => {
  const { home } = await joinedAccount();
  const line = ['transactions', 'list', '--all-time', '--group-by', 'customer', '--sum', 'amount'];
  const all = json<Row[]>(await run(home, [...line, '--sort', '-sum_amount']));
  const least = Math.min(...all.map((one) => Number(one.sum_amount)));
  const ran = await run(home, [...line, '--having', `amount>${least}`, '--sort', '-amount']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(json(ran)).toEqual(all.filter((one) => Number(one.sum_amount) > least));
});

it('names a value of the second condition that no related row of the first has', async () => {
  const { home } = await joinedAccount();
  const ran = await run(home, ['customers', 'list', '--with', 'subscriptions status=active, product.name=Nope']);
  expect(json(ran)).toEqual([]);
  expect(ran.stderr).toContain('--with subscriptions: none that meets its other conditions has product.name=Nope');
});

it('leads from a path that items do not have to those that reach it', async () => {
  const { home } = await joinedAccount();
  for (const option of ['--columns', '--group-by']) {
    const ran = await run(home, ['transactions', 'list', '--all-time', option, 'product.name']);
    expect(ran.code, ran.stderr).toBe(2);
    expect(errorOf(ran).hint).toMatch(
      /--columns \S*product-sales\.product\.name\S*\. To filter by it: --with '\S+ product\.name=/,
    );
    expect(errorOf(ran).hint).toContain('renewals.product.name');
  }
});

it('leads from a column that groups lack to a line of the items that works', async () => {
  const { home } = await joinedAccount();
  const line = ['customers', 'list', '--group-by', 'email', '--having', 'count>1', '--columns', 'email,count,id'];
  const { hint = '' } = errorOf(await run(home, line));
  expect(hint).toContain('--columns email,id; what is added up');
});
