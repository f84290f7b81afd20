import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Database } from '../../../src/base/database/types.js';
import { zoneOf } from '../../../src/base/time/zones.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import type { ReportQuestion } from '../../../src/data/report/report-question.js';
import { findReport } from '../../../src/data/report/reports.js';
import type { GroupedReport } from '../../../src/data/report/types.js';
import { closeAfterTest } from '../../harness/closing.js';
import { mirrorOf } from '../../unit/report/mirror.js';
import { rawBusiness } from './raw-business.js';
import { FACTS } from './raw-facts.js';

export const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland'];
const PERIOD = { begins: Date.parse('2026-01-01T00:00:00Z') / 1000, ends: Date.parse('2027-01-01T00:00:00Z') / 1000 };

/** A column of a report, and the figure of the facts that it must be. */
export const FIGURES: readonly (readonly [report: string, column: string, figure: string])[] = [
  ['revenue', 'gross', 'gross'],
  ['revenue', 'refunds', 'refunds'],
  ['revenue', 'chargebacks', 'chargebacks'],
  ['revenue', 'fees', 'fees'],
  ['revenue', 'tax', 'tax'],
  ['revenue', 'shipping', 'shipping'],
  ['fees', 'fees', 'fees'],
  ['fees', 'gross', 'gross'],
  ['customers', 'paid', 'gross'],
  ['customers', 'refunds', 'refunds'],
  ['refunds', 'amount', 'refunds'],
  ['chargebacks', 'amount', 'chargebacks'],
  ['tax', 'collected', 'collected'],
  ['tax', 'refunded', 'refunded'],
  ['discounts', 'amount', 'discounts'],
  ['failures', 'attempted_amount', 'attempted'],
  ['failures', 'failed_amount', 'failed'],
];
const PLAIN = ['campaign', 'country', 'state', 'customer', 'payment_type'];
/** What a figure is not told by alone in another engine: a fee of a line, a share of a tax. */
const LEFT_OUT = new Set([
  'fees product',
  'chargebacks product',
  'collected gateway',
  'collected card.brand',
  'refunded gateway',
  'refunded card.brand',
  'tax gateway',
  'tax card.brand',
  'shipping gateway',
  'shipping card.brand',
]);

export const grouped = (name: string): GroupedReport => findReport(name) as GroupedReport;
export const asked = (by: readonly string[], tz = 'UTC', more: Partial<ReportQuestion> = {}): ReportQuestion => ({
  period: PERIOD,
  zone: zoneOf(tz),
  by,
  currency: undefined,
  overdueDays: 30,
  ...more,
});

type Cells = readonly (readonly unknown[])[];

/** The same items as a mirror, and as the facts that another engine makes of their JSON. */
export async function laid(seed: number): Promise<{ database: Database; duck: (sql: string) => Promise<Cells> }> {
  const lists = rawBusiness(seed);
  const folder = mkdtempSync(path.join(tmpdir(), 'cops-facts-'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  closeAfterTest({
    close: () => {
      connection.closeSync();
      rmSync(folder, { recursive: true, force: true });
    },
  });
  for (const [family, items] of Object.entries(lists)) {
    const file = path.join(folder, `${family}.ndjson`);
    writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    await connection.run(`CREATE TABLE ${family} AS SELECT json AS j FROM read_ndjson_objects('${file}')`);
  }
  for (const sql of FACTS) await connection.run(sql);
  const duck = async (sql: string) => (await connection.runAndReadAll(sql)).getRows() as unknown[][];
  return { database: await mirrorOf(lists), duck };
}

/** Sums by their keys, without those of nothing. */
export function sums(rows: Cells): Record<string, string> {
  const all = new Map<string, bigint>();
  for (const cells of rows) {
    const key = cells.slice(0, -1).map(String).join(' | ');
    all.set(key, (all.get(key) ?? 0n) + BigInt(String(cells.at(-1) ?? 0)));
  }
  return Object.fromEntries([...all].flatMap(([key, value]) => (value === 0n ? [] : [[key, String(value)]])).sort());
}

export type Duck = (sql: string) => Promise<Cells>;

/** A figure by a dimension: the column of a report, and what another engine makes of it. */
export interface Told {
  readonly name: string;
  readonly column: string;
  readonly word: string;
  readonly expected: Readonly<Record<string, string>>;
}

/** Each figure by each dimension that its report has, as the facts tell it. */
export async function toldByFacts(duck: Duck): Promise<Told[]> {
  const all: Told[] = [];
  for (const [name, column, figure] of FIGURES) {
    const tables: [string, string, string][] = [
      ...PLAIN.map((word): [string, string, string] => [word, 'plain', word]),
      ['product', 'by_product', 'product'],
      ['gateway', 'by_card', 'gateway'],
      ['card.brand', 'by_card', 'brand'],
    ];
    for (const [word, table, told] of tables) {
      if (!(word in grouped(name).groups) || LEFT_OUT.has(`${figure} ${word}`)) continue;
      const rows = await duck(
        `SELECT ${told}, currency, sum(value) FROM ${table} WHERE figure = '${figure}' GROUP BY 1, 2`,
      );
      all.push({ name, column, word, expected: sums(rows) });
    }
  }
  return all;
}

/** The same out of the mirror, with what its own proofs find. */
export function shown(database: Database, report: GroupedReport, { column, word }: Told) {
  const { rows, differences, inexact } = figuresOf(database, report, asked([word]));
  return { sums: sums(rows.map((row) => [row[word], row.currency, row[column]])), differences, inexact };
}

/** The months of a figure in a zone, as the facts tell them. */
export async function monthsByFacts(duck: Duck, figure: string, tz: string): Promise<Readonly<Record<string, string>>> {
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: tz, year: 'numeric', month: '2-digit' });
  const facts = await duck(`SELECT moment, currency, value FROM plain WHERE figure = '${figure}'`);
  return sums(facts.map(([at, currency, value]) => [month.format(Number(at) * 1000), currency, value]));
}
