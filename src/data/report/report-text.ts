import { isCalendarUnit, partsSaid } from '../../base/time/periods.js';
import { isoTime } from '../../base/time/units.js';
import { wrapProse } from '../../items/text/width.js';
import { strokes } from '../../screen/style.js';
import { DIMENSIONS } from './dimensions.js';
import type { Figures } from './figures.js';
import { NO_PARTS, type PartialRows } from './partial-rows.js';
import type { ReportPeriod } from './period.js';
import { reportCell, rowsForPeople } from './report-document.js';
import type { ReportColumn } from './report-question.js';
import type { ReportRow, ReportValue } from './types.js';

const BAR = 20;
/** The most lines that further tables may take on a narrow terminal, unless all columns show one figure. */
const MOST_BELOW = 72;

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
  /** Figures that the line names, first the one it sorts by; a narrow terminal shows them on the left. */
  readonly asked?: readonly string[] | undefined;
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
 * Rows as a table for people, with a bar for the measure `measure` if there is room. On a narrow terminal, empty columns
 * are only named; others follow in tables below, or are only named too if that would be too long.
 */
export function tableText(figures: Figures, measure: string | undefined, look: TextStyle): string {
  const { statement, totals = [] } = figures;
  const { parts = NO_PARTS } = look;
  const named = rowsForPeople(figures.rows);
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
  const about = [...(look.asked ?? []), look.wanted, measure].filter((name) => name !== undefined);
  const { tables, told } =
    look.drawn && !look.chosen ? fitted(asked, all, about, look.width) : { tables: [known], told: [] };
  const bars = barsOf(rows, measure, look, look.width - widthOf(tables[0] ?? []));
  const lines = tables.flatMap((shown, at) => [
    ...(at === 0 ? [] : ['']),
    lineOf(shown, ({ column }) => headOf(column)),
    ...all.map(
      (_, i) => `${lineOf(shown, ({ cells }) => cells[i] as string)}${at === 0 && bars[i] ? `  ${bars[i]}` : ''}`,
    ),
  ]);
  const said = partsSaid(parts.partial);
  const below = [...(said === undefined ? [] : [`* ${said}`]), ...told];
  const texts = look.drawn ? below.map((text) => wrapProse(text, look.width)) : below;
  return `${[...lines, ...texts].map((line) => line.trimEnd()).join('\n')}\n`;
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

/** The columns as tables that fit the terminal, one below the other, and lines that name those left out. */
function fitted(
  known: readonly Laid[],
  rows: readonly ReportRow[],
  about: readonly string[],
  width: number,
): { tables: readonly (readonly Laid[])[]; told: string[] } {
  if (widthOf(known) <= width) return { tables: [known], told: [] };
  const isNothing = ({ column, isKey }: Laid): boolean =>
    !isKey && rows.every((row) => Number(row[column.name] ?? 0) === 0);
  const nothing = known.filter((laid) => isNothing(laid) && laid.column.name !== about[0]);
  let shown = known.filter((laid) => !nothing.includes(laid));
  for (const laid of leastWanted(shown, about)) {
    if (widthOf(shown) <= width) break;
    shown = shown.filter((one) => one !== laid);
  }
  const left = known.filter((laid) => !shown.includes(laid) && !nothing.includes(laid));
  const further = furtherTables(shown, left, width);
  const lines = about.length === 0 ? 0 : further.length * (rows.length + 2);
  const isRoom = lines <= MOST_BELOW && [shown, ...further].every((table) => widthOf(table) <= width);
  const namesOf = (columns: readonly Laid[]): string => columns.map(({ column }) => column.name).join(', ');
  return {
    tables: isRoom ? [shown, ...further] : [shown],
    told: [
      ...(nothing.length > 0 ? [`0 in all rows: ${namesOf(nothing)}.`] : []),
      ...(isRoom ? [] : [`No room for ${namesOf(left)}; --wide shows all.`]),
    ],
  };
}

/** The column that names a value of a dimension better than its id. */
const besideOf = (word: string): string | undefined => {
  const beside = DIMENSIONS[word]?.beside;
  return beside?.apart ? undefined : beside?.column;
};

/**
 * The columns left over, in tables that fit the terminal. Each repeats the columns that identify a row: names instead of
 * their ids, and only the last ones if there is no room for all.
 */
function furtherTables(shown: readonly Laid[], left: readonly Laid[], width: number): (readonly Laid[])[] {
  const keys = shown.filter(({ isKey }) => isKey);
  const told = keys.flatMap((laid) => {
    const named = keys.find(({ column }) => column.name === besideOf(laid.column.name));
    const id = keys.find(({ column }) => besideOf(column.name) === laid.column.name);
    if (named) return [];
    const isNone = (cell: string): boolean => cell === '-' || cell === '';
    return [id ? { ...laid, cells: laid.cells.map((cell, i) => (isNone(cell) ? (id.cells[i] ?? '') : cell)) } : laid];
  });
  const besides = (laid: Laid): Laid[] => [
    ...told.slice(told.findIndex((_, at) => at === told.length - 1 || widthOf([...told.slice(at), laid]) <= width)),
    laid,
  ];
  const tables: Laid[][] = [];
  for (const laid of left) {
    const last = tables.at(-1);
    if (last && widthOf([...last, laid]) <= width) last.push(laid);
    else tables.push(besides(laid));
  }
  return tables;
}

/** The wanted column and those needed to read it. */
function aboutOnly(known: readonly Laid[], wanted: string | undefined): readonly Laid[] {
  const names = [wanted, `${wanted}_before`, `${wanted}_change`, `${wanted}_change_percent`, 'payments'];
  return known.filter(({ column, isKey }) => isKey || names.includes(column.name));
}

const CALLED: ReadonlySet<string> = new Set(Object.values(DIMENSIONS).flatMap(({ called }) => called?.column ?? []));

/**
 * Columns to drop, in order: names beside an id, figures of the earlier period, other figures from the right, those that
 * the line names, and last what the change of the first of these is made of. That figure and its change stay.
 */
function leastWanted(shown: readonly Laid[], about: readonly string[]): Laid[] {
  const placeOf = ({ column: { name } }: Laid): number =>
    about.indexOf(name.replace(/_(?:before|change(?:_percent)?)$/, ''));
  const figures = shown.filter(({ isKey }) => !isKey).reverse();
  const can = figures.filter((laid) => placeOf(laid) < 0);
  const last = figures.filter((laid) => placeOf(laid) > 0).sort((a, b) => placeOf(b) - placeOf(a));
  const isBefore = ({ column }: Laid): boolean => column.name.endsWith('_before');
  const names = shown.filter(({ column }) => CALLED.has(column.name));
  const made = figures.filter((laid) => placeOf(laid) === 0 && /_(?:before|percent)$/.test(laid.column.name));
  return [...names, ...can.filter(isBefore), ...can.filter((laid) => !isBefore(laid)), ...last, ...made];
}

function cellOf(row: ReportRow, column: ReportColumn): string {
  const value = row[column.name] ?? null;
  // Thousands of percent are hard to read.
  if (column.name.endsWith('_change_percent') && Math.abs(Number(value)) >= 1000)
    return `× ${(1 + Number(value) / 100).toFixed(1)}`;
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
