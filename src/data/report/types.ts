import type { ReportName } from './report-names.js';

/** What a column of a report holds. Money is in the currency's minor unit in SQL, and in whole units outside of it. */
export type ColumnUnit = 'money' | 'count' | 'percent' | 'text' | 'moment';

export interface ReportMeasure {
  /** The name outside; in SQL a column of money is called `<name>_minor`. */
  readonly name: string;
  /** What heads it in tables and pages, where that is not its name. */
  readonly title?: string;
  readonly unit: ColumnUnit;
  /** An expression over the view, `v`. */
  readonly sql: string;
  /** One line of meaning. */
  readonly about: string;
}

/** A sum that holds in each row: `total` is what the parts, each added or taken away, come to. */
export interface SumRelation {
  readonly total: string;
  readonly plus: readonly string[];
  readonly minus: readonly string[];
}

/** What a report says of itself. */
export interface ReportTexts {
  readonly name: ReportName;
  /** What its figures are. */
  readonly definition: string;
  /** Which day a thing counts on, and what is in and out. */
  readonly basis: string;
  /** Where others define it, and where this differs. */
  readonly rule?: string;
  /** Options that are not for all reports. */
  readonly takes?: readonly OwnOption[];
  /** What its figures are without, where somebody could look for it. */
  readonly leavesOut?: 'unpaid' | 'not-counted-subscriptions';
}

/** Options of some reports alone, by the parser's names. */
export type OwnOption =
  | 'overdueDays'
  | 'withTrials'
  | 'journal'
  | 'lock'
  | 'unlock'
  | 'adjustments'
  | 'restore'
  | 'next';

interface AnyReport extends ReportTexts {
  /** Words of `--by` beside those of time, each with its expression. */
  readonly groups: Readonly<Record<string, string>>;
  /** Why it is not told by some dimension. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Without a range: everything, or the current month. */
  readonly range: 'month' | 'all';
  readonly relations: readonly SumRelation[];
  /** For measures: what they must come to in the period, by currency, told by other tables. Columns currency, value. */
  readonly controls?: Readonly<Record<string, string>>;
  /** The measure that is drawn. */
  readonly drawn: string;
}

/** A report that groups the rows of one view. */
export interface GroupedReport extends AnyReport {
  readonly kind: 'grouped';
  /** The view it reads. */
  readonly view: string;
  /** The column of the view that a period is cut by, unix seconds. */
  readonly at: string;
  /** Which rows of the view are meant, a condition over `v`; all of them where absent. */
  readonly filter?: string;
  /** True where a payment may have several gateways and cards: the view's `paid_by` leads to its shares. */
  readonly splits?: true;
  /** Groups that are there where no others are asked for, in front of the currency. */
  readonly always?: readonly string[];
  readonly measures: readonly ReportMeasure[];
  /** The measure by which rows are ordered, the largest first; the one that is drawn where absent. */
  readonly ordered?: string;
}

/** A report with a query of its own. */
export interface OwnReport extends AnyReport {
  readonly kind: 'own';
  readonly views: readonly string[];
  /** Whether its rows are always one a month: a period is cut by months. */
  readonly monthly: boolean;
  /** The columns that tell a row where it has no months of its own, in front of its groups; the cohort where absent. */
  readonly leads?: readonly Omit<ReportMeasure, 'sql'>[];
  /** True of figures of one moment: there is no range, and `--as-of` says which. */
  readonly isOfMoment?: true;
  readonly columns: readonly Omit<ReportMeasure, 'sql'>[];
  readonly query: (input: OwnInput) => string;
  /** The column at the end of a row's month that the one at the start of the next must be. */
  readonly carries?: { readonly end: string; readonly start: string };
}

export interface OwnInput {
  /** Pieces of the period, each with its label; the ends are not inside. */
  readonly buckets: readonly Bucket[];
  readonly groups: readonly string[];
  readonly currency: string | undefined;
  /** Days after which an overdue subscription counts as gone. */
  readonly overdueDays: number;
  /** Subscriptions count while their trial is not paid as well. */
  readonly withTrials: boolean;
  /** The moment was named: what is told is how it was then, not how it is now. */
  readonly isPast: boolean;
}

export interface Bucket {
  readonly label: string;
  readonly begins: number;
  readonly ends: number;
}

export type Report = GroupedReport | OwnReport;

/** A cell: exact. Money is in minor units. */
export type ReportValue = bigint | number | string | null;
export type ReportRow = Readonly<Record<string, ReportValue>>;

/** Two ways to one figure. */
export interface Proof {
  readonly says: string;
  readonly currency: string;
  readonly figure: string;
  readonly expected: string;
  readonly difference: string;
}
