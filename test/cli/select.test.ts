/** @module-tag thorough */
/** Conditions, order and counts over all items of a list (command-line.md#lists). */
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account, CURRENCIES, clock, LIST, MANY, STATES, T } from '../fixtures/many-subscriptions.js';
import { listHandler, ok, refusal } from '../fixtures/service/service.js';
import { errorOf, items, json, pair } from './helpers.js';

it.each([
  ['status=overdue', (one: Record<string, unknown>) => one.status === 'overdue'],
  ['STATUS = overdue', (one: Record<string, unknown>) => one.status === 'overdue'],
  ['status!=overdue', (one: Record<string, unknown>) => one.status !== 'overdue'],
  ['amount>20', (one: Record<string, unknown>) => Number(one.amount) > 20],
  ['amount<=20.0', (one: Record<string, unknown>) => Number(one.amount) <= 20],
  ['amount=7.00', (one: Record<string, unknown>) => one.amount === 7],
  ['customer.email~P3@EXAMPLE', (one: Record<string, unknown>) => JSON.stringify(one).includes('p3@example.com')],
  ['customer=p3@example.com', (one: Record<string, unknown>) => JSON.stringify(one).includes('p3@example.com')],
  ['product=Vitamin Plan', (one: Record<string, unknown>) => JSON.stringify(one).includes('Vitamin Plan')],
  ['created>=2026-05-31', (one: Record<string, unknown>) => Number(one.created_date_unix) >= T - 86_400],
  [
    'created=2026-05-30',
    (one: Record<string, unknown>) =>
      [1, 2].includes(Math.ceil((T - Number(one.created_date_unix)) / 86_400)) &&
      Number(one.created_date_unix) < T - 86_400,
  ],
] as const)('keeps what fits --where %s, over all pages', async (condition, fits) => {
  const { home } = await account();
  const ran = await home.run([...LIST, '--where', condition, '-o', 'json', '--tz', 'UTC'], { clock });
  expect(ran.code, ran.stderr).toBe(0);
  const wanted = MANY.filter((one) => fits(one)).map((one) => one.id);
  expect(wanted.length).toBeGreaterThan(0);
  expect(json<{ id: string }[]>(ran).map((one) => one.id)).toEqual(wanted);
});

it('wants every condition of a line, and one of the values of a filter that is made here', async () => {
  const { home, service } = await account();
  const line = ['--where', 'amount>10', '--where', 'amount<30', '--status', 'active', '--status', 'overdue'];
  const ran = await home.run([...LIST, ...line, '--count'], { clock });
  const wanted = MANY.filter((one) => Number(one.amount) > 10 && Number(one.amount) < 30 && one.status !== 'suspended');
  expect(ran).toMatchObject({ code: 0, stdout: `${wanted.length}\n` });
  expect(service.requests.every(({ query }) => !query.has('status'))).toBe(true);
});

it.each([
  ['--customer', 'p2@example.com'],
  ['--customer', 'CUSTOMER000000000002'],
  ['--email', 'P2@example.com'],
])('answers %s %s of a list that the service does not filter by it', async (option, value) => {
  const { home } = await account();
  const ran = await home.run([...LIST, option, value, '--count'], { clock });
  expect(ran.stdout).toBe(`${MANY.filter((_, at) => at % 5 === 2).length}\n`);
});

it('gives a terminal the same answer as a pipe, cut only where it is shown', async () => {
  const { home } = await account();
  const query = ['--query', "[?status=='overdue'].id"];
  const [terminal, pipe] = await Promise.all([
    home.run([...LIST, ...query, '-o', 'json'], { clock, terminal: 100 }),
    home.run([...LIST, ...query, '-o', 'json'], { clock }),
  ]);
  expect(json(pipe)).toHaveLength(104);
  expect(json(terminal)).toEqual(json<string[]>(pipe).slice(0, 100));
  expect(terminal.stdout + terminal.stderr).toContain('100 of 104');
  const sorted = await home.run([...LIST, '--sort', '-amount,id', '-o', 'ids'], { clock, terminal: 100 });
  const wanted = [...MANY].sort(
    (a, b) => Number(b.amount) - Number(a.amount) || (String(a.id) < String(b.id) ? -1 : 1),
  );
  expect(
    sorted.stdout
      .trim()
      .split(/\r?\n/)
      .filter((line) => /^\w{20}$/.test(line)),
  ).toEqual(wanted.slice(0, 100).map((one) => one.id));
  expect(sorted.stderr).toContain('100 of 312');
});

it('stops reading at an explicit --limit, and says so', async () => {
  const { home, service } = await account();
  const ran = await home.run([...LIST, '--where', 'status=active', '--limit', '3', '-o', 'json'], { clock });
  expect(json(ran)).toHaveLength(3);
  expect(ran.stderr).toContain('3 shown, there are more (--count counts them)');
  expect(service.requests.length).toBeLessThan(8);
});

it('tells of how many a cut list is a part, at any meaning of the ends of a range', async () => {
  for (const startInclusive of [true, false])
    for (const endInclusive of [true, false]) {
      // An item in every second around the place where two windows meet.
      const border = T - 90 * 86_400;
      const some = [
        ...items(150, T - 1),
        ...items(9, border + 4).map((one, at) => ({ ...one, id: `BORDER${String(at).padStart(14, '0')}` })),
      ];
      const { home } = await pair({ handler: listHandler({ items: some, startInclusive, endInclusive }) });
      const counted = await home.run(['transactions', 'list', '--last', '120d', '--count'], { clock });
      expect(counted).toMatchObject({ code: 0, stdout: '159\n' });
      const ran = await home.run(['transactions', 'list', '--last', '120d', '-o', 'ids'], { clock, terminal: 80 });
      expect(ran.stderr).toContain('100 of 159.');
    }
});

it('counts a range with one request a window and one a border, reading no items', async () => {
  const { home, service } = await account();
  const ran = await home.run(['subscriptions', 'list', '--last', '200d', '--count'], { clock });
  expect(ran).toMatchObject({ code: 0, stdout: '312\n', stderr: '' });
  expect(service.requests).toHaveLength(5);
  expect(service.requests.every(({ query }) => query.get('limit') === '1')).toBe(true);
});

it('says that more exist where counting them would take more than 20 requests', async () => {
  const { home, service } = await account(items(200, T - 1));
  const ran = await home.run(['api-calls', 'list', '--last', '60d', '-o', 'ids'], { clock, terminal: 80 });
  expect(ran.stderr).toContain('100 shown, there are more (--count counts them)');
  expect(service.requests.length).toBeLessThan(12);
});

it.each([
  [['--where', 'nonsense'], 2, /is not a condition/],
  [['--where', 'status=overdu'], 2, /one of active, overdue/],
  [['--where', 'amount>x'], 2, /not a number/],
  [['--where', 'statu=overdue'], 2, /No item has a field "statu".*"status"/],
  [['--where', 'colour!=red'], 2, /No item has a field "colour"/],
  [['--where', 'created>=someday'], 2, /not a date or time/],
  [['--sort', 'colour'], 2, /No item has a field/],
  [['--sum', 'status'], 2, /cannot be added up/],
  [['--count', '--limit', '3'], 2, /--count counts everything/],
  [['--where', 'status=active', '--raw'], 2, /--raw/],
  [['--group-by', 'status:month'], 2, /holds no moments/],
] as const)('refuses %j', async (line, code, message) => {
  const { home } = await account();
  const ran = await home.run([...LIST, ...line, '-o', 'json'], { clock });
  expect(ran.code).toBe(code);
  expect(errorOf(ran).message).toMatch(message);
  expect(ran.stdout).toBe('');
});

it('names once the items whose currency a sum does not compare', async () => {
  const { home } = await account();
  const ran = await home.run([...LIST, '--where', 'amount>0 USD', '-o', 'json'], { clock });
  const all = json<{ iso_currency: string }[]>(await home.run([...LIST, '-o', 'json'], { clock }));
  const others = all.filter((one) => one.iso_currency === 'EUR').length;
  expect(json<{ iso_currency: string }[]>(ran).every((one) => one.iso_currency === 'USD')).toBe(true);
  const said = `Only amounts in USD are compared, not those of the items in other currencies: ${others} in EUR.`;
  expect(ran.stderr.split(said)).toHaveLength(2);
  expect(ran.stderr).not.toContain('by its number');
});

it('says that amounts of several currencies were compared by their figures', async () => {
  const { home } = await account();
  const ran = await home.run([...LIST, '--sort', '-amount', '-o', 'ids'], { clock });
  expect(ran.stderr).toContain('compared by its number, whether in EUR or USD');
});

const row = fc.record({
  status: fc.constantFrom(...STATES),
  amount: fc.option(
    fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    { nil: undefined },
  ),
  iso_currency: fc.constantFrom(...CURRENCIES),
});

it('answers as an independent computation over the lines does', { tags: ['thorough'] }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), fc.integer({ min: -900, max: 900 }), async (rows, bound) => {
      const some = rows.map(
        ({ status, amount, iso_currency }, at) =>
          `{"id":"ITEM${String(at).padStart(16, '0')}","created_date_unix":${T - at - 1},"status":"${status}",${amount === undefined ? '' : `"amount":${amount},`}"iso_currency":"${iso_currency}"}`,
      );
      const { home } = await pair({ handler: listHandler({ items: some }) });
      const line = [...LIST, '--where', `amount>=${bound}`];
      const kept = rows.filter(({ amount }) => amount !== undefined && new Big(amount).gte(bound));
      const counted = await home.run([...line, '--count'], { clock });
      expect(counted.stdout).toBe(`${kept.length}\n`);
      const sums = await home.run([...line, '--group-by', 'iso_currency', '--sum', 'amount', '-o', 'jsonl'], { clock });
      const got = sums.stdout
        .split('\n')
        .filter(Boolean)
        .map((text) => JSON.parse(text) as Record<string, unknown>);
      const wanted = [...CURRENCIES].sort().flatMap((currency) => {
        const own = kept.filter((one) => one.iso_currency === currency);
        const sum = own.reduce((total, one) => total.plus(one.amount ?? 0), new Big(0));
        return own.length === 0 ? [] : [{ iso_currency: currency, count: own.length, sum_amount: sum.toNumber() }];
      });
      expect(got).toEqual(wanted);
      const sorted = await home.run([...line, '--sort', '-amount', '--query', '[].amount', '-o', 'json'], { clock });
      expect(json(sorted)).toEqual(kept.map((one) => Number(one.amount)).sort((a, b) => b - a));
    }),
    { numRuns: 25 },
  );
});

describe('a customer who has another address now than when the items were made', () => {
  const former = MANY.filter((_, at) => at % 5 === 2);
  const id = 'CUSTOMER000000000002';
  const serve = (found: readonly object[] | undefined) =>
    pair((request) => {
      if (request.path.startsWith('/customers/search'))
        return found ? ok({ results: found, current_count: found.length }) : refusal(403, 'E0003', 'not for this key');
      return listHandler({ items: MANY })(request);
    });

  it.each(['--customer', '--email'])('is found by the new one with %s', async (option) => {
    const { home } = await serve([{ id, email: 'new@example.com' }]);
    const ran = await home.run([...LIST, option, 'new@example.com', '--count'], { clock });
    expect(ran).toMatchObject({ code: 0, stdout: `${former.length}\n` });
    expect(ran.stderr).toContain(`"new@example.com" is ${id} of customers`);
  });

  it('is looked for in the items where nobody has the address now, and that is said', async () => {
    const { home } = await serve([]);
    const ran = await home.run([...LIST, '--customer', 'p2@example.com', '--count'], { clock });
    expect(ran).toMatchObject({ code: 0, stdout: `${former.length}\n` });
    expect(ran.stderr).toContain('Nothing of customers is called "p2@example.com" now');
  });

  it('is looked for in the items by a key that may not see customers, with a warning', async () => {
    const { home } = await serve(undefined);
    const ran = await home.run([...LIST, '--customer', 'p2@example.com', '--count'], { clock });
    expect(ran).toMatchObject({ code: 0, stdout: `${former.length}\n` });
    expect(ran.stderr).toMatch(/could not be looked up in customers .* may be a former name/);
  });
});

it.each([
  [['--group-by', 'monht', '--sum', 'amount'], 'monht'],
  [['--where', 'code!=1'], 'code'],
  [['--where', 'code!=1', '--limit', '3'], 'code'],
  [['--sort', 'monht'], 'monht'],
])('prints nothing of %j before the error that no item has the name', async (words, name) => {
  const { home } = await account();
  for (const terminal of [undefined, 100]) {
    const ran = await home.run([...LIST, ...words], { clock, ...(terminal && { terminal }) });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`No item has a field "${name}"`);
  }
});

describe('what a table computes', () => {
  const renewal = (at: number, more: object) => ({
    id: `R${String(at).padStart(19, '0')}`,
    created_date_unix: T - 60 * (at + 1),
    live_mode: false,
    iso_currency: 'USD',
    amount: 10,
    amount_original_total: 10,
    ...more,
  });
  const RENEWALS = [
    renewal(0, { is_overdue: false, amount_captured: 10, transactions: ['T'] }),
    renewal(1, { is_overdue: true, amount_captured: 0, transactions: ['T'] }),
    renewal(2, { is_overdue: false, amount_captured: 0, transactions: ['T'] }),
    renewal(3, { is_overdue: false, amount_captured: 0, transactions: [] }),
  ];
  const run = async (...words: string[]) =>
    (await account(RENEWALS)).home.run(['subscription-renewals', 'list', '--last', '30d', ...words], { clock });

  it.each([
    [
      ['--where', 'outcome=failed'],
      [1, 2],
    ],
    [
      ['--where', 'status=failed'],
      [1, 2],
    ],
    [
      ['--status', 'failed'],
      [1, 2],
    ],
    [
      ['--where', 'outcome!=failed'],
      [0, 3],
    ],
    [
      ['--status', 'due', '--status', 'paid'],
      [0, 3],
    ],
    [['--where', 'is_overdue=true'], [1]],
  ])('is chosen by with %j', async (words, wanted) => {
    const ran = await run(...words, '-o', 'ids');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout.split('\n').filter(Boolean)).toEqual(wanted.map((at) => RENEWALS[at]?.id));
  });

  it('is grouped and ordered by, and no item leaves with it', async () => {
    const groups = await run('--group-by', 'outcome', '-o', 'json');
    expect(json(groups)).toEqual([
      { outcome: 'due', count: 1 },
      { outcome: 'failed', count: 2 },
      { outcome: 'paid', count: 1 },
    ]);
    const items_ = await run('--sort', 'outcome', '-o', 'json');
    expect(items_.stdout).not.toContain('outcome');
  });

  it('has a set of words: another one is a fault', async () => {
    const ran = await run('--where', 'outcome=declined', '-o', 'json');
    expect(ran.code).toBe(2);
    expect(errorOf(ran).message).toContain('outcome is one of paid, failed, due');
  });
});

it.each(['-product.name', '-price', '-offer', '-v.x', '-amount,created'])(
  'takes --sort %s for names',
  async (names) => {
    const { home } = await account();
    const [apart, joined] = await Promise.all(
      [['--sort', names], [`--sort=${names}`]].map((words) => home.run([...LIST, ...words, '-o', 'ids'], { clock })),
    );
    expect(apart).toEqual(joined);
    expect(apart?.stderr).not.toContain('argument missing');
  },
);

describe('amounts of several currencies in a query', () => {
  const ask = async (query: string, ...more: string[]) =>
    (await account()).home.run([...LIST, '--query', query, '-o', 'json', ...more], { clock });

  it.each(['sum([].amount)', '[?amount > `20`].id', 'max_by(@, &amount).id'])(
    'are said to be mixed: %s',
    async (query) => {
      const ran = await ask(query);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('The query ignores that amount is in EUR, USD: use --where iso_currency=EUR');
    },
  );

  it.each([
    ['sum([].amount)', '--where', 'iso_currency=EUR'],
    ["sum([?iso_currency=='EUR'].amount)"],
    ['[].amount'],
    ['length(@)'],
  ])('are not where there is one, or nothing is computed: %s', async (query, ...more) => {
    const ran = await ask(query, ...more);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('The query ignores');
  });
});

it('takes a currency in front of an amount, and says how an amount is written', async () => {
  const { home } = await account();
  const count = (condition: string) => home.run([...LIST, '--where', condition, '--count'], { clock });
  expect((await count('amount>USD 20')).stdout).toBe((await count('amount>20 USD')).stdout);
  expect((await count('amount>$20,00')).stdout).toBe((await count('amount>20 USD')).stdout);
  const ran = await count('amount>1,000');
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain('amount>1000.50 USD');
});

it('counts a card as expired when its month is over, in every list that shows cards', async () => {
  const months = ['04/26', '05/26', '06/26', '12/28', '01/27'];
  const cards = months.map((expiry_date, at) => ({
    id: `CARD${String(at).padStart(16, '0')}`,
    expiry_date,
    created_date_unix: T - 60 - at,
  }));
  const serve = listHandler({ items: cards });
  const { home } = await pair((request) =>
    request.path.includes('/payment_methods')
      ? ok({ results: cards, current_count: cards.length, total_count: cards.length })
      : serve(request),
  );
  for (const line of [
    ['customer-cards', 'list', '--last', '30d'],
    ['customers', 'payment-methods', 'list', 'CUSTOMER000000000002'],
  ]) {
    const shown = async (...more: string[]) => {
      const ran = await home.run([...line, ...more, '--query', '[].expiry_date', '-o', 'json', '--tz', 'UTC'], {
        clock,
      });
      expect(ran.code, ran.stderr).toBe(0);
      return json<string[]>(ran);
    };
    expect(await shown('--where', 'expires<today')).toEqual(['04/26', '05/26']);
    expect(await shown('--where', 'expires>=2026-06', '--sort', 'expires')).toEqual(['06/26', '01/27', '12/28']);
    expect(await shown('--where', 'expires=12/28')).toEqual(['12/28']);
    const said = await home.run([...line, '--where', 'expires<2026-06-30', '--tz', 'UTC'], { clock });
    expect(said.stderr).toContain('2026-06 is not included. With it: expiry_date<=2026-06');
    expect((await home.run([...line, '--where', 'expires<2026-06'], { clock })).stderr).not.toContain('not included');
    const wrong = await home.run([...line, '--where', 'expires~12', '-o', 'json'], { clock });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  }
});

it('keeps out what cannot be compared, counts it and ends with 10', async () => {
  const { home } = await account([
    { id: 'CARD0000000000000001', expiry_date: '04/26', created_date_unix: T - 60 },
    { id: 'CARD0000000000000002', expiry_date: 'soon', created_date_unix: T - 61 },
  ]);
  const ran = await home.run(['customer-cards', 'list', '--last', '30d', '--where', 'expires<today', '-o', 'json'], {
    clock,
  });
  expect(ran.code).toBe(10);
  expect(json(ran)).toHaveLength(1);
  expect(errorOf(ran)).toMatchObject({ unknown: { expiry_date: 1 } });
});

describe('a time of the last change beside a state', () => {
  const said = async (...words: string[]) => {
    const some = MANY.map((one) => ({ ...one, updated_date_unix: T - 3600 }));
    const { home } = await account(some);
    return home.run([...LIST, ...words, '-o', 'json', '--tz', 'UTC'], { clock });
  };

  it.each([
    ['--where', 'status=overdue', '--where', 'updated<-30d'],
    ['--where', 'status=overdue,updated<-30d'],
    ['--where', 'updated<-30d, status=overdue', '--count'],
    ['--status', 'overdue', '--where', 'updated<-30d', '--group-by', 'status'],
  ])('is said to be none since which the state holds, with the line that tells: %j', async (...words) => {
    const ran = await said(...words);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(
      'is when an item last changed in any way, a retry too, not since when status is overdue.',
    );
    expect(ran.stderr).toMatch(
      /Since when: cops subscriptions list --last 30d .*--with 'subscription-renewals is_overdue=yes, created<-30d'/,
    );
    expect(ran.stderr).not.toMatch(/Since when: .*updated/);
  });

  it('is said of a state that no other row shows, and not of a time alone', async () => {
    const suspended = await said('--where', 'status=suspended', '--where', 'updated<-30d');
    expect(suspended.stderr).toContain('for as long as it has watched: cops changes subscriptions --since 30d');
    expect((await said('--where', 'updated<-30d')).stderr).not.toContain('knows since when');
  });

  it('is said of related rows too', async () => {
    const { home } = await account();
    for (const words of [
      ['customers', 'list', '--with', 'subscriptions status=overdue, updated<-30d'],
      ['subscriptions', 'list', '--status', 'overdue', '--with', 'transactions created>{updated}'],
    ])
      expect((await home.run([...words, '--dry-run'], { clock })).stderr).toContain(
        'not since when status is overdue.',
      );
  });
});

it('takes commas between conditions, and a piece that names no field for a value', async () => {
  const { home } = await account();
  const count = async (condition: string) =>
    Number((await home.run([...LIST, '--where', condition, '--count'], { clock })).stdout);
  const wanted = MANY.filter((one) => one.status === 'overdue' && Number(one.amount) > 20).length;
  expect(await count('status=overdue,amount>20')).toBe(wanted);
  expect(await count('status=overdue,active, amount>20')).toBeGreaterThan(wanted);
  expect(await count('product.name=Tea Box,x=1')).toBe(MANY.length / 2);
});
