/** Paths that leave a list's items for rows of other families (command-line.md#lists). */
import { expect, it } from 'vitest';
import {
  cards,
  customers,
  DAY,
  FAMILIES,
  joinedAccount,
  NOW,
  products,
  type Row,
  sales,
  serveRows,
  subscriptions,
  transactions,
} from '../fixtures/joined-account.js';
import { refusal, tooMany } from '../fixtures/service/service.js';
import { errorOf, json } from './helpers.js';
import { byText, customerOf, idsOf, run, unknownIn } from './related-rows.js';

it('groups by a related object and an amount with its currency, and keeps groups by what they come to', async () => {
  const { home } = await joinedAccount();
  const line = ['transactions', 'list', '--yesterday', '--group-by', 'customer,amount', '--having', 'count>1'];
  const ran = await run(home, [...line, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const groups = new Map<string, number>();
  for (const row of transactions) {
    const day = new Date(Number(row.created_date_unix) * 1000).toISOString().slice(0, 10);
    if (day !== '2026-11-19') continue;
    const key = [(row.customer as Row).id, Number(row.amount), row.iso_currency].join(' ');
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  const wanted = [...groups.values()].filter((count) => count > 1);
  expect(wanted.length).toBeGreaterThan(2);
  expect(
    json<Row[]>(ran)
      .map(({ count }) => count)
      .toSorted(),
  ).toEqual(wanted.toSorted());
  expect(Object.keys(json<Row[]>(ran)[0] ?? {})).toContain('iso_currency');
  // Two customers with one e-mail address stay two.
  expect(
    new Set(json<Row[]>(ran).map((row) => JSON.stringify([row.customer, row.amount, row.iso_currency]))).size,
  ).toBe(wanted.length);
});

it('orders, groups and adds up by related fields', async () => {
  const { home } = await joinedAccount();
  const sorted = await run(home, ['sales', 'list', '--sort', '-customer.email,id', '-o', 'json']);
  const email = (row: Row) => String(customerOf(row)?.email);
  expect(sorted.code, sorted.stderr).toBe(0);
  expect(json<Row[]>(sorted).map(email)).toEqual(sales.map(email).toSorted().toReversed());
  const grouped = await run(home, ['sales', 'list', '--group-by', 'customer.country', '--sum', 'amount', '-o', 'json']);
  expect(grouped.code).toBe(10);
  const inCountry = (code: string | undefined) => sales.filter((row) => customerOf(row)?.country === code).length;
  const counts = json<Row[]>(grouped).map((row) => [row['customer.country'], row.count]);
  expect(counts.toSorted(byText)).toEqual(
    [
      ['CAN', inCountry('CAN')],
      ['USA', inCountry('USA')],
      ['unknown', inCountry(undefined)],
    ].toSorted(byText),
  );
});

it('waits when the service asks for it in the middle, and refuses the whole when a row cannot be had', async () => {
  const busy = await joinedAccount();
  const line = ['subscriptions', 'list', '--where', 'customer.country=CAN', '-o', 'json'];
  const calm = await run(busy.home, line);
  const pages = subscriptions.length / 25 + 1;
  busy.service.script(...Array.from({ length: Math.floor(pages) }, () => serve), tooMany(1), tooMany(1));
  const waited = await run(busy.home, line);
  expect(waited.stdout).toBe(calm.stdout);
  const broken = await joinedAccount();
  broken.service.script(...Array.from({ length: Math.floor(pages) }, () => serve), refusal(400, 'E0001', 'no'));
  const refused = await run(broken.home, line);
  expect(refused).toMatchObject({ code: 1, stdout: '' });

  function serve(request: Parameters<ReturnType<typeof serveRows>>[0]) {
    return serveRows(FAMILIES)(request);
  }
});

it('warns of a name that nothing knows where no item is there to show it', async () => {
  const { home } = await joinedAccount();
  const empty = ['sales', 'list', '--month', '2026-01'];
  const none = ['sales', 'list', '--last', '29d', '--where', 'amount>100000'];
  for (const [line, name] of [
    [[...empty, '--columns', 'id,foo'], 'foo'],
    [[...none, '--columns', 'id,ship_to.foo'], 'ship_to.foo'],
    [[...none, '--columns', 'id,customer.foo'], 'customer.foo'],
    [[...empty, '--columns', 'id,customer.foo'], 'customer.foo'],
    [[...empty, '--where', 'foo=1'], 'foo'],
    [[...empty, '--where', 'customer.foo=1'], 'customer.foo'],
    [[...empty, '--sort', 'foo'], 'foo'],
    [[...empty, '--group-by', 'foo'], 'foo'],
    [[...empty, '--sum', 'foo'], 'foo'],
    [[...empty, '--with', 'subscriptions foo=1'], 'subscriptions.foo'],
  ] as const) {
    const ran = await run(home, [...line, '-o', 'json']);
    expect([ran.code, json<Row[]>(ran)], `${line.join(' ')} ${ran.stderr}`).toEqual([0, []]);
    expect(ran.stderr, line.join(' ')).toContain(`"${name}"`);
  }
  for (const line of [
    [...empty, '--columns', 'id,customer.name,Email,metadata.shop'],
    [...empty, '--where', 'customer.country=CAN', '--sort', '-amount'],
    [...empty, '--with', 'customer country=CAN'],
  ]) {
    const ran = await run(home, line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('There is no item to show');
  }
});

it('finds the fields of a card by what people call them', async () => {
  const { home } = await joinedAccount();
  const line = ['customer-cards', 'list', '--columns', 'last_four,expiry', '--limit', '1', '-o', 'json'];
  const card = json<Row[]>(await run(home, line))[0];
  expect(Object.values(card ?? {})).toEqual(Object.values({ last: cards[0]?.last_4, ends: cards[0]?.expiry_date }));
  const far = ['subscriptions', 'list', '--columns', 'card.last_four', '-o', 'json'];
  const shown = json<Row[]>(await run(home, far)).map((row) => row['card.last_four']);
  expect(shown).toContain('1000');
});

it('puts groups in order, and holds them against conditions, by the type of what they are grouped by', async () => {
  const { home } = await joinedAccount();
  const line = ['customer-cards', 'list', '--group-by', 'expires', '-o', 'json'];
  const months = async (more: readonly string[]) =>
    json<Row[]>(await run(home, [...line, ...more])).map(({ expires }) => expires);
  expect(await months([])).toEqual(['10/26', '11/26', '03/28']);
  expect(await months(['--sort', 'expires'])).toEqual(['10/26', '11/26', '03/28']);
  expect(await months(['--sort', '-expires'])).toEqual(['03/28', '11/26', '10/26']);
  expect(await months(['--having', 'expires>2026-11'])).toEqual(['03/28']);
});

it('compares with a share of another field, exactly', async () => {
  const paid = ['10.00', '0.30', '10.00', '20.00'];
  const back = ['5.00', '0.15', '4.99', '12.00'];
  const refunded = paid.map((amount, at): Row => ({ ...transactions[at], amount, amount_refunded: back[at] }));
  const { home } = await joinedAccount({ ...FAMILIES, transactions: refunded });
  const count = async (where: string) => {
    const ran = await run(home, ['transactions', 'list', '--where', where, '--count']);
    expect(ran.code, ran.stderr).toBe(0);
    return ran.stdout.trim();
  };
  expect(await count('amount_refunded>=50% of {amount}')).toBe('3');
  expect(await count('amount_refunded>50%{amount}')).toBe('1');
  expect(await count('amount_refunded=0.5*{amount}')).toBe('2');
  expect(await count('refunded<{amount}*0.5')).toBe('1');
  for (const wrong of ['amount_refunded>50%', 'created>50% of {updated}', 'amount>2*{amount}*2'])
    expect((await run(home, ['transactions', 'list', '--where', wrong])).code, wrong).toBe(2);
});

it('reads what the row on the way names, and says of a word that leads away how to ask by it', async () => {
  const named = transactions.slice(0, 3).map((row, at): Row => ({ ...row, sales: [sales[at]?.id] }));
  const chargebacks = named.map((row, at) => ({ ...row, id: `CHARGEBACK000000000${at}0`, transaction_id: row.id }));
  const { home } = await joinedAccount({ ...FAMILIES, transactions: named, chargebacks });
  const line = ['chargebacks', 'list', '--all-time', '--with', 'transaction.sales amount>10', '--count'];
  const ran = await run(home, line);
  expect([ran.code, ran.stdout.trim()], ran.stderr).toEqual([0, '3']);
  const card = await run(home, ['subscriptions', 'list', '--where', 'card=none']);
  expect(card.code).toBe(2);
  expect(card.stderr).toContain('--without card');
});

it('refuses what it cannot answer before anything is read', async () => {
  const { home, service } = await joinedAccount();
  for (const line of [
    ['subscriptions', 'list', '--where', 'amount<{created}'],
    ['subscriptions', 'list', '--where', 'customer.country>CAN'],
    ['customers', 'list', '--with', 'nothings status=active'],
    ['customers', 'list', '--with', 'subscriptions status=great'],
    ['customers', 'list', '--having', 'count>1'],
    ['customers', 'list', '--with', 'sales count>x'],
  ]) {
    expect((await run(home, line)).code, line.join(' ')).toBe(2);
  }
  expect(service.requests).toHaveLength(0);
});

it('names --with for a path to many rows, unless the items carry them', async () => {
  const { home } = await joinedAccount();
  const ran = await run(home, ['customers', 'list', '--where', 'subscriptions.status=active']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("--with 'subscriptions");
});

it('answers nothing by a relation that no item of the account shows', async () => {
  const { home } = await joinedAccount();
  for (const line of [
    ['subscriptions', 'list', '--where', 'campaign.name~Box', '-o', 'json'],
    ['products', 'list', '--with', 'trials', '-o', 'json'],
  ])
    expect(await run(home, line), line.join(' ')).toMatchObject({ code: 2, stdout: '' });
});

it('takes a name in braces of --with for a field of the listed item, and says so', async () => {
  const later = (at: number): Row => ({
    ...transactions[at],
    id: `LATER${String(at).padStart(15, '0')}`,
    customer: { id: customers[at]?.id },
    created_date_unix: NOW - DAY,
    amount_refunded: at,
    amount: 1,
  });
  const rows = [0, 1, 2].map(later);
  const trials = rows.map(
    (row, at): Row => ({
      ...row,
      id: `TRY${String(at).padStart(17, '0')}`,
      created_date_unix: NOW - DAY + (at - 1) * 60,
    }),
  );
  const { home } = await joinedAccount({ ...FAMILIES, transactions: rows, sales: trials });
  const of = (side: string) => run(home, ['sales', 'list', '--last', '5d', '--with', side, '-o', 'json']);
  const after = await of('customer.transactions created>{created}');
  expect([after.code, idsOf(json<Row[]>(after))], after.stderr).toEqual([0, [trials[0]?.id]]);
  expect(after.stderr).toContain('{transactions.created');
  const near = await of('customer.transactions created>={created}-1min');
  expect(near.code, near.stderr).toBe(0);
  expect(json<Row[]>(near)).toHaveLength(3);
  const own = await of('customer.transactions amount_refunded>{transactions.amount}');
  expect(own.code, own.stderr).toBe(0);
  expect(idsOf(json<Row[]>(own)), own.stderr).toEqual([trials[2]?.id]);
  const through = await of('customer.transactions created>{customer.created}+20d');
  expect(json<Row[]>(through), through.stderr).toHaveLength(3);
  for (const wrong of [
    'created={transactions.created}',
    'amount>{foo}',
    'created>{foo.bar}',
    'amount>{transactions.foo}',
  ])
    expect((await of(`customer.transactions ${wrong}`)).code, wrong).toBe(2);
  expect((await run(home, ['sales', 'list', '--where', 'created>{created}'])).code).toBe(2);
});

it('adds a span to a field in braces, of every field that is a time', async () => {
  const { home } = await joinedAccount();
  const count = async (line: readonly string[]) => {
    const ran = await run(home, [...line, '--count']);
    expect(ran.code, ran.stderr).toBe(0);
    return Number(ran.stdout);
  };
  const soon = subscriptions.filter((row) => {
    const next = (row.billing as { next_renewal_date_unix: number }).next_renewal_date_unix;
    return next < Number(row.created_date_unix) + 25 * DAY;
  });
  expect(soon.length).toBeGreaterThan(1);
  for (const span of ['+25d', ' + 25 days'])
    expect(await count(['subscriptions', 'list', '--where', `next_renewal<{created}${span}`])).toBe(soon.length);
  const from = ['sales', 'list', '--last', '29d', '--where'];
  const back = sales.filter(({ customer, created_date_unix: made }) => {
    const owner = customers.find(({ id }) => id === (customer as Row).id);
    return Number(owner?.created_date_unix) > Number(made) - 7 * DAY;
  });
  expect(await count([...from, 'customer.created>{created}-7d'])).toBe(back.length);
  for (const wrong of ['amount>{amount}+7d', 'created>{customer.created}+7m', 'created>{customer.created}+x'])
    expect((await run(home, [...from, wrong])).code, wrong).toBe(2);
});

it('knows what all cards agree in of which nobody can tell which one is charged', async () => {
  const owner = customers[0];
  const subscription = { ...subscriptions[0], customer: { id: owner?.id } };
  const ends = async (months: readonly (readonly [string, boolean])[], where: string) => {
    const own = months.map(([expiry_date, enabled], at) => ({
      ...cards[0],
      id: `AGREE${String(at).padStart(15, '0')}`,
      expiry_date,
      enabled,
      is_default: false,
    }));
    const { home } = await joinedAccount({ ...FAMILIES, subscriptions: [subscription], customer_cards: own });
    const ran = await run(home, ['subscriptions', 'list', '--where', where, '--count']);
    return [ran.code, ran.stdout.trim()];
  };
  const alike = [
    ['10/26', true],
    ['11/26', true],
    ['03/28', false],
  ] as const;
  expect(await ends(alike, 'card.expires<2027-01-01')).toEqual([0, '1']);
  expect(await ends(alike, 'card.expires>2027-01-01')).toEqual([0, '0']);
  expect(await ends(alike, 'card.expires<{next_renewal}+2mo')).toEqual([0, '1']);
  expect((await ends(alike, 'card.expires<2026-11-15'))[0]).toBe(10);
});

it('names for a field that no item has the nearest three, and the line that asks related rows for it', async () => {
  const { home } = await joinedAccount();
  const asked = async (family: string, where: string) => {
    const ran = await run(home, [family, 'list', '--all-time', '--where', where]);
    expect(ran.code, ran.stderr).toBe(2);
    return ran.stderr;
  };
  expect(await asked('subscriptions', 'expiry_date<2027-01-01')).toContain('Related rows have it: card.expiry_date or');
  expect(await asked('customers', 'iso_currency=USD')).toMatch(/--with '[a-z-]+ iso_currency=\.\.\.'/);
  const hint = (await asked('sales', 'amont>3')).split('Hint:')[1] ?? '';
  expect(hint).toContain('amount');
  expect(hint.split(',').length).toBeLessThanOrEqual(3);
});

it('says which refunds of a sale are not among those asked for: those of its parts', async () => {
  const { home } = await joinedAccount();
  const asked = await run(home, ['sales', 'list', '--all-time', '--without', 'refunds', '--count']);
  expect(asked.stderr).toMatch(/refunds of their .*product-sales.* are left out/);
  const plain = await run(home, ['sales', 'list', '--all-time', '--with', 'subscriptions', '--count']);
  expect(plain.stderr).not.toContain('are left out');
});

it('follows what a list of copies lacks, and names the line that goes by each of several', async () => {
  const copy = (at: number) => ({ id: products[at]?.id, name: `Box ${at}` });
  const orders = sales.map((row, at) => ({ ...row, products: at % 7 === 0 ? [copy(0), copy(2)] : [copy(at % 3)] }));
  const { home } = await joinedAccount({ ...FAMILIES, sales: orders });
  const line = (...words: readonly string[]) => run(home, ['sales', 'list', '--all-time', ...words, '-o', 'json']);
  const one = orders.filter((row) => row.products.length === 1);
  for (const sign of ['>', '!=']) {
    const ran = await line('--where', `product.price${sign}11`);
    const is = (price: unknown) => (sign === '>' ? Number(price) > 11 : Number(price) !== 11);
    const price = (id: unknown) => products.find((row) => row.id === id)?.price;
    expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(one.filter((row) => is(price(row.products[0]?.id)))));
    expect(ran.code).toBe(10);
    expect(unknownIn(errorOf(ran) as never)).toEqual({ 'product.price': 10 });
    expect(errorOf(ran).hint).toContain(`sales list --all-time --with 'products price${sign}11'`);
  }
  const any = idsOf(orders.filter(({ products: all }) => all.some(({ name }) => name === 'Box 2')));
  for (const word of ['product', 'products']) {
    const ran = await line('--with', `${word} price>11`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(idsOf(json<Row[]>(ran))).toEqual(any);
  }
  const wrong = await line('--where', 'product.prise>11');
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('Did you mean price?');
});

it.each(['subscriptions', 'customers', 'trials'])(
  'says for %s too that no reason of a payment is shown',
  async (family) => {
    const { home } = await joinedAccount();
    for (const name of ['reason', 'decline_reason', 'failure_code']) {
      const ran = await run(home, [family, 'list', '--where', `${name}=x`]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('The service promises no reason for a failed payment');
      expect(ran.stderr).toMatch(/write (?:transactions\.)?result .*instead of [\w.]+\. .*cops why <id>/);
    }
    const other = await run(home, [family, 'list', '--where', 'flub=x']);
    expect(other.stderr).toContain(`cops ${family} list --limit 1 -o json`);
  },
);
