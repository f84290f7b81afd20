import type { Zone } from '../../base/time/zones.js';
import type { ReportPeriod } from './period.js';
import type { ReportMeasure } from './types.js';

/** The question that a report answers. */
export interface ReportQuestion {
  readonly period: ReportPeriod;
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
  /** The measure that orders the rows and ranks for `top`; the report's own if absent. */
  readonly sort?: string | undefined;
  /** The dimension whose values become columns, and the figure in the cells. */
  readonly across?: { readonly across: string; readonly figure: string } | undefined;
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
