import type { Cell } from '../../base/database/types.js';

/** The type of a column in a given file. */
export type GivenType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

/** One column of a given file, typed. */
export interface GivenColumn {
  readonly name: string;
  readonly type: GivenType;
  readonly cells: readonly Cell[];
  /** The first row, counted from 1, whose value is not a number although most of the column's values are. */
  readonly stray?: number | undefined;
  /** True if its numbers can be read two ways, like `1,234`. */
  readonly isUnclear?: boolean;
}

const INTEGER = /^[+-]?(?:0|[1-9]\d{0,17})$/;
const POINT = /^[+-]?(?:(?:0|[1-9]\d*)|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/;
const COMMA = /^[+-]?(?:(?:0|[1-9]\d*)|[1-9]\d{0,2}(?:[. \u00a0\u202f]\d{3})+)(?:,\d+)?$/;
/** A REAL loses some digits beyond this many. */
const MOST_DIGITS = 15;

type Mark = '.' | ',';

/** Types columns of strings, as in a CSV: numbers if every value there is a number; empty cells are NULL. */
export function typedTexts(names: readonly string[], columns: readonly (readonly string[])[]): GivenColumn[] {
  const marks = columns.map(marksOf);
  const certain = new Set(marks.filter((some) => some.length === 1).flat());
  const [only, ...others] = [...certain];
  return names.map((name, at) => {
    const texts = columns[at] ?? [];
    const own = marks[at] ?? [];
    const isUnclear = own.length === 2 && certain.size !== 1 && texts.some((text) => text.includes(','));
    const mark = own.length === 2 ? (others.length === 0 ? (only ?? '.') : '.') : own[0];
    return textColumn(name, texts, isUnclear ? undefined : mark, isUnclear);
  });
}

const isThere = (text: string): boolean => text !== '';

/**
 * The decimal marks with which all cells of a column are numbers, some with a fraction or groups; empty for other
 * columns.
 */
function marksOf(texts: readonly string[]): Mark[] {
  const there = texts.filter(isThere);
  if (there.length === 0 || there.every((text) => INTEGER.test(text))) return [];
  return (['.', ','] as const).filter((mark) => there.every((text) => numberIn(text, mark) !== undefined));
}

function numberIn(text: string, mark: Mark): number | undefined {
  if (!(mark === '.' ? POINT : COMMA).test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split(mark);
  const digits = whole.replace(/[^\d-]/g, '');
  if (`${digits}${fraction}`.replace(/^-?0*/, '').length > MOST_DIGITS) return undefined;
  return Number(`${digits}.${fraction === '' ? '0' : fraction}`);
}

function textColumn(name: string, texts: readonly string[], mark: Mark | undefined, isUnclear: boolean): GivenColumn {
  const there = texts.filter(isThere);
  const nullOr = (made: (text: string) => Cell): Cell[] => texts.map((text) => (text === '' ? null : made(text)));
  if (mark !== undefined) return { name, type: 'REAL', cells: nullOr((text) => numberIn(text, mark) as number) };
  if (there.length > 0 && there.every((text) => INTEGER.test(text)))
    return { name, type: 'INTEGER', cells: nullOr((text) => BigInt(text.replace('+', ''))) };
  const isNumber = (text: string): boolean =>
    INTEGER.test(text) || numberIn(text, '.') !== undefined || numberIn(text, ',') !== undefined;
  const numbers = there.filter(isNumber).length;
  const stray =
    !isUnclear && numbers * 2 > there.length ? texts.findIndex((text) => isThere(text) && !isNumber(text)) : -1;
  return { name, type: 'TEXT', cells: nullOr(String), stray: stray < 0 ? undefined : stray + 1, isUnclear };
}

/** Types columns whose values already have types, as in JSON and Parquet. */
export function typedValues(names: readonly string[], rows: readonly (readonly Cell[])[]): GivenColumn[] {
  return names.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? null);
    const there = cells.filter((cell) => cell !== null);
    const isNumber = (cell: Cell): boolean => typeof cell === 'number' || typeof cell === 'bigint';
    if (there.length > 0 && there.every(isNumber)) {
      const isWhole = there.every((cell) => typeof cell === 'bigint' || Number.isSafeInteger(cell));
      return {
        name,
        type: isWhole ? 'INTEGER' : 'REAL',
        cells: cells.map((cell) => (isWhole && typeof cell === 'number' ? BigInt(cell) : cell)),
      };
    }
    if (there.length > 0 && there.every((cell) => cell instanceof Uint8Array)) return { name, type: 'BLOB', cells };
    const numbers = there.filter(isNumber).length;
    const stray = numbers * 2 > there.length ? cells.findIndex((cell) => cell !== null && !isNumber(cell)) : -1;
    return {
      name,
      type: 'TEXT',
      cells: cells.map((cell) => (cell === null || cell instanceof Uint8Array ? cell : String(cell))),
      stray: stray < 0 ? undefined : stray + 1,
    };
  });
}
