import { strokes } from '../../screen/style.js';
import type { Figures } from './figures.js';
import { MOST_CHARTS, type Point, type Series, type SeriesAsked, scaleOf, seriesOf } from './report-series.js';
import { grouped } from './report-text.js';

/** Height of a curve, in lines; about, because each tick of its scale has a line of its own. */
const HEIGHT = 9;
const LONGEST_LABEL = 28;

/** The look of a chart. */
export interface ChartStyle {
  /** Width of the terminal, in columns. */
  readonly width: number;
  /** False if only plain characters can be shown. */
  readonly blocks: boolean;
}

/** A figure of the rows as bars, or as a curve where rows follow time; one chart per currency, for any terminal. */
export function chartText(figures: Figures, asked: SeriesAsked, style: ChartStyle): string {
  const all = seriesOf(figures, asked);
  if (all.length === 0) return 'Nothing to draw.\n';
  const shown = all.slice(0, MOST_CHARTS);
  const more = all.length - shown.length;
  const charts = shown.map((series) =>
    series.isTime && series.points.length > 2 ? curve(series, style) : bars(series, style),
  );
  const rest = more > 0 ? [`${more} more are not drawn: choose with --top or --where.\n`] : [];
  return [...charts, ...rest].join('\n');
}

const short = (label: string): string =>
  label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;

function bars({ title, unit, points, total }: Series, { width, blocks }: ChartStyle): string {
  const labels = points.map(({ label }) => (blocks ? short(label) : short(label).replace('…', '.')));
  const left = Math.max(...labels.map(({ length }) => length));
  const right = Math.max(...[total ?? '', ...points.map(({ text }) => text)].map(({ length }) => length));
  const room = Math.max(10, width - left - right - 4);
  const scale = scaleOf(points, [0, room]);
  const zero = scale(0);
  const lines = points.map(({ value, text }, i) => {
    const [from, to] = [Math.min(zero, scale(value)), Math.max(zero, scale(value))];
    const bar = `${' '.repeat(Math.floor(from))}${stroke(to - from, value < 0, blocks)}`;
    return `${labels[i]?.padEnd(left)}  ${bar.padEnd(room)}  ${text.padStart(right)}`.trimEnd();
  });
  const axis = rule(scale.domain() as [number, number], room, unit, zero);
  const whole = total === undefined ? [] : [`${'total'.padEnd(left)}  ${''.padEnd(room)}  ${total.padStart(right)}`];
  const below = axis.map((line) => `${' '.repeat(left + 2)}${line}`.trimEnd());
  return `${[title, ...lines, ...whole, ...below].join('\n')}\n`;
}

function stroke(length: number, isNegative: boolean, blocks: boolean): string {
  const { full, parts, below } = strokes(blocks);
  if (isNegative) return below.repeat(Math.round(length));
  const whole = parts.length > 1 ? Math.floor(length) : Math.round(length);
  return `${full.repeat(whole)}${parts[Math.floor((length - whole) * parts.length)] ?? ''}`;
}

/** The scale below bars: its start, zero if that lies elsewhere, and its end. */
function rule([low, high]: [number, number], room: number, unit: string, zero: number): string[] {
  const end = `${grouped(String(high))}${unit === '' ? '' : ` ${unit}`}`;
  const begin = grouped(String(low));
  const middle = low < 0 && high > 0 ? [{ at: Math.round(zero), text: '0' }] : [];
  let line = begin;
  for (const { at, text } of middle)
    if (at > line.length + 1 && at + 2 < room - end.length) line = `${line.padEnd(at)}${text}`;
  return [line.length + end.length + 1 > room ? `${line} … ${end}` : `${line.padEnd(room - end.length)}${end}`];
}

function curve(series: Series, style: ChartStyle): string {
  const { title, unit, points, total } = series;
  const marks = strokes(style.blocks);
  const steps = Math.max(1, scaleOf(points, [0, 1]).ticks(5).length - 1);
  const height = steps * Math.max(1, Math.round(HEIGHT / steps));
  const scale = scaleOf(points, [height, 0]);
  const ticks = new Map(scale.ticks(5).map((tick) => [Math.round(scale(tick)), grouped(String(tick))]));
  const left = Math.max(...[...ticks.values()].map(({ length }) => length));
  const room = style.width - left - 3;
  // Points less than one column apart cannot be told apart.
  if (points.length > room) return bars(series, style);
  const step = points.length === 1 ? 0 : Math.min(12, (room - 1) / (points.length - 1));
  const at = (i: number): number => Math.round(i * step);
  const grid = Array.from({ length: height + 1 }, () => new Array<string>(at(points.length - 1) + 1).fill(' '));
  const zero = Math.round(scale(0));
  grid[zero]?.fill(marks.zero);
  const rows = points.map(({ value }) => Math.round(scale(value)));
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1];
    if (next !== undefined) join(grid, [at(i), row], [at(i + 1), next], marks.between);
  }
  for (const [i, row] of rows.entries()) (grid[row] as string[])[at(i)] = marks.point;
  const lines = grid.map((cells, y) =>
    `${(ticks.get(y) ?? '').padStart(left)} ${marks.axis}${cells.join('')}`.trimEnd(),
  );
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  const ends = `${' '.repeat(left + 2)}${first.label}${' '.repeat(Math.max(2, at(points.length - 1) + 1 - first.label.length - last.label.length))}${last.label}`;
  const values = points.map(({ value }) => value);
  const said = (value: number, word: string): string => {
    const point = points[values.indexOf(value)] as Point;
    return `${word} ${point.text} (${point.label})`;
  };
  const indent = ' '.repeat(left + 2);
  const facts = [indent + said(Math.min(...values), 'least'), said(Math.max(...values), 'most'), `last ${last.text}`];
  if (total !== undefined) facts.push(`total ${total}`);
  // A terminal would break a longer line within a number.
  const below = facts.reduce((text, fact) => {
    const isFull = text.length - text.lastIndexOf('\n') + 1 + fact.length > style.width;
    return `${text},${isFull ? `\n${indent}` : ' '}${fact}`;
  });
  return `${[`${title}${unit === '' || title.includes(unit) ? '' : `, ${unit}`}`, ...lines, ends, below].join('\n')}\n`;
}

/** Dots from one point to the next. */
function join(grid: string[][], [x, y]: [number, number], [toX, toY]: [number, number], dot: string): void {
  const steps = Math.max(toX - x, Math.abs(toY - y));
  for (let i = 1; i < steps; i++) {
    const row = Math.round(y + ((toY - y) * i) / steps);
    const cells = grid[row] as string[];
    cells[Math.round(x + ((toX - x) * i) / steps)] = dot;
  }
}
