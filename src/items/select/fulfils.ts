import { usage } from '../../base/errors/errors.js';
import { type Lossless, plain } from '../json/lossless.js';
import { learntType } from '../schema/leaf-type.js';
import { compareFields, isMoment } from './compare.js';
import {
  type ComparedField,
  type Condition,
  comparisonFor,
  comparisons,
  isEmptiness,
  isOrder,
  noTime,
  type Operator,
  refuseUnlike,
} from './condition.js';
import { isNumber, timesNumber } from './decimals.js';
import { fold } from './fold.js';
import { nameOf } from './names.js';
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

/** Whether an item fulfils a condition; `unknown` where a value does not have its field's type. */
export type Fulfilled = boolean | 'unknown';

/**
 * Whether one of the values at a condition's path fulfils it; for `!=` none may be equal.
 * @param listed the item whose field the right side may name
 */
export function fulfils(item: Lossless, condition: Condition, listed = item): Fulfilled {
  const { path, parts } = condition;
  for (const one of comparisons(condition).flatMap(ownPaths)) {
    const either = eitherAt(item, one);
    if (either) return agreed(either.each.map((values) => fulfils(withValuesAt(item, one, values), condition, listed)));
  }
  if (parts)
    return combined(
      parts.kind,
      parts.of.map((one) => fulfils(item, one, listed)),
    );
  if (condition.field) return fulfilsField(item, condition, condition.field, listed);
  const values = valuesAt(item, path);
  if (values.includes(UNKNOWN)) return 'unknown';
  if (condition.operator === '!=') {
    const isEqual = someOf(values, (value) => meets(value, { ...condition, operator: '=' }));
    return isEqual === 'unknown' ? 'unknown' : !isEqual;
  }
  if (condition.operator === '=' && isEmptiness(condition))
    return values.every((value) => value === null || value === '');
  return someOf(values, (value) => meets(value, condition));
}

/** Whether an item meets a condition whose right side is a field; a value and a missing one are unequal. */
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
  comparisonFor(condition, type);
  if ((field.shift ?? field.grain) !== undefined && !isMoment(otherType)) throw noTime(condition.text, field.path);
  const share = field.factor === undefined ? right : shareOf(right, field.factor);
  if (share === undefined) return 'unknown';
  const order = compareFields({ value: left, type }, { value: share, type: otherType }, field);
  if (order !== undefined) return condition.operator === '!=' ? order !== 0 : ordered(condition.operator, order);
  return [left, right].some((value) => plain(value) === '0') ? condition.operator === '!=' : 'unknown';
}

function shareOf(value: Exclude<Scalar, null>, factor: string): string | undefined {
  const text = plain(value) ?? '';
  return isNumber(text) ? timesNumber(text, factor) : undefined;
}

/** The paths of a comparison on the item itself. */
const ownPaths = ({ path, field }: Condition): string[] => [path, ...(field && !field.isListed ? [field.path] : [])];

/** The result of several conditions, any or all of which must hold. */
export function combined(kind: 'any' | 'all', found: readonly Fulfilled[]): Fulfilled {
  const decisive = kind === 'any';
  return found.includes(decisive) ? decisive : found.includes('unknown') ? 'unknown' : !decisive;
}

/** The result for all possible values, where they agree. */
const agreed = ([first = 'unknown', ...others]: readonly Fulfilled[]): Fulfilled =>
  others.every((one) => one === first) ? first : 'unknown';

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
  const compare = comparisonFor(condition, type);
  if (compare === undefined) return fold(plain(value) ?? '').includes(fold(operand));
  const words = type === 'text' && typeof value === 'string' && isOrder(operator);
  if (words && isNumber(operand) && !isNumber(value) && /^\p{L}/u.test(value))
    throw usage(`"${condition.text}": ${path} holds text, and ${operand} is a number.`);
  const order = compare(value);
  if (order !== undefined) return ordered(operator, order);
  // The service writes 0 for "no moment".
  return plain(value) === '0' ? false : 'unknown';
}

/** An operator contains the signs of the orders it accepts. */
const ordered = (operator: Operator, order: number): boolean =>
  operator.includes(order > 0 ? '>' : order < 0 ? '<' : '=');
