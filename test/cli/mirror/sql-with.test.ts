/** Files of a line as tables beside a mirror, typed, and refused where they are none. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeEach, expect, it } from 'vitest';
import { at, mirrorOf } from '../../unit/report/mirror.js';
import { errorOf, home, json } from '../helpers.js';
import type { Home } from '../program.js';

let place: Home;
let mirror: string;

beforeEach(async () => {
  place = home({ TZ: 'UTC' });
  const transaction = { created_date_unix: at('2026-10-05'), amount: 12.5, result: 'approved' };
  const transactions = ['A', 'B'].map((one) => ({ ...transaction, id: one.repeat(20) }));
  mirror = (await mirrorOf({ transactions }, [], at('2026-12-01'))).file;
});

const put = (name: string, text: string | Uint8Array): string => {
  writeFileSync(path.join(place.folder, name), text);
  return name;
};
const sql = (query: string, ...words: string[]) =>
  place.run(['sql', query, '--mirror', mirror, '--no-sync', '-o', 'json', ...words], { cwd: place.folder });
const types = (table: string, ...columns: string[]) =>
  `select ${columns.map((one) => `typeof("${one}") as "${one}"`).join(', ')} from ${table} limit 1`;

it('joins a CSV file with the mirror, its columns typed', async () => {
  const file = put(
    'Payouts 2026-10.csv',
    `id;Betrag;Konto;leer;n\n${'A'.repeat(20)};1.234,50;007;;1\n${'C'.repeat(20)};-2,25;008;;\n`,
  );
  const missing = await sql(
    'select p.id from payouts_2026_10 p left join transactions t on t.id = p.id where t.id is null',
    '--with',
    file,
  );
  expect(json(missing)).toEqual([{ id: 'C'.repeat(20) }]);
  const sums = await sql(
    'select sum(betrag) as s, max(konto) as k, sum(n) as n, count(n) as c from payouts_2026_10',
    '--with',
    file,
  );
  expect(json(sums)).toEqual([{ s: 1232.25, k: '008', n: 1, c: 1 }]);
  expect(json(await sql(types('payouts_2026_10', 'Betrag', 'Konto', 'leer', 'n'), '--with', file))).toEqual([
    { Betrag: 'real', Konto: 'text', leer: 'null', n: 'integer' },
  ]);
});

it('takes several files, JSON lines and Parquet as well', async () => {
  const lines = put('rows.jsonl', '{"id": 9007199254740993, "ok": true, "in": {"a": [1]}}\n\n{"id": 2, "x": 1.5}\n');
  const parquet = put(
    'cols.parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: [2n, 3n], type: 'INT64' },
          { name: 'amount', data: [1.25, 2], type: 'DOUBLE' },
          {
            name: 'day',
            data: [new Date('2026-10-01T00:00:00Z'), new Date('2026-10-02T00:00:00Z')],
            type: 'TIMESTAMP',
          },
        ],
      }),
    ),
  );
  const words = ['--with', lines, '--with', `other=${parquet}`];
  const joined = await sql('select r.x, o.amount, o.day from rows r join other o using (id)', ...words);
  expect(json(joined)).toEqual([{ x: 1.5, amount: 1.25, day: '2026-10-01T00:00:00.000Z' }]);
  const first = await sql('select id, ok, "in" from rows limit 1', ...words);
  expect(first.stdout).toContain('9007199254740993');
  expect(first.stdout).toContain('{\\"a\\":[1]}');
});

it('warns of a column that is text where a sum of it would be wrong', async () => {
  const stray = await sql('select 1', '--with', put('stray.csv', 'id,amount\n1,5.00\n2,n/a\n3,7.50\n'));
  expect(stray.stderr).toContain('stray.amount is text: row 2');
  const unclear = await sql(types('unclear', 'amount'), '--with', put('unclear.csv', 'id;amount\n1;1,234\n2;5,678\n'));
  expect(unclear.stderr).toContain('unclear.amount is text');
  expect(json(unclear)).toEqual([{ amount: 'text' }]);
  // Another column tells which mark parts the decimals.
  const told = await sql('select sum(a) as s from told', '--with', put('told.csv', 'a;b\n1,234;0,5\n5,678;0,25\n'));
  expect(json(told)).toEqual([{ s: 6.912 }]);
});

it('refuses what is no such file, or would hide a table of the mirror', async () => {
  const cases: readonly (readonly [name: string, text: string, said: RegExp])[] = [
    ['readme.txt', 'a,b\n1,2\n', /not have the extension of a CSV, JSONL or Parquet/],
    ['broken.csv', 'a,b\n"1,2\n', /not a readable CSV file/],
    ['ragged.csv', 'a,b\n1,2\n1,2,3\n', /line 3: 3 cells/],
    ['empty.csv', '', /no rows/],
    ['list.jsonl', '[1]\n', /line 1: an object is expected/],
    ['not.parquet', 'PAR?', /not a readable Parquet file/],
    ['transactions.csv', 'id\n1\n', /a table of the mirror/],
    ['customers.csv', 'id\n1\n', /a table of the mirror/],
    ['_history.csv', 'id\n1\n', /a table of the mirror/],
  ];
  for (const [name, text, said] of cases) {
    const ran = await sql('select 1', '--with', put(name, text));
    expect(ran.code, name).toBe(2);
    expect(errorOf(ran).message, name).toMatch(said);
  }
  expect((await sql('select 1', '--with', 'absent.csv')).code).toBe(11);
  const twice = await sql('select 1', '--with', put('one.csv', 'a\n1\n'), '--with', `one=${put('two.csv', 'a\n1\n')}`);
  expect(twice.code).toBe(2);
});

it('reads nothing that the query names beside the given files, and nothing can be written to them', async () => {
  const file = put('mine.csv', 'a\n1\n');
  expect((await sql('delete from mine', '--with', file)).code).toBe(2);
  expect((await sql("select readfile('mine.csv')", '--with', file)).code).toBe(2);
});
