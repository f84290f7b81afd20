/** @module-tag thorough */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allFamilies } from '../../../src/catalogue/index.js';
import { ok, type Reaction, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { laySandbox, SOME } from '../../harness/seeded.js';
import { A, B, errorOf, home, json, pair } from '../helpers.js';

const JANE = {
  id: A,
  first_name: 'Jane',
  last_name: 'Miller',
  email: 'jane@example.com',
  internal_id: 'C-1',
  enabled: true,
};
const LIST = (items: readonly object[]) =>
  ok({ results: items, current_page: 1, current_count: items.length, total_count: items.length, total_pages: 1 });

/** A service that knows one customer; what is told for a path wins. */
function serviceOf(told: Readonly<Record<string, () => Reaction>> = {}) {
  return (request: { readonly path: string }) => {
    const own = Object.entries(told).find(([path]) => request.path.startsWith(path))?.[1];
    if (own) return own();
    if (request.path.startsWith('/customers/search')) return LIST([{ id: A, email: 'jane@example.com' }]);
    if (request.path === `/customers/${A}`) return ok(JANE);
    return LIST([]);
  };
}

interface Shown {
  readonly customer: { readonly id: string };
  readonly subscriptions: readonly { readonly id: string }[];
  readonly payments: readonly object[];
  readonly not_read: readonly { readonly what: string; readonly why: string; readonly command: string }[];
  readonly looked: Readonly<Record<string, { readonly since: number | null }>>;
}

it('shows a whole customer by e-mail address, out of at most twelve requests', async () => {
  const { service, home: there } = await pair(
    serviceOf({
      '/subscriptions/search': () => LIST([{ id: B, email: 'jane@example.com' }]),
      [`/subscriptions/${B}`]: () => ok({ id: B, status: 'active', amount: 10.0, customer: { id: A } }),
    }),
  );
  const ran = await there.run(['customers', 'show', 'Jane@Example.com', '-o', 'json']);
  expect(ran.code).toBe(0);
  const shown = json<Shown>(ran);
  expect(shown.customer.id).toBe(A);
  expect(shown.subscriptions.map(({ id }) => id)).toEqual([B]);
  expect(shown.looked.payments?.since).toBeGreaterThan(0);
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('ends with 10 where everything was asked for and something was not read', async () => {
  const { home: there } = await pair(serviceOf({ '/chargebacks': () => refusal(403, 'E0403') }));
  const ran = await there.run(['customers', 'show', A, '--all', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(10);
  expect(ran.stderr).toMatch(/Not everything was read: .*chargebacks/);
  expect(json<Shown>(ran).customer.id).toBe(A);
});

it('shows the newest of what a search found first, and says where it may be among more', async () => {
  const trial = (at: number) => ({ id: `TTTTTTTTTTTTTTTTTTT${at}`, created_date_unix: 1_700_000_000 + at });
  const sheetOf = async (many: number) => {
    const told = { '/trials/search': () => LIST(Array.from({ length: many }, (_none, at) => trial(at))) };
    const { home: there } = await pair(serviceOf(told));
    return json<Shown & { trials: { id: string }[] }>(await there.run(['customers', 'show', A, '-o', 'json']));
  };
  const few = await sheetOf(3);
  expect(few.trials.map(({ id }) => id.at(-1))).toEqual(['2', '1', '0']);
  expect(few.not_read.map(({ what }) => what)).not.toContain('further trials');
  const ten = await sheetOf(10);
  expect(ten.not_read).toContainEqual({
    what: 'further trials',
    why: 'a search shows at most ten, not newest first',
    command: `cops trials list --all-time --customer ${A}`,
  });
});

it('shows orders, parcels and trials too, and names what no request was left for', async () => {
  const order = (id: string) => ({ id, created_date_unix: 1_795_000_000, email: 'jane@example.com' });
  const told = {
    '/sales/search': () => LIST([order('SSSSSSSSSSSSSSSSSSS1')]),
    '/shipping': () => LIST([{ id: 'PPPPPPPPPPPPPPPPPPP1', status: 'shipped', customer: { id: A } }]),
    '/trials/search': () => LIST([order('TTTTTTTTTTTTTTTTTTT1')]),
    '/trials/TTTTTTTTTTTTTTTTTTT1': () => ok({ ...order('TTTTTTTTTTTTTTTTTTT1'), status: 'active' }),
    '/transactions': () =>
      // The second order was made under another e-mail address: only its payment knows it.
      LIST(
        ['SSSSSSSSSSSSSSSSSSS1', 'SSSSSSSSSSSSSSSSSSS2'].map((sale, at) => ({
          id: `CCCCCCCCCCCCCCCCCCC${at}`,
          created_date_unix: 1_795_000_000 - at,
          amount: 12.5,
          iso_currency: 'EUR',
          result: 'approved',
          sales: [sale],
          customer: { id: A },
        })),
      ),
  };
  const { service, home: there } = await pair(serviceOf(told));
  const ran = await there.run(['customers', 'show', 'jane@example.com', '-o', 'json']);
  const shown = json<Shown & Record<'orders' | 'parcels' | 'trials', { id: string; card_payment?: number }[]>>(ran);
  expect(shown.orders).toMatchObject([
    { id: 'SSSSSSSSSSSSSSSSSSS1', card_payment: 12.5 },
    { id: 'SSSSSSSSSSSSSSSSSSS2', card_payment: 12.5 },
  ]);
  expect([...shown.parcels, ...shown.trials].map(({ id }) => id)).toEqual([
    'PPPPPPPPPPPPPPPPPPP1',
    'TTTTTTTTTTTTTTTTTTT1',
  ]);
  expect(service.requests).toHaveLength(12);
  expect(shown.not_read.map(({ what }) => what)).toEqual([
    expect.stringMatching(
      /^renewals, wallet payments, offline payments, further amounts to collect, .*product-sales, .*tax/,
    ),
  ]);
  const whole = await there.run(['customers', 'show', A, '--since', '90d', '-o', 'json']);
  expect(json<Shown>(whole).not_read).toEqual([NO_LIST]);
});

it('reads the trial that a subscription is in before what matters less: its end comes before the next renewal', async () => {
  const [RUNNING, PAID] = ['TTTTTTTTTTTTTTTTTTT1', 'TTTTTTTTTTTTTTTTTTT2'];
  const subscriptions = [
    'SUBSCRIPTION00000001',
    'SUBSCRIPTION00000002',
    'SUBSCRIPTION00000003',
    'SUBSCRIPTION00000004',
  ];
  const [first = '', second = ''] = subscriptions;
  const subscription = (id: string, trials: readonly string[]) =>
    ok({ id, status: 'active', customer: { id: A }, subscription_renewals: [], trials });
  const { service, home: there } = await pair(
    serviceOf({
      '/subscriptions/search': () => LIST(subscriptions.map((id) => ({ id, email: 'jane@example.com' }))),
      [`/subscriptions/${first}`]: () => subscription(first, [RUNNING]),
      [`/subscriptions/${second}`]: () => subscription(second, [PAID]),
      '/subscriptions/': () => subscription('SUBSCRIPTION00000003', []),
      [`/trials/${RUNNING}`]: () => ok({ id: RUNNING, status: 'active', expiration_date_unix: 1_796_000_000 }),
      '/transactions': () =>
        LIST([{ id: B, result: 'approved', amount: 9.9, iso_currency: 'USD', trials: [PAID], customer: { id: A } }]),
    }),
  );
  const ran = await there.run(['customers', 'show', 'jane@example.com', '-o', 'json']);
  const shown = json<Shown & { trials: readonly object[]; complete: boolean }>(ran);
  expect(shown.trials).toEqual([expect.objectContaining({ id: RUNNING, status: 'active' })]);
  expect(service.requests.map(({ path }) => path.split('?')[0])).not.toContain(`/trials/${PAID}`);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  // No request was left for trials or parcels, so neither is reported as none.
  expect(shown.not_read.map(({ what }) => what).join()).toMatch(/parcels, further trials, fraud detections/);
  const table = await there.run(['customers', 'show', 'jane@example.com', '-o', 'table']);
  expect(table.stdout).toMatch(/TRIALS[^\n]*\n[^\n]*\nT{19}1/);
  expect(/^None: (.*)$/m.exec(table.stdout)?.[1]).not.toMatch(/trials|parcels|fraud/);
});

/** What belongs to nobody who can be asked for it. */
const NO_LIST = { what: 'tracking-visitors', why: 'the service has no list of them', command: '' };

interface Owned {
  readonly id: string;
  readonly customer?: { readonly id?: string };
  readonly customer_id?: string;
}

it('shows every item that belongs to a person with --all, whatever its family', async () => {
  const there = home();
  await laySandbox(there.env.COPS_DATA_DIR ?? '', Date.now(), SOME);
  const of = async <T>(...line: string[]): Promise<T> =>
    json<T>(await there.run(['-p', 'sandbox', ...line, '-o', 'json']));
  // Families by what their items in the sandbox show.
  const windowed = (await allFamilies()).filter(({ operations }) =>
    operations.some(({ list }) => list?.style === 'windowed'),
  );
  const theirs = new Map<string, Map<string, string>>();
  for (const { name, onlyNamed } of windowed) {
    if (onlyNamed) continue;
    const items = await of<Owned[]>(name, 'list', '--all-time');
    for (const item of items) {
      const who = item.customer?.id ?? item.customer_id;
      if (who) theirs.set(who, (theirs.get(who) ?? new Map()).set(item.id, name));
    }
  }
  const most = [...theirs].sort(([, a], [, b]) => new Set(b.values()).size - new Set(a.values()).size).slice(0, 3);
  for (const [id, items] of most) {
    const shown = await of<Record<string, readonly { id?: string }[]>>('customers', 'show', id, '--all');
    expect(shown.not_read).toEqual([NO_LIST]);
    const ids = new Set(Object.values(shown).flatMap((list) => (Array.isArray(list) ? list.map((one) => one.id) : [])));
    expect([...items].filter(([item]) => !ids.has(item))).toEqual([]);
    expect(new Set(items.values()).size).toBeGreaterThan(8);
  }
});

it('shows street, zip and notes with their moment', async () => {
  const person = { ...JANE, address_line_1: '1 Elm St', city: 'Boston', state: 'MA', zip: '02113', country: 'USA' };
  const notes = [{ id: B, created_date_unix: 1_795_000_000, text: 'called' }];
  const { home: there } = await pair(serviceOf({ [`/customers/${A}`]: () => ok({ ...person, notes }) }));
  const ran = await there.run(['customers', 'show', A, '--tz', 'UTC'], { terminal: 120 });
  expect(ran.stdout).toContain('1 Elm St, Boston MA 02113, USA');
  expect(ran.stdout).toMatch(/^2026-11-18 \d\d:\d\d {2}called$/m);
});

it('says what the key may not read, and leaves nothing out in silence', async () => {
  const { home: there } = await pair(serviceOf({ '/transactions': () => refusal(403, 'E0403') }));
  const ran = await there.run(['customers', 'show', A, '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(json<Shown>(ran)).toMatchObject({ complete: false });
  expect(json<Shown>(ran).not_read).toContainEqual({
    what: 'card payments',
    why: 'this key lacks the permission',
    command: `cops transactions list --last 90d --customer ${A}`,
  });
  expect(ran.stderr).toContain('Not read: card payments');
});

describe.each([
  ['that fails', () => refusal(500)],
  ['that the key may not read', () => refusal(403, 'E0403')],
  ['whose connection is cut', () => 'drop' as const],
  ['that counts more than it shows', () => ok({ results: [], total_count: 7, total_pages: 1 })],
])('a family %s', (_what, answer) => {
  const lines = [
    ['customers', 'show', A],
    ['customers', 'show', A, '--since', '90d'],
    ['timeline', A, '--family', 'customers'],
    ['find', 'jane@example.com'],
    ['why', A, '--family', 'customers'],
  ];
  it.each(lines)('is named after the answer, which ends with 10: %s %s', async (...line) => {
    const { home: there } = await pair(serviceOf({ '/subscriptions/search': answer }));
    const ran = await there.run([...line, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(10);
    if (line[0] === 'timeline') expect(json(ran)).toEqual([]);
    else expect(json(ran)).toMatchObject({ complete: false });
    expect(ran.stderr).toMatch(/Not everything was read: .*subscriptions/);
    const table = await there.run([...line, '-o', 'table']);
    expect(table.code).toBe(10);
    expect(table.stdout + table.stderr).toMatch(/not read:?\s.*subscriptions/is);
  });
});

it('ends as the fault itself where nothing at all could be read', async () => {
  const { home: there } = await pair(() => refusal(500));
  expect((await there.run(['find', 'jane@example.com', '-o', 'json'])).code).toBe(1);
  const { home: cut } = await pair(() => 'drop');
  expect((await cut.run(['find', 'jane@example.com', '-o', 'json'])).code).toBe(8);
});

it('calls nobody unknown while a family that may have the id could not be read', async () => {
  const { home: there } = await pair(({ path }) => refusal(path.startsWith('/sales') ? 500 : 404));
  const ran = await there.run(['why', A, '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(errorOf(ran).message).toMatch(/Not read: sales/);
});

it('ends a search with 10 that counts more than it shows, or whose further look failed', async () => {
  const short = ok({ results: [{ id: A, email: 'jane@example.com' }], total_count: 7, total_pages: 1 });
  const { home: there } = await pair(serviceOf({ '/customers/search': () => short }));
  const ran = await there.run(['customers', 'search', 'jane', '-o', 'json']);
  expect(ran.code).toBe(10);
  expect(json<object[]>(ran)).toHaveLength(1);
  const none = serviceOf({ '/customers/search': () => LIST([]), '/customers': () => refusal(500) });
  const { home: broken } = await pair(none);
  const further = await broken.run(['customers', 'search', 'jane', '-o', 'json']);
  expect(further.code, further.stderr).toBe(10);
});

it('ends with 0 where every part of an order is named by it, however long the list of all parts is', async () => {
  const [SALE, PART] = ['SSSSSSSSSSSSSSSSSSS1', 'PPPPPPPPPPPPPPPPPPP1'];
  const many = Array.from({ length: 25 }, (_none, at) => ({ id: `MMMMMMMMMMMMMMMMMM${at + 10}`, customer: { id: B } }));
  const told = (sale: object) =>
    serviceOf({
      [`/customers/${A}/payment_methods`]: () => LIST([]),
      [`/customers/${A}`]: () => ok({ ...JANE, created_date_unix: 1_790_000_000 }),
      '/sales/search': () => LIST([{ id: SALE, email: 'jane@example.com' }]),
      [`/sales/${SALE}`]: () => ok({ id: SALE, created_date_unix: 1_795_000_000, customer: { id: A }, ...sale }),
      [`/product_sales/${PART}`]: () => ok({ id: PART, customer: { id: A }, sales: [SALE] }),
      '/product_sales': () => ok({ results: many, current_count: 25, total_count: 90_000, total_pages: 3600 }),
    });
  const { home: there } = await pair(told({ product_sales: [PART] }));
  const ran = await there.run(['customers', 'show', A, '--all', '-o', 'json']);
  expect(json<{ product_sales: { id: string }[] }>(ran).product_sales.map(({ id }) => id)).toEqual([PART]);
  expect(ran.code, ran.stderr).toBe(0);
  // An order that does not show its parts may have others.
  const { home: unknown } = await pair(told({}));
  const less = await unknown.run(['customers', 'show', A, '--all', '-o', 'json']);
  expect(less.code).toBe(10);
  expect(less.stderr).toMatch(/Not everything was read: .*further product-sales/);
});

it('shows no payment of anybody else where the service does not filter', async () => {
  const other = { id: 'CCCCCCCCCCCCCCCCCCC3', amount: 1, customer: { id: B } };
  const { home: there } = await pair(serviceOf({ '/transactions': () => LIST([other]) }));
  const shown = json<Shown>(await there.run(['customers', 'show', A, '-o', 'json']));
  expect(shown.payments).toEqual([]);
  expect(shown.not_read.map(({ what }) => what)).toContain('transactions');
});

it('lists the candidates of a name that means several', async () => {
  const { home: there } = await pair(
    serviceOf({ '/customers/search': () => LIST([A, B].map((id) => ({ id, email: 'jane@example.com' }))) }),
  );
  const ran = await there.run(['customers', 'show', 'jane@example.com', '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(errorOf(ran).hint).toContain(B);
});

it('draws one screen', async () => {
  const ran = await home().run(['-p', 'sandbox', 'customers', 'show', 'tom.rossi.110@example.com', '--no-color'], {
    terminal: 80,
    stdout: { columns: 80, rows: 30 },
  });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^PAYMENTS |^None: .*payments/m);
  expect(ran.stdout).toContain('NOT READ');
  const lines = ran.stdout.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
  expect(lines).toBeLessThan(42);
});

it.each([Date.UTC(2026, 0, 1), Date.UTC(2027, 5, 15, 13), Date.UTC(2028, 1, 29)])(
  'finds the people that the documents name on whatever day the sandbox is laid out (%i)',
  { tags: ['sweep'] },
  async (day) => {
    const there = home();
    for (const email of ['katarzyna.rossi.23@example.com']) {
      const ran = await there.run(['-p', 'sandbox', 'customers', 'show', email, '-o', 'json'], {
        clock: new QuickClock(day),
      });
      expect(ran.code, ran.stderr).toBe(0);
    }
  },
);

it('shows what runs before what has ended, however little room there is', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  const ran = await cops.run(['customers', 'show', 'ada.silva.135@example.com'], { terminal: 110 });
  expect(ran.code, ran.stderr).toBe(0);
  const plain = stripVTControlCharacters(ran.stdout);
  const [, table = ''] = /SUBSCRIPTIONS[^\n]*\n([\s\S]*?)\n\n?[A-Z]+ /.exec(plain) ?? [];
  const states = table.split('\n').flatMap((line) => /^\w{20} {2}(\w+)/.exec(line)?.[1] ?? []);
  expect(states.length).toBeGreaterThanOrEqual(3);
  expect(states).toEqual([...states].sort((a, b) => Number(a === 'cancelled') - Number(b === 'cancelled')));
  const [, shown] = /subscriptions postpone (\w{20})/.exec(plain) ?? [];
  expect(table).toContain(shown);
});

it('reads the newest order where no payment tells of it, and shows its state and total', async () => {
  const [first, second] = ['SSSSSSSSSSSSSSSSSSS1', 'SSSSSSSSSSSSSSSSSSS2'] as const;
  const hit = (id: string, at: number) => ({ id, created_date_unix: 1_795_000_000 - at });
  const orders = [first, second, 'SSSSSSSSSSSSSSSSSSS3', 'SSSSSSSSSSSSSSSSSSS4'].map(hit);
  const whole = { status: 'partial', amount_total: 47.25, iso_currency: 'EUR', customer: { id: A } };
  const { service, home: there } = await pair(
    serviceOf({
      '/sales/search': () => LIST(orders),
      [`/sales/${first}`]: () => ok({ ...orders[0], ...whole }),
    }),
  );
  const ran = await there.run(['customers', 'show', A], { terminal: 120 });
  expect(stripVTControlCharacters(ran.stdout)).toMatch(
    new RegExp(`^${first} .* partial +47\\.25 EUR\\n${second} `, 'm'),
  );
  expect(service.requests.length).toBeLessThanOrEqual(12);
});

it('says whose the screen is once, not in the place of an empty column', async () => {
  const parcel = {
    id: B,
    status: 'notshipped',
    amount: 4.95,
    iso_currency: 'EUR',
    customer: { id: A, email: JANE.email },
  };
  const { home: there } = await pair(serviceOf({ '/shipping': () => LIST([parcel]) }));
  const ran = await there.run(['customers', 'show', A], { terminal: 120 });
  expect(stripVTControlCharacters(ran.stdout)).toMatch(/^PARCELS.*\nID +STATUS +AMOUNT\n/m);
});

it('counts the groups that no request is left for, and names the command that shows them', async () => {
  const groups = ['G', 'H', 'J', 'K', 'L'].map((letter) => letter.repeat(19) + 1);
  const { home: there } = await pair(
    serviceOf({
      [`/customers/${A}`]: () => ok({ ...JANE, customer_group: groups }),
      '/customer_groups/': () => ok({ id: B, name: 'Wholesale' }),
    }),
  );
  const ran = await there.run(['customers', 'show', A], { terminal: 120 });
  const shown = stripVTControlCharacters(ran.stdout);
  expect(shown).toContain('groups Wholesale, Wholesale, Wholesale and 2 more');
  expect(shown).toContain(`  cops customer-groups get ${groups.slice(3).join(' ')}\n`);
});

it('shows a person with forty subscriptions within 80 columns, what runs first, and the line that shows them all', async () => {
  const all = Array.from({ length: 40 }, (_none, at) => ({
    id: `SUBSCRIPTION${String(at).padStart(8, '0')}`,
    status: at % 4 === 0 ? 'active' : 'cancelled',
    amount: 19.9,
    iso_currency: 'USD',
    email: 'jane@example.com',
    customer: { id: A, email: 'jane@example.com' },
    product: { name: 'Coffee Club' },
    created_date_unix: 1_700_000_000 + at,
    next_renewal: { date_unix: 1_800_000_000 + at },
  }));
  const { service, home: there } = await pair((request: { readonly path: string }) => {
    const one = all.find(({ id }) => request.path === `/subscriptions/${id}`);
    if (one) return ok(one);
    if (request.path === '/subscriptions/search') {
      const counts = { current_page: 1, current_count: 10, total_count: 40, total_pages: 4 };
      return ok({ results: all.slice(0, 10), ...counts });
    }
    return serviceOf()(request);
  });
  const stdout = { columns: 80, rows: 24 };
  const ran = await there.run(['customers', 'show', 'jane@example.com'], { stdout, stderr: { columns: 80 } });
  const screen = stripVTControlCharacters(ran.stdout);
  expect(ran.code, ran.stderr).toBe(0);
  expect(service.requests.length).toBeLessThanOrEqual(12);
  expect(screen.split('\n').filter((line) => line.length > 80 && !line.includes('cops '))).toEqual([]);
  // Two thirds of it are the sheet; a pager shows the rest.
  expect(screen.split('\n').length).toBeLessThanOrEqual(31);
  expect(screen).toMatch(/SUBSCRIPTIONS[^\n]*\nID [^\n]*\nSUBSCRIPTION0000000\d {2}active/);
  expect(screen).toMatch(/cops .*subscriptions list .*--customer/);
});
