import { usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { refuseBareM, spanIn } from '../../base/time/spans.js';
import type { Zone } from '../../base/time/zones.js';
import { LEAF_TYPES, type LeafType } from '../../catalogue/leaf-types.js';
import { type Lossless, plain } from '../json/lossless.js';
import { learntType } from '../schema/leaf-type.js';
import { spokenSum } from './amounts.js';
import {
  type Against,
  against,
  areLike,
  compareFields,
  isMoment,
  type Operand,
  type ReadingClock,
  type Shift,
  wrongOperand,
} from './compare.js';
import { isNumber, timesNumber } from './decimals.js';
import { fold } from './fold.js';
import type { MadeFilter } from './made-filters.js';
import { fieldAt, fieldPath, isMoney, nameOf, typeAt, type Vocabulary } from './names.js';
import {
  carriesAt,
  eitherAt,
  isNothing,
  nameWords,
  type Scalar,
  scalarAt,
  UNKNOWN,
  valuesAt,
  withValuesAt,
} from './values.js';

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
  /**
   * How values of a type compare to the operand.
   * @throws CopsError `usage` for an operand that the type does not accept
   */
  against(type: LeafType): Against;
}

/** A field on the right-hand side of a comparison. */
export interface ComparedField {
  readonly path: string;
  readonly type: LeafType | undefined;
  readonly zone: Zone;
  /** Its multiplier: `50% of {amount}` is `0.5`. */
  readonly factor?: string | undefined;
  /** What is added to it: `{created}+30d`. */
  readonly shift?: Shift | undefined;
  /** True of a field of the listed item, where the condition is on a related row. */
  readonly isListed?: boolean | undefined;
}

/** Whose field a name in braces means, where it is not the compared row itself. */
export interface RightSide {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  readonly isListed: boolean;
  /** What to write in place of a field that would be compared with itself. */
  readonly instead?: string | undefined;
}

/** The name before a condition's operator, and the one in braces after it. */
export function conditionNames(text: string): string[] {
  const match = SHAPE.exec(text.trim());
  return [match?.[1] ?? [], rightName(text) ?? []].flat().map((name) => name.trim());
}

/** The name in braces behind a condition's sign; undefined where a value stands there. */
export function rightName(text: string): string | undefined {
  return fieldIn(SHAPE.exec(text.trim())?.[3] ?? '')?.name;
}

/**
 * Splits a text into conditions: `amount>100 USD`, `amount>USD 100` and `amount>$100` also require that currency, or
 * one of those it may mean.
 */
export function conditionsIn(text: string): string[] {
  const [, field = '', operand = ''] = /^(.*?[<>=]\s*)([^<>=]+)$/s.exec(text.trim()) ?? [];
  // A lower-case word is not a currency code: `days>30 day`.
  const sum = /[a-z]/.test(operand) ? undefined : spokenSum(operand);
  return sum?.currencies ? [`${field}${sum.text}`, `iso_currency=${sum.currencies.join(',')}`] : [text];
}

const SHAPE = /^([^=!<>~]+?)\s*(!=|>=|<=|==|=|>|<|~)([\s\S]*)$/;
/** `{amount}`, or a fraction of it: `50% of {amount}`, `0.5*{amount}`, `{amount}*0.5`. */
const BRACES = /^(?:(\d+(?:\.\d+)?)\s*(?:(%)(?:\s*(?:of|\*))?|\*)\s*)?\{([^{}]+)\}(?:\s*\*\s*(\d+(?:\.\d+)?))?$/i;
/** `{created}+30d`, `{created} - 2 weeks`. */
const SHIFTED = /^(\{[^{}]+\})\s*([-+])\s*(.+)$/s;

/** A field in braces, what it is multiplied by, and what is added to it as it was typed. */
interface Braced {
  readonly name: string;
  readonly factor: string | undefined;
  readonly added?: readonly [sign: string, span: string];
}

/** The field that the right side of a condition names in braces. */
function fieldIn(right: string): Braced | undefined {
  const [, braces, sign, span] = SHIFTED.exec(right.trim()) ?? [];
  if (braces !== undefined && sign !== undefined && span !== undefined)
    return { name: braces.slice(1, -1).trim(), factor: undefined, added: [sign, span.trim()] };
  const [, before, percent, name, behind] = BRACES.exec(right.trim()) ?? [];
  if (name === undefined || (before !== undefined && behind !== undefined)) return undefined;
  const number = before ?? behind;
  const factor = number !== undefined && percent ? timesNumber(number, '0.01') : number;
  return { name: name.trim(), factor };
}

/**
 * Parses a condition: `status=overdue`, `amount>20`, `customer.email~@example.com`, `created>=2026-07`.
 *
 * @param right whose field the braces name, where that is not the row itself
 * @throws CopsError of kind `usage`
 */
export function parseCondition(
  text: string,
  vocabulary: Vocabulary,
  moment: ReadingClock,
  option = '--where',
  right?: RightSide,
): Condition {
  const match = SHAPE.exec(text.trim());
  if (!match)
    throw usage(
      `${option} "${text}" is not a condition.`,
      `Write a field, one of = != > < >= <= ~ (contains), and a value: ${option} status=overdue ${option} 'amount>20'.`,
    );
  const [, name = '', sign = '='] = match;
  const operator = (sign === '==' ? '=' : sign) as Operator;
  const path = fieldPath(vocabulary, name.trim(), 'path');
  const typed = { text, path, operator, operand: (match[3] ?? '').trim() };
  const braced = fieldIn(typed.operand);
  if (braced !== undefined) return fieldCondition(typed, braced, { vocabulary, moment, right });
  return conditionOn(typed, vocabulary, moment, option);
}

/**
 * A condition on a path, with its operand checked against the known field.
 *
 * @throws CopsError `usage`
 */
function conditionOn(typed: Asked, vocabulary: Vocabulary, moment: ReadingClock, option: string): Condition {
  const asked = asSpoken(typed, vocabulary);
  const { text, path, operator, operand } = asked;
  const says = `${option} "${text}"`;
  if (isOrder(operator) && operand === '') throw usage(`${says}: a value is missing after ${operator}.`);
  const type = typeAt(vocabulary, path);
  const condition: Condition = {
    ...asked,
    type,
    against: compiled(
      { path, operand, moment, says, unit: fieldAt(vocabulary, path)?.unit },
      listed(asked, vocabulary, type),
    ),
  };
  for (const one of listed(asked, vocabulary, type)) checkEnum({ ...asked, operand: one }, vocabulary, option);
  // Reports a fault in the command line before anything is read.
  if (type !== undefined && !isEmptiness(condition)) ready(condition, type);
  if (operator !== '~' && isMoney(vocabulary, path) && !isEmptiness(condition) && !isNumber(operand))
    throw wrongOperand('money', { path, operand, moment, says, unit: undefined });
  return condition;
}

/** A condition whose right side is a field. */
function fieldCondition(
  typed: Asked,
  { name, factor, added }: Braced,
  {
    vocabulary,
    moment: { zone },
    right = { name, vocabulary, isListed: false },
  }: {
    readonly vocabulary: Vocabulary;
    readonly moment: ReadingClock;
    readonly right?: RightSide | undefined;
  },
): Condition {
  const path = fieldPath(right.vocabulary, right.name, 'path');
  const shift = added && shiftAsked(typed, added);
  const field = { path, type: typeAt(right.vocabulary, path), zone, factor, shift, isListed: right.isListed };
  if (factor !== undefined && field.type !== undefined && !LEAF_TYPES[field.type].sums)
    throw usage(`"${typed.text}": ${path} is not a number to take a share of.`);
  if (shift !== undefined && field.type !== undefined && !isMoment(field.type)) throw noTime(typed.text, path);
  if (path === typed.path && !right.isListed && factor === undefined && shift === undefined)
    throw usage(`"${typed.text}" compares ${path} with itself.`, right.instead ?? 'Name another field in braces.');
  const condition: Condition = {
    ...typed,
    type: typeAt(vocabulary, typed.path),
    field,
    against: () => () => undefined,
  };
  if (typed.operator === '~') throw usage(`"${typed.text}": ~ takes a text, not a field.`);
  if (condition.type !== undefined) ready(condition, condition.type);
  if (condition.type !== undefined && field.type !== undefined) refuseUnlike(condition, condition.type, field.type);
  return condition;
}

/** @throws CopsError of kind `usage` for what is no span of time */
function shiftAsked({ text }: Asked, [sign, typed]: NonNullable<Braced['added']>): Shift {
  refuseBareM(typed, '');
  const span = spanIn(typed);
  if (span === undefined)
    throw usage(`"${text}": "${typed}" is no span of time.`, "For example: 'updated<{created}+30d'");
  return { span, isBack: sign === '-' };
}

function refuseUnlike({ text, path, field }: Condition, left: LeafType, right: LeafType): void {
  if (areLike(left, right)) return;
  throw usage(
    `"${text}": ${path} and ${field?.path} hold values of different types.`,
    `${path} takes ${LEAF_TYPES[left].takes}.`,
  );
}

/** How an item stands to a condition whose right side is a field; what has a value is compared with what has none as unequal. */
function fulfilsField(item: Lossless, condition: Condition, field: ComparedField, listed: Lossless): Fulfilled {
  const holder = field.isListed ? listed : item;
  const [left, right] = [scalarAt(item, condition.path), scalarAt(holder, field.path)];
  if (valuesAt(item, condition.path).includes(UNKNOWN) || valuesAt(holder, field.path).includes(UNKNOWN))
    return 'unknown';
  if (!carriesAt(holder, field.path) || !carriesAt(item, condition.path)) return 'unknown';
  if (isNothing(left) || isNothing(right)) return condition.operator === '!=' && !(isNothing(left) && isNothing(right));
  const type = condition.type ?? learntType(nameOf(condition.path), left) ?? 'text';
  const otherType = field.type ?? learntType(nameOf(field.path), right) ?? 'text';
  refuseUnlike(condition, type, otherType);
  ready(condition, type);
  if (field.shift !== undefined && !isMoment(otherType)) throw noTime(condition.text, field.path);
  const share = field.factor === undefined ? right : shareOf(right, field.factor);
  if (share === undefined) return 'unknown';
  const order = compareFields({ value: left, type }, { value: share, type: otherType }, field.zone, field.shift);
  if (order !== undefined) return condition.operator === '!=' ? order !== 0 : ordered(condition.operator, order);
  return [left, right].some((value) => plain(value) === '0') ? condition.operator === '!=' : 'unknown';
}

const noTime = (text: string, path: string): Error => usage(`"${text}": ${path} is no time that a span is added to.`);

function shareOf(value: Exclude<Scalar, null>, factor: string): string | undefined {
  const text = plain(value) ?? '';
  return isNumber(text) ? timesNumber(text, factor) : undefined;
}

/** Splits a comma-separated operand into alternatives, for countries, currencies and enum values. */
function listed({ path, operator, operand }: Asked, vocabulary: Vocabulary, type: LeafType | undefined): string[] {
  const field = fieldAt(vocabulary, path);
  const isClosed = type === 'country' || field?.enum !== undefined || nameOf(path) === 'iso_currency';
  const isAsked = (operator === '=' || operator === '!=') && isClosed && operand.includes(',');
  return isAsked ? operand.split(',').map((one) => one.trim()) : [operand];
}

/** Builds each type's comparison once; a value equal to any of the operands counts as equal. */
function compiled(operand: Operand, operands: readonly string[]): Condition['against'] {
  const made = new Map<LeafType, Against>();
  return (type) => {
    const known = made.get(type) ?? againstAny(operands.map((one) => against(type, { ...operand, operand: one })));
    made.set(type, known);
    return known;
  };
}

function againstAny(all: readonly Against[]): Against {
  const [first, ...others] = all;
  if (first && others.length === 0) return first;
  return (value) => {
    const orders = all.map((one) => one(value));
    return orders.includes(0) ? 0 : orders[0];
  };
}

/**
 * The comparison of a condition for values of a type.
 *
 * @throws CopsError `usage` for a comparison that the type does not allow
 */
function ready(condition: Condition, type: LeafType): Against | undefined {
  const { text, path, operator } = condition;
  const { ordered, contains, takes } = LEAF_TYPES[type];
  if ((isOrder(operator) && !ordered) || (operator === '~' && !contains)) {
    const signs = ['=', '!=', ...(ordered ? ['>', '<', '>=', '<='] : []), ...(contains ? ['~'] : [])].join(' ');
    throw usage(`"${text}": ${path} is not compared by ${operator}.`, `It takes ${signs} and ${takes}.`);
  }
  return operator === '~' ? undefined : condition.against(type);
}

function isOrder(operator: Operator): boolean {
  return operator !== '=' && operator !== '!=' && operator !== '~';
}

/** `field=` and `field=null` test whether there is a value. */
function isEmptiness({ operator, operand }: Pick<Condition, 'operator' | 'operand'>): boolean {
  return !isOrder(operator) && operator !== '~' && (operand === '' || operand === 'null');
}

/** The alternatives of a made filter: an item must fulfil one of them. */
export function alternatives(
  { option, paths }: MadeFilter,
  values: readonly string[],
  vocabulary: Vocabulary,
  moment: ReadingClock,
): Condition[] {
  const asked = values.flatMap((operand) =>
    paths.map((path) => ({ text: operand, path, operator: '=', operand }) as const),
  );
  return asked.map((one) => conditionOn(one, vocabulary, moment, `--${option}`));
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

type Asked = Pick<Condition, 'text' | 'path' | 'operator' | 'operand'>;

/** A word that the field can never hold is an error, not an empty answer. */
function checkEnum({ text, path, operator, operand }: Asked, vocabulary: Vocabulary, option: string): void {
  const field = fieldAt(vocabulary, path);
  if (!field?.enum || operand === '' || operand === 'null' || operator === '~' || isOrder(operator)) return;
  if (field.enum.some((value) => value.toLowerCase() === operand.toLowerCase())) return;
  const near = didYouMean(operand, field.enum).trim();
  throw usage(`${option} "${text}": ${path} is one of ${field.enum.join(', ')}.`, near);
}

/** Whether an item fulfils a condition; `unknown` where a value does not have its field's type. */
export type Fulfilled = boolean | 'unknown';

/**
 * Whether one of the values at a condition's path fulfils it; for `!=` none may be equal.
 * @param listed the item whose field the right side may name
 */
export function fulfils(item: Lossless, condition: Condition, listed = item): Fulfilled {
  const { path, field } = condition;
  for (const one of [path, ...(field && !field.isListed ? [field.path] : [])]) {
    const either = eitherAt(item, one);
    if (either) return agreed(either.each.map((values) => fulfils(withValuesAt(item, one, values), condition, listed)));
  }
  if (condition.field) return fulfilsField(item, condition, condition.field, listed);
  const values = valuesAt(item, condition.path);
  if (values.includes(UNKNOWN)) return 'unknown';
  if (condition.operator === '!=') {
    const isEqual = someOf(values, (value) => meets(value, { ...condition, operator: '=' }));
    return isEqual === 'unknown' ? 'unknown' : !isEqual;
  }
  if (condition.operator === '=' && isEmptiness(condition))
    return values.every((value) => value === null || value === '');
  return someOf(values, (value) => meets(value, condition));
}

/** What all possible values come to, where they come to the same. */
function agreed([first = 'unknown', ...others]: readonly Fulfilled[]): Fulfilled {
  return others.every((one) => one === first) ? first : 'unknown';
}

function someOf<T>(values: readonly T[], test: (value: T) => Fulfilled): Fulfilled {
  let all: Fulfilled = false;
  for (const value of values) {
    const one = test(value);
    if (one === true) return true;
    if (one === 'unknown') all = one;
  }
  return all;
}

function meets(value: Lossless, condition: Condition): Fulfilled {
  const { operator, operand, path } = condition;
  if (isEmptiness(condition)) return value === null || value === '';
  if (value === null || value === '') return false;
  if (value instanceof Map) return someOf(nameWords(value), (word) => meets(word, { ...condition, type: 'text' }));
  if (Array.isArray(value)) return someOf(value, (element) => meets(element, condition));
  const type = condition.type ?? learntType(nameOf(path), value) ?? 'text';
  const compare = ready(condition, type);
  if (compare === undefined) return fold(plain(value) ?? '').includes(fold(operand));
  const words = type === 'text' && typeof value === 'string' && isOrder(operator);
  if (words && isNumber(operand) && !isNumber(value) && /^\p{L}/u.test(value))
    throw usage(`"${condition.text}": ${path} holds words, and ${operand} is a number.`);
  const order = compare(value);
  if (order !== undefined) return ordered(operator, order);
  // The service writes 0 for "no moment".
  return plain(value) === '0' ? false : 'unknown';
}

/** An operator contains the signs of the orders it accepts. */
function ordered(operator: Operator, order: number): boolean {
  return operator.includes(order > 0 ? '>' : order < 0 ? '<' : '=');
}
