import { scaleLinear } from 'd3-scale';
import { isCalendarUnit } from '../../base/time/periods.js';
import type { Figures } from './figures.js';
import { reportCell, rowsForPeople } from './report-document.js';
import type { ReportColumn } from './report-question.js';
import { grouped } from './report-text.js';
import type { ReportRow } from './types.js';

/* What a chart shows, the same on a terminal and on a page. */

/** Most series to draw. */
export const MOST_CHARTS = 12;

/** `text`: the exact figure. */
export type Point = ReturnType<typeof pointOf>;

/** Points drawn together: one scale, one unit. */
export interface Series {
  readonly title: string;
  readonly unit: string;
  readonly isTime: boolean;
  readonly currency: string;
  readonly points: readonly Point[];
  /** The figure for all points together. */
  readonly total?: string | undefined;
}

const pointOf = (label: string, row: ReportRow, column: ReportColumn) => {
  const text = reportCell(row[column.name] ?? null, column.unit, row);
  return { label, value: Number(text || 0), text: text === '' ? 'not known' : grouped(text) };
};

const unitOf = (column: ReportColumn, row: ReportRow | undefined): string =>
  column.unit === 'percent' ? '%' : column.unit === 'money' ? String(row?.currency ?? '') : '';

const textOf = (row: ReportRow, names: readonly string[]): string =>
  names.map((name) => String(row[name] ?? '(none)')).join(', ');

/** The figure to draw, and how. */
export interface SeriesAsked {
  readonly figure: string;
  /** The dimension in the columns. */
  readonly across?: string | undefined;
  /** Marks a cell whose day, month or year is only partly covered. */
  readonly markOf?: (row: ReportRow, column: string) => string;
}

/** The series of a figure: one per currency, and one per group where the rows follow time. */
export function seriesOf(figures: Figures, asked: SeriesAsked): Series[] {
  return asked.across === undefined ? seriesByRows(figures, asked) : seriesAcross(figures, asked.figure, asked.across);
}

function seriesByRows(figures: Figures, { figure, markOf = () => '' }: SeriesAsked): Series[] {
  const { columns, keys } = figures.statement;
  const column = columns.find(({ name }) => name === figure);
  if (column === undefined) return [];
  const names = columns.slice(0, keys).map(({ name }) => name);
  const time = names.find(isCalendarUnit);
  const others = names.filter((name) => name !== 'currency' && name !== time);
  const series = new Map<string, Series & { readonly points: Point[] }>();
  for (const row of rowsForPeople(figures.rows)) {
    // The seam between two methods is not a month of its own.
    if (row.method === 'method change') continue;
    const apart = [...(time === undefined ? [] : others), 'currency'];
    const key = JSON.stringify(apart.map((name) => row[name] ?? null));
    const told = time === undefined || others.length === 0 ? '' : `: ${textOf(row, others)}`;
    const own = series.get(key) ?? {
      title: `${figure}, ${row.currency ?? 'no currency'}${told}`,
      currency: String(row.currency ?? ''),
      unit: unitOf(column, row),
      isTime: time !== undefined,
      points: [],
    };
    const marked = (names: readonly string[]): string =>
      names.map((name) => `${row[name] ?? '(none)'}${markOf(row, name)}`).join(', ');
    own.points.push(pointOf(marked(time === undefined ? others : [time]) || 'all', row, column));
    series.set(key, own);
  }
  const all = [...series.values()];
  return all.map((one) => ({ ...one, total: totalOf(figures, column, one, all) }));
}

/** The queried figure for all bars together; undefined where the bars belong to one group among several. */
function totalOf(
  { totals = [] }: Figures,
  column: ReportColumn,
  { currency, points }: Series,
  all: readonly Series[],
): string | undefined {
  const [total, other] = totals.filter((row) => String(row.currency ?? '') === currency);
  const isAll = all.filter((one) => one.currency === currency).length === 1;
  if (total === undefined || other !== undefined || !isAll || points.length < 2) return undefined;
  return grouped(reportCell(total[column.name] ?? null, column.unit, total));
}

function seriesAcross({ statement: { columns, keys }, rows }: Figures, figure: string, across: string): Series[] {
  const names = columns.slice(0, keys).map(({ name }) => name);
  const others = names.filter((name) => name !== 'currency');
  const last = columns.at(-1) as ReportColumn;
  return rowsForPeople(rows).map((row) => ({
    title: `${figure}, ${row.currency ?? 'no currency'}${others.length === 0 ? '' : `: ${textOf(row, others)}`}`,
    currency: String(row.currency ?? ''),
    unit: unitOf(last, row),
    isTime: isCalendarUnit(across),
    total: grouped(reportCell(row[last.name] ?? null, last.unit, row)),
    // The last column holds the figure for the whole row.
    points: columns.slice(keys, -1).map((column) => pointOf(column.name, row, column)),
  }));
}

/** The scale of a series: from zero, or below it, to a round figure above the largest. */
export const scaleOf = (points: readonly Point[], range: [number, number]) => {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return scaleLinear()
    .domain(low === high ? [0, 1] : [low, high])
    .nice(5)
    .range(range);
};
