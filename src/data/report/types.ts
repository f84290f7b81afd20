import type { Zone } from '../../base/time/zones.js';
import type { ReportName } from './report-names.js';

/** What a column of a report holds. Money is in the currency's minor unit in SQL, and in whole units elsewhere. */
export type ColumnUnit = 'money' | 'count' | 'percent' | 'text' | 'moment';

export interface ReportMeasure {
  /** The public name; in SQL a money column is called `<name>_minor`. */
  readonly name: string;
  /** The heading in tables and pages, if it differs from the name. */
  readonly title?: string;
  readonly unit: ColumnUnit;
  /** An expression over the view, `v`. */
  readonly sql: string;
  /** One line that explains it. */
  readonly about: string;
}

/** A sum that holds in each row: `total` equals the parts, each added or subtracted. */
export interface SumRelation {
  readonly total: string;
  readonly plus: readonly string[];
  readonly minus: readonly string[];
}

/** The texts that describe a report. */
export interface ReportTexts {
  readonly name: ReportName;
  /** What its figures are. */
  readonly definition: string;
  /** On which day a thing counts, and what is included and excluded. */
  readonly basis: string;
  /** Where others define it, and how this differs. */
  readonly rule?: string;
  /** Options that only some reports take. */
  readonly takes?: readonly OwnOption[];
  /** What its figures leave out although somebody may look for it. */
  readonly leavesOut?: readonly LeftOut[];
}

export type LeftOut =
  | 'unpaid'
  | 'not-counted-subscriptions'
  | 'debtors'
  | 'kinds-of-failure'
  | 'fees-refunded'
  | 'untried'
  | 'days-of-payments'
  | 'number-sold'
  | 'untaxed'
  | 'one-day'
  | 'again-within'
  | 'begun';

/** Options of only some reports, by the parser's names. */
export type OwnOption =
  | 'overdueDays'
  | 'withTrials'
  | 'journal'
  | 'lock'
  | 'unlock'
  | 'adjustments'
  | 'restore'
  | 'next'
  | 'buckets';

interface AnyReport extends ReportTexts {
  /** Words for `--by` besides those of time, each with its expression. */
  readonly groups: Readonly<Record<string, string>>;
  /** Why it cannot be grouped by some dimensions. */
  readonly refused?: Readonly<Record<string, string>>;
  /** The default range: everything, or the current month. */
  readonly range: 'month' | 'all';
  readonly relations: readonly SumRelation[];
  /**
   * For measures: what they must add up to in the period, by currency, computed from other tables. Columns currency,
   * value.
   */
  readonly controls?: Readonly<Record<string, string>>;
  /** The measure to draw. */
  readonly drawn: string;
}

/** A report that groups the rows of one view. */
export interface GroupedReport extends AnyReport {
  readonly kind: 'grouped';
  /** The view it reads. */
  readonly view: string;
  /** The column of the view that a period is cut by, unix seconds. */
  readonly at: string;
  /** The rows of the view that count, as a condition over `v`; all of them if absent. */
  readonly filter?: string;
  /** True if a payment may have several gateways and cards: the view's `paid_by` leads to its shares. */
  readonly splits?: true;
  /** Groups in effect unless the line names others, in front of the currency. */
  readonly always?: readonly string[];
  readonly measures: readonly ReportMeasure[];
  /** Words that separate what a rate counts from what it does not: within one of their values it means nothing. */
  readonly outcomes?: readonly string[];
  /** The variant with rates, for lines that name one of its figures. */
  readonly rated?: GroupedReport;
  /** The measure that orders the rows, largest first; the one to draw if absent. */
  readonly ordered?: string;
}

/** A report with a query of its own. */
export interface OwnReport extends AnyReport {
  readonly kind: 'own';
  readonly views: readonly string[];
  /** Those of them that several of its questions read: their rows are computed once. */
  readonly holds?: readonly string[];
  /** The views that only some words of `--by` need. */
  readonly viewsOfGroups?: Readonly<Record<string, string>>;
  /** True if it always has one row per month: the period is cut by months. */
  readonly monthly: boolean;
  /** The columns that identify a row without months of its own, in front of its groups; the cohort if absent. */
  readonly leads?: readonly Omit<ReportMeasure, 'sql'>[];
  /** True for figures of one moment: there is no range, and `--as-of` names the moment. */
  readonly isOfMoment?: true;
  readonly columns: readonly Omit<ReportMeasure, 'sql'>[];
  readonly query: (input: OwnInput) => string;
  /** What may be added up: these columns, of rows with the same word in `of` and one currency. */
  readonly adds?: { readonly of: string; readonly columns: readonly string[] };
  /** What `--where` is about; none is taken without it. */
  readonly conditions?: ConditionedView;
  /** Columns that add up to those of the whole, by whatever words. */
  readonly parts?: readonly string[];
  /** The column that counts customers, each of whom may be in several rows. */
  readonly counted?: string;
  /** True if its rows are months of a cohort. */
  readonly cohorts?: true;
  /** The column for the end of a row's month, and the column for the start of the next month that must equal it. */
  readonly carries?: { readonly end: string; readonly start: string };
}

/** A condition of `--having` on a figure of the rows. */
export interface FigureCondition {
  readonly figure: string;
  readonly operator: string;
  /** The number without its point, and how many of its digits are decimals. */
  readonly digits: bigint;
  readonly decimals: number;
}

/** A condition on the rows of a fact. */
export interface FactCondition {
  readonly sql: string;
  /** The dimensions that it tests. */
  readonly groups: readonly string[];
  /** The values of texts that it asks for. */
  readonly values: readonly FactValue[];
}

/** A value that a row may have. */
export interface FactValue {
  /** `status=pending`. */
  readonly text: string;
  /** The text that is compared, over the view `v`. */
  readonly of: string;
  /** True of a row that has it. */
  readonly sql: string;
  /** True of a row that has all of the values with their commas as a single one. */
  readonly whole?: string | undefined;
}

/** A view whose rows conditions are about, and expressions over it, `v`, by their words. */
export interface ConditionedView {
  readonly view: string;
  /** The columns that conditions may name; all of the view's if absent. */
  readonly columns?: readonly string[];
  readonly groups: Readonly<Record<string, string>>;
}

export interface OwnInput {
  /** Pieces of the period, each with its label; the ends are exclusive. */
  readonly buckets: readonly Bucket[];
  readonly groups: readonly string[];
  readonly currency: string | undefined;
  readonly zone: Zone;
  /** Days after which an overdue subscription counts as gone. */
  readonly overdueDays: number;
  /** Counts subscriptions even while their trial is unpaid. */
  readonly withTrials: boolean;
  /** Conditions on the rows of the report's view. */
  readonly where?: readonly FactCondition[] | undefined;
  /** The last day of each bucket of ages but the oldest; the report's own if absent. */
  readonly ages?: readonly number[] | undefined;
  /** The line named the moment: the figures describe that time, not now. */
  readonly isPast: boolean;
}

export interface Bucket {
  readonly label: string;
  readonly begins: number;
  readonly ends: number;
}

export type Report = GroupedReport | OwnReport;

/** An exact cell. Money is in minor units. */
export type ReportValue = bigint | number | string | null;
export type ReportRow = Readonly<Record<string, ReportValue>>;

/** A figure computed in two ways. */
export interface Proof {
  readonly says: string;
  readonly currency: string;
  readonly figure: string;
  readonly expected: string;
  readonly difference: string;
}
