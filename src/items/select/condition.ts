import { CopsError, usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { type CalendarUnit, UNITS } from '../../base/time/periods.js';
import { refuseBareM, spanIn } from '../../base/time/spans.js';
import type { Zone } from '../../base/time/zones.js';
import { LEAF_TYPES, type LeafType } from '../../catalogue/leaf-types.js';
import { spokenSum } from './amounts.js';
import {
  type Against,
  against,
  areLike,
  isMoment,
  type Operand,
  type ReadingClock,
  type Shift,
  saidOfMonth,
  wrongOperand,
} from './compare.js';
import { isNumber, timesNumber } from './decimals.js';
import type { MadeFilter } from './made-filters.js';
import { fieldAt, fieldPath, isMoney, typeAt, type Vocabulary } from './names.js';
import { commaPieces, listedValues, splitAtWord, withoutQuotes } from './value-list.js';

export type { ReadingClock } from './compare.js';

export type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~';

/** One condition on an item. */
export interface Condition {
  /** As typed, for errors and notes. */
  readonly text: string;
  readonly path: string;
  readonly operator: Operator;
  readonly operand: string;
  /** The catalogue's type for values at the path; where it has none, each value shows its own. */
  readonly type: LeafType | undefined;
  /** The field on the right-hand side, written in braces. */
  readonly field?: ComparedField | undefined;
  /** The conditions that this one is made of: `status=active,overdue`, `a=1 or b=2`. */
  readonly parts?: Parts | undefined;
  /** True for a listed text taken as a whole, comma included, besides its parts. */
  readonly isWhole?: boolean | undefined;
  /** True for a word that stands for several values. */
  readonly isSpoken?: boolean | undefined;
  /** How the operand was understood, where that is not obvious. */
  readonly said?: string | undefined;
  /**
   * How values of a type compare to the operand.
   * @throws CopsError `usage` for an operand that the type does not accept
   */
  against(type: LeafType): Against;
}

/** Conditions, any or all of which an item must meet. */
interface Parts {
  readonly kind: 'any' | 'all';
  readonly of: readonly Condition[];
  /** True if they are values of one field. */
  readonly areValues: boolean;
}

/** The single comparisons of a condition. */
export const comparisons = (condition: Condition): readonly Condition[] =>
  condition.parts ? condition.parts.of.flatMap(comparisons) : [condition];

/** A field on the right-hand side of a comparison. */
export interface ComparedField {
  readonly path: string;
  readonly type: LeafType | undefined;
  readonly zone: Zone;
  /** Its multiplier: `50% of {amount}` is `0.5`. */
  readonly factor?: string | undefined;
  /** The span added to it: `{created}+30d`. */
  readonly shift?: Shift | undefined;
  /** The calendar period that stands for its moments: `{next_renewal:month}`. */
  readonly grain?: CalendarUnit | undefined;
  /** True for a field of the listed item, where the condition is on a related row. */
  readonly isListed?: boolean | undefined;
}

/** The row that a name in braces refers to, where that is not the compared row itself. */
export interface RightSide {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  readonly isListed: boolean;
  /** The text to suggest in place of a field compared with itself. */
  readonly instead?: string | undefined;
}

/** The comparisons of a text, as typed. */
const textsIn = (text: string): string[] => splitAtWord(text, 'or').flatMap((one) => splitAtWord(one, 'and'));

/** The names before the operators of a text. */
export const leftNames = (text: string): string[] => textsIn(text).flatMap((one) => SHAPE.exec(one)?.[1]?.trim() ?? []);

/** The names in braces after the operators of a text. */
export const rightNames = (text: string): string[] =>
  textsIn(text).flatMap((one) =>
    commaPieces(SHAPE.exec(one)?.[3] ?? '').flatMap((piece) => fieldIn(piece)?.name ?? []),
  );

/** All names of a text: before its operators, and in braces after them. */
export const conditionNames = (text: string): string[] => [...leftNames(text), ...rightNames(text)];

/** Splits a text at `and` into conditions that must all hold. */
export const conditionsIn = (text: string): string[] =>
  splitAtWord(text, 'or').length > 1 ? [text] : splitAtWord(text, 'and');

/** `amount>100 USD`, `amount>USD 100` and `amount>$100` also require that currency, or one of those it may mean. */
function withCurrency(text: string, vocabulary: Vocabulary): string[] {
  const [, field = '', operand = ''] = /^(.*?[<>=]\s*)([^<>=]+)$/s.exec(text.trim()) ?? [];
  const name = leftNames(text)[0] ?? '';
  const path = fieldPath(vocabulary, name, 'path');
  // A code followed by digits is also a text (`SKU-1000`), and a lower-case word is not a currency: `days>30 day`.
  const mayBeSum =
    isMoney(vocabulary, path) ||
    (typeAt(vocabulary, path) === undefined && /[\s$\u20ac\u00a3\u00a5]/.test(operand.trim()));
  const sum = !mayBeSum || /[a-z]/.test(operand) ? undefined : spokenSum(operand);
  return sum?.currencies ? [`${field}${sum.text}`, `iso_currency=${sum.currencies.join(',')}`] : [text];
}

const SHAPE = /^([^=!<>~]+?)\s*(!=|>=|<=|==|=|>|<|~)([\s\S]*)$/;
/** `{amount}`, or a fraction of it: `50% of {amount}`, `0.5*{amount}`, `{amount}*0.5`. */
const BRACES = /^(?:(\d+(?:\.\d+)?)\s*(?:(%)(?:\s*(?:of|\*))?|\*)\s*)?\{([^{}]+)\}(?:\s*\*\s*(\d+(?:\.\d+)?))?$/i;
/** `{created}+30d`, `{created} - 2 weeks`. */
const SHIFTED = /^(\{[^{}]+\})\s*([-+])\s*(.+)$/s;

/** A field in braces, its multiplier, and the span added to it, as typed. */
interface Braced {
  readonly name: string;
  readonly grain: CalendarUnit | undefined;
  readonly factor: string | undefined;
  readonly added?: readonly [sign: string, span: string];
}

/** `next_renewal:month`: a field, and the period that stands for its moments. */
const GRAINED = new RegExp(`^(.*?)(?:\\s*:\\s*(${UNITS.join('|')}))?$`, 'is');

function namedIn(braces: string): Pick<Braced, 'name' | 'grain'> {
  const [, name = '', unit] = GRAINED.exec(braces.trim()) ?? [];
  return { name: name.trim(), grain: UNITS.find((one) => one === unit?.toLowerCase()) };
}

/** The field that the right side of a condition names in braces. */
function fieldIn(right: string): Braced | undefined {
  const [, braces, sign, span] = SHIFTED.exec(right.trim()) ?? [];
  if (braces !== undefined && sign !== undefined && span !== undefined)
    return { ...namedIn(braces.slice(1, -1)), factor: undefined, added: [sign, span.trim()] };
  const [, before, percent, name, behind] = BRACES.exec(right.trim()) ?? [];
  if (name === undefined || (before !== undefined && behind !== undefined)) return undefined;
  const number = before ?? behind;
  const factor = number !== undefined && percent ? timesNumber(number, '0.01') : number;
  return { ...namedIn(name), factor };
}

/** The context for reading a condition. */
interface ConditionReader {
  readonly vocabulary: Vocabulary;
  readonly moment: ReadingClock;
  readonly option: string;
  /** The row that braces refer to, where that is not the row itself. */
  rightOf(text: string, name: string): RightSide | undefined;
}

/**
 * Parses a condition: `status=overdue`, `amount>20`, `customer.email~@example.com`, `created>=2026-07`; comma-separated
 * values mean any of them, and `or` joins two conditions.
 *
 * @throws CopsError of kind `usage`
 */
export function parseCondition(
  text: string,
  vocabulary: Vocabulary,
  moment: ReadingClock,
  option = '--where',
  rightOf: ConditionReader['rightOf'] = () => undefined,
): Condition {
  const reader = { vocabulary, moment, option, rightOf };
  const any = splitAtWord(text, 'or').map((one) =>
    made(
      'all',
      one,
      conditionsIn(one)
        .flatMap((each) => withCurrency(each, vocabulary))
        .map((each) => comparison(each, reader)),
    ),
  );
  return made('any', text, any);
}

/** Several conditions as one; a single condition stays as it is. */
function made(kind: Parts['kind'], text: string, of: readonly Condition[], like?: Condition): Condition {
  const [first, other] = of;
  if (first && !other) return first;
  const base = like ?? { path: text, operator: '=', operand: '', type: undefined, against: () => () => undefined };
  return { ...base, text, parts: { kind, of, areValues: like !== undefined } };
}

function comparison(text: string, reader: ConditionReader): Condition {
  const { vocabulary, option } = reader;
  const match = SHAPE.exec(text.trim());
  if (!match)
    throw usage(
      `${option} "${text}" is not a condition.`,
      `Write a field, one of = != > < >= <= ~ (contains), and a value: ${option} status=overdue ${option} 'amount>20'.`,
    );
  const [, name = '', sign = '='] = match;
  const operator = (sign === '==' ? '=' : sign) as Operator;
  const path = fieldPath(vocabulary, name.trim(), 'path');
  return ofValues({ text, path, operator, operand: (match[3] ?? '').trim() }, reader);
}

/** A condition on a path whose operand may be several values. */
function ofValues(asked: Asked, reader: ConditionReader): Condition {
  const typed = { ...asked, operand: spokenValues(asked, reader.vocabulary) };
  const single = (one: Asked): Condition => {
    const braced = fieldIn(one.operand);
    return braced ? fieldCondition(one, braced, reader) : conditionOn(one, reader);
  };
  const isListed = !isOrder(typed.operator) && typed.operand.includes(',') && fieldIn(typed.operand) === undefined;
  const type = typeAt(reader.vocabulary, typed.path);
  // Quotes may be part of a text, unless they hold nothing; around a value of any other type they mean nothing.
  const isQuotable = (type !== undefined && type !== 'text') || /^(?:""|'')$/.test(typed.operand);
  if (!isListed) return single(isQuotable ? { ...typed, operand: withoutQuotes(typed.operand) } : typed);
  const { values, mayBeOne, said } = valuesIn(typed, reader);
  const meant = typed.operand === asked.operand ? said : `${asked.operand} means ${typed.path}=${typed.operand}.`;
  const of = values.map((operand) => ({ ...single({ ...typed, operand }), said: meant }));
  // A text that contains the whole also contains each part.
  const isOneMore = mayBeOne && typed.operator !== '~';
  if (isOneMore) of.push({ ...single(typed), type: 'text', isWhole: true, said });
  return made(typed.operator === '!=' ? 'all' : 'any', typed.text, of, {
    ...(of[0] as Condition),
    ...typed,
    field: undefined,
    isSpoken: typed.operand !== asked.operand,
  });
}

/** @throws CopsError `usage` for an ambiguous comma */
function valuesIn({ text, path, operand }: Asked, { vocabulary, moment, option }: ConditionReader) {
  const type = typeAt(vocabulary, path);
  const field = fieldAt(vocabulary, path);
  const listed = listedValues(operand, {
    type,
    isMoney: isMoney(vocabulary, path),
    hasFraction: type === 'share' || field?.type === 'number',
    isOne: (whole) => field?.enum?.includes(whole) === true || (type !== undefined && isValue(type, whole, moment)),
  });
  if (listed.unclear === undefined) return { ...listed, mayBeOne: listed.mayBeOne && field?.enum === undefined };
  const [one, several] = listed.unclear;
  throw usage(`${option} "${text}" is ambiguous.`, `Write ${path}=${one}, or for several '${path}=${several}'.`);
}

/** Whether a text is a single value of a type whose values may contain commas. */
function isValue(type: LeafType, operand: string, moment: ReadingClock): boolean {
  if (type !== 'country' && !isMoment(type)) return false;
  try {
    against(type, { path: '', operand, moment, says: '', unit: undefined });
    return true;
  } catch (error) {
    if (error instanceof CopsError) return false;
    throw error;
  }
}

/**
 * A condition on a path, with its operand checked against the known field.
 *
 * @throws CopsError `usage`
 */
function conditionOn(typed: Asked, { vocabulary, moment, option }: ConditionReader): Condition {
  const asked = asSpoken(typed, vocabulary);
  const { text, path, operator, operand } = asked;
  const says = `${option} "${text}"`;
  if (isOrder(operator) && operand === '') throw usage(`${says}: a value is missing after ${operator}.`);
  const type = typeAt(vocabulary, path);
  const right: Operand = { path, operand, moment, says, unit: fieldAt(vocabulary, path)?.unit };
  const said = type === 'month' && operator !== '~' && !isEmptiness(asked) ? saidOfMonth(right, operator) : undefined;
  const condition: Condition = { ...asked, type, said, against: compiled(right) };
  checkEnum(asked, vocabulary, option);
  // Reports a fault in the command line before anything is read.
  if (type !== undefined && !isEmptiness(condition)) comparisonFor(condition, type);
  if (operator !== '~' && isMoney(vocabulary, path) && !isEmptiness(condition) && !isNumber(operand))
    throw wrongOperand('money', right);
  return condition;
}

/** A condition whose right side is a field. */
function fieldCondition(typed: Asked, { name, grain, factor, added }: Braced, reader: ConditionReader): Condition {
  const { vocabulary, moment, rightOf } = reader;
  const { zone } = moment;
  const right: RightSide = rightOf(typed.text, name) ?? { name, vocabulary, isListed: false };
  const path = fieldPath(right.vocabulary, right.name, 'path');
  const shift = added && shiftAsked(typed, added);
  const field = { path, type: typeAt(right.vocabulary, path), zone, factor, shift, grain, isListed: right.isListed };
  if (factor !== undefined && field.type !== undefined && !LEAF_TYPES[field.type].sums)
    throw usage(`"${typed.text}": ${path} is not a number, so it has no percentage.`);
  if ((shift ?? grain) !== undefined && field.type !== undefined && !isMoment(field.type))
    throw noTime(typed.text, path);
  if (path === typed.path && !right.isListed && factor === undefined && shift === undefined)
    throw usage(`"${typed.text}" compares ${path} with itself.`, right.instead ?? 'Name another field in braces.');
  const type = typeAt(vocabulary, typed.path);
  const condition: Condition = { ...typed, type, field, against: () => () => undefined };
  if (typed.operator === '~') throw usage(`"${typed.text}": ~ takes text, not a field.`);
  if (type !== undefined) comparisonFor(condition, type);
  if (type !== undefined && field.type !== undefined) refuseUnlike(condition, type, field.type);
  return condition;
}

/** @throws CopsError of kind `usage` for anything but a span of time */
function shiftAsked({ text }: Asked, [sign, typed]: NonNullable<Braced['added']>): Shift {
  refuseBareM(typed, '');
  const span = spanIn(typed);
  if (span === undefined)
    throw usage(`"${text}": "${typed}" is not a span of time.`, "For example: 'updated<{created}+30d'");
  return { span, isBack: sign === '-' };
}

export const noTime = (text: string, path: string): Error =>
  usage(`"${text}": ${path} is not a time, so no span can be added to it.`);

export function refuseUnlike({ text, path, field }: Condition, left: LeafType, right: LeafType): void {
  if (areLike(left, right)) return;
  throw usage(
    `"${text}": ${path} and ${field?.path} hold values of different types.`,
    `${path} takes ${LEAF_TYPES[left].takes}.`,
  );
}

/** Builds each type's comparison once. */
function compiled(operand: Operand): Condition['against'] {
  const known = new Map<LeafType, Against>();
  return (type) => {
    const compare = known.get(type) ?? against(type, operand);
    known.set(type, compare);
    return compare;
  };
}

/**
 * The comparison of a condition for values of a type.
 *
 * @throws CopsError `usage` for a comparison that the type does not allow
 */
export function comparisonFor(condition: Condition, type: LeafType): Against | undefined {
  const { text, path, operator } = condition;
  const { ordered, contains, takes } = LEAF_TYPES[type];
  if ((isOrder(operator) && !ordered) || (operator === '~' && !contains)) {
    const signs = ['=', '!=', ...(ordered ? ['>', '<', '>=', '<='] : []), ...(contains ? ['~'] : [])].join(' ');
    throw usage(`"${text}": ${path} cannot be compared with ${operator}.`, `It takes ${signs} and ${takes}.`);
  }
  return operator === '~' ? undefined : condition.against(type);
}

export const isOrder = (operator: Operator): boolean => operator !== '=' && operator !== '!=' && operator !== '~';

/** `field=` and `field=null` test whether there is a value. */
export const isEmptiness = ({ operator, operand }: Pick<Condition, 'operator' | 'operand'>): boolean =>
  !isOrder(operator) && operator !== '~' && (operand === '' || operand === 'null');

/** The alternatives of a client-side filter: an item must meet one of them. */
export function alternatives(
  { option, paths }: MadeFilter,
  values: readonly string[],
  vocabulary: Vocabulary,
  moment: ReadingClock,
): Condition[] {
  const reader = { vocabulary, moment, option: `--${option}`, rightOf: () => undefined };
  return values.flatMap((operand) =>
    paths.map((path) => ofValues({ text: operand, path, operator: '=', operand }, reader)),
  );
}

/** For calls, `status=failed` means `http_status>=400`. */
function asSpoken(asked: Asked, vocabulary: Vocabulary): Asked {
  const sum = asked.operator !== '~' && isMoney(vocabulary, asked.path) ? spokenSum(asked.operand) : undefined;
  if (sum && sum.currencies === undefined) return { ...asked, operand: sum.text };
  const { spoken = {} } = fieldAt(vocabulary, asked.path) ?? {};
  const word = asked.operand.toLowerCase();
  const [, operator, operand] = (Object.hasOwn(spoken, word) && /^([<>]=?)(.*)$/.exec(spoken[word] ?? '')) || [];
  if (asked.operator !== '=' || operator === undefined || operand === undefined) return asked;
  return { ...asked, operator: operator as Operator, operand };
}

/** The values that a word stands for: a `failed` payment was declined, is held, or ended in an error. */
function spokenValues({ operand, path, operator }: Asked, vocabulary: Vocabulary): string {
  const { spoken } = fieldAt(vocabulary, path) ?? {};
  if (!spoken || isOrder(operator) || operator === '~') return operand;
  const meant = (word: string): string | undefined =>
    Object.hasOwn(spoken, word) ? /^=(.*)/.exec(spoken[word] ?? '')?.[1] : undefined;
  return operand
    .split(',')
    .map((word) => meant(word.trim().toLowerCase()) ?? word)
    .join(',');
}

type Asked = Pick<Condition, 'text' | 'path' | 'operator' | 'operand'>;

/** A word that the field can never hold is an error, not an empty answer. */
function checkEnum({ text, path, operator, operand }: Asked, vocabulary: Vocabulary, option: string): void {
  const field = fieldAt(vocabulary, path);
  if (!field?.enum || operand === '' || operand === 'null' || operator === '~' || isOrder(operator)) return;
  if (field.enum.some((value) => value.toLowerCase() === operand.toLowerCase())) return;
  const near = didYouMean(operand, field.enum).trim();
  throw usage(`${option} "${text}": ${path} is one of ${field.enum.join(', ')}.`, near);
}
