import { describe, expect, test } from 'vitest';
import { Item } from '../../../src/items/json/item-json.js';
import { Clock } from '../../../src/items/text/times.js';
import { openMeasure } from '../../../src/items/text/width.js';
import { render } from '../../../src/screen/render.js';
import { list, Memory, show } from './helpers.js';

const row = (i: number, more: object = {}): string =>
  JSON.stringify({
    id: String(i).padStart(20, 'a'),
    created_date_unix: 1769850000 + i,
    status: 'active',
    amount: 10,
    iso_currency: 'EUR',
    customer: { email: `someone${i}@example.com` },
    ...more,
  });
const rows = (count: number, more: object = {}): string[] => Array.from({ length: count }, (_, i) => row(i, more));
const terminal = (width: number) => ({ interactive: true, width });

async function widths(text: string): Promise<number[]> {
  const { width } = await openMeasure();
  return text.split('\n').map(width);
}

describe('a column that is empty in all rows', () => {
  const bare = (more: object) => JSON.stringify({ id: 'a'.repeat(20), iso_currency: 'EUR', ...more });

  test('gives way to the most useful fields that are not', async () => {
    const { text } = await show(
      list([bare({ name: 'Ann', reason: 'late' }), bare({ email: 'a@b.c' })]),
      'table',
      {},
      terminal(120),
    );
    const [header = '', first = '', second = ''] = text.split('\n');
    expect(header.trim().split(/ +/)).toEqual(['ID', 'NAME', 'CURRENCY', 'EMAIL', 'REASON']);
    expect(first).toMatch(/Ann +EUR +late$/);
    expect(second).toMatch(/EUR +a@b\.c$/);
  });

  test('stays where it was asked for by name', async () => {
    const { text } = await show(list([bare({ name: 'Ann' })]), 'table', { columns: ['id', 'status'] }, terminal(120));
    expect(text.split('\n')[0]).toBe('ID                    STATUS');
  });
});

describe('a table under a heading', () => {
  const account = { profile: 'acme', mode: 'test', embedded: false } as const;
  const under = (raws: readonly string[], more: object = {}) =>
    ({ ...list(raws), account: { ...account, ...more } }) as ReturnType<typeof list>;
  const created = 'times in Europe/Berlin';

  test('states once what all rows share, and the zone and currency out of the cells', async () => {
    const raws = rows(3).map((raw, at) => raw.replace('"amount":10', `"amount":${at + 10}`));
    const { text } = await show(under(raws), 'table', {}, terminal(120));
    expect(text.split('\n').slice(0, 3)).toEqual([
      `TEST mode, profile acme; ${created}; amounts in EUR; status: active`,
      'ID                    CREATED           AMOUNT  EMAIL',
      'aaaaaaaaaaaaaaaaaaa0  2026-01-31 10:00   10.00  someone0@example.com',
    ]);
  });

  test('never puts the amount of an item into the heading, and the currency only there', async () => {
    const columns = [
      { path: 'id' },
      { path: 'amount', as: 'money' },
      { path: 'amount_refunded', title: 'refunded', as: 'money' },
      { path: 'iso_currency', title: 'currency' },
    ] as const;
    const raws = rows(3, { amount_refunded: '0.00', amount_settled: '0.00' });
    const { text } = await show({ ...under(raws), columns } as never, 'table', {}, terminal(120));
    expect(text.split('\n').slice(0, 2)).toEqual([
      'TEST mode, profile acme; amounts in EUR; refunded: 0.00; status: active',
      expect.stringMatching(/^ID +AMOUNT +/),
    ]);
    expect(text).not.toMatch(/CURRENCY|SETTLED/);
  });

  test('says what rows of no one account share, and keeps what each is about', async () => {
    const columns = [{ path: 'id' }, { path: 'mode' }, { path: 'operation', whole: true }] as const;
    const raws = [1, 2, 3].map((i) => JSON.stringify({ id: `x${i}`, mode: 'test', operation: 'subscriptions cancel' }));
    const shared = { ...list(raws, undefined, columns), shares: true } as ReturnType<typeof list>;
    const { text } = await show(shared, 'table', {}, terminal(80));
    expect(text).toMatch(/^mode: test\nID +OPERATION\nx1 +subscriptions cancel\n/);
    const mixed = [...raws, JSON.stringify({ id: 'x4', mode: 'live', operation: 'sales void' })];
    const both = { ...list(mixed, undefined, columns), shares: true } as ReturnType<typeof list>;
    expect((await show(both, 'table', {}, terminal(80))).text).toMatch(/^ID +MODE +OPERATION\n/);
  });

  test('keeps a column that two rows share by chance, and one that differs in a later row', async () => {
    const two = await show(under(rows(2)), 'table', {}, terminal(120));
    expect(two.text).toContain('STATUS');
    const many = [...rows(110), row(111, { status: 'cancelled' })];
    const { text } = await show(under(many), 'table', {}, terminal(120));
    expect(text.split('\n')[0]).toBe(`TEST mode, profile acme; ${created}`);
    expect(text).toContain('cancelled');
  });

  test('shows live mode differently, with colour and without', async () => {
    const live = { mode: 'live' };
    const plain = await show(under(rows(3), live), 'table', {}, terminal(120));
    expect(plain.text.startsWith('*** LIVE mode ***, profile acme')).toBe(true);
    const coloured = await show(under(rows(3), live), 'table', {}, { ...terminal(120), color: true });
    expect(coloured.text).toContain('\u001b[41m');
    const test = await show(under(rows(3)), 'table', {}, { ...terminal(120), color: true });
    expect(test.text).not.toContain('\u001b[41m');
    const embedded = await show(under(rows(3), { ...live, embedded: true }), 'table', {}, terminal(120));
    expect(embedded.text.startsWith('LIVE mode, profile acme (no real money)')).toBe(true);
  });

  test('is left out of what is no terminal, with everything in its column', async () => {
    const { text } = await show(under(rows(3)), 'table', {}, {});
    expect(text.split('\n')[0]).toMatch(/^ID +CREATED +STATUS +AMOUNT +EMAIL$/);
    expect(text).toContain('2026-01-31 10:00 CET  active  10.00 EUR');
  });

  test('fills a table of few columns with what tells its rows apart', async () => {
    const raws = ['page_view', 'login', 'login'].map((type, at) =>
      JSON.stringify({ id: `x${at}`, updated_date_unix: at, live_mode: false, same: 'a', deep: { type }, kind: type }),
    );
    const { text } = await show({ ...under(raws), columns: [{ path: 'id' }] } as never, 'table', {}, terminal(120));
    expect(text.split('\n')[1]).toBe('ID  TYPE       KIND');
    const hits = [1, 2, 3].map((at) =>
      JSON.stringify({ id: `x${at}`, email: `a${at}@b.c`, mail: `a${at}@b.c`, highlights: { name: `A${at} B` }, at }),
    );
    const found = (paths: readonly string[]) => ({ ...under(hits), columns: paths.map((path) => ({ path })) }) as never;
    const header = async (paths: readonly string[]) =>
      (await show(found(paths), 'table', {}, terminal(120))).text.split('\n')[1];
    expect(await header(['id', 'email', 'at'])).toMatch(/^ID +EMAIL +AT$/);
    expect(await header(['id', 'email'])).toMatch(/^ID +EMAIL +HIGHLIGHTS +AT$/);
    const named = await show(
      { ...under(raws), columns: [{ path: 'id' }] } as never,
      'table',
      { columns: ['id'] },
      terminal(120),
    );
    expect(named.text.split('\n')[1]).toBe('ID');
  });
});

describe('a table on a terminal', () => {
  test('cuts text to its width and keeps ids, times and money whole', async () => {
    const { text } = await show(list([row(1, { customer: { email: 'x'.repeat(100) } })]), 'table', {}, terminal(100));
    const line = text.split('\n')[1] ?? '';
    expect(line).toContain('aaaaaaaaaaaaaaaaaaa1  2026-01-31 10:00 CET  active  10.00 EUR  xxx');
    expect(line.endsWith('…')).toBe(true);
    expect(Math.max(...(await widths(text)))).toBe(100);
  });

  test('--wide cuts nothing', async () => {
    const long = 'x'.repeat(300);
    const { text } = await show(list([row(1, { customer: { email: long } })]), 'table', { wide: true }, terminal(80));
    expect(text).toContain(long);
  });

  test('without a terminal nothing is cut', async () => {
    const long = 'x'.repeat(300);
    expect((await show(list([row(1, { customer: { email: long } })]), 'table', {}, { width: 80 })).text).toContain(
      long,
    );
  });

  test('leaves out the least useful columns and says which', async () => {
    const { text, notes } = await show(list(rows(2)), 'table', {}, terminal(62));
    expect(text.split('\n')[0]).toBe('ID                    STATUS     AMOUNT  EMAIL');
    expect(notes).toEqual(['Not shown for lack of room: created (--wide, or choose with --columns).']);
    const asked = { columns: ['id', 'created_date_unix', 'status', 'amount', 'customer.email'] };
    const named = await show(list(rows(2)), 'table', asked, terminal(62));
    expect(named.notes).toEqual(['Not shown for lack of room: customer.email (--wide, or choose with --columns).']);
  });

  test('leaves out the currency first, which the amounts show, unless it was asked for', async () => {
    const paths = ['id', 'amount', 'iso_currency', 'customer.email'];
    const shown = () =>
      list(
        rows(2),
        undefined,
        paths.map((path) => ({ path })),
      );
    const { text, notes } = await show(shown(), 'table', {}, terminal(60));
    expect(text.split('\n')[0]?.split(/ +/)).toEqual(['ID', 'AMOUNT', 'CUSTOMER.EMAIL']);
    expect(text).toContain('10.00 EUR  someone0@example.com');
    expect(notes).toEqual([]);
    expect((await show(shown(), 'table', {}, terminal(70))).text).toContain('10.00 EUR  EUR');
    const asked = await show(list(rows(2)), 'table', { columns: paths }, terminal(60));
    expect(asked.text).toContain('10.00 EUR  EUR');
  });

  test('keeps e-mail addresses and products whole, and leaves out what says less', async () => {
    const columns = [
      { path: 'id' },
      { path: 'product.name', title: 'product' },
      { path: 'amount', as: 'money' },
      { path: 'customer.email', title: 'customer' },
      { path: 'campaign_name' },
      { path: 'next_date_unix', title: 'next renewal', as: 'time' },
      { path: 'created_date_unix', title: 'created', as: 'time' },
    ] as const;
    const raws = [1, 2].map((i) =>
      row(i, {
        customer: { email: `diego.dubois.60${i}@example.com`, last_name: 'Dubois' },
        product: { name: i === 1 ? 'Vitamin Plan' : 'Weekly Tea Box' },
        campaign_name: 'Spring Newsletter',
        next_date_unix: 1769850000 + i,
      }),
    );
    const { text, notes } = await show(list(raws, undefined, columns), 'table', {}, terminal(105));
    expect(text).toContain('Weekly Tea Box  10.00 EUR  diego.dubois.602@example.com  2026-01-31 10:00 CET');
    expect(notes).toEqual(['Not shown for lack of room: campaign name, created (--wide, or choose with --columns).']);
  });

  test('leaves out sums that are nought before a name', async () => {
    const columns = [
      { path: 'id' },
      { path: 'amount', as: 'money' },
      { path: 'amount_refunded', title: 'refunded', as: 'money' },
      { path: 'customer.email', title: 'customer' },
      { path: 'created_date_unix', title: 'created', as: 'time' },
    ] as const;
    const header = async (refunded: string) =>
      (await show(list(rows(2, { amount_refunded: refunded }), undefined, columns), 'table', {}, terminal(83))).text
        .split('\n')[0]
        ?.split(/ +/);
    expect(await header('0.00')).toEqual(['ID', 'AMOUNT', 'CUSTOMER', 'CREATED']);
  });

  test('at 40 columns shows blocks with everything', async () => {
    const { text, notes } = await show(list(rows(1)), 'table', {}, terminal(40));
    expect(text).toBe(
      'aaaaaaaaaaaaaaaaaaa0\n  created  2026-01-31 10:00 CET\n  status   active\n  amount   10.00 EUR\n' +
        '  email    someone0@example.com\n',
    );
    expect(notes).toEqual([]);
  });

  test.each([40, 60, 80, 100, 140])('never grows beyond %d columns, wide letters included', async (width) => {
    const names = ['株式会社テスト'.repeat(6), '👨‍👩‍👧 family '.repeat(8), 'é'.repeat(90), '한국어 '.repeat(20)];
    const raws = names.map((email, i) => row(i, { customer: { email } }));
    const { text } = await show(list(raws), 'table', {}, terminal(width));
    expect(Math.max(...(await widths(text)))).toBeLessThanOrEqual(width);
  });

  test('columns stay in line under wide letters', async () => {
    const raws = ['日本', 'ab', 'é́'].map((status, i) => row(i, { status }));
    const { text } = await show(list(raws), 'table', {}, terminal(120));
    const { width } = await openMeasure();
    const places = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => width(line.slice(0, line.indexOf('EUR'))));
    expect(new Set(places).size).toBe(1);
  });

  test('one line an item, whatever stands in it', async () => {
    const { text } = await show(list([row(1, { customer: { email: 'a\r\nb\tc\u0000' } })]), 'table', {}, terminal(100));
    expect(text.split('\n').length).toBe(3);
    expect(text).toContain('a⏎b c\\u0000');
  });

  test('colours status words and keeps them', async () => {
    const raws = ['active', 'cancelled', 'suspended', 'odd'].map((status, i) => row(i, { status }));
    const coloured = (await show(list(raws), 'table', {}, { ...terminal(100), color: true })).text;
    const plain = (await show(list(raws), 'table', {}, terminal(100))).text;
    expect(coloured).toContain('\u001b[32mactive\u001b[39m');
    expect(coloured).toContain('\u001b[31mcancelled\u001b[39m');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  test('its first rows come with the first page', async () => {
    const stdout = new Memory();
    async function* items(): AsyncGenerator<Item> {
      for (const raw of rows(25)) yield new Item(raw);
      while (stdout.text === '') await new Promise((resolve) => setImmediate(resolve));
      yield new Item(row(25));
    }
    await render(
      { shape: 'list', items: items(), columns: [{ path: 'id' }, { path: 'customer.email' }], idField: 'id' },
      { format: 'table', wide: false, raw: false, tz: 'UTC' },
      { stdout, color: false, width: 80, interactive: true },
    );
    expect(stdout.text.trimEnd().split('\n').length).toBe(27);
  });

  test('longer values of later pages have some room', async () => {
    const raws = [...rows(30), row(31, { customer: { email: 'someone31@example.company' } })];
    const { text } = await show(list(raws), 'table', {}, terminal(110));
    expect(text).toContain('someone31@example.company\n');
  });
});

describe('cells', () => {
  const cell = async (
    value: string,
    as?: 'time' | 'money' | 'status' | 'flag' | 'text',
    extra = '',
  ): Promise<string> => {
    const { text } = await show(
      {
        shape: 'list',
        items: (async function* () {
          yield new Item(`{"v":${value}${extra}}`);
        })(),
        columns: [{ path: 'v', ...(as ? { as } : {}) }],
        idField: 'id',
      },
      'table',
    );
    return (text.split('\n')[1] ?? '').trim();
  };

  test.each([
    ['10', 'money', ',"iso_currency":"USD"', '10.00 USD'],
    ['10.005', 'money', ',"iso_currency":"USD"', '10.005 USD'],
    ['1000', 'money', ',"iso_currency":"JPY"', '1000 JPY'],
    ['1.5', 'money', ',"iso_currency":"KWD"', '1.500 KWD'],
    ['-0.1', 'money', ',"iso_currency":"EUR"', '-0.10 EUR'],
    ['"12.3"', 'money', ',"iso_currency":"EUR"', '12.30 EUR'],
    ['10.50', 'money', '', '10.50'],
    ['10.5', 'money', ',"iso_currency":"\\u001b[31m"', '10.5'],
    ['null', 'money', ',"iso_currency":"USD"', ''],
    ['0', 'time', '', ''],
    ['1769850000', 'time', '', '2026-01-31 10:00 CET'],
    ['"1769850000"', 'time', '', '2026-01-31 10:00 CET'],
    ['1e300', 'time', '', '1e300'],
    ['99999999999999999999', 'time', '', '99999999999999999999'],
    ['"soon"', 'time', '', 'soon'],
    ['true', 'flag', '', 'yes'],
    ['false', undefined, '', 'no'],
    ['12345678901234567890', undefined, '', '12345678901234567890'],
    ['{"id":"x","name":"Card"}', undefined, '', 'Card'],
    ['[{"id":"x","name":"A"},{"id":"y","name":"B"}]', undefined, '', 'A, B'],
    ['[{"name":"k","value":"v"}]', undefined, '', 'k=v'],
    ['{"a":1.0,"b":{"c":[]}}', undefined, '', 'a: 1.0, b: c:'],
    ['[1,2.50]', undefined, '', '1, 2.50'],
  ] as const)('%s as %s%s shows %s', async (value, as, extra, shown) => {
    expect(await cell(value, as, extra)).toBe(shown);
  });
});

describe('a clock', () => {
  test.each([
    ['Europe/Berlin', 1774745999, '2026-03-29 01:59 CET'],
    ['Europe/Berlin', 1774746000, '2026-03-29 03:00 CEST'],
    ['America/New_York', 1769850000, '2026-01-31 04:00 EST'],
    ['America/New_York', 1784851200, '2026-07-23 20:00 EDT'],
    ['UTC', 0.9, '1970-01-01 00:00 UTC'],
    ['Asia/Kolkata', 1769850000, '2026-01-31 14:30 GMT+5:30'],
    ['Asia/Tokyo', -1, '1970-01-01 08:59 GMT+9'],
    ['Australia/Sydney', 1769850000, '2026-01-31 20:00 AEDT'],
  ])('in %s shows %d as %s', (zone, unix, shown) => {
    expect(new Clock(zone).show(unix)).toBe(shown);
  });
});
