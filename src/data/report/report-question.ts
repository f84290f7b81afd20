import type { Zone } from '../../base/time/zones.js';
import type { ReportPeriod } from './period.js';
import type { ReportMeasure } from './types.js';

/** What a report is asked for. */
export interface ReportQuestion {
  readonly period: ReportPeriod;
  readonly zone: Zone;
  /** Words of `--by`, in their order. */
  readonly by: readonly string[];
  readonly currency: string | undefined;
  readonly overdueDays: number;
  /** Subscriptions count while their trial is not paid as well. */
  readonly withTrials?: boolean | undefined;
  /** `--as-of` was given. */
  readonly isPast?: boolean | undefined;
  /** What alone is shown of one group, which is then among the words of `by`. */
  readonly only?: Only | undefined;
  /** Conditions on the fact, over its view `v`. */
  readonly where?: readonly FactCondition[] | undefined;
  /** How many values of the first group have rows of their own; the others have one together. */
  readonly top?: number | undefined;
  /** The dimension that is put into columns, and the figure that stands in them. */
  readonly across?: { readonly across: string; readonly figure: string } | undefined;
}

/** A condition that rows of a fact meet. */
export interface FactCondition {
  readonly sql: string;
  /** The dimension that it is on, where it is one. */
  readonly group: string | undefined;
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
  /** How many of the columns say what a row is about; the rest are its figures. */
  readonly keys: number;
}
