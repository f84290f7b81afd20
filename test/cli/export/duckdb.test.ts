/** @module-tag process */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FEW, laySandbox } from '../../harness/seeded.js';
import { Home } from '../program.js';
import { Runs } from './runs.js';

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };

const home = new Home({ COPS_PROFILE: 'sandbox' });
const at = (name: string): string => path.join(home.folder, name);
let lines: { id: string; created_date_unix: number; live_mode: boolean }[] = [];

const to = Math.floor(Date.now() / 1000) - 60;

/** Rows of a query, as a reader of the exported files would ask it. */
async function ask(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects();
  } finally {
    connection.closeSync();
  }
}

async function exported(out: string): Promise<void> {
  const ran = await home.run(
    ['export', 'subscription-renewals', '--from', String(to - 200 * 86_400), '--to', String(to), '--out', out],
    { timeoutMs: 60_000 },
  );
  expect(ran).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  await laySandbox(path.join(home.folder, 'data'), Date.now(), FEW);
  await exported(at('renewals.jsonl'));
  await exported(at('renewals.parquet'));
  lines = readFileSync(at('renewals.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}, 120_000);
afterAll(() => home.remove());

it('a Parquet export is opened by DuckDB: every row once, columns with their types', async () => {
  const [row] = await ask(
    `select count(*) n, count(distinct id) ids, epoch(min(created_date_unix)) earliest, bool_or(live_mode) live from '${at('renewals.parquet')}'`,
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(Number(row?.n)).toBe(lines.length);
  expect(Number(row?.ids)).toBe(lines.length);
  expect(Number(row?.earliest)).toBe(Math.min(...lines.map((line) => line.created_date_unix)));
  expect(row?.live).toBe(false);
});

it('objects and arrays are asked by their parts, and every value is that of the JSON lines', async () => {
  const products = await ask(
    `select p.product.name as name, count(*) as n from '${at('renewals.parquet')}' p group by all order by all`,
  );
  const expected = await ask(
    `select p.product.name as name, count(*) as n from read_json('${at('renewals.jsonl')}') p group by all order by all`,
  );
  expect(products.length).toBeGreaterThan(1);
  expect(products).toEqual(expected);
  const sales = (from: string) => ask(`select id, unnest(sales) as sale from ${from} order by all`);
  expect(await sales(`'${at('renewals.parquet')}'`)).toEqual(await sales(`read_json('${at('renewals.jsonl')}')`));
  const types = await ask(`describe select product, sales from '${at('renewals.parquet')}'`);
  expect(types.map((row) => String(row.column_type).replace(/\(.*/, ''))).toEqual(['STRUCT', 'VARCHAR[]']);
});

it('a folder of JSON lines is read by DuckDB as partitions', async () => {
  await exported(`${at('renewals')}/`);
  const rows = await ask(
    `select date, count(distinct id) n from read_json('${at('renewals')}/*/*.jsonl', hive_partitioning=true) group by date`,
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.reduce((sum, row) => sum + Number(row.n), 0)).toBe(lines.length);
});

describe('text that needs care', () => {
  const FROM = Date.UTC(2025, 0, 10) / 1000;
  const TO = Date.UTC(2025, 2, 20) / 1000;
  const COLUMNS = 'id,amount,campaign_name,customer.last_name,metadata,created_date_unix';
  let runs: Runs;
  let items: Record<string, unknown>[];
  beforeAll(async () => {
    runs = await Runs.against({ rows: 300, from: FROM, to: TO });
    items = runs.service.state.rows.map(({ text }) => JSON.parse(text));
    // What a spreadsheet would run, and every character that could break a row.
    const nasty = { ...items[0], campaign_name: '=cmd("x"),\r\n\tnext "line" \\ end', metadata: [] };
    items[0] = nasty;
    const [first] = runs.service.state.rows;
    if (first) first.text = JSON.stringify(nasty).replace('"amount":0', '"amount":0.00');
  });
  afterAll(() => runs.close());

  const exportTo = async (out: string, ...more: string[]): Promise<string> => {
    const range = ['--from', String(FROM), '--to', String(TO)];
    const ran = await runs.run(['export', 'subscription-renewals', ...range, '--out', out, ...more]);
    expect(ran).toMatchObject({ code: 0 });
    return runs.path(out);
  };

  it('comes out of CSV as it was, digits included', async () => {
    const file = await exportTo('a.csv', '--columns', COLUMNS);
    const rows = await ask(
      `select * from read_csv('${file}', all_varchar=true, header=true) order by created_date_unix`,
    );
    expect(rows).toHaveLength(300);
    expect(Object.keys(rows[0] ?? {}).join()).toBe(COLUMNS);
    for (const [i, item] of items.entries()) {
      expect(rows[i]?.id).toBe(item.id);
      expect(rows[i]?.campaign_name).toBe(item.campaign_name);
      expect(rows[i]?.amount).toBe(`${i}.${String(i % 100).padStart(2, '0')}`);
      expect(JSON.parse(rows[i]?.metadata as string)).toEqual(item.metadata);
    }
  });

  it('is marked in CSV and TSV so that no spreadsheet runs it, with the switch only', async () => {
    for (const [name, plain, guarded] of [
      ['b.csv', '"=cmd(""x"")', `"'=cmd(""x"")`],
      ['b.tsv', '=cmd("x")', `'=cmd("x")`],
    ] as const) {
      expect(readFileSync(await exportTo(name, '--columns', COLUMNS), 'utf8')).toContain(plain);
      expect(readFileSync(await exportTo(`safe-${name}`, '--columns', COLUMNS, '--csv-safe'), 'utf8')).toContain(
        guarded,
      );
    }
  });

  it('stays on one line of TSV', async () => {
    const file = await exportTo('c.tsv', '--columns', COLUMNS);
    const rows = await ask(
      `select * from read_csv('${file}', all_varchar=true, header=true, delim='\t', quote='', escape='') order by created_date_unix`,
    );
    expect(rows).toHaveLength(300);
    const unescaped = String(rows[0]?.campaign_name).replace(
      /\\([\\tnr])/g,
      (_, word: string) => ESCAPES[word] as string,
    );
    expect(unescaped).toBe(items[0]?.campaign_name);
  });

  it('has its columns in the documented order: the id, then the fields as the help lists them, then the rest', async () => {
    const [header = ''] = readFileSync(await exportTo('d.csv'), 'utf8').split('\n');
    const [tabs = ''] = readFileSync(await exportTo('d.tsv'), 'utf8').split('\n');
    expect(tabs.split('\t')).toEqual(header.split(','));
    const known = [...header.split(',')];
    expect(known.slice(0, 4)).toEqual(['id', 'created_date_unix', 'updated_date_unix', 'amount']);
    expect(known.at(-1)).toBe('_other');
    expect(known).toContain('customer.email');
    expect(new Set(known).size).toBe(known.length);
    const rows = await ask(`select * from read_csv('${runs.path('d.csv')}', all_varchar=true, header=true)`);
    expect(Object.keys(rows[0] ?? {})).toEqual(known);
  });

  it('comes out of compressed files as out of plain ones', async () => {
    const [row] = await ask(`select count(distinct id) n from read_csv('${await exportTo('e.csv.gz')}')`);
    expect(Number(row?.n)).toBe(300);
    const [json] = await ask(`select count(distinct id) n from read_json('${await exportTo('e.jsonl.gz')}')`);
    expect(Number(json?.n)).toBe(300);
  });

  it('comes out of a folder of Parquet by partition', async () => {
    const folder = await exportTo('lake/', '--format', 'parquet');
    const rows = await ask(
      `select date, count(distinct id) n from read_parquet('${folder}*/*.parquet', hive_partitioning=true) group by date order by date`,
    );
    expect(rows.map((row) => [String(row.date).slice(0, 7), Number(row.n)])).toEqual(
      ['2025-01', '2025-02', '2025-03'].map((month) => [
        month,
        items.filter((item) => new Date(Number(item.created_date_unix) * 1000).toISOString().startsWith(month)).length,
      ]),
    );
  });

  it('comes out of SQLite with types, and its JSON as it came', async () => {
    const database = new Libsql(await exportTo('a.sqlite'), { readonly: true } as Libsql.Options);
    const rows = database.prepare('SELECT * FROM subscription_renewals ORDER BY rowid').all() as Record<
      string,
      unknown
    >[];
    database.close();
    expect(rows.map((row) => row._json)).toEqual(runs.service.state.rows.map(({ text }) => text));
    expect(rows[0]).toMatchObject({ campaign_name: items[0]?.campaign_name, live_mode: 0, amount: 0 });
    expect(rows[7]).toMatchObject({ amount: 7.07, customer_email: 'c7@example.com' });
  });
});
