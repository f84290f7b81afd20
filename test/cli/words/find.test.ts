/** @module-tag thorough */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ok, refusal } from '../../fixtures/service/service.js';
import { A, B, C, errorOf, home, json, pair } from '../helpers.js';

const LIST = (items: readonly object[]) =>
  ok({ results: items, current_page: 1, current_count: items.length, total_count: items.length, total_pages: 1 });
interface Sheet {
  readonly looked_in: readonly string[];
  readonly customers?: readonly { readonly id: string }[];
  readonly not_read: readonly { readonly what: string; readonly why: string }[];
  readonly next: readonly string[];
}

it('finds an e-mail address by every search that knows one', async () => {
  const { service, home } = await pair((request) =>
    LIST(request.path.startsWith('/customers') ? [{ id: A, email: 'jane@example.com' }] : []),
  );
  const ran = await home.run(['find', 'jane@example.com', '-o', 'json']);
  expect(ran.code).toBe(0);
  const sheet = json<Sheet>(ran);
  expect(sheet.customers).toEqual([{ id: A, email: 'jane@example.com' }]);
  expect(sheet.next).toContain(`cops customers show ${A}`);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  expect(sheet.not_read.length).toBeGreaterThan(0);
});

it('shows what belongs to the only person found, however the person was named', async () => {
  const [EMAIL, PHONE] = ['jane@example.com', '+1 555 813 1033'];
  const { service, home } = await pair((request) => {
    const of = (family: string) => request.path.startsWith(`/${family}/search`);
    const byAddress = request.rawQuery.includes(encodeURIComponent(EMAIL));
    if (request.path.startsWith(`/subscriptions/${B}`)) return ok({ id: B, status: 'active', customer: { id: A } });
    if (of('customers')) return LIST(byAddress ? [] : [{ id: A, email: EMAIL, phone: PHONE }]);
    return LIST(byAddress && of('subscriptions') ? [{ id: B, email: EMAIL }] : []);
  });
  for (const typed of [PHONE, 'jane miller', 'C-10059']) {
    service.requests.length = 0;
    const ran = await home.run(['find', typed, '-o', 'json']);
    const sheet = json<Sheet & { subscriptions?: { id: string; status?: string }[] }>(ran);
    expect(sheet.customers, typed).toEqual([expect.objectContaining({ id: A })]);
    expect(sheet.subscriptions, typed).toEqual([expect.objectContaining({ id: B })]);
    expect(sheet.next[0], typed).toBe(`cops customers show ${A}`);
    expect(service.requests.length, typed).toBeLessThanOrEqual(12);
  }
  const only = await home.run(['find', PHONE, '--in', 'customers', '-o', 'json']);
  expect(json<Sheet & { subscriptions?: object[] }>(only).subscriptions).toBeUndefined();
});

it('finds what an id is, and ends with 4 for one that nobody has', async () => {
  const { service, home } = await pair((request) =>
    request.path === `/sales/${A}` ? ok({ id: A, live_mode: false }) : refusal(404, 'E0404'),
  );
  const ran = await home.run(['find', A, '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(json<Sheet>(ran).next).toContain(`cops sales get ${A}`);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  const nobody = await home.run(['find', 'ZZZZZZZZZZZZZZZZZZZ9', '-o', 'json']);
  expect(nobody.code).toBe(4);
  expect(errorOf(nobody).hint).toContain('Not everything was read');
  expect(errorOf(nobody).hint).toContain('Only test mode was searched; --live searches the other.');
});

it('leaves out what holds a word in its random id alone, and says so', async () => {
  const hit = (id: string, more: object = {}) => ({ id, email: 'jane@example.com', ...more });
  const byChance = 'aVIPaaaaaaaaaaaaaaa1';
  const { service, home } = await pair((request) => {
    if (request.path.startsWith('/transactions')) return LIST([hit(byChance), hit(B, { first_name: 'Vip' })]);
    if (request.path.startsWith('/sales')) return LIST([hit('bvipaaaaaaaaaaaaaaa2')]);
    // The word stands in what this hit does not show.
    if (request.path.startsWith('/shipping')) return LIST([hit(A)]);
    return LIST([]);
  });
  const ran = await home.run(['find', 'VIP', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const sheet = json<Sheet & Record<string, { id: string }[]>>(ran);
  expect(sheet.left_out_by_chance?.toSorted()).toEqual([byChance, 'bvipaaaaaaaaaaaaaaa2'].toSorted());
  expect(sheet.transactions?.map(({ id }) => id)).toEqual([B]);
  expect(sheet.shipping?.map(({ id }) => id)).toEqual([A]);
  expect(sheet.sales).toBeUndefined();
  expect(service.requests.length).toBeLessThanOrEqual(12);
  const screen = await home.run(['find', 'VIP'], { terminal: 100 });
  expect(stripVTControlCharacters(screen.stdout).replaceAll('\n', ' ')).toContain(
    `Left out: ${byChance}, of which only the random id holds "VIP"; cops transactions search VIP shows it.`,
  );
  // A longer part of an id is no chance.
  const { home: other } = await pair((request) => LIST(request.path.startsWith('/sales') ? [hit(byChance)] : []));
  expect(json<Sheet>(await other.run(['find', byChance.slice(0, 9), '-o', 'json']))).toMatchObject({
    sales: [{ id: byChance }],
  });
});

it('says with a line that works what it did not read for an exact company', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const listed = await cops.run(['customers', 'list', '--all', '--where', 'company!=""', '-o', 'json']);
  const holders = json<{ id: string; company: string }[]>(listed);
  const { id, company } = holders.findLast((one) => /^\w+ GmbH$/.test(one.company)) ?? { id: '', company: '' };
  const ran = await cops.run(['find', company, '-o', 'json']);
  const lines = json<{ not_read: { command: string; why: string }[] }>(ran).not_read;
  const [left] = lines.filter(({ why }) => why.startsWith('the service does not search companies'));
  const line = left?.command.split('; ').find((one) => one.includes('company')) ?? '';
  const followed = await cops.run([...line.split(' ').slice(1), '-o', 'json']);
  expect(json<{ id: string }[]>(followed).map((one) => one.id)).toContain(id);
  const all = await cops.run(['find', company, '--all', '-o', 'json']);
  expect(json<Sheet>(all).customers?.map((one) => one.id)).toContain(id);
  expect(all.code, all.stderr).toBe(0);
});

it('finds all people of a name typed the other way round, where a search shows ten of them', async () => {
  const named = (at: number, first_name: string) => ({
    id: `PERSON${String(at).padStart(14, '0')}`,
    first_name,
    last_name: 'Rossi',
  });
  const people = Array.from({ length: 14 }, (_, at) => named(at, at % 4 === 3 ? 'Liam' : 'Ada'));
  const { home } = await pair((request) => {
    if (request.path === '/customers') return LIST(request.query.get('page') === '1' ? people : []);
    return LIST(
      request.path === '/customers/search' && [...request.query.values()].includes('Rossi') ? people.slice(0, 10) : [],
    );
  });
  const ran = await home.run(['find', 'Rossi Liam', '--all', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<Sheet>(ran).customers).toHaveLength(3);
});

it('looks for a name where things have names, in any case', async () => {
  const ran = await home().run(['-p', 'sandbox', 'find', 'regular', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const sheet = json<Sheet & { customer_groups: { name: string }[] }>(ran);
  expect(sheet.customer_groups.map(({ name }) => name)).toEqual(['Regulars']);
  expect(sheet.looked_in).toHaveLength(12);
});

it('searches where it is told to, including lists of a set-up', async () => {
  const { service, home } = await pair(() => LIST([{ id: A, coupon_code: 'WINTER' }]));
  const ran = await home.run(['find', 'WINTER', '--in', 'coupons', '-o', 'json']);
  expect(json<Sheet>(ran)).toMatchObject({ looked_in: ['coupons'], coupons: [{ id: A }] });
  expect(service.requests).toHaveLength(1);
});

it('says what a key may not look into', async () => {
  const { home } = await pair((request) =>
    request.path.startsWith('/sales') ? refusal(403, 'E0403') : LIST([{ id: A, email: 'x@y.example' }]),
  );
  const sheet = json<Sheet>(await home.run(['find', 'x@y.example', '-o', 'json']));
  expect(sheet.not_read).toContainEqual(
    expect.objectContaining({ what: 'sales', why: 'this key lacks the permission' }),
  );
});

it('shows what the only search found though it counts more, and ends with 10', async () => {
  const { home } = await pair(() => ok({ results: [{ id: A, email: 'jane@example.com' }], total_count: 7 }));
  const ran = await home.run(['find', 'jane@example.com', '--in', 'customers', '-o', 'json']);
  expect([ran.code, json<Sheet>(ran)]).toEqual([
    10,
    expect.objectContaining({ complete: false, customers: [{ id: A, email: 'jane@example.com' }] }),
  ]);
});

it('says of a cut search that there may be more, in each section', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const ran = await cops.run(['find', '4242'], { terminal: 110 });
  expect(ran.code, ran.stderr).toBe(0);
  const heads = stripVTControlCharacters(ran.stdout).match(/^(?:CUSTOMER CARDS|CARDHOLDERS).*(?:\n {2}cops .*)?$/gm);
  expect(heads).toHaveLength(2);
  for (const head of heads ?? []) expect(head).toMatch(/ of \d+ or more(?:: |\)\n {2})cops/);
});

it('shows first who has a card with these last four digits, and leads to each', async () => {
  const ran = await home().run(['-p', 'sandbox', 'find', '4242'], { terminal: 110 });
  expect(ran.code, ran.stderr).toBe(0);
  const shown = stripVTControlCharacters(ran.stdout);
  expect(shown.indexOf('CARDHOLDERS')).toBeGreaterThan(0);
  expect(shown.indexOf('CARDHOLDERS')).toBeLessThan(shown.indexOf('TRANSACTIONS'));
  const [, holder] = /^(\w{20}) .*@example\.com/m.exec(shown) ?? [];
  expect(shown).toContain(`NEXT\n  cops -p sandbox customers show ${holder}\n`);
  // Who never paid has a card as well: the line goes by the cards.
  const cards = 'customer-cards list --all-time --where last_4=4242 --query';
  expect(shown).toContain(`cops -p sandbox ${cards} '[].customer_id' -o jsonl | cops -p sandbox customers get -`);
});

it('leads to everybody with such a card, by a line that works', async () => {
  const made = home();
  const list = ['customer-cards', 'list', '--all-time', '--where', 'last_4=4242', '-q'];
  const ids = await made.run(['-p', 'sandbox', ...list, '--query', '[].customer_id', '-o', 'jsonl']);
  const people = await made.run(['-p', 'sandbox', 'customers', 'get', '-', '-o', 'json', '-q'], { input: ids.stdout });
  expect(people.code, people.stderr).toBe(0);
  const count = await made.run(['-p', 'sandbox', ...list, '--count']);
  const emails = json<{ email: string }[]>(people).map(({ email }) => email);
  expect(emails.filter(Boolean)).toHaveLength(Number(count.stdout));
});

it('shows everybody with such a card if all are requested', async () => {
  const made = home();
  const cards = ['customer-cards', 'list', '--all-time', '--where', 'last_4=4242', '-q', '-o', 'json'];
  const owners = new Set(
    json<{ customer_id: string }[]>(await made.run(['-p', 'sandbox', ...cards])).map((card) => card.customer_id),
  );
  expect(owners.size).toBeGreaterThan(10);
  const sheet = json<Sheet & Readonly<Record<string, { id: string }[]>>>(
    await made.run(['-p', 'sandbox', 'find', '4242', '--all', '-o', 'json']),
  );
  expect(new Set(sheet.cardholders?.map(({ id }) => id))).toEqual(owners);
  // Of the transactions, too, all are read: a search shows ten of them.
  const paid = ['transactions', 'list', '--all-time', '--where', 'customer_card.last_4=4242', '-q', '-o', 'json'];
  const payments = json<{ id: string }[]>(await made.run(['-p', 'sandbox', ...paid])).map(({ id }) => id);
  expect(payments.length).toBeGreaterThan(10);
  expect(sheet.transactions?.map(({ id }) => id)).toEqual(expect.arrayContaining(payments));
  expect(sheet.complete).toBe(true);
  expect(sheet.not_read.map(({ what }) => what)).not.toContain('more of customer-cards');
  expect(sheet.not_read.map(({ why }) => why)).not.toContain('no request was left');
});

it('shows what an order came to and where its parcel is, and the order before what has its number by chance', async () => {
  const order = { id: A, internal_id: 'O-315', status: 'paid', amount_total: 43.94, iso_currency: 'GBP' };
  const list = (items: readonly object[]) =>
    ok({ results: items, current_page: 1, current_count: items.length, total_count: items.length, total_pages: 1 });
  const { service, home: there } = await pair((request) => {
    if (request.path === '/sales/search') return list([{ id: A, highlights: { internal_id: 'O-315' } }]);
    if (request.path === '/transactions/search')
      return list([{ id: B, highlights: { gateway_transaction_id: '13231548777' } }]);
    if (request.path === `/sales/${A}`)
      return ok({ ...order, shipping: [B], products: [{ id: C, name: 'Brew Scale' }] });
    if (request.path === `/shipping/${B}`)
      return ok({ id: B, status: 'shipped', provider: { id: C, name: 'dhl' }, provider_tracking: '1Z7' });
    return list([]);
  });
  for (const typed of ['#O-315', '#315']) {
    const found = json<{ sales: object[]; next: string[] }>(await there.run(['find', typed, '-o', 'json']));
    expect(found.sales).toMatchObject([order]);
    expect(found.next[0]).toBe(`cops sales get ${A}`);
    const screen = (await there.run(['find', typed, '-o', 'table'])).stdout;
    expect(screen).toContain(`sales ${A}: Brew Scale, paid, 43.94 GBP`);
    expect(screen).toContain(`Parcel ${B}: shipped, dhl, tracking number 1Z7.`);
  }
  expect(service.requests.length).toBeLessThanOrEqual(48);
});

it('says that a search shows ten of many people, where a name and a card are looked for', async () => {
  const called = Array.from({ length: 10 }, (_, at) => ({
    id: `CUSTOMER${String(at).padStart(12, '0')}`,
    last_name: 'Novak',
    email: `n${at}@example.com`,
  }));
  const { service, home } = await pair(({ path, query }) => {
    if (path !== '/customers/search' || query.get('search_term') === 'novak 4242') return LIST([]);
    return ok({ results: called, current_page: 1, current_count: 10, total_count: 5000, total_pages: 500 });
  });
  const ran = await home.run(['find', 'novak 4242']);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain('more people called "novak"');
  expect(ran.stderr).toContain('a search shows at most 10');
  expect(ran.stderr).toContain('customer-cards list --all-time --where last_4=4242');
  expect(ran.stderr).toContain('cards of 4 of 10 people');
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('leads from a full search for a name to the list of all who are called so', async () => {
  const called = Array.from({ length: 10 }, (_, at) => ({
    id: `CUSTOMER${String(at).padStart(12, '0')}`,
    first_name: 'Emma',
    email: `n${at}@example.com`,
  }));
  const full = { results: called, current_page: 1, current_count: 10, total_count: 13, total_pages: 2 };
  const { home } = await pair(({ path }) => (path === '/customers/search' ? ok(full) : LIST([])));
  const ran = await home.run(['find', 'Emma', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const [more] = json<{ not_read: { what: string; command: string }[] }>(ran).not_read.filter(
    ({ what }) => what === 'more of customers',
  );
  expect(more?.command).toContain("customers list --all-time --where 'name~Emma or company~Emma'");
});

it('shows the nearest names where nobody is called so, and ends with 4', async () => {
  const named = (id: string, first_name: string, last_name: string, email: string) => ({
    id,
    first_name,
    last_name,
    email,
  });
  const people = [
    named(A, 'Katarzyna', 'Rossi', 'k.rossi@example.com'),
    named(B, 'Rosa', 'Okafor', 'rosa@example.com'),
  ];
  const { service, home } = await pair((request) => {
    const terms = [...request.query.values()].map((one) => one.toLowerCase());
    const hits = people.filter((one) =>
      Object.values(one).some((text) => terms.some((term) => text.toLowerCase().startsWith(term))),
    );
    return LIST(request.path === '/customers/search' ? hits : []);
  });
  for (const typed of ['Katrina Rosi', 'Rossie', 'k.rosi@example.com', 'k.rossi@exmaple.com']) {
    service.requests.length = 0;
    const ran = await home.run(['find', typed, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(4);
    const sheet = json<Sheet & { near_customers: { id: string }[] }>({ ...ran, code: 0 });
    expect(sheet.near_customers[0]?.id, typed).toBe(A);
    expect(sheet.next[0]).toBe(`cops customers show ${A}`);
    expect(service.requests.length, typed).toBeLessThanOrEqual(12);
  }
});

it('finds the owner of a card by its last four digits and its expiry', async () => {
  const card = (id: string, expiry_date: string, customer_id: string) => ({
    id,
    last_4: '1111',
    expiry_date,
    customer_id,
  });
  const { home } = await pair((request) =>
    request.path === '/customer_cards'
      ? LIST([card(C, '11/28', C), card('DDDDDDDDDDDDDDDDDDD4', '12/28', B)])
      : request.path === `/customers/${B}`
        ? ok({ id: B, first_name: 'Ada', email: 'ada@example.com' })
        : LIST([]),
  );
  for (const typed of ['1111 12/28', 'card 1111 exp 12/2028']) {
    const ran = await home.run(['find', typed, '-o', 'json']);
    expect(json<{ cardholders: { id: string }[] }>(ran).cardholders.map(({ id }) => id)).toEqual([B]);
  }
});
