import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home } from '../program.js';

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
  await exported(at('renewals.jsonl'));
  lines = readFileSync(at('renewals.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}, 120_000);
afterAll(() => home.remove());

it('a Parquet export is opened by DuckDB: every row once, columns with their types', async () => {
  await exported(at('renewals.parquet'));
  const [row] = await ask(
    `select count(*) n, count(distinct id) ids, min(created_date_unix) earliest, bool_or(live_mode) live from '${at('renewals.parquet')}'`,
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(Number(row?.n)).toBe(lines.length);
  expect(Number(row?.ids)).toBe(lines.length);
  expect(Number(row?.earliest)).toBe(Math.min(...lines.map((line) => line.created_date_unix)));
  expect(row?.live).toBe(false);
});

it('a folder of JSON lines is read by DuckDB as partitions', async () => {
  await exported(`${at('renewals')}/`);
  const rows = await ask(
    `select date, count(distinct id) n from read_json('${at('renewals')}/*/*.jsonl', hive_partitioning=true) group by date`,
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.reduce((sum, row) => sum + Number(row.n), 0)).toBe(lines.length);
});
