import {
  type CalendarUnit,
  emptySaid,
  isCalendarUnit,
  type Partial,
  partialPeriods,
  UNITS,
} from '../../base/time/periods.js';
import { zoneOf } from '../../base/time/zones.js';
import type { ReportQuestion } from './report-question.js';
import type { ReportRow } from './types.js';

/** The rows of an answer whose day, month or year the period covers only in part. */
export interface PartialRows {
  readonly partial: readonly Partial[];
  /** True if the cell names such a day, month or year. */
  isPart(row: ReportRow, column: string): boolean;
}

export const NO_PARTS: PartialRows = { partial: [], isPart: () => false };

const UTC = zoneOf('UTC');

/** @param asOf the time up to which the mirror knows, ISO 8601 */
export function partialRows(
  report: { readonly range?: string; readonly monthly?: boolean; readonly cohorts?: boolean },
  question: ReportQuestion,
  asOf: string | null,
  rows: readonly ReportRow[],
): PartialRows {
  // A forecast covers the whole period, so no part of it is `so far`.
  const isAhead = asOf === null || report.range === 'next';
  const known = isAhead ? question.period.ends : Math.floor(Date.parse(asOf) / 1000);
  if (report.cohorts) return partsOfCohorts(question, known, rows);
  const named = question.by.find(isCalendarUnit);
  const columns = question.across?.across;
  const headed = UNITS.find((unit) => unit === columns);
  if (headed !== undefined) return partsOfColumns(question, headed, known, rows);
  const unit = named ?? (report.monthly ? 'month' : undefined);
  if (unit === undefined) return NO_PARTS;
  const isPart = (row: ReportRow, column: string): boolean =>
    column === unit && partial.some(({ bucket }) => bucket === row[unit]);
  const partial = partialPeriods(question.period, unit, question.zone, known).filter(({ bucket }) =>
    rows.some((row) => row[unit] === bucket),
  );
  return { partial, isPart };
}

/** Says how many days, weeks, months or years of the period have no row or column of their own. */
export function emptyPeriods(
  { range }: { readonly range?: string },
  { by, across, period, zone, having, only }: ReportQuestion,
  asOf: string | null,
  rows: readonly ReportRow[],
): string[] {
  const unit = UNITS.find((word) => by.includes(word) || across?.across === word);
  const isHeading = across?.across === unit;
  const known = asOf === null || range === 'next' ? period.ends : Math.floor(Date.parse(asOf) / 1000) + 1;
  const span = { begins: period.begins, ends: Math.min(period.ends, known) };
  // A range without a start has no first period to count from.
  if (unit === undefined || having || only || span.begins <= 0) return [];
  const labels = rows.flatMap((row) => (isHeading ? Object.keys(row) : [row[unit] ?? null])).map(String);
  const form = { day: /^\d{4}-\d\d-\d\d$/, week: /-W\d\d$/, month: /^\d{4}-\d\d$/, quarter: /-Q\d$/, year: /^\d{4}$/ };
  const filled = new Set(labels.filter((label) => form[unit].test(label))).size;
  return filled === 0 ? [] : [emptySaid(span, unit, zone, filled, isHeading ? 'column' : 'row') ?? []].flat();
}

/** If columns are days, months or years, the answer names those that the period cuts, and marks no row. */
function partsOfColumns(
  { period, zone }: ReportQuestion,
  unit: CalendarUnit,
  known: number,
  rows: readonly ReportRow[],
): PartialRows {
  const partial = partialPeriods(period, unit, zone, known).filter(({ bucket }) => rows.some((row) => bucket in row));
  return { partial, isPart: () => false };
}

/** Cohorts of a month that the period cuts, and the last month that all of them have reached. */
function partsOfCohorts({ period }: ReportQuestion, known: number, rows: readonly ReportRow[]): PartialRows {
  const cut = partialPeriods(period, 'month', UTC, known).filter(({ bucket }) =>
    rows.some(({ cohort }) => cohort === bucket),
  );
  const [running] = partialPeriods({ begins: 0, ends: known + 1 }, 'month', UTC, known);
  const isPart = (row: ReportRow, column: string): boolean =>
    (column === 'cohort' && cut.some(({ bucket }) => bucket === row.cohort)) ||
    (column === 'month' && running?.bucket === monthBehind(String(row.cohort), Number(row.month)));
  const isNow =
    running && rows.some((row) => isPart(row, 'month')) && !cut.some(({ bucket }) => bucket === running.bucket);
  return { partial: [...cut, ...(isNow ? [running] : [])], isPart };
}

/** `2026-11` and 2 is `2027-01`. */
function monthBehind(month: string, by: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}
