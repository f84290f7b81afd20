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
