import type { Column } from '../catalogue/types.js';
import { leafPaths, parseLossless } from '../items/json/lossless.js';
import { pathSteps } from '../items/json/pick-values.js';
import { sanitise } from '../items/text/inert.js';
import { type As, guessAs } from './cells.js';
import type { AccountLine } from './colour.js';

/** What people look for in rows whose own columns are empty, most useful first. */
export const STAND_INS: readonly string[] = [
  'status',
  'name',
  'title',
  'subject',
  'amount',
  'amount_total',
  'price',
  'iso_currency',
  'email',
  'customer.email',
  'customer.last_name',
  'payment_type.name',
  'card_type',
  'card_last_digits',
  'last_digits',
  'product.name',
  'campaign_name',
  'result',
  'reason',
  'description',
  'type',
  'message',
  'enabled',
  'created_date_unix',
];

/** A table with fewer columns than this takes what else its rows tell apart. */
const FEW = 5;
/** Rows that make one value in all of them more than a coincidence. */
const MANY_ROWS = 3;
/** Longest value that is stated above a table instead of in a column. */
const LONGEST_SHARED = 30;
/** Columns of at most this rank give way before what identifies a row is cut. */
export const DISPENSABLE = 5;
/** A heading as long as this is never cut. */
const LONGEST_HEADING = 16;
/** A status as long as this is never cut. */
const LONGEST_STATUS = 18;
/** A word of a row is read whole up to this length: of a longer text the beginning will do. */
export const WORD = 13;
/** Fields that only the items tell of and that are stated where all rows share them: who, what, and how it went. */
const STATED = /^(status|result|reason|type|subject|title|message|from|to|email|first_name|last_name)$/;
/** What a service writes where there is nothing, or no money. */
const NOUGHT = /^(0+(\.0+)?( [A-Z]{3})?)?$/;

/** Columns of e-mail addresses, which are copied. */
export const EMAIL = /(^|[._])email$/;

export interface Laid {
  readonly title: string;
  readonly path: string;
  readonly as: As;
  readonly right: boolean;
  /** False for ids, times and money: cut, they would be of no use. */
  cuttable: boolean;
  /** What the row itself is about: it stays in the table, even where all rows share it. */
  readonly own: boolean;
  /** Stands in for a column that is empty in all rows. */
  readonly spare: boolean;
  /** Room that is not worth having for less, where the value is longer. */
  readonly least: number;
  /** Room that what says the least gives way to: whom or what a row is about is read whole, and copied. */
  fair: number;
  /** What stays where room is short: the higher, the longer. */
  rank: number;
  /** What its text is computed from, where that is more than one value. */
  readonly state: Column['state'];
  /** When its text means nothing. */
  readonly unless: Column['unless'];
  /** False for a column that gave way, and for a spare one that was not needed. */
  used: boolean;
  /** What it holds stands above the table. */
  isSaid: boolean;
  width: number;
  /** Its days alone would say too little, as long as there is room for the hours. */
  readonly needsHours: boolean;
  /** Width of times as their days; undefined where its cells are no times of one zone. */
  dayWidth: number | undefined;
  /** Days tell the rows apart about as well as hours do. */
  hasDays: boolean;
  /** Times are shown as their days, because the room is short. */
  days: boolean;
}

/** The known columns, and behind them those that may stand in, before the time of creation that ends most rows. */
export function layColumns(columns: readonly Column[], withSpares: boolean): Laid[] {
  const known = new Set(columns.map(({ path }) => path));
  const spares = withSpares ? STAND_INS.filter((path) => !known.has(path)) : [];
  const last = columns.at(-1)?.path === 'created_date_unix' ? columns.slice(-1) : [];
  const first = last.length > 0 ? columns.slice(0, -1) : columns;
  return [
    ...first.map((column) => laid(column, false)),
    ...spares.map((path) => laid({ path, title: titleOf(path) }, true)),
    ...last.map((column) => laid(column, false)),
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

/** E-mail addresses are copied; a name is known by its beginning. */
function fairOf(path: string): number {
  if (EMAIL.test(path)) return 34;
  return /^(name|title|subject|code|key|product\.name)$/.test(path) ? 20 : WORD;
}

/** Who and how much outlast switches and sums that are mostly nought. */
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

/** A value that all rows share. */
export interface Shared {
  readonly title: string;
  readonly text: string;
}

export interface ColumnChoice {
  /** The rows are all there will be. */
  readonly whole: boolean;
  /** Whose rows they are: said above the table. */
  readonly account: AccountLine | undefined;
  /** What all rows share is said above the table; without it every column stays. */
  readonly shares: boolean;
}

/** The figures of groups: above the table one would pass for that of all. */
const FIGURE = /^(?:count|sum_.*)$/;

/** The money that an item is about: a list of payments never goes without it. */
function isOwnAmount(path: string, as: As): boolean {
  return as === 'money' && !/refunded|remaining|settled|discount/.test(path);
}

/**
 * Decides which columns are used: those that are empty in all rows give way to the most useful ones that are not, and
 * what all rows share is stated once, above them. Returns what is to be stated.
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
    // No money is no money in any currency.
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
    // What is the same in all rows does not tell them apart.
    if (rows.length > 1 && !column.own && isShared(index)) column.fair = 0;
  }
  for (const [index, column] of columns.entries()) {
    if (!column.spare || free === 0 || isEmpty(index) || (rows.length >= MANY_ROWS && isShared(index))) continue;
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

/** Columns that only the items can tell of, for a table that would have few: what tells its rows apart. */
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

/** Ids, times of change and what stands deep inside say little to a person; a hit's marked words repeat what it is. */
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

/** The cells of the learnt columns, and those of the columns that were there, row by row. */
interface Texts {
  readonly rows: readonly string[][];
  readonly known: readonly string[][];
}

/** What becomes of learnt columns. */
export interface LearntColumns {
  /** Those that are used: filled, not all the same, readable, at most as many as make a table. */
  readonly chosen: readonly number[];
  /** What all rows share, to be stated above them. */
  readonly shared: readonly Shared[];
}

export function chooseLearnt(columns: readonly Laid[], learnt: readonly Laid[], texts: Texts): LearntColumns {
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
