/** Rows as TSV, CSV and JSON lines: the columns are the path's ids and body fields by their names. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { id, ok } from '../../fixtures/service/service.js';
import { errorOf, pair } from '../helpers.js';

const [ONE, TWO, THREE] = ['SALE1', 'SALE2', 'SALE3'].map((name) => id(name)) as [string, string, string];
const REFUND = ['bulk', 'product-sales', 'refund'];

async function setting() {
  const { service, home } = await pair((request) =>
    request.method === 'GET'
      ? ok({ id: request.path.split('/')[2] ?? ONE, live_mode: false })
      : ok({ result: 'success' }),
  );
  const bodies = () =>
    Object.fromEntries(
      service.requests
        .filter(({ method }) => method === 'POST')
        .map(({ path: at, body }) => [at.split('/')[2], body.replace(/,?"idempotency_key":"[^"]+",?/, '')]),
    );
  const file = (name: string, text: string) => {
    writeFileSync(path.join(home.folder, name), text);
    return path.join(home.folder, name);
  };
  return { service, home, file, bodies };
}

describe('rows whose columns are named like ids and body fields', () => {
  const table = (tab: string) =>
    [
      ['product_sale_id', 'amount', 'refunded_offsite'],
      [ONE, '10.00', ''],
      [TWO, '', 'true'],
      [THREE, '0.50', 'false'],
    ]
      .map((cells) => cells.join(tab))
      .join('\r\n');
  const lines = [
    `{"product_sale_id":"${ONE}","amount":10.00}`,
    `{"id":"${TWO}","refunded_offsite":true}`,
    `{"product_sale_id":"${THREE}","amount":0.50,"refunded_offsite":false}`,
  ].join('\n');
  const bodiesExpected = {
    [ONE]: '{"amount":10.00}',
    [TWO]: '{"refunded_offsite":true}',
    [THREE]: '{"amount":0.50,"refunded_offsite":false}',
  };

  it.each([
    ['rows.tsv', table('\t')],
    ['ROWS.TSV', `\ufeff${table('\t')}\r\n\r\n`],
    ['rows.csv', table(',')],
    ['rows.jsonl', lines],
    ['rows.ndjson', lines],
  ])(
    'are sent typed by the schema, digits as they came, empty cells left out when that is said: %s',
    async (name, text) => {
      const { home, file, bodies } = await setting();
      const ran = await home.run([...REFUND, '--input', file(name, text), '--empty', 'skip']);
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/^Journal: /)]);
      expect(bodies()).toEqual(bodiesExpected);
    },
  );

  it.each([
    ['tsv', table('\t')],
    ['csv', table(',')],
    ['jsonl', lines],
  ])('are known by their content on standard input: %s', async (_, text) => {
    const { home, bodies } = await setting();
    const ran = await home.run([...REFUND, '--input', '-', '--empty', 'skip'], { input: text });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringMatching(/^Journal: /)]);
    expect(bodies()).toEqual(bodiesExpected);
  });

  it.each([
    ['a column that is left out', `{"id":"${ONE}","amount":1,"card":"4111 1111 1111 1111"}\n`, []],
    ['an id', '4111111111111111\n', ['--ids', '-']],
  ])('are not stored with a card number in %s', async (_, text, ids) => {
    const { home, service, file } = await setting();
    const line = [...REFUND, '-d', 'amount=1', '--yes'];
    const ran = await home.run([...line, ...(ids.length > 0 ? ids : ['--input', '-'])], { input: text });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('line 1 contains')]);
    expect(service.requests).toHaveLength(0);
    if (ids.length === 0) expect((await home.run([...line, '--input', file('r.jsonl', text)])).code).toBe(0);
  });

  it('take a phone number for no card number', async () => {
    const { home } = await pair(() => ok({ result: 'success' }));
    const text = `id,phone\n${ONE},+4915112345678\n${TWO},+49 151 12345678\n`;
    const line = ['bulk', 'customers', 'edit', '--input', '-', '-d', 'customer.phone={phone}'];
    expect((await home.run(line, { input: text })).code).toBe(0);
  });

  it('an empty amount never becomes a refund of everything: nothing is sent, and --empty says what it means', async () => {
    const { home, service, file, bodies } = await setting();
    const rows = file('r.csv', `id,sum\n${ONE},5.00\n${TWO},\n`);
    const line = [...REFUND, '--input', rows, '-d', 'amount={sum}'];
    const ran = await home.run(line);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('line 3, amount: the cell of column sum is empty'),
    ]);
    const wrong = await home.run([...line, '--empty', 'zero']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--empty zero: use skip or null')]);
    expect(service.requests).toHaveLength(0);
    expect((await home.run([...line, '--empty', 'skip'])).code).toBe(0);
    expect(bodies()).toEqual({ [ONE]: '{"amount":5.00}', [TWO]: '{}' });
  });

  it('left with nothing to change by --empty skip are not sent, and journal and report say why', async () => {
    const { home, file, bodies } = await setting();
    const rows = file('r.csv', `customer_id,phone\n${ONE},+491\n${TWO},\n${THREE},+493\n${TWO},\n`);
    const line = ['bulk', 'customers', 'edit', '--input', rows, '-d', 'customer.phone={phone}'];
    const refused = await home.run(line);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 3, customer.phone: the cell of')]);
    const dry = await home.run([...line, '--empty', 'skip', '--dry-run', '-o', 'json']);
    expect([dry.code, dry.stderr]).toEqual([10, expect.stringContaining('Dry run: 2 requests; nothing was sent.')]);
    const sent = [...line, '--empty', 'skip', '--journal', path.join(home.folder, 'r.journal'), '--expect', '2'];
    const ran = await home.run(sent);
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('2 done, 2 skipped')]);
    expect(ran.stderr).toContain(`line 3 (${TWO}): skipped: its cells are empty: there is nothing to change`);
    expect(ran.stderr).not.toMatch(/resume|retry-failed/);
    expect(Object.keys(bodies())).toEqual([ONE, THREE]);
    const report = await home.run(['bulk', 'report', path.join(home.folder, 'r.journal'), '-o', 'json']);
    expect(JSON.parse(report.stdout)).toContainEqual(
      expect.objectContaining({ line: 3, id: TWO, outcome: 'skipped', message: expect.stringContaining('are empty') }),
    );
    const again = await home.run(['bulk', 'resume', path.join(home.folder, 'r.journal')]);
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining('Nothing is left to send.')]);
    expect(Object.keys(bodies())).toEqual([ONE, THREE]);
  });

  it('keep quotes, commas and tabs of a quoted TSV cell, in a template and in a column', async () => {
    const { home, service, file } = await setting();
    const text = `id\tdescription\n${ONE}\t"a\t""b"", c"\n${TWO}\tplain\n`;
    const campaigns = ['bulk', 'subscriptions', 'cancel', '--no-validate'];
    expect((await home.run([...campaigns, '--input', file('a.tsv', text)])).code).toBe(0);
    const told = service.requests.filter(({ method }) => method === 'POST').map(({ json }) => json as object);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ description: 'a\t"b", c' }),
        expect.objectContaining({ description: 'plain' }),
      ]),
    );
  });

  it('are refused whole, each fault with its line and column, before any request', async () => {
    const { home, service, file } = await setting();
    const text = `product_sale_id\tamount\trefunded_offsite\n${ONE}\tten\ttrue\nshort\t1\ttrue\n${TWO}\t1\tperhaps\n`;
    const ran = await home.run([...REFUND, '--input', file('bad.tsv', text), '-o', 'json']);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).faults?.map((fault) => fault.path)).toEqual([
      'line 2, amount',
      'line 3, product_sale_id',
      'line 4, refunded_offsite',
    ]);
    const uneven = await home.run([...REFUND, '--input', file('uneven.tsv', `id\tamount\n${ONE}\t1\n${TWO}\n`)]);
    expect([uneven.code, uneven.stderr]).toEqual([2, expect.stringContaining('line 3: 1 cells')]);
    const twice = await home.run([...REFUND, '--input', file('twice.tsv', `id\tamount\tamount\n${ONE}\t1\t2\n`)]);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('amount: is there twice')]);
    expect(service.requests).toHaveLength(0);
  });

  it('with a column that may be ids, names or a field are refused with the list that shows both', async () => {
    const { home, service, file } = await setting();
    const edit = ['bulk', 'products', 'edit', '-o', 'json', '--input'];
    const headed = await home.run([...edit, file('headed.csv', 'name,price\nCeramic Mug,16.00\n')]);
    expect(headed.code).toBe(2);
    expect(errorOf(headed).hint).toContain('cops products list -o csv');
    expect(service.requests).toHaveLength(0);
    const named = await home.run([...edit, file('named.csv', 'id,price\nCeramic Mug,16.00\n')]);
    expect(named.code).toBe(2);
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it.each(['Product Sale ID', 'product_sale', 'ProductSaleId', 'ID'])(
    'are found by a column that is called like the id in other words, which is told: %s',
    async (column) => {
      const { home, file, bodies } = await setting();
      const rows = file('rows.csv', `${column},amount\n${ONE},10.00\n${TWO},3\n`);
      const ran = await home.run([...REFUND, '--csv', rows]);
      expect([ran.code, ran.stderr]).toEqual([
        0,
        expect.stringContaining(`Column ${column} is read as product_sale_id.`),
      ]);
      expect(bodies()).toEqual({ [ONE]: '{"amount":10.00}', [TWO]: '{"amount":3}' });
    },
  );

  it.each([
    [';', 'semicolons'],
    ['\t', 'tabs'],
  ])('of a CSV whose header has no comma are parted by what it has, which is told: %j', async (mark, word) => {
    const { home, file, bodies } = await setting();
    const text = `\ufeffProduct Sale ID${mark}amount\r\n${ONE}${mark}10.00\r\n${TWO}${mark}3\r\n`;
    const ran = await home.run([...REFUND, '--input', file('rows.csv', text)]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`rows.csv as separated by ${word}.`)]);
    expect(bodies()).toEqual({ [ONE]: '{"amount":10.00}', [TWO]: '{"amount":3}' });
    const comma = file('comma.csv', `id${mark}amount\n${ONE}${mark}1,50\n`);
    expect((await home.run([...REFUND, '--input', comma])).code).toBe(0);
    expect(bodies()).toMatchObject({ [ONE]: '{"amount":1.50}' });
  });

  it('take what people call the family for the column of its ids, but no field of the body', async () => {
    const { home, file } = await setting();
    const named = ['sub,note', 'Order ID,note'].map((head, at) => file(`${at}.csv`, `${head}\n${ONE},x\n`));
    const cancel = await home.run(['bulk', 'subscriptions', 'cancel', named[0] ?? '', '--dry-run']);
    expect([cancel.code, cancel.stderr]).toEqual([
      0,
      expect.stringContaining('Column sub is read as subscription_id.'),
    ]);
    const wrong = await home.run(['bulk', 'subscriptions', 'cancel', '--input', named[1] ?? '', '--dry-run']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.not.stringContaining('--id-column')]);
    const field = file('field.csv', `customer_id,customer\n${ONE},${TWO}\n`);
    const edit = await home.run(['bulk', 'customers', 'edit', '--input', field, '--dry-run']);
    expect([edit.code, edit.stderr]).toEqual([2, expect.not.stringContaining('is read as')]);
  });

  it('whose id column nothing tells are refused with the line that names it, which resume keeps', async () => {
    let refuses = true;
    const { service, home } = await pair(({ method }) =>
      method === 'GET'
        ? ok({ id: ONE, live_mode: false })
        : refuses
          ? { status: 400, body: '{"code":0,"error_code":"E0001","message":"no","errors":[]}' }
          : ok({ result: 'success' }),
    );
    const rows = path.join(home.folder, 'my rows.csv');
    const journal = path.join(home.folder, 'j');
    writeFileSync(rows, `what it is,amount\n${ONE},1\n${TWO},2\n${THREE},3\n`);
    const typed = [...REFUND, '--input', rows, '--max-failures', '1', '--concurrency', '1', '--journal', journal];
    const refused = await home.run(typed);
    expect(refused.code).toBe(2);
    const line = `cops ${REFUND.join(' ')} --input '${rows}' --max-failures 1 --concurrency 1 --journal ${journal} --id-column 'what it is'`;
    expect(refused.stderr).toContain(`If what it is holds them: ${line}\n`);
    expect(service.requests).toHaveLength(0);
    expect((await home.run([...typed, '--id-column', 'what it is'])).code).toBe(1);
    refuses = false;
    await home.run(['bulk', 'resume', journal]);
    const posts = service.requests.filter(({ method }) => method === 'POST').map(({ path: at }) => at.split('/')[2]);
    expect(posts).toEqual([ONE, TWO, THREE]);
  });
});

describe('amounts that people write', () => {
  const of = (amount: string, more = '', header = '') => `id;amount${header}\n${ONE};10.00\n${TWO};${amount}${more}\n`;

  it.each([
    ['1.000', /1\.00.*1000/],
    ['12.500', /12\.50.*12500/],
    ['1,234', /1234/],
    ['10.005', /10005/],
    ['0.125', /decimals/],
    ['1.000.000', /1000000/],
    ['14,505', /14505/],
    ['14.50 EUR', /14\.50 is of EUR; the item's currency is unknown/],
    ['1.234 EUR', /1234/],
    ['1,234,50', /number/],
  ])(
    'are refused with row, column and readings where they read in two ways, or are finer than a coin: %s',
    async (amount, readings) => {
      const { home, file, service } = await setting();
      const ran = await home.run([...REFUND, '--input', file('rows.csv', of(amount)), '-o', 'json']);
      expect(ran.code).toBe(2);
      const { message } = errorOf(ran);
      expect(message).toMatch(/line 3|row 2/);
      expect(message).toContain('amount');
      expect(message).toMatch(readings);
      expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    },
  );

  const account = async (currency: string) => {
    const { service, home } = await pair((request) =>
      request.method === 'GET'
        ? ok({ id: request.path.split('/')[2] ?? ONE, live_mode: false, iso_currency: currency, amount: '5000.00' })
        : ok({ result: 'success' }),
    );
    const run = (text: string) => {
      writeFileSync(path.join(home.folder, 'rows.csv'), text);
      return home.run([...REFUND, '--input', path.join(home.folder, 'rows.csv'), '-o', 'json', '--concurrency', '1']);
    };
    const amounts = () =>
      service.requests.filter(({ method }) => method === 'POST').map(({ body }) => /"amount":([^,}]*)/.exec(body)?.[1]);
    return { run, amounts };
  };

  it.each([
    ['5,00 €', '5.00'],
    ['EUR 5.00', '5.00'],
    ['5.00 eur', '5.00'],
    ['€5,00', '5.00'],
    ['""5,00\u00a0€""', '5.00'],
    ['1.234,50 €', '1234.50'],
    ['€ 1,234.50', '1234.50'],
    ['1\u202f234,50 EUR', '1234.50'],
    ['1’234.50 EUR', '1234.50'],
    ['1.234,50', '1234.50'],
  ])('are read as people write them, where their currency is that of the item: %s', async (typed, sent) => {
    const { run, amounts } = await account('EUR');
    const ran = await run(`id;amount\n${ONE};"${typed}"\n`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(amounts()).toEqual([sent]);
  });

  it.each(['5,00 $', 'USD 5.00', '5.00 GBP', '1.234,50 US$'])(
    'are refused in the row whose item is in another currency: %s',
    async (typed) => {
      const { run, amounts } = await account('EUR');
      const ran = await run(of(typed));
      expect(ran.code).toBe(2);
      expect(errorOf(ran).message).toMatch(/line 3: amount: .* the item is in EUR/);
      expect(errorOf(ran).message).not.toContain('line 2');
      expect(amounts()).toEqual([]);
    },
  );

  it('take a sign for any of the currencies that it may mean', async () => {
    const { run, amounts } = await account('CAD');
    expect((await run(`id;amount\n${ONE};5,00 $\n`)).code).toBe(0);
    expect(amounts()).toEqual(['5.00']);
  });

  it('are read by the currency of their row where it has a column', async () => {
    const { home, file, bodies } = await setting();
    const rows = (code: string) => file('rows.csv', `id;sum;currency\n${ONE};1.500;${code}\n`);
    const line = (code: string) => [...REFUND, '--input', rows(code), '-d', 'amount={sum}'];
    expect((await home.run(line('JPY'))).code).toBe(2);
    expect((await home.run(line('EUR'))).code).toBe(2);
    expect((await home.run(line('KWD'))).code).toBe(0);
    expect(bodies()).toEqual({ [ONE]: '{"amount":1.500}' });
  });

  it.each([
    [['product-sales', 'refund', ONE, '--amount', '1.000']],
    [['product-sales', 'refund', ONE, '-d', 'amount=1.000']],
    [['product-sales', 'list', '--where', 'amount_total>1.000']],
    [['policy', 'add', 'refunds over 1.000 USD']],
    [['products', 'create', '--name', 'Tea', '--price', '1.000', '--dry-run']],
  ])('are refused in options too: %j', async (line) => {
    const { home, service } = await setting();
    const ran = await home.run([...line, '-o', 'json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('is ambiguous');
    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('are taken as they stand from JSON, which has one reading', async () => {
    const { home, bodies } = await setting();
    expect((await home.run(['product-sales', 'refund', ONE, '-d', 'amount:=1.000'])).code).toBe(0);
    expect(bodies()).toEqual({ [ONE]: '{"amount":1.000}' });
  });
});
