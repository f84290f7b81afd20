/** Lengths of time in seconds, the unit of the service's times. */
export const HOUR = 3_600;
export const DAY = 86_400;

/** A moment as RFC 3339 in UTC, without a fraction. @param unix in whole seconds */
export const isoTime = (unix: number): string => new Date(unix * 1000).toISOString().replace('.000Z', 'Z');

/** The day of a moment in UTC: `2026-01-31`. @param unix in seconds */
export const isoDay = (unix: number): string => new Date(unix * 1000).toISOString().slice(0, 10);

/** Formats times as RFC 3339 in UTC. Formats a repeated time only once, as in a run of many rows. */
export class IsoClock {
  #at = Number.NaN;
  #text = '';

  /** @param ms in unix milliseconds */
  of(ms: number): string {
    if (ms !== this.#at) {
      this.#text = new Date(ms).toISOString();
      this.#at = ms;
    }
    return this.#text;
  }
}

/** A service clock that differs from ours by more than this many seconds is considered wrong. */
export const CLOCK_TRUST_S = 900;
