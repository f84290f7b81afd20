import { rowKey } from './dimensions.js';
import type { Figures } from './figures.js';
import { NO_PARTS } from './partial-rows.js';
import type { ReportColumn } from './report-question.js';
import { nothingIn, type TextStyle, tableText } from './report-text.js';
import type { ReportRow, ReportValue } from './types.js';

/** How people see a section of the close: its heading, and how its rows become lines. */
interface Section {
  readonly name: string;
  readonly title: string;
  readonly lay: (rows: readonly ReportRow[]) => {
    readonly rows: readonly ReportRow[];
    readonly columns: readonly ReportColumn[];
  };
}

const text = (name: string): ReportColumn => ({ name, unit: 'text', about: '' });
const money = (name: string): ReportColumn => ({ name, unit: 'money', about: '' });
const count = (name: string): ReportColumn => ({ name, unit: 'count', about: '' });

const SECTIONS: readonly Section[] = [
  { name: 'totals', title: 'Totals', lay: (rows) => across(rows, ['currency', 'kind'], 'payments') },
  {
    name: 'pending',
    title: 'Started in this period and still pending, as of the last sync',
    lay: (rows) => ({ rows, columns: [text('line'), text('kind'), text('currency'), count('count'), money('amount')] }),
  },
  {
    name: 'checks',
    title: 'Paid according to items and taken according to payments',
    lay: (rows) => across(rows, ['currency']),
  },
  {
    name: 'difference',
    title: 'Differences',
    lay: (rows) => ({ rows, columns: [text('id'), text('kind'), text('currency'), money('amount'), text('line')] }),
  },
  {
    name: 'journal',
    title: 'Journal (--journal hledger or csv writes it)',
    lay: (rows) => ({ rows, columns: [text('currency'), count('count'), money('amount')] }),
  },
];

/** The close for people: one table per section, the lines of a currency side by side. */
export function closeText({ rows, statement }: Figures, look: TextStyle): string {
  return tables(SECTIONS, rows, statement, { ...look, wanted: 'net' });
}

/** A titled table for each section that has rows. */
function tables(
  sections: readonly Section[],
  all: readonly ReportRow[],
  { sql }: Figures['statement'],
  look: TextStyle,
): string {
  const parts = sections.flatMap(({ name, title, lay }) => {
    const own = all.filter(({ section }) => section === name);
    if (own.length === 0) return [];
    const { rows, columns } = lay(own);
    const keys = columns.filter(({ unit }) => unit === 'text').length;
    return [`${title}\n${tableText({ rows, statement: { sql, columns, keys }, ...UNPROVEN }, undefined, look)}`];
  });
  return parts.length === 0 ? nothingIn(look.period) : parts.join('\n');
}

/** Additions and changes to a locked month, and how the lock and the mirror compare. */
export function adjustmentsText({ rows, statement }: Figures, look: TextStyle): string {
  const ofTotals = ['line', 'currency', 'locked', 'adjustments', 'now'];
  const only = (name: string, title: string, isShown: (column: string) => boolean): Section => {
    const columns = statement.columns.filter((column) => isShown(column.name));
    return { name, title, lay: (own) => ({ rows: own, columns }) };
  };
  const sections = [
    only('totals', 'Locked and now', (column) => ofTotals.includes(column)),
    only('movement', 'Added or changed since', (column) => column !== 'section'),
  ];
  return tables(sections, rows, statement, { ...look, wanted: 'adjustments' });
}

/** Cohorts as people read them: a table per figure, with a row per cohort and a column per month. */
export function cohortText({ rows, statement }: Figures, look: TextStyle): string {
  const keys = statement.columns.slice(0, statement.keys);
  const [month, size, ...figures] = statement.columns.slice(statement.keys);
  if (rows.length === 0 || !month || !size) return nothingIn(look.period);
  const months = [...new Set(rows.map((row) => Number(row.month)))].sort((a, b) => a - b);
  const { parts = NO_PARTS } = look;
  const isPart = (row: ReportRow, column: string): boolean =>
    parts.isPart({ ...row, month: Number(column) }, column === 'cohort' ? column : 'month');
  const tables = figures.map((figure, at) => {
    const found = new Map<string, Record<string, ReportValue>>();
    for (const row of rows) {
      const key = rowKey(
        row,
        keys.map(({ name }) => name),
      );
      const laid = found.get(key) ?? { ...row };
      found.set(key, laid);
      laid[String(row.month)] = row[figure.name] ?? null;
    }
    const columns = [...keys, size, ...months.map((at) => ({ ...figure, name: String(at), title: `month ${at}` }))];
    const laid = { rows: [...found.values()], statement: { ...statement, columns } };
    const table = tableText({ ...laid, ...UNPROVEN }, undefined, {
      ...look,
      wanted: undefined,
      parts: { partial: at < figures.length - 1 ? [] : parts.partial, isPart },
    });
    return `${figure.name}: ${figure.about}\n${table}`;
  });
  return tables.join('\n');
}

const UNPROVEN = { differences: [], proofs: 0, inexact: 0 };

/** One row per key, with its lines as columns in order of appearance; `counted` names a column for the row's count. */
function across(rows: readonly ReportRow[], keys: readonly string[], counted?: string) {
  const lines = [...new Set(rows.map(({ line }) => String(line)))];
  const found = new Map<string, Record<string, ReportRow[string]>>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]));
    const laid = found.get(key) ?? Object.fromEntries(keys.map((name) => [name, row[name] ?? null]));
    found.set(key, laid);
    laid[String(row.line)] = row.amount ?? null;
    if (counted !== undefined && row.count !== null && row.count !== undefined) laid[counted] = row.count;
  }
  const columns = [...keys.map(text), ...(counted === undefined ? [] : [count(counted)]), ...lines.map(money)];
  return { rows: [...found.values()], columns };
}
