import type { Text } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import type { AgreedRows } from '../mirror/agreed-rows.js';
import { type Figures, wholeUnits } from './figures.js';
import type { PartialRows } from './partial-rows.js';
import type { ReportPeriod } from './period.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { ReportRow, ReportTexts, ReportValue } from './types.js';

/** The facts that a report gives about the mirror it read. */
export interface ReportSource {
  readonly mirror: string;
  readonly mode: string;
  /** The service's time when the last sync began, ISO 8601. */
  readonly asOf: string | null;
  /** When parts of the data were read again after that, ISO 8601. */
  readonly readAgain?: string | undefined;
  /** The first day of the mirror's data, unix seconds. */
  readonly begins?: number | undefined;
  /** Sentences about data that is incomplete or unproven. */
  readonly incomplete: readonly string[];
  /** Sentences about a mirror that ends or begins within the period. */
  readonly stale?: readonly string[];
  /** Further notes about the figures. */
  readonly notes: readonly Text[];
  /** The agreed reading of its rows, if they were read until two passes agreed. */
  readonly reading?: AgreedRows | undefined;
  /** Days, months or years of the rows that the period covers only in part. */
  readonly parts?: PartialRows;
}

/** How recent the figures are. */
export const asOfSaid = ({ asOf, readAgain }: Pick<ReportSource, 'asOf' | 'readAgain'>): string =>
  (asOf === null ? 'never synced as a whole' : `as of ${asOf}`) +
  (readAgain === undefined ? '' : ` (parts read again up to ${readAgain})`);

/** Rows for files, with a name for those without a product; a note says what they hold. Documents keep `null`. */
export const namedRows = (rows: readonly ReportRow[]): readonly ReportRow[] =>
  rows.map((row) => (row.product === null ? { ...row, product: 'no product' } : row));

/** Rows for screens and pages: shipping and tax alone are no order, so they have no average. */
export function rowsForPeople(rows: readonly ReportRow[]): readonly ReportRow[] {
  return namedRows(rows).map((row, at) => {
    const { gross, tax, shipping } = row as Readonly<Record<string, bigint | null | undefined>>;
    const isOnlyThese = rows[at]?.product === null && gross !== 0n && gross === (tax ?? 0n) + (shipping ?? 0n);
    return isOnlyThese && 'average' in row ? { ...row, average: null } : row;
  });
}

/** A row as a JSON object; amounts are numbers with all digits of their currency. */
export function rowJson(row: ReportRow, columns: readonly ReportColumn[]): string {
  const cells = columns.map(
    (column) => `${JSON.stringify(column.name)}:${cellJson(row[column.name] ?? null, column, row)}`,
  );
  return `{${cells.join(',')}}`;
}

/** A cell as JSON. */
export function cellJson(value: ReportValue, { unit }: ReportColumn, row: ReportRow): string {
  if (value === null) return 'null';
  return unit === 'text' || unit === 'moment' ? JSON.stringify(String(value)) : reportCell(value, unit, row);
}

/** A cell as people read it; '' for an unknown value. */
export function reportCell(value: ReportValue, unit: ReportColumn['unit'], row: ReportRow): string {
  if (value === null) return '';
  if (unit === 'money') return wholeUnits(value as bigint, String(row.currency ?? ''));
  return String(value);
}

export interface ReportAnswer {
  /** The report's own texts. */
  readonly report: Pick<ReportTexts, 'name' | 'definition' | 'basis'>;
  readonly question: ReportQuestion;
  readonly figures: Figures;
  readonly ground: ReportSource;
  /** The period to compare with. */
  readonly against?: ReportPeriod | undefined;
}

/** The head of the document, the same for all reports. */
function headOf({ report, question, ground, against }: ReportAnswer): Record<string, unknown> {
  const { period, zone } = question;
  return {
    report: report.name,
    definition: report.definition,
    basis: report.basis,
    from: isoTime(period.begins),
    to: isoTime(period.ends - 1),
    against: against && { from: isoTime(against.begins), to: isoTime(against.ends - 1) },
    tz: zone.name,
    mode: ground.mode,
    mirror: ground.mirror,
    as_of: ground.asOf,
    rests_on: ground.reading && restsOn(ground.reading),
    incomplete: ground.incomplete,
    notes: [...(ground.stale ?? []), ...ground.notes],
    partial: ground.parts?.partial ?? [],
  };
}

function restsOn({ from, until, passes, requests, moved }: AgreedRows): Record<string, unknown> {
  return { from: isoTime(from), to: isoTime(until), passes, requests, agree: moved.length === 0, moved };
}

/** The whole answer as one JSON document. */
export function reportDocument(answer: ReportAnswer): string {
  const { figures, question } = answer;
  const head = {
    ...headOf(answer),
    by: question.by,
    across: question.across?.across,
    figure: question.across?.figure,
    overdue_days: question.overdueDays,
    with_trials: question.withTrials === true,
  };
  const proof = { proofs: figures.proofs, differences: figures.differences, inexact: figures.inexact };
  const jsonOf = (rows: readonly ReportRow[]): string =>
    rows.map((row) => rowJson(row, figures.statement.columns)).join(',');
  const totals = figures.totals ? `"totals":[${jsonOf(figures.totals)}],` : '';
  return `${JSON.stringify(head).slice(0, -1)},"rows":[${jsonOf(figures.rows)}],${totals}${JSON.stringify(proof).slice(1)}`;
}
