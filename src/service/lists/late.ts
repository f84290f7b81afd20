import type { TimeRange } from '../../base/time/range.js';
import { CLOCK_TRUST_S } from '../../base/time/units.js';

/** A window whose pages take longer than this is read once more where it ends, milliseconds. */
const QUICK_MS = 1000;
/** A service whose clock is ahead of ours by more than this many seconds dates its newest items after our end. */
const AHEAD_S = 1;
/** What was created this long before the end may have been on its way into the list while it was read, seconds. */
const UNDER_WAY_S = 60;

/**
 * An export or a mirror that reaches to now ends this much before it began, seconds: what is still being written then,
 * the calls of this very command too, belongs to the next one.
 */
export const SETTLED_S = 5;

/** When a window that reaches to now was read, by both clocks. */
export interface ReadingTimes {
  /** Our clock when its first page came and after its last one, milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** The service's clock at its last page, unix seconds; undefined where it told none. */
  readonly serviceUnix: number | undefined;
}

/**
 * The end of a window that reaches to now, to be read once more because items may have come into it since its first
 * page: what was created just before the command is in the list then, and what came meanwhile. Undefined for a list
 * that was read quickly by a service whose clock agrees with ours.
 */
export function lateRange(window: TimeRange, { began, ended, serviceUnix }: ReadingTimes): TimeRange | undefined {
  const taken = Math.max(0, ended - began);
  const ours = Math.ceil(ended / 1000);
  const ahead = serviceUnix === undefined ? 0 : serviceUnix - ours;
  const isAhead = ahead > AHEAD_S && ahead <= CLOCK_TRUST_S;
  if (taken <= QUICK_MS && !isAhead) return undefined;
  const until = Math.min(window.to, Math.floor(began / 1000));
  return { from: Math.max(window.from, until - UNDER_WAY_S), to: Math.max(window.to, isAhead ? ours + ahead : ours) };
}
