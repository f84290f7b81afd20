import { usage } from '../errors/errors.js';
import { before, parseSpan, parseWhen } from './when.js';
import type { Zone } from './zones.js';

/** A range of unix seconds, both ends meant to be inside. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface RangeOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly last?: string | undefined;
}

/** Span of a date-ranged list that was given no range (command line, section 4). */
export const DEFAULT_SPAN = '30d';

/**
 * The range that `--from`, `--to` and `--last` mean, with its end frozen at `now` (milliseconds) where none
 * is given. `assumed` says that the default span was taken. Throws a usage error for contradictions.
 */
export function resolveRange(options: RangeOptions, now: number, zone: Zone): Range & { readonly assumed: boolean } {
  if (options.last !== undefined && options.from !== undefined) {
    throw usage('--last and --from cannot be combined.', 'Give --last <span>, or --from and --to.');
  }
  const to =
    options.to === undefined
      ? Math.floor(now / 1000)
      : parseWhen(options.to, { now, zone, edge: 'end', option: '--to' });
  const assumed = options.from === undefined && options.last === undefined;
  const from =
    options.from !== undefined
      ? parseWhen(options.from, { now, zone, edge: 'start', option: '--from' })
      : before(to, parseSpan(options.last ?? DEFAULT_SPAN, '--last'), zone);
  if (from > to) {
    throw usage(
      `The range is empty: it begins (${iso(from)}) after it ends (${iso(to)}).`,
      'Check --from and --to; a date alone means its first second in --from and its last in --to.',
    );
  }
  return { from: Math.max(0, from), to, assumed };
}

function iso(unix: number): string {
  return new Date(unix * 1000).toISOString().replace('.000Z', 'Z');
}
