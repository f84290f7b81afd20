import type { Database } from '../../base/database/types.js';
import { type BookedEntry, balanceOf, HELD, journalOf, journalSql } from './bookings.js';
import { type Figures, figuresOf, proofOf, wholeUnits } from './figures.js';
import { REVENUE } from './money-reports.js';
import { unlikePayments } from './report-faults.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { SectionedReport, SectionQuery } from './sectioned-report.js';
import { statementOf } from './statement.js';
import type { Proof, ReportRow } from './types.js';

/** The views that the close reads. */
const CLOSE_VIEWS = ['report_bookings', 'report_differences', 'payments', 'refunds', 'report_salvage'];

const CLOSE_COLUMNS: readonly ReportColumn[] = [
  { name: 'section', unit: 'text', about: 'totals, pending, checks, difference or journal' },
  { name: 'line', unit: 'text', about: 'what is told' },
  { name: 'kind', unit: 'text', about: 'sale, renewal or trial; or all' },
  { name: 'currency', unit: 'text', about: 'ISO 4217 code' },
  { name: 'count', unit: 'count', about: 'how many' },
  { name: 'amount', unit: 'money', about: 'the amount' },
  { name: 'id', unit: 'text', about: 'the item with a difference' },
];

/** Ids of the items that count in a period, whenever they were created. */
function idsOfClose(database: Database, question: ReportQuestion): string[] {
  return database
    .query(
      `SELECT id FROM report_bookings WHERE ${within(question, 'at_unix')} UNION SELECT id FROM report_differences WHERE ${within(question, 'at_unix')}`,
    )
    .all()
    .map(([id]) => String(id));
}

const LINES = ['gross', 'refunds', 'chargebacks', 'fees', 'tax', 'shipping', 'net'] as const;

/** The whole month-end close, as rows of one table. */
function closeFigures(database: Database, question: ReportQuestion): Figures {
  const revenue = figuresOf(database, REVENUE, { ...question, by: ['kind'] });
  const totals = totalRows(revenue.rows);
  const checks = checkRows(database, question);
  const entries = journalOf(database, question);
  return {
    statement: { sql: revenue.statement.sql, columns: CLOSE_COLUMNS, keys: 4 },
    rows: [...totals, ...pendingRows(database, question), ...checks.rows, ...journalRows(entries)],
    differences: [...revenue.differences, ...journalFaults(entries, totals)],
    proofs: revenue.proofs + checks.rows.length + entries.length,
    inexact: revenue.inexact,
  };
}

export function totalRows(rows: readonly ReportRow[]): ReportRow[] {
  const sums = new Map<string, { count: bigint; values: bigint[] }>();
  for (const row of rows) {
    const currency = String(row.currency ?? '');
    for (const kind of [String(row.kind), 'all']) {
      const key = JSON.stringify([currency, kind]);
      const sum = sums.get(key) ?? { count: 0n, values: LINES.map(() => 0n) };
      sum.count += BigInt((row.payments as number | bigint | null) ?? 0);
      sum.values = sum.values.map((value, i) => value + BigInt((row[LINES[i] as string] as bigint | null) ?? 0n));
      sums.set(key, sum);
    }
  }
  return [...sums]
    .map(([key, sum]) => ({ at: JSON.parse(key) as [string, string], sum }))
    .sort(
      (a, b) =>
        a.at[0].localeCompare(b.at[0]) ||
        Number(a.at[1] === 'all') - Number(b.at[1] === 'all') ||
        a.at[1].localeCompare(b.at[1]),
    )
    .flatMap(({ at: [currency, kind], sum }) =>
      LINES.map((line, i) => ({
        section: 'totals',
        line,
        kind,
        currency: currency === '' ? null : currency,
        count: line === 'gross' ? sum.count : null,
        amount: sum.values[i] ?? 0n,
        id: null,
      })),
    );
}

/** All queries of the close, in order of its sections. */
function closeQueries(question: ReportQuestion): SectionQuery[] {
  return [
    { fills: 'totals', sql: statementOf(REVENUE, { ...question, by: ['kind'] }).sql },
    { fills: 'pending', sql: pendingSql(question) },
    { fills: 'checks', sql: checksSql(question) },
    { fills: 'difference', sql: differencesSql(question) },
    { fills: 'journal', sql: journalSql(question) },
  ];
}

const within = ({ period, currency }: ReportQuestion, at: string): string =>
  `${at} >= ${period.begins} AND ${at} < ${period.ends}${currency === undefined ? '' : ` AND currency = '${currency}'`}`;

function pendingSql(question: ReportQuestion): string {
  const during = (at: string): string => within(question, at);
  return `SELECT 'payments not settled' AS line, kind, currency, count(*) AS count, sum(paid_minor - settled_minor) AS amount_minor
  FROM payments WHERE ${during('paid_unix')} AND settled_minor <> paid_minor GROUP BY kind, currency
UNION ALL SELECT 'refunds not processed', 'all', currency, count(*), sum(amount_minor)
  FROM refunds WHERE ${during('created_unix')} AND status <> 'processed' GROUP BY currency
UNION ALL SELECT 'failed payments that can still be collected', 'all', currency, count(*), sum(open_minor)
  FROM report_salvage WHERE ${during('at_unix')} AND open_minor <> 0 GROUP BY currency
UNION ALL SELECT 'sales not charged', 'sale', currency, count(*), sum(amount_minor)
  FROM (SELECT iso_currency AS currency, amount_minor, created_date_unix FROM raw_sales WHERE status = 'pending')
  WHERE ${during('created_date_unix')} GROUP BY currency
ORDER BY 3, 1, 2`;
}

function pendingRows(database: Database, question: ReportQuestion): ReportRow[] {
  return database
    .query(pendingSql(question))
    .all()
    .map(([line, kind, code, count, amount]) => ({
      section: 'pending',
      line: String(line),
      kind: String(kind),
      currency: code as string | null,
      count: count as number,
      amount: amount === null ? null : BigInt(amount as number | bigint),
      id: null,
    }));
}

/** Everything pending, whenever it began, if that is more than the period's own: one sentence, or none. */
function pendingTexts(database: Database, question: ReportQuestion, { rows }: Figures): string[] {
  const all = pendingRows(database, { ...question, period: { begins: 0, ends: Number.MAX_SAFE_INTEGER } });
  const countOf = (some: readonly ReportRow[]) =>
    some.filter(({ section }) => section === 'pending').reduce((sum, { count }) => sum + Number(count), 0);
  if (countOf(all) === countOf(rows)) return [];
  const lines = [...new Set(all.map(({ line }) => String(line)))].map((line) => {
    const own = all.filter((row) => row.line === line);
    const sums = new Map<string, bigint>();
    for (const { currency, amount } of own)
      if (currency !== null && amount !== null)
        sums.set(String(currency), (sums.get(String(currency)) ?? 0n) + (amount as bigint));
    const amounts = [...sums].map(([code, minor]) => `${wholeUnits(minor, code)} ${code}`).join(', ');
    return `${countOf(own)} ${line} (${amounts})`;
  });
  return [`pending counts only what started in the period; in total, ${lines.join('; ')}`];
}

const checksSql = (
  question: ReportQuestion,
): string => `SELECT currency, count(*) AS count, sum(items_minor) AS items_minor,
  sum(payments_minor) AS payments_minor, sum(difference_minor) AS difference_minor, sum(difference_minor IS NOT 0) AS differing
FROM report_differences WHERE ${within(question, 'at_unix')} GROUP BY currency ORDER BY currency`;

const differencesSql = (
  question: ReportQuestion,
): string => `SELECT kind, currency, difference_minor, id, items_minor, payments_minor FROM report_differences
WHERE ${within(question, 'at_unix')} AND difference_minor IS NOT 0 ORDER BY currency, kind, id`;

const OTHER_CURRENCY = 'a chargeback in another currency than its payment';

/** Differences in the data are rows of the report, not faults of its figures. */
function checkRows(database: Database, question: ReportQuestion): { rows: ReportRow[] } {
  const big = (value: unknown): bigint | null => (value === null ? null : BigInt(value as number | bigint));
  const sums = database
    .query(checksSql(question))
    .all()
    .flatMap(([code, count, items, payments, difference, differing]) =>
      (
        [
          ['what items say was paid', count, items],
          ['what payments say was taken', count, payments],
          ['difference', differing, difference],
        ] as const
      ).map(([line, many, amount]) => ({
        section: 'checks',
        line,
        kind: 'all',
        currency: code as string | null,
        count: many as number,
        amount: big(amount),
        id: null,
      })),
    );
  const found = database
    .query(differencesSql(question))
    .all()
    .map(([kind, code, difference, id, items]) => ({
      section: 'difference',
      line:
        kind === 'chargeback' ? OTHER_CURRENCY : items === 0 ? 'a payment that nothing names' : 'paid and taken differ',
      kind: String(kind),
      currency: code as string | null,
      count: 1,
      amount: big(difference),
      id: String(id),
    }));
  return { rows: [...sums, ...found] };
}

function journalRows(entries: readonly BookedEntry[]): ReportRow[] {
  const debits = new Map<string, { count: number; sum: bigint }>();
  for (const { currency, postings } of entries) {
    const debit = debits.get(currency) ?? { count: 0, sum: 0n };
    debit.count += 1;
    for (const { minor } of postings) if (minor > 0n) debit.sum += minor;
    debits.set(currency, debit);
  }
  const sorted = [...debits].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([currency, { count, sum }]) => ({
    section: 'journal',
    line: 'entries and their debits',
    kind: 'all',
    currency,
    count,
    amount: sum,
    id: null,
  }));
}

/**
 * Each entry adds up to zero, and the processor's account equals what the totals leave: net plus the tax and shipping
 * owed.
 */
export function journalFaults(entries: readonly BookedEntry[], totals: readonly ReportRow[]): Proof[] {
  const assets = new Map<string, bigint>();
  const faults = entries.flatMap((entry) => {
    const { currency, day, kind, postings } = entry;
    for (const { account, minor } of postings)
      if (account.startsWith(HELD)) assets.set(currency, (assets.get(currency) ?? 0n) + minor);
    const balance = balanceOf(entry);
    return balance === 0n ? [] : [proofOf(`entry ${day} ${kind} adds up to zero`, currency, balance, 0n)];
  });
  const all = totals.filter(({ kind, currency }) => kind === 'all' && currency !== null);
  for (const currency of new Set(all.map((row) => String(row.currency)))) {
    const sum = all
      .filter((row) => row.currency === currency && ['net', 'tax', 'shipping'].includes(String(row.line)))
      .reduce((value, row) => value + (row.amount as bigint), 0n);
    const held = assets.get(currency) ?? 0n;
    if (held !== sum) faults.push(proofOf(`${HELD} of the journal = net + tax + shipping`, currency, held, sum));
  }
  return faults;
}

export const CLOSE: SectionedReport = {
  kind: 'sections',
  name: 'close',
  definition:
    'totals are those of `cops report revenue`, by kind and for all kinds. pending is what the period started and the mirror ' +
    'shows as not yet settled, processed or collected. checks compare what sales, renewals and trials say was paid ' +
    'with what their payments (card, wallet, check, offline) say was taken. A difference names each item that does not agree, ' +
    'each payment that no item names, and each chargeback in another currency than its payment. journal is the number of entries and the sum of their debits: each entry adds up to zero. ' +
    'Each payment method has an account: assets:processor:card, :check, :wallet and :offline (paid elsewhere, only booked). ' +
    'A refund, even an offsite one, leaves the account that its payment went into.',
  basis:
    'Days as in `cops report revenue`. Pending is as of the last sync, not the end of the month: the service does not show when a payment was settled. ' +
    'The rows of the period, and those that refer to them, are read again until two passes agree, at most three times; rows that ' +
    'still change are named, with exit code 10. A file named by --mirror is read as it is. ' +
    '--lock freezes a month that is over, was synced after its end and has no differences: its rows, figures, zone and definitions ' +
    'go into a separate file. --as closed answers from that file, whatever is synced later. --adjustments is what was added or ' +
    'changed in the month since: locked + adjustments = now. Its day is the date the service gives the item, or for a ' +
    'change the day the mirror first saw it (day_of says which). --adjustments --journal books them, each on the day first seen, ' +
    'never within the locked month; a later one holds those of an earlier one too, and replaces it.',
  takes: ['journal', 'lock', 'unlock', 'adjustments', 'restore'],
  leavesOut: ['unpaid'],
  range: 'month',
  views: CLOSE_VIEWS,
  columns: CLOSE_COLUMNS,
  figures: closeFigures,
  queries: closeQueries,
  counted: idsOfClose,
  text: async (figures, look) => (await import('./sections-text.js')).closeText(figures, look),
  notes: pendingTexts,
  fault: unlikePayments,
};
