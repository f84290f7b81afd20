import { describe, expect, test } from 'vitest';
import { CopsError, usage } from '../../../src/base/errors/errors.js';
import { Item } from '../../../src/items/json/item-json.js';
import type { Format } from '../../../src/screen/output-formats.js';
import { checkSettings, render } from '../../../src/screen/render.js';
import { excelOf } from '../../../src/screen/spreadsheets.js';
import type { Result } from '../../../src/screen/types.js';
import { Failing, list, Memory, one, show, stream } from './helpers.js';

const A =
  '{ "id":"aaaaaaaaaaaaaaaaaaaa","created_date_unix":1769850000,"status":"active","amount":10.00,"iso_currency":"USD","big":12345678901234567890,"customer":{"id":"c","email":"a,\\"b\\"@c.d"} }';
const B =
  '{"id":"bbbbbbbbbbbbbbbbbbbb","created_date_unix":1753000000,"status":"cancelled","amount":-1.5,"iso_currency":"JPY","customer":null}';
const TIGHT_A =
  '{"id":"aaaaaaaaaaaaaaaaaaaa","created_date_unix":1769850000,"status":"active","amount":10.00,"iso_currency":"USD","big":12345678901234567890,"customer":{"id":"c","email":"a,\\"b\\"@c.d"}}';
const FORMATS: Format[] = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'ids'];

describe('a list', () => {
  test.each<[Format, string]>([
    ['json', `[\n${TIGHT_A},\n${B}\n]\n`],
    ['jsonl', `${TIGHT_A}\n${B}\n`],
    [
      'csv',
      'id,created_date_unix,status,amount,customer.email\n' +
        'aaaaaaaaaaaaaaaaaaaa,2026-01-31T10:00:00+01:00,active,10.00,"a,""b""@c.d"\nbbbbbbbbbbbbbbbbbbbb,2025-07-20T10:26:40+02:00,cancelled,-1.5,\n',
    ],
    [
      'tsv',
      'id\tcreated_date_unix\tstatus\tamount\tcustomer.email\n' +
        'aaaaaaaaaaaaaaaaaaaa\t2026-01-31T10:00:00+01:00\tactive\t10.00\ta,"b"@c.d\nbbbbbbbbbbbbbbbbbbbb\t2025-07-20T10:26:40+02:00\tcancelled\t-1.5\t\n',
    ],
    ['ids', 'aaaaaaaaaaaaaaaaaaaa\nbbbbbbbbbbbbbbbbbbbb\n'],
    [
      'table',
      'ID                    CREATED                STATUS        AMOUNT  EMAIL\n' +
        'aaaaaaaaaaaaaaaaaaaa  2026-01-31 10:00 CET   active     10.00 USD  a,"b"@c.d\n' +
        'bbbbbbbbbbbbbbbbbbbb  2025-07-20 10:26 CEST  cancelled   -1.5 JPY\n',
    ],
  ])('as %s, digits and strings as they came', async (format, text) => {
    expect((await show(list([A, B]), format)).text).toBe(text);
  });

  test('as csv with times as they came', async () => {
    const { text } = await show(list([A]), 'csv', { times: 'unix' });
    expect(text).toContain('aaaaaaaaaaaaaaaaaaaa,1769850000,active,10.00,');
  });

  test('as csv for a spreadsheet program that writes a comma in numbers', async () => {
    const { text } = await show(list([A]), 'csv', { excel: excelOf({ LANG: 'de_DE.UTF-8' }) });
    expect(text.startsWith('\ufeffid;created_date_unix;')).toBe(true);
    expect(text).toContain('aaaaaaaaaaaaaaaaaaaa;2026-01-31 10:00:00;active;10,00;');
  });

  test.each([
    ['02113', "'02113"],
    ['0004', "'0004"],
    ['12345678901234567890', "'12345678901234567890"],
    ['12/28', "'12/28"],
    ['2026-01', "'2026-01"],
    ['12E5', "'12E5"],
    ['MAR15', "'MAR15"],
    ['+15550100', "'+15550100"],
    ['12.50', '12.50'],
    ['60640', '60640'],
    ['SAVE10', 'SAVE10'],
    ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z'],
    ['', ''],
  ])('with --excel the text %j is opened as it stands', async (text, written) => {
    const columns = [{ path: 'id' }, { path: 'text' }];
    const raw = JSON.stringify({ id: 'a', text });
    const shown = await show(list([raw], undefined, columns), 'csv', { excel: { separator: ',', decimal: '.' } });
    expect(shown.text).toBe(`\ufeffid,text\na,${written}\n`);
    expect((await show(list([raw], undefined, columns), 'csv')).text).toBe(`id,text\na,${text}\n`);
  });

  test('with --excel no digit of a long number is lost, and no decimals become a day', async () => {
    const columns = [{ path: 'big' }, { path: 'code' }, { path: 'amount' }];
    const raw = '{"big":12345678901234567890,"code":"10.4","amount":10.4}';
    const german = { excel: { separator: ';', decimal: ',' } } as const;
    expect((await show(list([raw], undefined, columns), 'csv', german)).text).toBe(
      "\ufeffbig;code;amount\n'12345678901234567890;'10.4;10,4\n",
    );
  });

  test('as yaml keeps digits', async () => {
    const { text } = await show(list([A, B]), 'yaml');
    expect(text).toContain('- id: aaaaaaaaaaaaaaaaaaaa\n');
    expect(text).toContain('  amount: 10.00\n');
    expect(text).toContain('  big: 12345678901234567890\n');
    expect(text).toContain('  customer: null\n');
  });

  test('as json on a terminal is indented', async () => {
    const { text } = await show(list(['{"a":10.00}', '{"b":[]}']), 'json', {}, { interactive: true });
    expect(text).toBe('[\n  {\n    "a": 10.00\n  },\n  {\n    "b": []\n  }\n]\n');
  });

  test.each<[Format, string]>([
    ['json', '[]\n'],
    ['jsonl', ''],
    ['ids', ''],
    ['yaml', '[]\n'],
    ['table', ''],
    ['csv', 'id,created_date_unix,status,amount,customer.email\n'],
  ])('without items as %s', async (format, text) => {
    expect((await show(list([]), format)).text).toBe(text);
  });

  test.each(FORMATS)('that breaks in the middle throws its error; as %s', async (format) => {
    const broken = new CopsError('service_failed', 'page 2 failed');
    const stdout = new Memory();
    const settings = { format, wide: false, raw: false, tz: 'UTC' };
    const out = { stdout, color: false, width: 80, interactive: false };
    await expect(render(list([A, B], broken), settings, out)).rejects.toMatchObject({
      kind: 'service_failed',
      message: 'page 2 failed',
    });
    if (format === 'json' || format === 'yaml') expect(stdout.text).toBe('');
    else expect(stdout.text).toContain('bbbbbbbbbbbbbbbbbbbb');
  });

  test('with columns that are not known flattens its first item for csv', async () => {
    const result: Result = {
      shape: 'list',
      items: stream(['{"a":{"b":1.0,"c":[1, 2]}}', '{"x":1}']),
      columns: [],
      idField: 'id',
    };
    expect((await show(result, 'csv')).text).toBe('a.b,a.c\n1.0,"[1,2]"\n,\n');
  });

  test('ids of another field, and a usage error where there is none', async () => {
    const keys: Result = { shape: 'list', items: stream(['{"key":"k 1"}']), columns: [], idField: 'key' };
    expect((await show(keys, 'ids')).text).toBe('k 1\n');
    await expect(show(list(['{"name":"x"}']), 'ids')).rejects.toMatchObject({ kind: 'usage' });
    await expect(show(list(['{"id":"a\\nb"}']), 'ids')).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('--columns', () => {
  const columns = ['amount', 'customer.email'];

  test('picks paths into objects for json and jsonl', async () => {
    const line = '{"amount":10.00,"customer.email":"a,\\"b\\"@c.d"}';
    expect((await show(list([A]), 'jsonl', { columns })).text).toBe(`${line}\n`);
    expect((await show(one(A), 'json', { columns })).text).toBe(`${line}\n`);
  });

  test('orders csv and tables', async () => {
    const csv = await show(list([A]), 'csv', { columns });
    expect(csv.text).toBe('amount,customer.email\n10.00,"a,""b""@c.d"\n');
    expect((await show(list([A]), 'table', { columns })).text).toBe(
      '   AMOUNT  CUSTOMER.EMAIL\n10.00 USD  a,"b"@c.d\n',
    );
  });

  test('takes names as a table heads them, in any case', async () => {
    const known = [
      { path: 'id' },
      { path: 'amount', title: 'total due' },
      { path: 'customer.email', title: 'customer' },
    ];
    const result: Result = { shape: 'list', items: stream([A]), columns: known, idField: 'id' };
    expect((await show(result, 'csv', { columns: ['Total Due', 'CUSTOMER'] })).text).toBe(
      'amount,customer.email\n10.00,"a,""b""@c.d"\n',
    );
  });

  test('refuses a name that no item has, and names some that there are', async () => {
    for (const format of ['csv', 'json', 'table'] as const)
      await expect(show(list([A]), format, { columns: ['amount', 'emial'] })).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringContaining('no item has "emial"'),
        facts: expect.objectContaining({ hint: expect.stringContaining('It has id') }),
      });
  });

  test('shows only these of a record', async () => {
    expect((await show(one(A), 'table', { columns: ['amount', 'status'] })).text).toBe(
      'amount  10.00 USD\nstatus  active\n',
    );
  });
});

describe('--csv-safe', () => {
  test('guards text that a spreadsheet would run, not numbers', async () => {
    const raw = '{"id":"=1+1","a":"@x","b":"-2","c":-2.50,"d":"+1","e":"\\tx","f":"fine","g":"\\r="}';
    expect((await show(one(raw), 'csv', { csvSafe: true })).text).toBe(
      `id,a,b,c,d,e,f,g\n'=1+1,'@x,'-2,-2.50,'+1,'\tx,fine,"'\r="\n`,
    );
    expect((await show(one(raw), 'csv')).text).toContain('\n=1+1,@x,');
  });
});

/** Texts that some spreadsheet program runs, or shows as something else than they are. */
const FORMULAS = [
  '\n=1+1',
  '\r=1',
  '\t=1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20x',
  ' =1',
  '\u00a0=1',
  '\u3000=1',
];
const HIDDEN = [
  '\u200b=1',
  '\ufeff=1',
  '\u2060@x',
  '\u200d+1',
  '\u00ad-1',
  ' \u200b \t\uff1d1',
  '\u0001=1',
  '\u2212',
  '\ufe0f=1',
  '\u034f=1',
  '\u{e0100}=1',
  '\u3164=1',
];

describe.each([{ csvSafe: true }, { excel: { separator: ',', decimal: '.' } as const }])(
  'cells with %j',
  (settings) => {
    test.each([...FORMULAS, ...HIDDEN])('make %j inert', async (text) => {
      const { text: csv } = await show(one(JSON.stringify({ id: 'x', a: text })), 'csv', settings);
      expect(csv.slice(csv.indexOf('x,') + 2)).toMatch(/^"?'/);
      const { text: tsv } = await show(one(JSON.stringify({ id: 'x', a: text })), 'tsv', settings);
      expect(tsv.slice(tsv.indexOf('x\t') + 2)).toMatch(/^'/);
    });

    test.each(['plain', ' plain', '\u200bplain', 'a=1', '\u5e7f', ''])('leave %j as it is', async (text) => {
      const { text: csv } = await show(one(JSON.stringify({ id: 'x', a: text })), 'csv', settings);
      expect(csv).toContain(`\nx,${text}\n`);
    });

    test('guard the names of columns too', async () => {
      expect((await show(one('{"=1+1":"x"}'), 'csv', settings)).text).toContain("'=1+1\n");
    });
  },
);

describe('one item', () => {
  test.each<[Format, boolean, string]>([
    ['json', false, '{"id":"x","n":10.00}\n'],
    ['json', true, '{\n  "id": "x",\n  "n": 10.00\n}\n'],
    ['jsonl', false, '{"id":"x","n":10.00}\n'],
    ['jsonl', true, '{"id":"x","n":10.00}\n'],
    ['csv', false, 'id,n\nx,10.00\n'],
    ['yaml', false, 'id: x\nn: 10.00\n'],
    ['ids', false, 'x\n'],
  ])('as %s (terminal: %s)', async (format, interactive, text) => {
    expect((await show(one('{ "id": "x",\n"n": 10.00 }'), format, {}, { interactive })).text).toBe(text);
  });

  test('an answer of a write has its id under the resource’s name', async () => {
    const answer: Result = { shape: 'one', item: new Item('{"api_call_id":"no","code":1,"customer_id":"yes"}') };
    expect((await show(answer, 'ids')).text).toBe('yes\n');
  });
});

describe('--query', () => {
  test.each<[string, Format, string]>([
    ['[].id', 'json', '[\n"aaaaaaaaaaaaaaaaaaaa",\n"bbbbbbbbbbbbbbbbbbbb"\n]\n'],
    ['[].amount', 'jsonl', '10.00\n-1.5\n'],
    ['[?status==`active`].[big, amount]', 'csv', '12345678901234567890,10.00\n'],
    ['[?status==`active`].{id: id, n: amount}', 'csv', 'id,n\naaaaaaaaaaaaaaaaaaaa,10.00\n'],
    ['length(@)', 'table', '2\n'],
    ['length(@)', 'json', '2\n'],
    ['[0].status', 'table', 'active\n'],
    ['sum([].amount)', 'json', '8.5\n'],
    ['[?amount==`10`].amount', 'json', '[\n10\n]\n'],
    ['nothing', 'json', 'null\n'],
    ['[].id', 'ids', 'aaaaaaaaaaaaaaaaaaaa\nbbbbbbbbbbbbbbbbbbbb\n'],
    ['[].{id: id}', 'ids', 'aaaaaaaaaaaaaaaaaaaa\nbbbbbbbbbbbbbbbbbbbb\n'],
    [
      '[].{a: id, s: status}',
      'table',
      'A                     S\naaaaaaaaaaaaaaaaaaaa  active\nbbbbbbbbbbbbbbbbbbbb  cancelled\n',
    ],
    ['[]', 'jsonl', `${TIGHT_A}\n${B}\n`],
  ])('%s as %s', async (query, format, text) => {
    expect((await show(list([A, B]), format, { query })).text).toBe(text);
  });

  test('a wrong expression is a usage error before anything is read', async () => {
    let read = false;
    async function* items(): AsyncGenerator<Item> {
      read = true;
      yield new Item(A);
    }
    const result: Result = { shape: 'list', items: items(), columns: [], idField: 'id' };
    await expect(show(result, 'json', { query: '[' })).rejects.toMatchObject({ kind: 'usage' });
    expect(read).toBe(false);
    await expect(show(list([A]), 'json', { query: 'abs([0].id)' })).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('--raw', () => {
  const envelopes = ['{"code": 1, "results": [1]}', '{"code":1,"results":[]}'];
  async function* texts(): AsyncGenerator<string> {
    yield* envelopes;
  }

  test('prints envelopes untouched', async () => {
    const result = (): Result => ({ ...(list([]) as Extract<Result, { shape: 'list' }>), envelopes: texts() });
    expect((await show(result(), 'json', { raw: true })).text).toBe(`[\n${envelopes.join(',\n')}\n]\n`);
    expect((await show(result(), 'table', { raw: true })).text).toBe(`[\n${envelopes.join(',\n')}\n]\n`);
    expect((await show(result(), 'jsonl', { raw: true })).text).toBe(
      '{"code":1,"results":[1]}\n{"code":1,"results":[]}\n',
    );
    expect((await show(one(' {"a" : 1.0}'), 'json', { raw: true })).text).toBe(' {"a" : 1.0}\n');
  });

  test.each([
    [{ raw: true, query: '[]' }, 'json'],
    [{ raw: true, columns: ['a'] }, 'json'],
    [{ raw: true }, 'csv'],
    [{ raw: true }, 'ids'],
    [{ columns: ['a'] }, 'ids'],
    [{ columns: [''] }, 'csv'],
    [{ query: '][' }, 'csv'],
  ] as const)('%j with -o %s is a usage error', async (settings, format) => {
    const check = checkSettings({ format, wide: false, raw: false, tz: 'UTC', ...settings });
    await expect(check).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('texts and nothing', () => {
  test('a text ends in one line feed and is inert on a terminal', async () => {
    expect((await show({ shape: 'text', text: 'a\nb\u001b[31m' }, 'json')).text).toBe('a\nb\u001b[31m\n');
    expect((await show({ shape: 'text', text: 'a\nb\u001b[31m\n' }, 'json', {}, { interactive: true })).text).toBe(
      'a\nb\\u001b[31m\n',
    );
    expect((await show({ shape: 'text', text: '' }, 'json')).text).toBe('');
    expect((await show({ shape: 'nothing' }, 'json')).text).toBe('');
  });
});

describe('standard output', () => {
  const settings = (format: Format) => ({ format, wide: false, raw: false, tz: 'UTC' });
  const plain = { color: false, width: 80, interactive: false };

  function endless(): { items: AsyncGenerator<Item>; state: { read: number; closed: boolean } } {
    const state = { read: 0, closed: false };
    async function* items(): AsyncGenerator<Item> {
      try {
        for (;;) {
          state.read++;
          yield new Item(A);
        }
      } finally {
        state.closed = true;
      }
    }
    return { items: items(), state };
  }

  test.each<Format>(['jsonl', 'csv', 'ids', 'table'])(
    'a closed pipe ends a %s quietly and closes the list',
    async (format) => {
      const { items, state } = endless();
      const result: Result = { shape: 'list', items, columns: [{ path: 'id' }], idField: 'id' };
      const rendered = await render(result, settings(format), { ...plain, stdout: new Failing('EPIPE', 100_000) });
      expect(rendered.closedPipe).toBe(true);
      expect(state.read).toBeGreaterThan(100);
      expect(state.closed).toBe(true);
    },
  );

  test('a closed pipe is quiet for documents as well', async () => {
    for (const format of ['json', 'yaml'] as const) {
      const rendered = await render(list([A]), settings(format), { ...plain, stdout: new Failing('EPIPE') });
      expect(rendered.closedPipe).toBe(true);
    }
  });

  test.each<Format>(['json', 'jsonl', 'csv', 'table'])('a full disk is a local fault; as %s', async (format) => {
    const render1 = render(list([A, B]), settings(format), { ...plain, stdout: new Failing('ENOSPC') });
    await expect(render1).rejects.toMatchObject({ kind: 'local', exitCode: 11 });
  });

  test.each<Format>(['json', 'jsonl'])(
    '12 MB through a slow reader arrive whole; as %s',
    { tags: ['thorough'] },
    async (format) => {
      const raw = `{"id":"x","text":"${'é'.repeat(5000)}"}`;
      const count = 1250;
      function* many(): Generator<string> {
        for (let i = 0; i < count; i++) yield raw;
      }
      const stdout = new Memory(1);
      await render(list(many()), settings(format), { ...plain, stdout });
      const text = stdout.text;
      expect(Buffer.byteLength(text)).toBeGreaterThan(12_000_000);
      const lines = text.split('\n').filter((line) => line.length > 1);
      expect(lines.length).toBe(count);
      expect(lines.every((line) => line === raw || line === `${raw},`)).toBe(true);
    },
  );

  test('a slow reader slows the list down', async () => {
    let read = 0;
    const stdout = new Memory(5);
    async function* items(): AsyncGenerator<Item> {
      for (; read < 1000; read++) {
        expect(read * A.length - stdout.text.length).toBeLessThan(200_000);
        yield new Item(A);
      }
    }
    await render({ shape: 'list', items: items(), columns: [], idField: 'id' }, settings('jsonl'), {
      ...plain,
      stdout,
    });
    expect(read).toBe(1000);
  });

  test('rows appear while the list is still being read', async () => {
    const stdout = new Memory();
    async function* items(): AsyncGenerator<Item> {
      yield new Item('{"id":"first"}');
      while (stdout.text === '') await new Promise((resolve) => setImmediate(resolve));
      yield new Item('{"id":"second"}');
    }
    await render({ shape: 'list', items: items(), columns: [], idField: 'id' }, settings('jsonl'), {
      ...plain,
      stdout,
    });
    expect(stdout.text).toBe('{"id":"first"}\n{"id":"second"}\n');
  });

  test('an error of the items is not hidden by what was written', async () => {
    const error = usage('stop');
    const shown = render(list([A], error), settings('csv'), { ...plain, stdout: new Memory() });
    await expect(shown).rejects.toMatchObject({ kind: 'usage', message: 'stop', facts: { hint: expect.anything() } });
  });
});
