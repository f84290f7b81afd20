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
  subscriptions,
} from '../fixtures/joined-account.js';
import { errorOf, json } from './helpers.js';
import { byText, customerOf, idsOf, run, unknownIn } from './related-rows.js';

/** Whether nobody can tell the country of a subscription's customer. */
const hasNoCountry = (row: Row): boolean => row.customer !== null && customerOf(row)?.country === undefined;

it('asks the related row for what the items do not carry, and says of how many nobody knows it', async () => {
  const { home, service } = await joinedAccount();
  const line = ['subscriptions', 'list', '--where', 'customer.country=CAN', '--columns', 'customer.name,product.name'];
  const ran = await run(home, [...line, '-o', 'json']);
  const wanted = subscriptions.filter((row) => customerOf(row)?.country === 'CAN');
  expect(json<Row[]>(ran).toSorted(byText)).toEqual(
    wanted
      .map((row) => ({
        'customer.name': `${customerOf(row)?.first_name} ${customerOf(row)?.last_name}`,
        'product.name': (row.product as Row).name,
      }))
      .toSorted(byText),
  );
  expect(ran.code, ran.stderr).toBe(10);
  expect(unknownIn(errorOf(ran) as never)).toEqual({ 'customer.country': subscriptions.filter(hasNoCountry).length });
  // One page list of 60 customers is three requests, where 45 ids are one each.
  expect(service.requests.filter(({ path }) => path === '/customers')).toHaveLength(3);
  expect(service.requests.filter(({ path }) => path.startsWith('/customers/'))).toHaveLength(1);
  expect(service.requests.filter(({ path }) => path.startsWith('/products'))).toHaveLength(0);
});

it('keeps what nobody knows out of a condition and of its opposite', async () => {
  const { home } = await joinedAccount();
  const seen = new Set<unknown>();
  for (const sign of ['=', '!=']) {
    const ran = await run(home, ['subscriptions', 'list', '--where', `customer.country${sign}CAN`, '-o', 'json']);
    expect(ran.code).toBe(10);
    for (const { id } of json<Row[]>(ran)) seen.add(id);
  }
  expect([...seen].toSorted()).toEqual(idsOf(subscriptions.filter((row) => !hasNoCountry(row))));
});

it('asks for rows one by one where their list is longer, and says beforehand how many requests that takes', async () => {
  const others = Array.from({ length: 2000 }, (_, at) => ({
    ...customers[0],
    id: `OTHER${String(at).padStart(15, '0')}`,
  }));
  const { home, service } = await joinedAccount({ ...FAMILIES, customers: [...others, ...customers] });
  const ran = await run(home, ['subscriptions', 'list', '--where', 'customer.country=CAN', '-o', 'json']);
  const single = service.requests.filter(({ path }) => path.startsWith('/customers/')).length;
  const listed = service.requests.filter(({ path }) => path === '/customers').length;
  const named = new Set(subscriptions.flatMap((row) => (row.customer as Row | null | undefined)?.id ?? []));
  expect([single, listed]).toEqual([named.size, 1]);
  expect(ran.stderr).toContain(`${single} requests`);
  expect(json<Row[]>(ran)).toHaveLength(subscriptions.filter((row) => customerOf(row)?.country === 'CAN').length);
});

it('distinguishes items without a related row from unknown ones', async () => {
  const { home } = await joinedAccount();
  const ran = await run(home, ['subscriptions', 'list', '--where', 'customer.country=', '-o', 'json']);
  expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(subscriptions.filter(({ customer }) => customer === null)));
  expect(ran.code).toBe(10);
});

it('takes what the item carries as it came, and asks for the row of today by @now', async () => {
  const { home, service } = await joinedAccount();
  const line = ['subscriptions', 'list', '--columns', 'product.price,product@now.price', '-o', 'json'];
  const ran = await run(home, line);
  expect(ran.code, ran.stderr).toBe(0);
  const first = json<Row[]>(ran);
  expect(first).toHaveLength(90);
  expect(first[0]).toEqual({ 'product.price': 5, 'product@now.price': Number(first[0]?.['product@now.price']) });
  const prices = subscriptions.map((row) => products.find(({ id }) => id === (row.product as Row).id)?.price);
  expect(first.map((row) => row['product@now.price']).toSorted()).toEqual(prices.toSorted());
  expect(service.requests.filter(({ path }) => path.startsWith('/products'))).toHaveLength(3);
});

it('compares the month of a card as a month', async () => {
  const { home, service } = await joinedAccount();
  const ran = await run(home, ['customer-cards', 'list', '--where', 'expires<today', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(cards.filter((one) => one.expiry_date === '10/26')));
  expect(service.requests.every(({ path }) => path === '/customer_cards')).toBe(true);
});

/** The card that a customer is expected to pay with, undefined for none, null where nobody can tell. */
function expectedCard(customer: unknown): Row | undefined | null {
  const own = cards.filter((one) => one.customer_id === customer);
  if (own.some((one) => one.enabled === undefined)) return null;
  const enabled = own.filter((one) => one.enabled === true);
  const [chosen, other] = enabled.filter((one) => one.is_default === true);
  if (chosen && !other) return chosen;
  return enabled.length > 1 ? null : enabled[0];
}

it("compares a related field with the item's own, and says by which rule the card was found", async () => {
  const { home } = await joinedAccount();
  const line = ['subscriptions', 'list', '--next', '7d', '--where', 'card.expires<{next_renewal}'];
  const ran = await run(home, [...line, '-o', 'json']);
  const due = subscriptions.filter((row) => {
    const next = (row.billing as { next_renewal_date_unix: number }).next_renewal_date_unix;
    return next >= NOW && next <= NOW + 7 * DAY && ['active', 'overdue'].includes(String(row.status));
  });
  const ends: Readonly<Record<string, number>> = {
    '10/26': Date.UTC(2026, 10, 1) / 1000 - 1,
    '11/26': Date.UTC(2026, 11, 1) / 1000 - 1,
    '03/28': Date.UTC(2028, 3, 1) / 1000 - 1,
  };
  const cardFor = (row: Row) =>
    row.customer === undefined ? null : row.customer === null ? undefined : expectedCard((row.customer as Row).id);
  const wanted = due.filter((row) => {
    const next = (row.billing as { next_renewal_date_unix: number }).next_renewal_date_unix;
    const card = cardFor(row);
    return card && (ends[String(card.expiry_date)] ?? Number.NaN) < next;
  });
  expect(wanted.length).toBeGreaterThan(1);
  expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(wanted));
  expect(ran.code).toBe(10);
  expect(unknownIn(errorOf(ran) as never)).toEqual({
    'card.expires<{next_renewal}': due.filter((row) => cardFor(row) === null).length,
  });
  expect(ran.stderr).toContain("the customer's enabled default card");
});

it('asks for rows that belong to an item, and for those that have none', async () => {
  const { home } = await joinedAccount();
  const line = ['customers', 'list', '--with', 'subscriptions status=active', '--without', 'sales created>-9d'];
  const ran = await run(home, [...line, '-o', 'json']);
  const active = (id: unknown) =>
    subscriptions.some((row) => row.status === 'active' && (row.customer as Row | null | undefined)?.id === id);
  const bought = (id: unknown) =>
    sales.some((row) => (row.customer as Row).id === id && Number(row.created_date_unix) > NOW - 9 * DAY);
  // Subscription 7 is suspended: that it shows no customer leaves nothing open.
  const wanted = customers.filter(({ id }) => active(id) && !bought(id));
  expect(wanted.length).toBeGreaterThan(3);
  expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(wanted));
  expect(ran.code, ran.stderr).toBe(0);
});

it('cannot tell who has none of a kind, as long as one of it shows no owner', async () => {
  const { home } = await joinedAccount();
  const [yes, no] = await Promise.all(
    ['--with', '--without'].map((option) =>
      run(home, ['customers', 'list', option, 'subscriptions status=suspended', '-o', 'json']),
    ),
  );
  const suspended = (id: unknown) =>
    subscriptions.some((row) => row.status === 'suspended' && (row.customer as Row | null | undefined)?.id === id);
  const wanted = customers.filter(({ id }) => suspended(id));
  expect([yes?.code, no?.code]).toEqual([10, 10]);
  expect(idsOf(json<Row[]>(yes as never))).toEqual(idsOf(wanted));
  expect(json<Row[]>(no as never)).toEqual([]);
});

it('holds all conditions against one related row, and counts such rows', async () => {
  const { home } = await joinedAccount();
  const own = (id: unknown) => cards.filter((one) => one.customer_id === id);
  const soon = await run(home, [
    'customers',
    'list',
    '--with',
    'payment-methods expires<+30d, enabled=yes',
    '-o',
    'json',
  ]);
  const expiring = (one: Row) => ['10/26', '11/26'].includes(String(one.expiry_date));
  expect(idsOf(json<Row[]>(soon))).toEqual(
    idsOf(customers.filter(({ id }) => own(id).some((one) => expiring(one) && one.enabled === true))),
  );
  const unsure = customers.filter(({ id }) => own(id).some((one) => expiring(one) && one.enabled === undefined));
  expect(soon.code).toBe(unsure.length > 0 ? 10 : 0);
  const many = await run(home, ['customers', 'list', '--with', 'sales count>1', '-o', 'json']);
  const count = (id: unknown) => sales.filter((row) => (row.customer as Row).id === id).length;
  expect(many.code, many.stderr).toBe(0);
  expect(idsOf(json<Row[]>(many))).toEqual(idsOf(customers.filter(({ id }) => count(id) > 1)));
});

it('asks for many rows that belong to what an item refers to', async () => {
  const { home } = await joinedAccount();
  const owners = (fits: (row: Row) => boolean) =>
    new Set(subscriptions.filter(fits).map((row) => (row.customer as Row)?.id));
  const active = owners((row) => row.status === 'active');
  const ran = await run(home, [
    'customer-cards',
    'list',
    '--with',
    'customer.subscriptions status=active',
    '-o',
    'json',
  ]);
  expect(idsOf(json<Row[]>(ran))).toEqual(idsOf(cards.filter((row) => active.has(row.customer_id))));
  // One subscription shows no customer: it may be anybody's.
  const without = await run(home, ['customer-cards', 'list', '--without', 'customer.subscriptions', '-o', 'json']);
  expect([without.code, json<Row[]>(without)]).toEqual([10, []]);
  const typed = ['customer-cards', 'list', '--with'];
  for (const side of ['customer.nothing', 'customer.subscriptions.renewals', 'nothing.subscriptions'])
    expect((await run(home, [...typed, side])).code, side).toBe(2);
  // The singular is that relation too; a word without the step gets the line that has it.
  const of = async (side: string) => json<Row[]>(await run(home, [...typed, side, '-o', 'json']));
  expect(idsOf(await of('customer.subscription status=active'))).toEqual(idsOf(json<Row[]>(ran)));
  const led = await run(home, [...typed, 'subscriptions status=active', '-o', 'json']);
  expect([led.code, errorOf(led).hint]).toEqual([
    2,
    "Related rows have them: --with 'customer.subscriptions status=active'.",
  ]);
});

it('names the first items that are kept out, as nobody can tell of them', async () => {
  const { home } = await joinedAccount();
  const ran = await run(home, ['subscriptions', 'list', '--where', 'customer.country=CAN', '-o', 'json']);
  const ids = (errorOf(ran) as { readonly unknown_ids?: string[] }).unknown_ids ?? [];
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) expect(hasNoCountry(subscriptions.find((row) => row.id === id) ?? {})).toBe(true);
  for (const id of ids) expect(ran.stderr).toContain(id);
});

it('says it once where all rows that were asked for are disabled, and that a column is of other rows', async () => {
  const { home } = await joinedAccount();
  const line = ['customers', 'list', '--columns', 'id,card.expires', '-o', 'json'];
  const disabled = ['--with', 'customer-cards expires<=2099-12, enabled=false'];
  const asked = await run(home, [...line, ...disabled]);
  expect(asked.stderr).not.toContain('disabled. For those in use');
  expect(asked.stderr).toContain(
    "card.expires is of the card, which need not be a row of --with 'customer-cards expires<=2099-12, enabled=false'. Of those rows: --columns customer-cards.expires",
  );
  const only = customers.find(({ id }) => {
    const own = cards.filter((row) => row.customer_id === id);
    return own.length > 0 && own.every((row) => row.enabled === false);
  });
  const unsaid = ['--where', `id=${only?.id}`, '--with', 'customer-cards expires<=2099-12', '-o', 'json'];
  const ran = await run(home, ['customers', 'list', ...unsaid]);
  expect(ran.stderr).toMatch(/(?:is|are) disabled\. For those in use add to it: enabled=true/);
});
