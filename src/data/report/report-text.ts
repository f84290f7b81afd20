import { isCalendarUnit, partsSaid } from '../../base/time/periods.js';
import { isoTime } from '../../base/time/units.js';
import { wrapProse } from '../../items/text/width.js';
import { strokes } from '../../screen/style.js';
import { DIMENSIONS } from './dimensions.js';
import type { Figures } from './figures.js';
import { NO_PARTS, type PartialRows } from './partial-rows.js';
import type { ReportPeriod } from './period.js';
import { namedRows, reportCell } from './report-document.js';
import type { ReportColumn } from './report-question.js';
import type { ReportRow, ReportValue } from './types.js';

const BAR = 20;

/** The look of the text. */
export interface TextStyle {
  /** True on a terminal: a bar follows each row. */
  readonly drawn: boolean;
  /** Width of the terminal, in columns. */
  readonly width: number;
  /** False if a terminal cannot show block characters. */
  readonly blocks: boolean;
  /** A column requested by name: it is never left out. */
  readonly wanted?: string | undefined;
  /** On a terminal, shows only that column, the columns that identify a row, and the number of payments behind it. */
  readonly alone?: boolean;
  /** The columns of `--columns`, in order: all of them are shown. */
  readonly chosen?: readonly ReportColumn[] | undefined;
  readonly period: ReportPeriod;
  /** Rows of periods that are only partly covered. */
  readonly parts?: PartialRows | undefined;
}

/** The text of an empty report: the range that it covers. */
export function nothingIn({ begins, ends }: ReportPeriod): string {
  return `Nothing ${begins === 0 ? 'up' : `from ${isoTime(begins)}`} to ${isoTime(ends - 1)}.\n`;
}

/**
 * Rows as a table for people, with a bar for the measure `measure` if there is room. On a narrow terminal it leaves out
 * empty columns, then others, and names both below.
 */
export function tableText(figures: Figures, measure: string | undefined, look: TextStyle): string {
  const { statement, totals = [] } = figures;
  const { parts = NO_PARTS } = look;
  const named = namedRows(figures.rows);
  const rows = look.alone ? largestFirst({ ...figures, rows: named }, look.wanted) : named;
  if (rows.length === 0) return nothingIn(look.period);
  const [first] = look.chosen ?? statement.columns;
  const laid = (look.chosen ?? statement.columns).map((column): Laid => {
    const at = statement.columns.findIndex(({ name }) => name === column.name);
    const cells = cellsOf({ ...figures, rows }, column, column === first ? 0 : Math.max(at, 1), parts);
    return { column, isKey: at < statement.keys, cells };
  });
  const known = look.chosen
    ? laid
    : laid.filter(({ column: { name }, isKey }) => isKey || rows.some((row) => (row[name] ?? null) !== null));
  // Without a word in front, a total would look like one more row.
  const all = known[0]?.isKey === false ? rows : [...rows, ...totals];
  const asked = look.drawn && look.alone ? aboutOnly(known, look.wanted) : known;
  const { shown, told } =
    look.drawn && !look.chosen ? fitted(asked, all, [measure, look.wanted], look.width) : { shown: known, told: [] };
  const heads = lineOf(shown, ({ column }) => headOf(column));
  const bars = barsOf(rows, measure, look, look.width - widthOf(shown));
  const lines = all.map(
    (_, i) => `${lineOf(shown, ({ cells }) => cells[i] as string)}${bars[i] ? `  ${bars[i]}` : ''}`,
  );
  const said = partsSaid(parts.partial);
  const below = [...(said === undefined ? [] : [`* ${said}`]), ...told];
  const texts = look.drawn ? below.map((text) => wrapProse(text, look.width)) : below;
  return `${[heads, ...lines, ...texts].map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Rows by the one figure shown, in each currency the largest first; time ascends. */
function largestFirst(
  { rows, statement: { columns, keys } }: Figures,
  wanted: string | undefined,
): readonly ReportRow[] {
  const isOfTime = columns.slice(0, keys).some(({ name }) => isCalendarUnit(name));
  if (wanted === undefined || isOfTime) return rows;
  const codes = [...new Set(rows.map(({ currency }) => currency))];
  const figure = (row: ReportRow): number => Number(row[wanted] ?? 0);
  return codes.flatMap((code) =>
    rows.filter(({ currency }) => currency === code).sort((a, b) => figure(b) - figure(a)),
  );
}

const headOf = ({ title, name }: ReportColumn): string => title ?? name;

/** A column with the text of each cell, the totals last. */
interface Laid {
  readonly column: ReportColumn;
  readonly isKey: boolean;
  readonly cells: readonly string[];
}

function cellsOf(
  { rows, totals = [], statement: { keys } }: Figures,
  column: ReportColumn,
  at: number,
  { isPart }: PartialRows,
): string[] {
  // Aligns digits with digits.
  const room = column.unit !== 'text' && rows.some((row) => isPart(row, column.name)) ? ' ' : '';
  const marked = (row: ReportRow): string => `${cellOf(row, column)}${isPart(row, column.name) ? '*' : room}`;
  const totalOf = (row: ReportRow): string =>
    at === 0
      ? totalName(row[column.name])
      : at < keys - 1 && (row[column.name] ?? null) === null
        ? ''
        : cellOf(row, column);
  return [...rows.map(marked), ...totals.map(totalOf)];
}

/** What is added up, where a table has more than one kind of rows. */
export const totalName = (word: ReportValue | undefined): string =>
  typeof word === 'string' ? `total ${word}` : 'total';

const breadth = ({ column, cells }: Laid): number =>
  Math.max(headOf(column).length, ...cells.map(({ length }) => length));
const widthOf = (shown: readonly Laid[]): number => shown.reduce((sum, laid) => sum + breadth(laid) + 2, -2);

function lineOf(shown: readonly Laid[], cellIn: (laid: Laid) => string): string {
  return shown
    .map((laid) =>
      laid.column.unit === 'text' ? cellIn(laid).padEnd(breadth(laid)) : cellIn(laid).padStart(breadth(laid)),
    )
    .join('  ');
}

/** The columns that fit the terminal, and lines that name the others. */
function fitted(
  known: readonly Laid[],
  rows: readonly ReportRow[],
  about: readonly (string | undefined)[],
  width: number,
): { shown: readonly Laid[]; told: string[] } {
  if (widthOf(known) <= width) return { shown: known, told: [] };
  const isNothing = ({ column, isKey }: Laid): boolean =>
    !isKey && rows.every((row) => Number(row[column.name] ?? 0) === 0);
  const nothing = known.filter(isNothing);
  let shown = known.filter((laid) => !nothing.includes(laid));
  const left: Laid[] = [];
  for (const laid of leastWanted(shown, about)) {
    if (widthOf(shown) <= width) break;
    left.push(laid);
    shown = shown.filter((one) => one !== laid);
  }
  const namesOf = (columns: readonly Laid[]): string =>
    known
      .filter((laid) => columns.includes(laid))
      .map(({ column }) => column.name)
      .join(', ');
  return {
    shown,
    told: [
      ...(nothing.length > 0 ? [`0 in all rows: ${namesOf(nothing)}.`] : []),
      ...(left.length > 0
        ? [`No room for ${left.length > 4 ? `${left.length} columns` : namesOf(left)}; --wide shows all.`]
        : []),
    ],
  };
}

/** The wanted column and those needed to read it. */
function aboutOnly(known: readonly Laid[], wanted: string | undefined): readonly Laid[] {
  const names = [wanted, `${wanted}_before`, `${wanted}_change`, `${wanted}_change_percent`, 'payments'];
  return known.filter(({ column, isKey }) => isKey || names.includes(column.name));
}

const CALLED: ReadonlySet<string> = new Set(Object.values(DIMENSIONS).flatMap(({ called }) => called?.column ?? []));

/**
 * Columns to drop, in order: names beside an id, figures of the earlier period, those on the right, and last what a
 * change is made of; the report's subject and its change stay.
 */
function leastWanted(shown: readonly Laid[], about: readonly (string | undefined)[]): Laid[] {
  const isAbout = ({ column: { name } }: Laid): boolean =>
    about.includes(name.replace(/_(?:before|change(?:_percent)?)$/, ''));
  const figures = shown.filter(({ isKey }) => !isKey).reverse();
  const can = figures.filter((laid) => !isAbout(laid));
  const isBefore = ({ column }: Laid): boolean => column.name.endsWith('_before');
  const names = shown.filter(({ column }) => CALLED.has(column.name));
  const made = figures.filter((laid) => isAbout(laid) && /_(?:before|percent)$/.test(laid.column.name));
  return [...names, ...can.filter(isBefore), ...can.filter((laid) => !isBefore(laid)), ...made];
}

function cellOf(row: ReportRow, column: ReportColumn): string {
  const value = row[column.name] ?? null;
  return value === null ? '-' : reportText(value, column.unit, row);
}

/** A cell with its decimals, grouped digits and percent sign; '' for an unknown value. */
export function reportText(value: ReportValue, unit: ReportColumn['unit'], row: ReportRow): string {
  if (value !== null && unit === 'percent') return `${Number(value).toFixed(2)} %`;
  const text = reportCell(value, unit, row);
  return unit === 'money' || unit === 'count' ? grouped(text) : text;
}

/** Groups digits in threes: `12,345.60`. */
export function grouped(amount: string): string {
  const [whole = '', decimals] = amount.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? text : `${text}.${decimals}`;
}

/** A bar for each row, relative to the largest of its currency; none if there is nothing to compare or no room. */
function barsOf(rows: readonly ReportRow[], measure: string | undefined, look: TextStyle, room: number): string[] {
  const currencies = new Set(rows.map(({ currency }) => currency));
  if (!look.drawn || measure === undefined || room < BAR + 2 || currencies.size === rows.length) return [];
  const most = new Map<string, number>();
  const sizes = rows.map((row) => Math.abs(Number(row[measure] ?? 0)));
  for (const [i, row] of rows.entries()) {
    const key = String(row.currency);
    most.set(key, Math.max(most.get(key) ?? 0, sizes[i] as number));
  }
  return rows.map((row, i) => {
    const top = most.get(String(row.currency)) ?? 0;
    const length = top === 0 ? 0 : Math.round(((sizes[i] as number) / top) * BAR);
    return (Number(row[measure] ?? 0) < 0 ? '-' : strokes(look.blocks).full).repeat(length);
  });
}
