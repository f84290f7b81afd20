import { pathSteps } from '../catalogue/leaf-types.js';
import type { Column } from '../catalogue/types.js';
import { leafPaths, parseLossless } from '../items/json/lossless.js';
import { sanitise } from '../items/text/inert.js';
import { type As, guessAs } from './cells.js';
import type { AccountLine } from './types.js';

/** The fields that help most in rows whose own columns are empty, most useful first. */
export const STAND_INS: readonly string[] =
  `status name title subject amount amount_total price iso_currency email customer.email customer.last_name
    payment_type.name card_type card_last_digits last_digits product.name campaign_name result reason
    description type message enabled created_date_unix`.split(/\s+/);

/** A table with fewer columns than this adds others that tell its rows apart. */
const FEW = 5;
/** From this many rows on, a value that all share is not a coincidence. */
const MANY_ROWS = 3;
/** Longest value to state above a table instead of in a column. */
const LONGEST_SHARED = 30;
/** Columns of at most this rank are dropped before anything that identifies a row is cut. */
export const DISPENSABLE = 5;
/** A heading up to this length is never cut. */
const LONGEST_HEADING = 16;
/** A status up to this length is never cut. */
const LONGEST_STATUS = 18;
/** A word up to this length is shown in full; a longer text may be cut to its beginning. */
export const WORD = 13;
/** Fields found only in the items, stated once where all rows share them: who, what, and the result. */
const STATED = /^(status|result|reason|type|subject|title|message|from|to|email|first_name|last_name)$/;
/** What the service writes for "none", or for no money. */
const NOUGHT = /^(0+(\.0+)?( [A-Z]{3})?)?$/;

/** An address up to this length is never cut. */
export const ADDRESS = 34;
/** Columns of e-mail addresses, which people copy. */
export const EMAIL = /(^|[._])email$/;

export interface Laid {
  readonly title: string;
  readonly path: string;
  readonly as: As;
  readonly right: boolean;
  /** False for ids, times and money, which are useless when cut. */
  cuttable: boolean;
  /** Describes the row itself: stays in the table even where all rows share it. */
  readonly own: boolean;
  /** Stands in for a column that is empty in all rows. */
  readonly spare: boolean;
  /** Smallest useful width where the value is longer. */
  readonly least: number;
  /** Width up to which less informative columns give way: the subject of a row must be readable, and easy to copy. */
  fair: number;
  /** Columns with a higher rank stay longer when space is short. */
  rank: number;
  /** The values its text is computed from, if more than one. */
  readonly state: Column['state'];
  /** When its text is meaningless. */
  readonly unless: Column['unless'];
  /** False for a column that was dropped, and for a spare one that was not needed. */
  used: boolean;
  /** Its value is stated above the table. */
  isSaid: boolean;
  width: number;
  /** Days alone would say too little, as long as there is room for the hours. */
  readonly needsHours: boolean;
  /** Width of times shown as days; undefined where the cells are not times of one zone. */
  dayWidth: number | undefined;
  /** Days tell the rows apart about as well as hours do. */
  hasDays: boolean;
  /** The day of all its times, stated above the table: each then shows its hour alone. */
  day?: string | undefined;
  /** Times are shown as days, or as hours of one day, because space is short. */
  days: boolean;
}

/** The known columns, then the possible stand-ins, placed before the creation time that ends most rows. */
export function layColumns(columns: readonly Column[], withSpares: boolean): Laid[] {
  const known = new Set(columns.map(({ path }) => path));
  const spares = withSpares ? STAND_INS.filter((path) => !known.has(path)) : [];
  const last = columns.at(-1)?.path === 'created_date_unix' ? columns.slice(-1) : [];
  const first = last.length > 0 ? columns.slice(0, -1) : columns;
  return [
    ...first.flatMap((column) => [laid(column, false), ...(withSpares ? buyerOf(column, known) : [])]),
    ...spares.map((path) => laid({ path, title: titleOf(path) }, true)),
    ...last.map((column) => laid(column, false)),
  ];
}

/** The name of the customer whose address a column has, for a table where the address has no room. */
function buyerOf({ path, title }: Column, known: ReadonlySet<string>): Laid[] {
  if (path !== 'customer.email' || known.has('customer.last_name')) return [];
  return [
    {
      ...laid({ path: 'customer', title: title ?? titleOf(path), state: 'buyer', as: 'text' }, true),
      least: 20,
      fair: 20,
      rank: 8,
    },
  ];
}

function laid(column: Column, spare: boolean): Laid {
  const as = column.as ?? guessAs(column.path);
  const name = pathSteps(column.path).at(-1) ?? '';
  const isId = /^(id|.*_id)$/.test(name) || column.whole === true;
  const title = sanitise((column.title ?? column.path).replaceAll('_', ' ')).toUpperCase();
  const least = /email$/.test(name) ? 16 : /^(name|title|subject)$/.test(column.path) ? 14 : 8;
  return {
    title,
    path: column.path,
    as,
    right: as === 'money',
    cuttable: !isId && (as === 'text' || as === 'prose' || as === 'status'),
    own: column.whole === true || isOwnAmount(column.path, as) || FIGURE.test(column.path),
    spare,
    least: Math.max(as === 'status' ? LONGEST_STATUS : least, Math.min(title.length, LONGEST_HEADING)),
    fair: as === 'prose' ? 0 : as === 'status' ? LONGEST_STATUS : fairOf(column.path),
    rank: spare ? 1 : column.whole ? 9 : rankOf(column.path, as, isId),
    state: column.state,
    unless: column.unless,
    used: !spare,
    isSaid: false,
    width: 0,
    needsHours: column.hours === true,
    dayWidth: undefined,
    hasDays: false,
    days: false,
  };
}

/** E-mail addresses are copied; the beginning of a name is enough. */
function fairOf(path: string): number {
  if (EMAIL.test(path)) return ADDRESS;
  return /^(name|title|subject|code|key|product\.name)$/.test(path) ? 20 : WORD;
}

/** Who and how much outrank flags and sums that are mostly zero. */
function rankOf(path: string, as: As, isId: boolean): number {
  if (as === 'status') return 9;
  if (/(^|_)(email|name|title|subject|code|key)$|^customer\.email$/.test(path) && path !== 'campaign_name') return 8;
  if (as === 'money') return /refunded|remaining|^price_/.test(path) ? 4 : 8;
  if (as === 'time') return path === 'created_date_unix' ? 6 : 7;
  if (path === 'product.name') return 6;
  if (as === 'flag') return 2;
  return isId ? 3 : 5;
}

/** `billing.next_renewal_date_unix` → `next renewal`, `payment_type.name` → `payment type`. */
export function titleOf(path: string): string {
  const steps = pathSteps(path);
  const last = steps.at(-1) ?? path;
  const word = steps.length > 1 && /^(name|email)$/.test(last) ? (steps.at(-2) ?? last) : last;
  if (word === 'campaign_name') return 'campaign';
  return word.replace(/_date_unix$|_unix$|^iso_/g, '').replaceAll('_', ' ');
}

/** A value shared by all rows. */
export interface Shared {
  readonly title: string;
  readonly text: string;
}

export interface ColumnChoice {
  /** True when no more rows will follow. */
  readonly whole: boolean;
  /** The account of the rows; printed above the table. */
  readonly account: AccountLine | undefined;
  /** Values that all rows share move above the table; otherwise every column stays. */
  readonly shares: boolean;
}

/** The figures of groups: above the table, one would look like the figure for all. */
const FIGURE = /^(?:count|sum_.*)$/;

/** The amount that an item is about: a list of payments always shows it. */
function isOwnAmount(path: string, as: As): boolean {
  return as === 'money' && !/refunded|remaining|settled|discount/.test(path);
}

/**
 * Decides which columns to use: columns that are empty in all rows give way to the most useful non-empty ones, and
 * values that all rows share are stated once, above the table. Returns those shared values.
 */
export function chooseColumns(columns: readonly Laid[], rows: readonly string[][], choice: ColumnChoice): Shared[] {
  if (rows.length === 0) return [];
  const text = (index: number, row: readonly string[] | undefined = rows[0]) => row?.[index] ?? '';
  const isEmpty = (index: number) => rows.every((row) => text(index, row) === '');
  const isShared = (index: number) => rows.every((row) => text(index, row) === text(index));
  const hasSpares = columns.some(({ spare }) => spare);
  const shared: Shared[] = [];
  const isSaid = (index: number): boolean => {
    const { path, as, title, own } = columns[index] as Laid;
    if (!choice.shares || isEmpty(index)) return false;
    if (path === 'live_mode')
      return isShared(index) && text(index) === (choice.account?.mode === 'live' ? 'yes' : 'no');
    if (path === 'iso_currency') return columns.some((other) => other.as === 'money' && other.used && !other.spare);
    if (own) return false;
    const foldable = choice.whole && rows.length >= MANY_ROWS && as !== 'prose' && as !== 'time';
    const isNought = as === 'money' && rows.every((row) => text(index, row) !== '' && NOUGHT.test(text(index, row)));
    if (!foldable || (!isNought && !isShared(index)) || text(index).length > LONGEST_SHARED) return false;
    // Zero is zero in any currency.
    shared.push({ title: title.toLowerCase(), text: isShared(index) ? text(index) : text(index).replace(/ .*/, '') });
    return true;
  };
  let free = 0;
  for (const [index, column] of columns.entries()) {
    if (index === 0 || column.spare) continue;
    column.isSaid = isSaid(index);
    column.used = !column.isSaid && !(hasSpares && isEmpty(index));
    if (!column.used) free++;
  }
  for (const [index, column] of columns.entries()) {
    const isNought = column.as === 'money' && rows.every((row) => NOUGHT.test(text(index, row)));
    if (column.used && isNought && !column.own) column.rank = 1;
    // A value that is the same in all rows does not tell them apart.
    if (rows.length > 1 && !column.own && isShared(index)) {
      column.fair = 0;
      if (/name$/.test(column.path)) column.rank = DISPENSABLE;
    }
  }
  for (const [index, column] of columns.entries()) {
    if (
      !column.spare ||
      column.state === 'buyer' ||
      free === 0 ||
      isEmpty(index) ||
      (rows.length >= MANY_ROWS && isShared(index))
    )
      continue;
    if (column.path === 'iso_currency' && columns.some(({ as, used }) => as === 'money' && used)) continue;
    const isTold = columns.some(
      ({ used }, other) => used && rows.every((row) => text(other, row) === text(index, row)),
    );
    if (isTold || rows.every((row) => NOUGHT.test(text(index, row)))) continue;
    column.used = true;
    free--;
  }
  return shared;
}

/** Columns found only in the items, for a table that would otherwise have few: those that tell its rows apart. */
export function learntColumns(columns: readonly Laid[], raws: readonly string[]): Laid[] {
  const used = columns.filter((column) => column.used).length;
  if (used >= FEW) return [];
  const known = new Set(columns.map(({ path }) => path));
  const values = raws.map((raw) => parseLossless(raw));
  const paths = [...new Set(values.slice(0, FEW).flatMap((value) => leafPaths(value)))];
  return paths
    .filter((path) => !known.has(path) && canStandIn(path, used))
    .map((path) => laid({ path, title: titleOf(path) }, true));
}

/**
 * False for ids, times of change and deeply nested values, which say little to a person, and for the marked words of a
 * search hit, which repeat the hit.
 */
export function canStandIn(path: string, used = FEW): boolean {
  const steps = pathSteps(path);
  if (steps[0] === 'highlights' && used > 2) return false;
  const last = steps.at(-1) ?? '';
  return (
    steps.length <= 2 &&
    !/^(id|.*_id|updated_date_unix|live_mode|item_type|score|highlights)$/.test(last) &&
    !/html|^body$/.test(last)
  );
}

/** The cells of the learnt columns and of the existing ones, row by row. */
interface Texts {
  readonly rows: readonly string[][];
  readonly known: readonly string[][];
}

/**
 * The decision on learnt columns. `chosen`: the ones to use: filled, not all the same, readable, and no more than a
 * table needs. `shared`: values that all rows share, to state above the table.
 */
export function chooseLearnt(columns: readonly Laid[], learnt: readonly Laid[], texts: Texts) {
  const { rows, known } = texts;
  let room = FEW - columns.filter(({ used }) => used).length;
  const chosen: number[] = [];
  const shared: Shared[] = [];
  for (const [index, { title, path }] of learnt.entries()) {
    const cells = rows.map((row) => row[index] ?? '');
    const filled = cells.filter((text) => text !== '');
    const isSame =
      rows.length >= MANY_ROWS && filled.every((text) => text === filled[0]) && filled.length === cells.length;
    const longest = Math.max(0, ...filled.map((text) => text.length));
    const isNought = filled.every((text) => NOUGHT.test(text));
    const isTold = columns.some((_, other) => known.every((row, at) => (row[other] ?? '') === cells[at]));
    if (isNought || isTold || longest > 60) continue;
    if (isSame) {
      const isStated = STATED.test(path) && longest <= LONGEST_SHARED;
      if (isStated) shared.push({ title: title.toLowerCase(), text: cells[0] ?? '' });
    } else if (room > 0) {
      chosen.push(index);
      room--;
    }
  }
  return { chosen, shared };
}
