import type { Schema, SchemaField } from './types.js';

/** Digits that a decimal of the widest file format holds. */
export const MOST_DIGITS = 38;
/** What every decimal holds from the beginning: eighteen digits, which is one machine word in Parquet. */
export const FIRST_WHOLE = 14;
export const FIRST_SCALE = 4;

/** A decimal that holds the given digits, or text where no decimal does. */
export function decimalField(name: string, whole: number, scale: number): SchemaField {
  const wide = Math.max(whole, FIRST_WHOLE);
  const deep = Math.max(scale, FIRST_SCALE);
  if (wide + deep > MOST_DIGITS) {
    // The room kept for later values goes first.
    if (whole + scale > MOST_DIGITS) return { name, type: 'text' };
    return { name, type: 'decimal', whole: Math.min(wide, MOST_DIGITS - scale), scale };
  }
  return { name, type: 'decimal', whole: wide, scale: deep };
}

/** The narrowest field that holds whatever either of both holds; named and ordered as the first. */
export function widen(first: SchemaField, second: SchemaField): SchemaField {
  const { name } = first;
  if (second.type === 'empty') return first;
  if (first.type === 'empty') return { ...second, name };
  if (first.type === second.type) return widenAlike(first, second);
  const types = new Set([first.type, second.type]);
  if (types.has('json') || types.has('object') || types.has('list')) return { name, type: 'json' };
  if (types.has('integer') && types.has('decimal')) {
    const one = first.type === 'decimal' ? first : second;
    return decimalField(name, Math.max(one.whole ?? 0, 19), one.scale ?? 0);
  }
  const time = first.type === 'timestamp' ? first : second;
  if (types.has('timestamp') && time.form === 'unix') {
    if (types.has('integer')) return { name, type: 'timestamp', form: 'unix' };
    const one = first.type === 'decimal' ? first : second;
    if (types.has('decimal')) return decimalField(name, one.whole ?? 0, one.scale ?? 0);
  }
  return { name, type: 'text' };
}

function widenAlike(first: SchemaField, second: SchemaField): SchemaField {
  const { name } = first;
  switch (first.type) {
    case 'decimal':
      return first.whole === second.whole && first.scale === second.scale
        ? first
        : decimalField(
            name,
            Math.max(first.whole ?? 0, second.whole ?? 0),
            Math.max(first.scale ?? 0, second.scale ?? 0),
          );
    case 'timestamp':
      return first.form === second.form ? first : { name, type: 'text' };
    case 'object': {
      const fields = widenAll(first.fields ?? [], second.fields ?? []);
      return fields === first.fields ? first : { ...first, fields };
    }
    case 'list': {
      const element = first.element && second.element ? widen(first.element, second.element) : first.element;
      return element !== undefined && element === first.element
        ? first
        : { ...first, element: element ?? second.element };
    }
    default:
      return first;
  }
}

/** The fields of both, those of the first before those that only the second has; the first itself where it has all. */
export function widenAll(first: Schema, second: Schema): Schema {
  let all: SchemaField[] | undefined;
  let at = 0;
  for (const field of second) {
    const known = all ?? first;
    // Items name their fields in one order, mostly.
    if (known[at]?.name !== field.name) at = known.findIndex(({ name }) => name === field.name);
    if (at < 0) at = known.length;
    const before = known[at];
    const wider = before ? widen(before, field) : field;
    if (wider !== before) {
      all ??= [...first];
      all[at] = wider;
    }
    at++;
  }
  return all ?? first;
}

export function sameSchema(one: Schema, other: Schema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
