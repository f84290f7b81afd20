import { DISPENSABLE, EMAIL, type Laid, WORD } from './table-columns.js';

/** With fewer columns than this (and more wanted) a table is given up for blocks. */
const FEWEST = 3;
/** A terminal on which a table is given up as soon as a column has no room. */
const NARROW = 60;
/** Room that a text column gets beyond what the sample needs, when rows will follow. */
const SLACK = 8;

/** What a terminal asks of a table. */
export interface Fitting {
  /** Columns of the terminal. */
  readonly limit: number;
  /** Columns between two columns. */
  readonly gap: number;
  /** Rows will follow. */
  readonly more: boolean;
  /** The columns were asked for by name: the last go first, whatever they hold. */
  readonly asked: boolean;
}

/**
 * Cuts text columns to the terminal, and leaves out the least useful columns when that is not enough; says which.
 * Undefined when so little would stay that items are better shown as blocks.
 */
export function fitColumns(columns: readonly Laid[], fitting: Fitting): string[] | undefined {
  const { limit, gap, more, asked } = fitting;
  const shown = () => columns.filter((column) => column.width > 0);
  const sum = (widthOf: (column: Laid) => number) =>
    shown().reduce((total, column) => total + widthOf(column) + gap, -gap);
  const smallest = (column: Laid) => (column.cuttable ? Math.min(column.width, column.least) : column.width);
  const currency = asked ? undefined : columns.find((column) => column.path === 'iso_currency');
  // Where room is short: the amounts say their currency themselves.
  if (currency && sum(({ width }) => width) > limit && shown().some(({ as }) => as === 'money')) currency.width = 0;
  const dropped: { readonly column: Laid; readonly width: number }[] = [];
  const drop = (column: Laid): void => {
    dropped.unshift({ column, width: column.width });
    column.width = 0;
  };
  const fair = (column: Laid) => Math.max(smallest(column), Math.min(column.width, column.fair));
  // The hour of an event goes before what it is about.
  const daily = columns.filter(({ width, dayWidth = width }) => dayWidth < width);
  const spared = daily
    .filter(({ hasDays }) => hasDays)
    .reduce((total, { width, dayWidth = width }) => total + width - dayWidth, 0);
  const whole = sum(({ width }) => width);
  const hours = new Map(daily.map((column) => [column, column.width]));
  const shorten = (column: Laid): void => {
    column.days = true;
    column.width = Math.min(column.width, column.dayWidth ?? column.width);
  };
  if (sum(fair) > limit || (whole > limit && whole - spared <= limit))
    for (const column of daily) if (column.hasDays) shorten(column);
  while (!asked && sum(fair) > limit && shown().length > FEWEST) {
    const least = dispensable(shown());
    if (!least) break;
    drop(least);
  }
  // A day that all rows share says more than nothing.
  if (sum(smallest) > limit) for (const column of daily) if (column.width > 0) shorten(column);
  while (sum(smallest) > limit && shown().length > 1) {
    if (shown().length <= FEWEST || (limit < NARROW && !asked)) return undefined;
    const [first, ...rest] = shown();
    const least = asked
      ? (rest.at(-1) as Laid)
      : rest.reduce((worst, column) => (column.rank <= worst.rank ? column : worst), rest[0] ?? (first as Laid));
    drop(least);
  }
  // A wide column that went last may have made room for a narrow one that went before.
  for (const { column, width } of asked ? [] : dropped) {
    column.width = width;
    if (sum(fair) > limit) column.width = 0;
  }
  for (const [column, width] of hours) {
    if (column.width === 0 || sum((one) => (one === column ? width : one.width)) > limit) continue;
    column.days = false;
    column.width = width;
  }
  let over = sum(({ width }) => width) - limit;
  while (over > 0) {
    const cuttable = shown().filter((column) => column.cuttable && column.width > column.least);
    const long = cuttable.filter((column) => column.width > column.fair);
    // A name is known by its beginning; of an address a letter less is an address less.
    const names = cuttable.filter(({ width, path }) => width > WORD && !EMAIL.test(path));
    const given = [long, names, cuttable].find((some) => some.length > 0) ?? [];
    const widest = [...given].sort((a, b) => b.width - a.width)[0];
    if (widest === undefined) break;
    widest.width--;
    over--;
  }
  const flexible = more ? shown().filter((column) => column.cuttable) : [];
  for (let room = Math.min(-over, SLACK * flexible.length); room > 0 && flexible.length > 0; ) {
    for (const column of flexible) {
      if (room === 0) break;
      column.width++;
      room--;
    }
  }
  // What only stands in for another column is not missed.
  const missed = dropped.filter(({ column }) => column.width === 0 && !column.spare).map(({ column }) => column);
  return columns.filter((column) => missed.includes(column)).map(({ title }) => title);
}

const DAY = /^(\d{4}-\d\d-\d\d) \d\d:\d\d$/;
/** With more rows a day than this, days do not tell rows apart. */
const ROWS_A_DAY = 4;

/** The day of a moment in a zone that stands elsewhere; any other text as it is. */
export function dayOf(text: string): string {
  return text.replace(DAY, '$1');
}

/** What a column of times is like as a column of days. */
export function daysOf(title: string, cells: readonly string[]): Pick<Laid, 'dayWidth' | 'hasDays'> {
  const told = cells.filter((text) => text !== '');
  if (told.length === 0 || !told.every((text) => DAY.test(text))) return { dayWidth: undefined, hasDays: false };
  const days = new Set(told.map(dayOf));
  return {
    dayWidth: Math.max(title.length, ...[...days].map((day) => day.length)),
    hasDays: told.length === 1 || days.size * ROWS_A_DAY >= told.length,
  };
}

/** The least useful column that whom or what a row is about is cut for otherwise; undefined where none is left. */
function dispensable(shown: readonly Laid[]): Laid | undefined {
  // What was paid needs its day; people do not, and neither does what has another time.
  const needsDay = shown.some(({ as }) => as === 'money') && shown.filter(({ as }) => as === 'time').length < 2;
  return shown
    .slice(1)
    .filter(({ rank, path }) => rank <= DISPENSABLE || (path === 'created_date_unix' && !needsDay))
    .reduce<Laid | undefined>((worst, column) => (worst && worst.rank < column.rank ? worst : column), undefined);
}
