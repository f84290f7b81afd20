import type { Database } from '../../base/database/types.js';
import { minorDigits } from '../../items/schema/types.js';
import { DAYS } from '../mirror/kept-facts.js';
import { isShown } from '../mirror/views.js';
import { rowKey } from './dimensions.js';
import { isAdditive } from './measures.js';
import type { ReportColumn, ReportQuestion, ReportStatement } from './report-question.js';
import { statementOf, withPeriod } from './statement.js';
import type { Proof, Report, ReportRow, ReportValue, SumRelation } from './types.js';

/** A report's answer: rows with money in minor units, and their proof. */
export interface Figures {
  readonly statement: ReportStatement;
  readonly rows: readonly ReportRow[];
  /** The same without groups, one row per currency; absent if there is nothing to add up. */
  readonly totals?: readonly ReportRow[];
  /** Figures that differ when computed in two ways; empty if all is proven. */
  readonly differences: readonly Proof[];
  /** How many equalities were checked. */
  readonly proofs: number;
  /**
   * How many rows have an amount that is finer than the minor unit, has no currency, or is missing: sums lack these.
   */
  readonly inexact: number;
}

/** Queries the mirror and proves the answer. */
export function figuresOf(database: Database, report: Report, asked: ReportQuestion): Figures {
  const question = { ...asked, hasDays: isShown(database, DAYS) };
  const statement = statementOf(report, question);
  const rows = rowsOf(database, statement);
  const differences: Proof[] = [];
  let proofs = 0;
  for (const row of rows) {
    for (const relation of report.relations) {
      proofs += 1;
      differences.push(...relationFault(row, relation, statement.columns));
    }
  }
  // A part has no control of its own: the controls apply to the whole.
  const whole =
    question.where && report.controls ? rowsOf(database, statementOf(report, { ...question, ...WHOLE })) : rows;
  for (const [name, control] of Object.entries(report.controls ?? {})) {
    const found = controlFaults(database, whole, {
      name,
      sql: withPeriod(control, question.period),
      currency: question.currency,
    });
    proofs += found.proofs;
    differences.push(...found.differences);
  }
  const carried = carriedFaults(report, rows, question.by);
  proofs += carried.proofs;
  differences.push(...carried.differences);
  const shown = onlyOf(rows, question);
  const totals = totalsOf(database, report, question, shown);
  const parts = partsFaults(report, question.only ? [] : rows, totals.totals ?? []);
  proofs += parts.proofs;
  differences.push(...parts.differences);
  return { statement, rows: shown, ...totals, differences, proofs, inexact: inexactRows(database, report, question) };
}

/** A month must begin with the figure that the previous one ended with, if both are known. */
export function carriedFaults(
  report: Report,
  rows: readonly ReportRow[],
  by: readonly string[] = [],
): { proofs: number; differences: Proof[] } {
  const { carries } = report.kind === 'own' ? report : {};
  if (carries === undefined) return { proofs: 0, differences: [] };
  const ends = new Map<string, { readonly month: ReportValue; readonly end: bigint | undefined }>();
  const differences: Proof[] = [];
  let proofs = 0;
  const amount = (value: ReportValue | undefined): bigint | undefined =>
    typeof value === 'bigint' ? value : undefined;
  for (const row of rows) {
    const currency = String(row.currency ?? '');
    const key = rowKey(row, ['currency', ...by.filter((word) => word !== 'month')]);
    const before = ends.get(key);
    const start = amount(row[carries.start]);
    if (before?.end !== undefined && start !== undefined) {
      proofs += 1;
      const says = `${carries.start} of ${row.month} = ${carries.end} of ${before.month}`;
      if (start !== before.end) differences.push(proofOf(says, currency, start, before.end));
    }
    ends.set(key, { month: row.month ?? null, end: amount(row[carries.end]) });
  }
  return { proofs, differences };
}

/** Overrides that turn a question into one about the whole. */
const WHOLE = { by: ['currency'], where: undefined, top: undefined, only: undefined };

/** Compares sums over the rows with the ungrouped figure: the parts must add up to the whole. */
export function partsFaults(
  report: Report,
  rows: readonly ReportRow[],
  totals: readonly ReportRow[],
): { proofs: number; differences: Proof[] } {
  const differences: Proof[] = [];
  let proofs = 0;
  if (rows.length === 0) return { proofs, differences };
  for (const { name, unit } of partsOf(report)) {
    for (const total of totals) {
      const own = rows.filter((row) => partOf(row, total));
      if ([...own, total].some((row) => row[name] === null)) continue;
      const sum = own.reduce((all, row) => all + BigInt((row[name] as bigint | number | null) ?? 0), 0n);
      const figure = BigInt((total[name] as bigint | number | null) ?? 0);
      proofs += 1;
      if (sum !== figure)
        differences.push(
          proofOf(
            `sum of ${name} over the rows = the whole`,
            String(total.currency ?? ''),
            sum,
            figure,
            unit === 'money',
          ),
        );
    }
  }
  return { proofs, differences };
}

/** What rows and their total share: a report by months has a total of each. */
const WHOLE_OF = ['currency', 'month', 'method'] as const;

/** Whether a total counts a row. */
export const partOf = (row: ReportRow, total: ReportRow): boolean =>
  WHOLE_OF.every((of) => (row[of] ?? null) === (total[of] ?? row[of] ?? null));

/** The columns whose rows add up to the whole. */
function partsOf(report: Report): readonly ReportColumn[] {
  if (report.kind === 'grouped') return report.measures.filter(isAdditive);
  return report.columns.filter(({ name }) => report.parts?.includes(name));
}

const onlyOf = (rows: ReportRow[], { only }: ReportQuestion): ReportRow[] =>
  only === undefined ? rows : rows.filter((row) => row[only.group] === only.value);

/** Queried, not added up: percentages do not add up. */
function totalsOf(
  database: Database,
  report: Report,
  question: ReportQuestion,
  rows: readonly ReportRow[],
): Pick<Figures, 'totals'> {
  const currencies = new Set(rows.map(({ currency }) => currency));
  if (report.kind === 'own') {
    if (report.adds) return addedUp(rows, [report.adds.of], report.adds.columns);
    const isWhole = question.by.every((word) => word === 'month' || word === 'currency');
    if (isWhole || !report.parts || rows.length === 0) return {};
    const totals = rowsOf(database, statementOf(report, { ...question, by: [] }));
    const isOneMonth = new Set(totals.map(({ month }) => month)).size === 1;
    return { totals: isOneMonth ? totals.map((row) => ({ ...row, month: null })) : totals };
  }
  if (currencies.size === rows.length) return {};
  const by = [...(question.only ? [question.only.group] : []), 'currency'];
  return { totals: onlyOf(rowsOf(database, statementOf(report, { ...question, by })), question) };
}

/**
 * The sums of columns over rows with the same values of these words and one currency; none where each row is unique.
 */
export function addedUp(
  rows: readonly ReportRow[],
  of: readonly string[],
  columns: readonly string[],
): Pick<Figures, 'totals'> {
  const names = [...of, 'currency'];
  const sums = new Map<string, Record<string, ReportValue>>();
  for (const row of rows) {
    const key = JSON.stringify(names.map((name) => row[name] ?? null));
    const sum =
      sums.get(key) ?? Object.fromEntries(names.map((name): [string, ReportValue] => [name, row[name] ?? null]));
    for (const name of columns) {
      const [before, more] = [sum[name] ?? null, row[name] ?? null];
      if (typeof more === 'bigint') sum[name] = more + (typeof before === 'bigint' ? before : 0n);
      else if (more !== null) sum[name] = Number(more) + Number(before ?? 0);
    }
    sums.set(key, sum);
  }
  const totals = [...sums.values()];
  // One kind needs no name.
  const isOne = (name: string): boolean => new Set(totals.map((row) => row[name])).size === 1;
  const shared = Object.fromEntries(of.filter(isOne).map((name) => [name, null]));
  return sums.size === rows.length ? {} : { totals: totals.map((row) => ({ ...row, ...shared })) };
}

/** Rows of a statement under their public names: `gross_minor` becomes `gross`. */
export function rowsOf(database: Database, { sql, columns }: ReportStatement): ReportRow[] {
  const query = database.query(sql);
  const names = query.columns.map((name) => {
    const short = name.replace(/_minor$/, '');
    return columns.some((column) => column.name === short && column.unit === 'money') ? short : name;
  });
  const money = new Set(columns.filter(({ unit }) => unit === 'money').map(({ name }) => name));
  return query.all().map((cells) =>
    Object.fromEntries(
      cells.map((cell, i): [string, ReportValue] => {
        const name = names[i] as string;
        if (cell === null || typeof cell === 'string') return [name, cell];
        return [name, money.has(name) ? BigInt(cell as number | bigint) : (cell as number | bigint)];
      }),
    ),
  );
}

function relationFault(row: ReportRow, { total, plus, minus }: SumRelation, columns: readonly ReportColumn[]): Proof[] {
  const value = (name: string): bigint | undefined => {
    const found = row[name];
    return found === null || found === undefined ? undefined : BigInt(found as number | bigint);
  };
  const parts = [total, ...plus, ...minus].map(value);
  if (parts.includes(undefined)) return [];
  const sum = (names: readonly string[]): bigint => names.reduce((all, name) => all + (value(name) as bigint), 0n);
  const expected = sum(plus) - sum(minus);
  const figure = value(total) as bigint;
  if (figure === expected) return [];
  const isMoney = columns.some(({ name, unit }) => name === total && unit === 'money');
  const says = `${total} = ${[...plus.map((name) => `+ ${name}`), ...minus.map((name) => `- ${name}`)].join(' ').replace(/^\+ /, '')}`;
  return [proofOf(says, String(row.currency ?? ''), figure, expected, isMoney)];
}

/** A figure that differs when computed in two ways. */
export function proofOf(says: string, currency: string, figure: bigint, expected: bigint, isMoney = true): Proof {
  const shown = (value: bigint): string => (isMoney ? wholeUnits(value, currency) : String(value));
  return { says, currency, figure: shown(figure), expected: shown(expected), difference: shown(figure - expected) };
}

/** Compares the sum over the rows with the sum over the tables. */
function controlFaults(
  database: Database,
  rows: readonly ReportRow[],
  { name, sql, currency }: { readonly name: string; readonly sql: string; readonly currency: string | undefined },
): { proofs: number; differences: Proof[] } {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const key = String(row.currency ?? '');
    sums.set(key, (sums.get(key) ?? 0n) + BigInt((row[name] as bigint | null) ?? 0n));
  }
  const expected = new Map<string, bigint>();
  for (const [code, value] of database.query(sql).all()) {
    if (currency !== undefined && code !== currency) continue;
    expected.set(String(code ?? ''), BigInt((value as number | bigint | null) ?? 0));
  }
  const currencies = [...new Set([...sums.keys(), ...expected.keys()])];
  const differences = currencies
    .filter((code) => (sums.get(code) ?? 0n) !== (expected.get(code) ?? 0n))
    .map((code) =>
      proofOf(
        `sum of ${name} over the rows = sum over the tables`,
        code,
        sums.get(code) ?? 0n,
        expected.get(code) ?? 0n,
      ),
    );
  return { proofs: currencies.length, differences };
}

/** How many rows of the view have an amount that is NULL. */
export function inexactRows(database: Database, report: Report, { period, currency }: ReportQuestion): number {
  if (report.kind !== 'grouped') return 0;
  const names = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(report.view)
    .map(([name]) => String(name))
    .filter((name) => name.endsWith('_minor') && report.measures.some(({ sql }) => sql.includes(`v.${name}`)));
  if (names.length === 0) return 0;
  const missing = names.map((name) => `v.${name} IS NULL`).join(' OR ');
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  const at = `v.${report.at}`;
  const meant = report.filter === undefined ? '' : ` AND (${report.filter})`;
  const sql = `SELECT count(*) FROM ${report.view} AS v WHERE ((${at} >= ${period.begins} AND ${at} < ${period.ends}) OR ${at} IS NULL)${only}${meant} AND (${missing} OR ${at} IS NULL)`;
  return Number(database.query(sql).get()?.[0] ?? 0);
}

/** An amount in minor units as a decimal number in its currency: 1234 USD is 12.34. */
export function wholeUnits(minor: bigint, currency: string): string {
  const digits = minorDigits(currency) ?? 0;
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minor < 0n ? `-${whole}` : whole;
}
