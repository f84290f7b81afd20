import type { Figures } from './figures.js';
import type { ReportColumn } from './report-question.js';
import { nothingIn, type TextStyle, tableText } from './report-text.js';
import type { ReportRow } from './types.js';

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
  const parts = SECTIONS.flatMap(({ name, title, lay }) => {
    const own = rows.filter(({ section }) => section === name);
    if (own.length === 0) return [];
    const laid = lay(own);
    const keys = laid.columns.filter(({ unit }) => unit === 'text').length;
    const figures = { rows: laid.rows, statement: { sql: statement.sql, columns: laid.columns, keys } };
    return [
      `${title}\n${tableText({ ...figures, differences: [], proofs: 0, inexact: 0 }, undefined, { ...look, wanted: 'net' })}`,
    ];
  });
  return parts.length === 0 ? nothingIn(look.period) : parts.join('\n');
}

/** Additions and changes to a locked month, and how the lock and the mirror compare. */
export function adjustmentsText({ rows, statement }: Figures, look: TextStyle): string {
  const parts = [
    ['totals', 'Locked and now', ['line', 'currency', 'locked', 'adjustments', 'now']],
    ['movement', 'Added or changed since', undefined],
  ] as const;
  const texts = parts.flatMap(([name, title, names]) => {
    const own = rows.filter(({ section }) => section === name);
    if (own.length === 0) return [];
    const columns = statement.columns.filter((column) =>
      names ? (names as readonly string[]).includes(column.name) : column.name !== 'section',
    );
    const keys = columns.filter(({ unit }) => unit === 'text').length;
    const figures = {
      rows: own,
      statement: { sql: statement.sql, columns, keys },
      differences: [],
      proofs: 0,
      inexact: 0,
    };
    return [`${title}\n${tableText(figures, undefined, { ...look, wanted: 'adjustments' })}`];
  });
  return texts.length === 0 ? nothingIn(look.period) : texts.join('\n');
}

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
