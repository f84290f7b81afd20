import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import Libsql from 'libsql';
import readExcel from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

/*
 * One export in every format, each opened by a reader that is not ours: the sums by currency are those of the JSON lines
 * read with exact decimals.
 */

const NOW = Date.UTC(2026, 4, 1) / 1000;
const ITEMS = 230;
const DIGITS: Readonly<Record<string, number>> = { USD: 2, JPY: 0, KWD: 3 };
const CURRENCIES = Object.keys(DIGITS);

/** Amounts that floats add up wrongly, as the service writes them. */
const items = Array.from({ length: ITEMS }, (_, i) => {
  const currency = CURRENCIES[i % 3] as string;
  const digits = DIGITS[currency] as number;
  const amount = new Big(i % 7 === 0 ? '9007199254.10' : '0.10').plus(new Big(i).div(1000)).toFixed(digits);
  return `{"id":"${String(i).padStart(20, 'R')}","created_date_unix":${NOW - 1000 - i},"amount":${amount},"iso_currency":"${currency}","live_mode":false}`;
});

type Sums = Record<string, string>;

const sumsOf = (rows: readonly (readonly [currency: string, amount: string])[]): Sums =>
  Object.fromEntries(
    CURRENCIES.map((code) => [
      code,
      rows
        .filter(([currency]) => currency === code)
        .reduce((sum, [, amount]) => sum.plus(amount), new Big(0))
        .toFixed(DIGITS[code] as number),
    ]),
  );

async function exported(...formats: string[]) {
  const { home } = await pair(({ query }) => {
    const [from, to] = [Number(query.get('date_start') ?? 0), Number(query.get('date_end') ?? NOW)];
    const found = items.filter((_, i) => NOW - 1000 - i >= from && NOW - 1000 - i <= to);
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
    const some = found.slice((page - 1) * limit, page * limit);
    const counts = { current_count: some.length, current_page: page, total_count: found.length, results: [] };
    const { json } = ok(counts) as { json: object };
    return { body: JSON.stringify(json).replace('"results":[]', `"results":[${some}]`) };
  });
  const files = formats.map((format) => path.join(home.folder, `all.${format}`));
  for (const out of files) {
    const range = ['--from', String(NOW - 86_400), '--to', String(NOW - 60)];
    const ran = await home.run(['export', 'subscription-renewals', ...range, '--out', out]);
    expect(ran.code, ran.stderr).toBe(0);
  }
  return files;
}

/** What the service told, from the lines themselves. */
function exactSums(jsonl: string): Sums {
  const rows = readFileSync(jsonl, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, string] => [
      /"iso_currency":"(\w+)"/.exec(line)?.[1] as string,
      /"amount":([\d.]+)/.exec(line)?.[1] as string,
    ]);
  expect(rows).toHaveLength(ITEMS);
  return sumsOf(rows);
}

const fromMinor = (rows: readonly (readonly unknown[])[]): Sums =>
  Object.fromEntries(
    rows.map(([code, minor]) => {
      const digits = DIGITS[String(code)] as number;
      return [String(code), new Big(String(minor)).div(new Big(10).pow(digits)).toFixed(digits)];
    }),
  );
const MINOR = 'SELECT iso_currency, CAST(sum(amount_minor) AS TEXT) FROM subscription_renewals GROUP BY 1 ORDER BY 1';

it('adds up to the same in every format', { tags: ['thorough'] }, async () => {
  const [jsonl, csv, tsv, xlsx, parquet, sqlite] = (await exported(
    ...['jsonl', 'csv', 'tsv', 'xlsx', 'parquet', 'sqlite'],
  )) as [string, string, string, string, string, string];
  const exact = exactSums(jsonl);
  expect(Number(exact.USD)).toBeGreaterThan(9e10);
  for (const [file, delimiter] of [
    [csv, ','],
    [tsv, '\t'],
  ] as const) {
    const rows = parse(readFileSync(file), { columns: true, delimiter }) as Record<string, string>[];
    expect(sumsOf(rows.map((row) => [row.iso_currency as string, row.amount as string])), file).toEqual(exact);
  }
  const [heads = [], ...cells] = (await readExcel(xlsx))[0]?.data ?? [];
  const [currency, amount] = [heads.indexOf('iso_currency'), heads.indexOf('amount')];
  expect(sumsOf(cells.map((row) => [String(row[currency]), String(row[amount])]))).toEqual(exact);

  const duck = await (await DuckDBInstance.create(':memory:')).connect();
  const answer = await duck.runAndReadAll(
    `SELECT iso_currency, CAST(sum(amount) AS VARCHAR) FROM read_parquet('${parquet}') GROUP BY 1`,
  );
  const told = answer.getRows().map(([code, sum]): [string, string] => [String(code), String(sum)]);
  duck.closeSync();
  expect(sumsOf(told)).toEqual(exact);

  const database = new Libsql(sqlite);
  expect(fromMinor(database.prepare(MINOR).raw().all() as unknown[][])).toEqual(exact);
  database.close();
});

it("is read alike by Python's sqlite3", { tags: ['tool'] }, async () => {
  const [jsonl = '', sqlite = ''] = await exported('jsonl', 'sqlite');
  const script =
    'import json, sqlite3, sys; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))';
  const rows = JSON.parse(execFileSync('python3', ['-c', script, sqlite, MINOR], { encoding: 'utf8' }));
  expect(fromMinor(rows)).toEqual(exactSums(jsonl));
});
