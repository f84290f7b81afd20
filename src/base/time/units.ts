/** Spans in seconds: the service and everything that speaks of its moments count in these. */
export const HOUR = 3_600;
export const DAY = 86_400;

/** A moment of the service as RFC 3339 in UTC, without a fraction. @param unix whole seconds */
export function isoTime(unix: number): string {
  return new Date(unix * 1000).toISOString().replace('.000Z', 'Z');
}

/** The day of a moment in UTC: `2026-01-31`. @param unix seconds */
export function isoDay(unix: number): string {
  return new Date(unix * 1000).toISOString().slice(0, 10);
}

/** Times as RFC 3339 text in UTC; a time that is asked for again, as in a run of many rows, is made once. */
export class IsoClock {
  #at = Number.NaN;
  #text = '';

  /** @param ms unix milliseconds */
  of(ms: number): string {
    if (ms !== this.#at) {
      this.#text = new Date(ms).toISOString();
      this.#at = ms;
    }
    return this.#text;
  }
}

/** A service's clock that differs from ours by more than this is taken for wrong, seconds. */
export const CLOCK_TRUST_S = 900;
