import { edgeIn } from '../../base/time/periods.js';
import { zoneOf } from '../../base/time/zones.js';
import { strokes } from '../../screen/style.js';
import { grouped } from '../report/report-text.js';
import type { Figure, Overview } from './overview-figures.js';

const WIDEST_CHART = 60;

/** How the text should look. */
export interface TextLook {
  /** False if a terminal cannot show block characters. */
  readonly blocks: boolean;
  /** Width of the terminal in columns. */
  readonly width: number;
}

/** The overview for a terminal: one line per kind and currency, with a small chart of counts by day. */
export function overviewText(overview: Overview, look: TextLook): string {
  const { days, totals, from, to, tz } = overview;
  // A rolling period covers only part of its first and last day.
  const zone = zoneOf(tz);
  const span = `${edgeIn(from, from, zone)} to ${edgeIn(to, to + 1, zone)}, days of ${tz}`;
  if (totals.length === 0) return `Overview, ${span}\n\nNothing happened in this period.\n`;
  const counts = countsByDay(overview);
  const rows = totals.map((figure) => [
    figure.kind,
    figure.currency || '-',
    grouped(String(figure.count)),
    grouped(figure.amount),
  ]);
  const heads = ['', 'currency', 'count', 'amount'];
  const widths = heads.map((head, index) => Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const left = (index: number): boolean => index < 2;
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (left(index) ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  // The count of the highest bar is the scale of a line.
  const scale = Math.max('most'.length, widths[2] ?? 0);
  const room = Math.min(WIDEST_CHART, look.width - line(heads).length - scale - 4);
  const withChart = room >= Math.min(10, days.length);
  const lines = [
    `Overview, ${span}`,
    '',
    `${line(heads)}${withChart ? `  ${'most'.padStart(scale)}  by day` : ''}`.trimEnd(),
  ];
  for (const [index, figure] of totals.entries()) {
    const values = counts.get(keyOf(figure)) ?? [];
    const most = String(Math.max(0, ...sumsWithin(values, room))).padStart(scale);
    const chart = withChart ? `  ${most}  ${sparkline(values, room, look.blocks)}` : '';
    lines.push(`${line(rows[index] ?? [])}${chart}`.trimEnd());
  }
  return `${lines.join('\n')}\n`;
}

function keyOf(figure: Figure): string {
  return `${figure.kind} ${figure.currency}`;
}

function countsByDay(overview: Overview): Map<string, number[]> {
  const place = new Map(overview.days.map((day, index) => [day, index]));
  const counts = new Map<string, number[]>();
  for (const figure of overview.by_day) {
    const row = counts.get(keyOf(figure)) ?? new Array<number>(overview.days.length).fill(0);
    counts.set(keyOf(figure), row);
    const at = place.get(figure.day);
    if (at !== undefined) row[at] = (row[at] ?? 0) + figure.count;
  }
  return counts;
}

/** The values, with neighbours added up if there are more of them than space. */
function sumsWithin(values: readonly number[], room: number): number[] {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, room)));
  const sums: number[] = [];
  for (let at = 0; at < values.length; at += each)
    sums.push(values.slice(at, at + each).reduce((sum, value) => sum + value, 0));
  return sums;
}

/** Values as a row of bars. */
export function sparkline(values: readonly number[], room: number, blocks: boolean): string {
  const sums = sumsWithin(values, room);
  const most = Math.max(...sums, 1);
  const bars = strokes(blocks).small;
  return sums.map((sum) => (sum === 0 ? ' ' : (bars[Math.min(7, Math.ceil((sum / most) * 8) - 1)] ?? ' '))).join('');
}
