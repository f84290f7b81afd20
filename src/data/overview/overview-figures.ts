import type { Database } from '../../base/database/types.js';
import type { Zone } from '../../base/time/zones.js';
import { wordList } from '../../catalogue/references.js';
import { familiesOf } from '../mirror/views.js';
import { type Figures, figuresOf, wholeUnits } from '../report/figures.js';
import { CHARGEBACKS, FAILURES, RECOVERY, REFUNDS, REVENUE, TRIALS } from '../report/money-reports.js';
import { unpaidNotes } from '../report/omissions.js';
import { cutPeriod, type ReportPeriod } from '../report/period.js';
import type { GroupedReport, ReportRow } from '../report/types.js';

/** The kinds that the overview counts, in display order. */
export const KINDS = ['sales', 'renewals', 'failures', 'refunds', 'chargebacks', 'trials', 'salvage'] as const;
export type Kind = (typeof KINDS)[number];

/** The source of a kind's figures: columns of the report that defines them. */
interface Meaning {
  readonly report: GroupedReport;
  readonly count: string;
  readonly amount: string;
  /** The report's rows of this kind; absent for all of them. */
  readonly only?: string;
}

/** The overview has no definitions of its own. */
export const MEANINGS: Readonly<Record<Kind, Meaning>> = {
  sales: { report: REVENUE, only: 'sale', count: 'payments', amount: 'gross' },
  renewals: { report: REVENUE, only: 'renewal', count: 'payments', amount: 'gross' },
  failures: { report: FAILURES, count: 'failed', amount: 'failed_amount' },
  refunds: { report: REFUNDS, count: 'refunds', amount: 'amount' },
  chargebacks: { report: CHARGEBACKS, count: 'chargebacks', amount: 'amount' },
  trials: { report: TRIALS, count: 'begun', amount: 'paid' },
  salvage: { report: RECOVERY, count: 'failed', amount: 'failed_amount' },
};

const REPORTS = [...new Set(Object.values(MEANINGS).map(({ report }) => report))];

/** The lists that these figures are computed from. */
export const FAMILIES = wordList(
  'sales subscription_renewals transactions pending_refunds chargebacks trials salvage_transactions',
);

/** Why sales, renewals and trials do not add up to the revenue of the same time. */
const OF_TRIALS =
  'trials count on the day they began, with what they have brought since; payments for trials that ended in this time are in cops report revenue';

/** All tables that the reports name; those that no figure above uses stay empty. */
export const TABLES: readonly string[] = familiesOf(REPORTS.map(({ view }) => view));

/** Count and sum of one kind in one currency. */
export interface Figure {
  readonly kind: Kind;
  /** ISO 4217, or an empty string for items without a currency. */
  readonly currency: string;
  readonly count: number;
  /** Exact, with the decimals of the currency. */
  readonly amount: string;
}

export interface DayFigure extends Figure {
  /** `2026-01-31`, in the zone in use. */
  readonly day: string;
}

export interface Overview {
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly tz: string;
  readonly days: readonly string[];
  readonly totals: readonly Figure[];
  readonly by_day: readonly DayFigure[];
}

/**
 * Runs the reports by day, over a database with their tables.
 * @throws CopsError `usage` for more days than a report can show
 */
export function overviewOf(database: Database, period: ReportPeriod, zone: Zone) {
  const answers = new Map<GroupedReport, Figures>();
  for (const report of REPORTS) {
    const by = ['day', ...(report.always ?? [])];
    answers.set(report, figuresOf(database, report, { period, zone, by, currency: undefined, overdueDays: 30 }));
  }
  const byDay: DayFigure[] = [];
  const totals: Figure[] = [];
  for (const kind of KINDS) {
    const { report, only, count, amount } = MEANINGS[kind];
    const rows = (answers.get(report) as Figures).rows.filter((row) => only === undefined || row.kind === only);
    byDay.push(...figures(rows, { kind, count, amount }, (row) => String(row.day)).map(dayFigure));
    totals.push(...figures(rows, { kind, count, amount }, () => '').map(({ day: _, ...figure }) => figure));
  }
  return {
    overview: {
      from: period.begins,
      to: period.ends - 1,
      tz: zone.name,
      days: cutPeriod(period, 'day', zone).map(({ label }) => label),
      totals,
      by_day: byDay.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    },
    /** Figures that differ when computed in two ways. */
    differences: [...answers.values()].flatMap(({ differences }) => differences),
    /** Rows with an amount that is missing or finer than its minor unit, or without a currency or time. */
    inexact: [...answers.values()].reduce((sum, one) => sum + one.inexact, 0),
    /** What the figures leave out, in words. */
    notes: [
      ...unpaidNotes(database, { period, currency: undefined }, ['sale', 'renewal']),
      ...(totals.some(({ kind, amount }) => kind === 'trials' && Number(amount) !== 0) ? [OF_TRIALS] : []),
    ],
  };
}

const dayFigure = ({ day, ...figure }: DayFigure): DayFigure => ({ day, ...figure });

type Columns = Pick<Meaning, 'count' | 'amount'> & { readonly kind: Kind };

/** Sums rows by day and currency, without those that count nothing. */
function figures(
  rows: readonly ReportRow[],
  { kind, count, amount }: Columns,
  dayOf: (row: ReportRow) => string,
): DayFigure[] {
  const sums = new Map<string, { day: string; currency: string; count: number; amount: bigint }>();
  for (const row of rows) {
    const [day, currency] = [dayOf(row), String(row.currency ?? '')];
    const key = `${day} ${currency}`;
    const sum = sums.get(key) ?? { day, currency, count: 0, amount: 0n };
    sum.count += Number(row[count] ?? 0);
    sum.amount += BigInt(row[amount] ?? 0);
    sums.set(key, sum);
  }
  return [...sums.values()]
    .filter((sum) => sum.count > 0 || sum.amount !== 0n)
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
    .map((sum) => ({ ...sum, kind, amount: wholeUnits(sum.amount, sum.currency) }));
}
