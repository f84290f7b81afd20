import { pathSteps } from '../../catalogue/leaf-types.js';
import { Digits, type Lossless } from '../json/lossless.js';

/**
 * All values at a dotted path. A list on the way stands for each of its elements; in a list of `{name, value}` pairs, a
 * step with a pair's name leads to its value (`metadata.source`).
 */
export function valuesAt(value: Lossless, path: string): Lossless[] {
  // A grouped row has the grouping path itself as a member name, dots included.
  const whole = value instanceof Map && path.includes('.') ? value.get(path) : undefined;
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  let found: Lossless[] = [value];
  for (const step of pathSteps(path)) found = found.flatMap((each) => below(each, step));
  return found.flatMap((each) => (Array.isArray(each) ? each : [each]));
}

/** Marks an unknown value: it fulfils no condition, and is not an empty value either. */
export const UNKNOWN: Lossless = new Map();

/** The possible values at a path, where nobody can say which is right: they are stored after `UNKNOWN`. */
export class Either extends Map<string, Lossless> {
  constructor(readonly each: readonly (readonly Lossless[])[]) {
    super();
  }
}

/** The possible values at a path that has one of several; undefined where the value is known, or there is none. */
export function eitherAt(value: Lossless, path: string): Either | undefined {
  const found = valuesAt(value, path).find((one) => one instanceof Either);
  return found instanceof Either ? found : undefined;
}

/** The same item with other values at a path. */
export function withValuesAt(item: Lossless, path: string, values: readonly Lossless[]): Lossless {
  const copy = item instanceof Map ? new Map(item) : item;
  putAt(copy, path, values);
  return copy;
}

/**
 * True if a value itself shows what is at a path, even if nothing is there. An empty list and a list of pairs show all
 * there is; any other list shows a field only if every member has it, because members may be incomplete copies.
 */
export const carriesAt = (value: Lossless, path: string): boolean =>
  (value instanceof Map && value.has(path)) || carries(value, pathSteps(path));

function carries(value: Lossless, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  if (step === undefined) return true;
  if (Array.isArray(value) && !/^\d+$/.test(step))
    return value.every(isPair) || value.every((element) => carries(element, steps));
  return below(value, step).some((member) => carries(member, rest));
}

/** True for an element of a list of names and values. */
const isPair = (value: Lossless): value is Map<string, Lossless> =>
  value instanceof Map && value.size === 2 && value.has('name') && value.has('value');

/** Stores values in an item under the whole path as a name, where `valuesAt` looks first. */
export function putAt(item: Lossless, path: string, values: readonly Lossless[]): void {
  if (item instanceof Map) item.set(path, values.length === 1 ? (values[0] ?? null) : [...values]);
}

function below(value: Lossless, step: string): Lossless[] {
  if (value instanceof Map) {
    const member = value.get(step) ?? (step === 'name' && !value.has(step) ? personName(value) : undefined);
    return member === undefined ? [] : [member];
  }
  if (!Array.isArray(value)) return [];
  if (/^\d+$/.test(step)) return value[Number(step)] === undefined ? [] : [value[Number(step)] as Lossless];
  return value.flatMap((element) => {
    if (!(element instanceof Map)) return [];
    const pair = isPair(element) && element.get('name') === step ? element.get('value') : undefined;
    return pair === undefined ? below(element, step) : [pair];
  });
}

/** What a person may call an object: its id, name, e-mail address, key, or first and last name. */
export function nameWords(object: ReadonlyMap<string, Lossless>): string[] {
  const texts = ['id', 'name', 'email', 'key', 'code'].flatMap((name) => textOf(object.get(name)) ?? []);
  const whole = personName(object) ?? '';
  return whole === '' ? texts : [...texts, whole];
}

/** First and last name of an object without any other name. */
function personName(object: ReadonlyMap<string, Lossless>): string | undefined {
  if (!object.has('first_name') && !object.has('last_name')) return undefined;
  return ['first_name', 'last_name'].flatMap((name) => textOf(object.get(name)) ?? []).join(' ');
}

export type Scalar = string | boolean | null | Digits;

/** The single value to sort or group an item by: the first at the path; for an object, its name or id. */
export function scalarAt(value: Lossless, path: string): Scalar {
  const [first] = valuesAt(value, path);
  if (first === undefined || first === UNKNOWN || Array.isArray(first)) return null;
  if (!(first instanceof Map)) return first;
  return textOf(first.get('name')) ?? textOf(first.get('email')) ?? textOf(first.get('id')) ?? null;
}

function textOf(value: Lossless | undefined): string | undefined {
  if (value instanceof Digits) return value.text;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A value as text for a note: digits as received, an empty one as `(empty)`; undefined for lists and objects. */
export function scalarText(value: Lossless): string | undefined {
  if (value === null || value === '') return '(empty)';
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Map) return nameWords(value)[1] ?? nameWords(value)[0];
  return textOf(value);
}

/** True for null and the empty text. */
export const isNothing = (value: Scalar): value is null | '' => value === null || value === '';
