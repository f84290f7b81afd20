import type { Zone } from '../../base/time/zones.js';
import type { ReportPeriod } from './period.js';
import type { FactCondition, FigureCondition, ReportMeasure } from './types.js';

/** The question that a report answers. */
export interface ReportQuestion {
  readonly period: ReportPeriod;
  /** When a forecast is made, unix seconds: its period may begin later. */
  readonly since?: number | undefined;
  readonly zone: Zone;
  /** Words of `--by`, in order. */
  readonly by: readonly string[];
  readonly currency: string | undefined;
  readonly overdueDays: number;
  /** Counts subscriptions even while their trial is unpaid. */
  readonly withTrials?: boolean | undefined;
  /** The last day of each bucket of ages but the oldest. */
  readonly ages?: readonly number[] | undefined;
  /** `--as-of` was given. */
  readonly isPast?: boolean | undefined;
  /** The only value to show of one group; `by` then includes that group. */
  readonly only?: Only | undefined;
  /** Conditions on the fact, over its view `v`. */
  readonly where?: readonly FactCondition[] | undefined;
  /** How many values of the first group get rows of their own; the others share one. */
  readonly top?: number | undefined;
  /** Also each row's share of the figure that orders the rows. */
  readonly share?: boolean | undefined;
  /** True if the mirror keeps daily sums of bookings. */
  readonly hasDays?: boolean | undefined;
  /** Conditions on the figures of the rows. */
  readonly having?: readonly FigureCondition[] | undefined;
  /** The measure that orders the rows and ranks for `top`; the report's own if absent. */
  readonly sort?: string | undefined;
  /** The column that orders the rows behind the figures, as typed. */
  readonly rowOrder?: string | undefined;
  /** The dimension whose values become columns, and the figure in the cells. */
  readonly across?: { readonly across: string; readonly figure: string } | undefined;
}

/** One value of a group. */
export interface Only {
  readonly group: string;
  readonly value: string;
}

/** One column of the answer. */
export type ReportColumn = Omit<ReportMeasure, 'sql'>;

export interface ReportStatement {
  readonly sql: string;
  /** In the order of the rows' cells. */
  readonly columns: readonly ReportColumn[];
  /** How many of the columns identify a row; the rest are its figures. */
  readonly keys: number;
}
