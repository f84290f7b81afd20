import { CopsError } from '../../base/errors/errors.js';
import { looksAhead } from '../../base/time/month-names.js';
import { midnight } from '../../base/time/periods.js';
import { spanAhead, spanBehind, stretchOf } from '../../base/time/spans.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { unixOf, wallTime, type Zone } from '../../base/time/zones.js';
import { bodyFields, typeName } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { formatFault } from '../../catalogue/value-formats.js';
import { isNumberText, NumberText, type Tree } from '../../items/json/tree.js';
import { amountFault } from '../../items/select/amounts.js';

/** A text that cannot become a value of its field; the message never repeats the text, which may be secret. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

/**
 * The value that a text on the command line means for a field: texts stay texts (`007`), numbers keep their
 * digits, `null` is null only where the field may be. Without a known field it is text. Throws {@link ValueFault}.
 * @param digits of the currency of a sum, where it is known
 */
export function typedValue(field: Field | undefined, text: string, path: string, digits?: number): Tree {
  if (!field || field.type === 'any') return text;
  if (text === 'null' && field.nullable) return null;
  switch (field.type) {
    case 'string':
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new ValueFault('true or false is expected');
    case 'integer':
    case 'number': {
      const fault =
        field.means === 'money' || field.type === 'integer' ? amountOrCount(field, text, digits) : undefined;
      if (fault !== undefined) throw new ValueFault(fault);
      if (!isNumberText(text)) {
        if (field.means === 'money' && /^(?:[\d.]+\s*%|half)$/i.test(text))
          throw new ValueFault(
            'a sum is expected (such as 10.00): a percent is understood in the refund of one item only',
          );
        const form =
          field.type === 'integer' ? 'digits only, such as 42' : 'digits with a decimal point, such as 10.00';
        throw new ValueFault(`${typeName(field.type)} is expected (${form})`);
      }
      return new NumberText(text);
    }
    case 'array':
      if (field.oneOk && field.items) return typedValue(field.items, text, path);
      throw new ValueFault(`is a list: add one element with ${path}[]=..., or give it whole with ${path}:='[...]'`);
    case 'object': {
      const member = Object.keys(field.fields ?? {})[0] ?? 'name';
      throw new ValueFault(`is an object: set ${path}.${member}=..., or give it whole with ${path}:='{...}'`);
    }
  }
}

/** A whole number knows no fraction, so that `1.000` is no 1 there either. */
function amountOrCount({ type }: Field, text: string, digits: number | undefined): string | undefined {
  return type === 'integer' ? (/[.,]\d{3}$/.test(text) ? amountFault(text, 0) : undefined) : amountFault(text, digits);
}

/** True when a text of an unknown field looks like something else than text, which deserves a note. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || isNumberText(text) || /^[[{]/.test(text);
}

/** The clock by which a body's dates are read. */
export interface BodyClock {
  /** Milliseconds. */
  readonly now: number;
  readonly zone: Zone;
}

/** True for a field whose value is a moment: dates as people write them are understood there. */
export function takesMoment(field: Field | undefined): boolean {
  return field?.format === 'date-time' || field?.format === 'unix';
}

/** True for a body with a field that wants an instant. */
export function hasMoments(operation: Operation): boolean {
  const any = (fields: Readonly<Record<string, Field>>): boolean =>
    Object.values(fields).some((field) => takesMoment(field) || any(field.fields ?? field.items?.fields ?? {}));
  return any(bodyFields(operation));
}

/**
 * The instant that a text means where the service wants one: the first second of `2026-12-21`, `2026-12`, `tomorrow`
 * or `next month` in the zone in use, or of the day that `+7d` or `in 7 days` leads to, RFC 3339 in UTC or unix seconds by the field's form. Undefined for what is an
 * instant already, and for what is no date: a span such as `30d` looks back, and nobody means that in a body.
 */
export function instantOf(
  field: Field,
  text: string,
  { now, zone }: BodyClock,
  path: string,
): { tree: Tree; note: string } | undefined {
  const spoken = text.trim();
  if (/^\d+$/.test(spoken) && field.format === 'unix') return undefined;
  if (field.format === 'date-time' && formatFault('date-time', text) === undefined) return undefined;
  if (!/[-/ ]|^\+|^(?:now|today|tomorrow)$|^\d{4}$/i.test(spoken)) return undefined;
  const coming = spanAhead(spoken);
  if (spanBehind(spoken) || stretchOf(spoken) || (coming && /^[smh]$/.test(coming.unit))) return undefined;
  let unix: number;
  try {
    const look = looksAhead(path) ? 'ahead' : 'back';
    unix = parseWhen(spoken, { now, zone, edge: 'start', option: '', look });
  } catch (error) {
    if (error instanceof CopsError) return undefined;
    throw error;
  }
  // The day, not the second, so that the same words mean the same write for a day.
  if (coming) unix = unixOf(midnight(wallTime(unix * 1000, zone)), zone);
  const iso = isoTime(unix);
  const tree = field.format === 'unix' ? new NumberText(String(unix)) : iso;
  return { tree, note: `${spoken} begins in ${zone.name} at ${iso}: that is sent.` };
}
