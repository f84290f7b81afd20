import { DISPENSABLE, EMAIL, type Laid, WORD } from './table-columns.js';

/** If fewer columns than this would remain (and more are wanted), items are shown as blocks instead of a table. */
const FEWEST = 3;
/** On a terminal narrower than this, blocks replace the table as soon as one column has no room. */
const NARROW = 60;
/** Extra width that a text column gets beyond the sample when more rows will follow. */
const SLACK = 8;

/** The constraints of a terminal on a table. */
export interface Fitting {
  /** Width of the terminal in columns. */
  readonly limit: number;
  /** Gap between two columns. */
  readonly gap: number;
  /** More rows will follow. */
  readonly more: boolean;
  /** The columns were named explicitly: the last are dropped first, whatever they hold. */
  readonly asked: boolean;
}

/**
 * Cuts text columns to the terminal, then drops the least useful columns if that is not enough, and returns the titles
 * of the dropped ones. Undefined when so little would remain that blocks show the items better.
 */
export function fitColumns(columns: readonly Laid[], fitting: Fitting): string[] | undefined {
  const { limit, gap, more, asked } = fitting;
  const shown = () => columns.filter((column) => column.width > 0);
  const sum = (widthOf: (column: Laid) => number) =>
    shown().reduce((total, column) => total + widthOf(column) + gap, -gap);
  const smallest = (column: Laid) => (column.cuttable ? Math.min(column.width, column.least) : column.width);
  const currency = asked ? undefined : columns.find((column) => column.path === 'iso_currency');
  // When space is short, the amounts carry their currency themselves.
  if (currency && sum(({ width }) => width) > limit && shown().some(({ as }) => as === 'money')) currency.width = 0;
  const dropped: { readonly column: Laid; readonly width: number }[] = [];
  const drop = (column: Laid): void => {
    dropped.unshift({ column, width: column.width });
    column.width = 0;
  };
  const fair = (column: Laid) => Math.max(smallest(column), Math.min(column.width, column.fair));
  // The hour of an event goes before the subject of the event.
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
  // A day, even one that all rows share, says more than nothing.
  if (sum(smallest) > limit) for (const column of daily) if (column.width > 0) shorten(column);
  while (sum(smallest) > limit && shown().length > 1) {
    if (shown().length <= FEWEST || (limit < NARROW && !asked)) return undefined;
    const [first, ...rest] = shown();
    const least = asked
      ? (rest.at(-1) as Laid)
      : rest.reduce((worst, column) => (column.rank <= worst.rank ? column : worst), rest[0] ?? (first as Laid));
    drop(least);
  }
  // A wide column that was dropped last may leave room for a narrow one dropped earlier.
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
    // The beginning of a name identifies it; an address with a letter missing is useless.
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
  // Nobody misses a column that only stands in for another.
  const missed = dropped.filter(({ column }) => column.width === 0 && !column.spare).map(({ column }) => column);
  return columns.filter((column) => missed.includes(column)).map(({ title }) => title);
}

const DAY = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/;
/** With more rows per day than this, days do not tell rows apart. */
const ROWS_A_DAY = 4;

/** A moment whose zone is shown elsewhere: its day, or its hour where the day is said; any other text as it is. */
export function shownTime(text: string, said?: string): string {
  return text.replace(DAY, (_, day: string, hour: string) => (day === said ? hour : day));
}

/**
 * The layout of a column of times when shown as days.
 * @param canSay true where a heading can state the day that all rows share
 */
export function daysOf(
  title: string,
  cells: readonly string[],
  canSay: boolean,
): Pick<Laid, 'dayWidth' | 'hasDays' | 'day'> {
  const told = cells.filter((text) => text !== '');
  if (told.length === 0 || !told.every((text) => DAY.test(text)))
    return { dayWidth: undefined, hasDays: false, day: undefined };
  const days = new Set(told.map((text) => shownTime(text)));
  const [day = ''] = days;
  if (canSay && told.length > 1 && days.size === 1)
    return { dayWidth: Math.max(title.length, 'HH:MM'.length), hasDays: true, day };
  return {
    day: undefined,
    dayWidth: Math.max(title.length, ...[...days].map((day) => day.length)),
    hasDays: told.length === 1 || days.size * ROWS_A_DAY >= told.length,
  };
}

/** The least useful column to drop before cutting the subject of a row; undefined where none is left. */
function dispensable(shown: readonly Laid[]): Laid | undefined {
  // A payment needs its day; people do not, and neither does a row with another time.
  const needsDay = shown.some(({ as }) => as === 'money') && shown.filter(({ as }) => as === 'time').length < 2;
  return shown
    .slice(1)
    .filter(({ rank, path }) => rank <= DISPENSABLE || (path === 'created_date_unix' && !needsDay))
    .reduce<Laid | undefined>((worst, column) => (worst && worst.rank < column.rank ? worst : column), undefined);
}
