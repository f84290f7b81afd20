import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import { zoneOf } from '../../../src/base/time/zones.js';
import { CLOSE } from '../../../src/data/report/close.js';
import type { ReportQuestion } from '../../../src/data/report/report-question.js';
import { TABLE_REPORTS } from '../../../src/data/report/reports.js';
import { statementOf } from '../../../src/data/report/statement.js';
import { at, mirrorOf } from './mirror.js';

const OCTOBER: ReportQuestion = {
  period: { begins: at('2026-10-01', 0), ends: at('2026-11-01', 0) },
  zone: zoneOf('UTC', 'default'),
  by: [],
  currency: undefined,
  overdueDays: 30,
};

/** The raw tables that a query goes through from the first row to the last, items in whole included. */
function scanned(database: Database, sql: string): string[] {
  const tables = new Map(
    database
      .prepare("SELECT rootpage, name FROM sqlite_master WHERE type = 'table' AND name GLOB 'raw_*'")
      .all()
      .map(([page, name]) => [Number(page), String(name)]),
  );
  const steps = database.query(`EXPLAIN ${sql}`).all();
  const open = new Map<number, string>();
  for (const [, code, cursor, page] of steps) {
    const table = code === 'OpenRead' ? tables.get(Number(page)) : undefined;
    if (table !== undefined) open.set(Number(cursor), table);
  }
  const walked = steps.filter(([, code]) => ['Rewind', 'Last', 'SeekGT', 'SeekGE'].includes(String(code)));
  return walked.flatMap(([, , cursor]) => open.get(Number(cursor)) ?? []);
}

/** What a query goes through again for each row of another table, with no index to find a row by. */
function nested(database: Database, sql: string): string[] {
  const plan = database
    .query(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(([, , , detail]) => String(detail));
  return plan.filter((detail) => /^SCAN \w+ LEFT-JOIN/.test(detail));
}

describe('a query of a report', () => {
  const queries: [string, string][] = [
    ...TABLE_REPORTS.map((report): [string, string] => [report.name, statementOf(report, OCTOBER).sql]),
    ...CLOSE.queries(OCTOBER).map(({ fills, sql }): [string, string] => [`close, ${fills}`, sql]),
  ];

  it('reads no items in whole, and no table once a row', async () => {
    const database = await mirrorOf({});
    const found = queries.map(([name, sql]) => [name, ...scanned(database, sql), ...nested(database, sql)]);
    expect(found).toEqual(queries.map(([name]) => [name]));
  });

  it('would be found out', async () => {
    const database = await mirrorOf({});
    expect(scanned(database, 'SELECT sum(length(_json)) FROM raw_sales')).toEqual(['raw_sales']);
    expect(scanned(database, 'SELECT sum(amount_captured_minor) FROM raw_sales')).toEqual([]);
    const joined = `WITH a AS (SELECT json_extract(sales, '$[0]') AS sale, count(*) AS n FROM raw_product_sales GROUP BY 1)
      SELECT count(a.n) FROM payments AS p LEFT JOIN a ON a.sale = p.id`;
    expect(nested(database, joined)).not.toEqual([]);
  });
});
