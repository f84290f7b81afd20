import { usage } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { looksAhead } from '../../base/time/month-names.js';
import { parseWhen } from '../../base/time/when.js';
import type { Zone } from '../../base/time/zones.js';
import { Digits, type Lossless, plain } from '../json/lossless.js';
import { amountFault } from './amounts.js';
import { compareNumbers, isNumber } from './decimals.js';
import type { MadeFilter } from './made-filters.js';
import { fieldAt, isMoney, isTime, pathOf, type Vocabulary } from './names.js';
import { valuesAt, wordsOf } from './values.js';

export type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~';

/** One condition on an item. */
export interface Condition {
  /** As it was typed, for errors and notes. */
  readonly text: string;
  readonly path: string;
  readonly operator: Operator;
  readonly operand: string;
  /** The operand as a span of unix seconds, where the path holds moments. */
  readonly span: { readonly start: number; readonly end: number } | undefined;
  /** The path holds amounts or other numbers, be they written as texts. */
  readonly number: boolean;
}

/** The clock by which words for times are read. */
export interface Moment {
  /** Milliseconds. */
  readonly now: number;
  readonly zone: Zone;
}

/**
 * Reads a condition: `status=overdue`, `amount>20`, `customer.email~@example.com`, `created>=2026-07`.
 *
 * @throws CopsError of kind `usage`
 */
export function parseCondition(text: string, vocabulary: Vocabulary, moment: Moment): Condition {
  const match = /^([^=!<>~]+?)\s*(!=|>=|<=|==|=|>|<|~)([\s\S]*)$/.exec(text.trim());
  if (!match)
    throw usage(
      `--where "${text}" is not a condition.`,
      "Write a field, one of = != > < >= <= ~ (contains), and a value: --where status=overdue --where 'amount>20'.",
    );
  const [, name = '', sign = '='] = match;
  const operator = (sign === '==' ? '=' : sign) as Operator;
  const path = pathOf(vocabulary, name.trim(), 'path');
  return conditionOn({ text, path, operator, operand: (match[3] ?? '').trim() }, vocabulary, moment, '--where');
}

/**
 * A condition on a path, its value checked against what is known of the field.
 *
 * @throws CopsError of kind `usage`
 */
function conditionOn(typed: Asked, vocabulary: Vocabulary, moment: Moment, option: string): Condition {
  const asked = asSpoken(typed, vocabulary);
  const { path } = asked;
  checkValue(asked, vocabulary, option);
  const type = fieldAt(vocabulary, path)?.type;
  return {
    ...asked,
    span: spanOf(asked, vocabulary, moment, option),
    number: isMoney(vocabulary, path) || type === 'number' || type === 'integer',
  };
}

/** Alternatives of one made filter: an item must fulfil one of them. */
export function alternatives(
  { option, paths }: MadeFilter,
  values: readonly string[],
  vocabulary: Vocabulary,
  moment: Moment,
): Condition[] {
  const asked = values.flatMap((operand) =>
    paths.map((path) => ({ text: operand, path, operator: '=', operand }) as const),
  );
  return asked.map((one) => conditionOn(one, vocabulary, moment, `--${option}`));
}

/** `status=failed` of calls is `http_status>=400`. */
function asSpoken(asked: Asked, vocabulary: Vocabulary): Asked {
  const { spoken = {} } = fieldAt(vocabulary, asked.path) ?? {};
  const word = asked.operand.toLowerCase();
  const [, operator, operand] = (Object.hasOwn(spoken, word) && /^([<>]=?)(.*)$/.exec(spoken[word] ?? '')) || [];
  if (asked.operator !== '=' || operator === undefined || operand === undefined) return asked;
  return { ...asked, operator: operator as Operator, operand };
}

type Asked = Pick<Condition, 'text' | 'path' | 'operator' | 'operand'>;

/** A value that the field can never have is an error, not an empty answer. */
function checkValue({ text, path, operator, operand }: Asked, vocabulary: Vocabulary, option: string): void {
  const field = fieldAt(vocabulary, path);
  const ordered = operator !== '=' && operator !== '!=' && operator !== '~';
  if (ordered && operand === '') throw usage(`${option} "${text}": a value is missing behind ${operator}.`);
  if (!field || operand === '' || operand === 'null' || operator === '~') return;
  const number = (field.type === 'number' || field.type === 'integer') && !isTime(vocabulary, path);
  if (number && !isNumber(operand))
    throw usage(
      `${option} "${text}": "${operand}" is not a number.`,
      isMoney(vocabulary, path)
        ? `Digits and a point: ${path}>1000.50, of one currency ${path}>1000.50 USD.`
        : undefined,
    );
  const unclear = number && isMoney(vocabulary, path) ? amountFault(operand) : undefined;
  if (unclear !== undefined) throw usage(`${option} "${text}": ${unclear}.`);
  if (field.type === 'boolean' && truth(operand) === undefined)
    throw usage(`${option} "${text}": ${path} is true or false.`);
  if (field.enum && !ordered && !field.enum.some((value) => value.toLowerCase() === operand.toLowerCase())) {
    const near = didYouMean(operand, field.enum).trim();
    throw usage(`${option} "${text}": ${path} is one of ${field.enum.join(', ')}.`, near);
  }
}

function spanOf(
  { path, operator, operand }: Asked,
  vocabulary: Vocabulary,
  { now, zone }: Moment,
  option: string,
): Condition['span'] {
  if (operator === '~' || operand === '' || operand === 'null' || !isTime(vocabulary, path)) return undefined;
  const look = looksAhead(path) ? 'ahead' : 'back';
  const at = (edge: 'start' | 'end'): number => parseWhen(operand, { now, zone, edge, option, look });
  return { start: at('start'), end: at('end') };
}

/** True where an item fulfils a condition: one of the values at its path does, for `!=` none is equal. */
export function fulfils(item: Lossless, condition: Condition): boolean {
  const values = valuesAt(item, condition.path);
  if (condition.operator === '!=') return !values.some((value) => meets(value, { ...condition, operator: '=' }));
  if (condition.operator === '=' && (condition.operand === '' || condition.operand === 'null'))
    return values.every((value) => value === null || value === '');
  return values.some((value) => meets(value, condition));
}

/** A text as people look for it: without case and accents, with every apostrophe alike. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .toLowerCase();
}

function meets(value: Lossless, condition: Condition): boolean {
  if (value === null) return condition.operator === '=' && ['', 'null'].includes(condition.operand);
  if (value instanceof Map) return wordsOf(value).some((word) => meets(word, condition));
  if (Array.isArray(value)) return value.some((element) => meets(element, condition));
  const { operator, operand, span } = condition;
  if (operator === '~') return folded(plain(value) ?? '').includes(folded(operand)) && plain(value) !== undefined;
  if (span) {
    const order = orderIn(span, value);
    return order !== undefined && ordered(operator, order);
  }
  if (typeof value === 'boolean') return operator === '=' && truth(operand) === value;
  if (value instanceof Digits) return ordered(operator, numeric(value.text, condition));
  const both = isNumber(value) && isNumber(operand);
  if (operator === '=')
    return same(value, operand) || (condition.number && both && compareNumbers(value, operand) === 0);
  if (!both && isNumber(operand) && /^\p{L}/u.test(value))
    throw usage(`"${condition.text}": ${condition.path} holds words, and ${operand} is a number.`);
  return ordered(operator, both ? compareNumbers(value, operand) : compareTexts(value, operand));
}

/** Ids differ in their capitals; words that people type do not. */
function same(value: string, operand: string): boolean {
  if (value === operand) return true;
  return !/^\w{20}$/.test(value) && value.toLowerCase() === operand.toLowerCase();
}

function numeric(digits: string, { operand, operator, text, path }: Condition): number {
  if (isNumber(operand) && isNumber(digits)) return compareNumbers(digits, operand);
  if (operator === '=') return digits === operand ? 0 : 1;
  throw usage(`"${text}": ${path} holds numbers, and "${operand}" is not one.`);
}

/** An operator is written with the signs of the orders that it holds for. */
function ordered(operator: Operator, order: number): boolean {
  return operator.includes(order > 0 ? '>' : order < 0 ? '<' : '=');
}

/** A moment against a span: `>2026-07` is after July, `>=2026-07` from its first second, `=2026-07` inside it. */
function orderIn(span: { start: number; end: number }, value: string | boolean | Digits): number | undefined {
  const unix = secondsOf(value);
  if (unix === undefined) return undefined;
  return unix < span.start ? -1 : unix > span.end ? 1 : 0;
}

/** Unix seconds of a value; undefined where it is no moment. 0 is how the service writes that there is none. */
function secondsOf(value: string | boolean | Digits): number | undefined {
  const text = plain(value) ?? '';
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) === 0 ? undefined : Number(text);
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

function truth(word: string): boolean | undefined {
  if (/^(?:true|yes|1)$/i.test(word)) return true;
  return /^(?:false|no|0)$/i.test(word) ? false : undefined;
}

/** Texts in the order of their letters, capitals aside; what differs in capitals only has an order as well. */
export function compareTexts(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()];
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
