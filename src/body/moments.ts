import type { Field } from '../catalogue/types.js';
import { formatFault } from '../catalogue/value-formats.js';
import { CopsError } from '../errors/errors.js';
import { NumberText, type Tree } from '../json/tree.js';
import { spanAhead, spanBehind, stretchOf } from '../time/spans.js';
import { isoTime } from '../time/units.js';
import { parseWhen } from '../time/when.js';
import type { Zone } from '../time/zones.js';

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

/**
 * The instant that a text means where the service wants one: the first second of `2026-12-21`, `2026-12`, `tomorrow`
 * or `next month` in the zone in use, `+7d` and `in 7 days` from now, RFC 3339 in UTC or unix seconds by the field's form. Undefined for what is an
 * instant already, and for what is no date: a span such as `30d` looks back, and nobody means that in a body.
 */
export function instantOf(
  field: Field,
  text: string,
  { now, zone }: BodyClock,
): { tree: Tree; note: string } | undefined {
  const spoken = text.trim();
  if (/^\d+$/.test(spoken) && field.format === 'unix') return undefined;
  if (field.format === 'date-time' && formatFault('date-time', text) === undefined) return undefined;
  if (!/[-/ ]|^\+|^(?:now|today|tomorrow)$|^\d{4}$/i.test(spoken)) return undefined;
  if (spanBehind(spoken) || stretchOf(spoken)) return undefined;
  let unix: number;
  try {
    unix = parseWhen(spoken, { now, zone, edge: 'start', option: '' });
  } catch (error) {
    if (error instanceof CopsError) return undefined;
    throw error;
  }
  const iso = isoTime(unix);
  const tree = field.format === 'unix' ? new NumberText(String(unix)) : iso;
  const is = spanAhead(spoken) ? 'is' : `begins in ${zone.name} at`;
  return { tree, note: `${spoken} ${is} ${iso}: that is sent.` };
}
