import { DAY } from '../base/time/units.js';

/** A subscription profile, or part of one, as the service shows it. */
type Value = Readonly<Record<string, unknown>>;

const objectUnder = (value: Value, name: string): Value => (value[name] ?? {}) as Value;

/** No schedule goes beyond the year 9999, whatever the period of the profile. */
const LAST_MOMENT = Date.UTC(9999, 11, 31) / 1000;

/**
 * The moment one period after `from` under a subscription profile (service.md#subscription-profiles), in unix seconds,
 * UTC. `anchor` is the day of the month on which the schedule began: a shorter month uses its last day, and the next
 * longer month returns to that day. reading: month-end
 */
export function nextRenewal(profile: Value, from: number, anchor?: number): number {
  const next = unbounded(profile, from, anchor);
  return next <= LAST_MOMENT ? next : LAST_MOMENT;
}

/** The day of the month of a moment, in UTC. */
export function dayOfMonth(at: number): number {
  return new Date(at * 1000).getUTCDate();
}

/** True on the last day of a month, in UTC. */
export function isMonthEnd(at: number): boolean {
  return dayOfMonth(at + DAY) === 1;
}

function unbounded(profile: Value, from: number, anchor?: number): number {
  if (profile.frequency === 'calendar') return nextOnCalendar(objectUnder(profile, 'frequency_calendar'), from);
  if (profile.frequency === 'fiscal') {
    const fiscal = objectUnder(profile, 'frequency_fiscal');
    const every = fiscal.setting === 'infrequent' ? Math.max(1, Number(fiscal.value ?? 1)) : 1;
    return addMonths(from, every * (fiscal.unit === 'year' ? 12 : 3), anchor);
  }
  const { unit_value: count, unit } = (profile.frequency_unit ?? { unit_value: 1, unit: 'months' }) as Value;
  const times = Math.max(1, Number(count));
  if (unit === 'days') return from + times * DAY;
  if (unit === 'weeks') return from + times * 7 * DAY;
  return addMonths(from, unit === 'years' ? times * 12 : times, anchor);
}

/** The same day (or `anchor`) and time `months` months later, or the last day of a shorter month. */
export function addMonths(from: number, months: number, anchor?: number): number {
  const date = new Date(from * 1000);
  const day = anchor ?? date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** The moment after `from` at which the nth unit of a parent unit begins; the last unit where there is no nth. */
function nextOnCalendar(calendar: Value, from: number): number {
  const nth = Math.max(1, Number(calendar.value ?? 1)) - 1;
  let parent = startOf(calendar.parent, from);
  for (;;) {
    const end = calendar.parent === 'week' ? parent + 7 * DAY : addMonths(parent, calendar.parent === 'year' ? 12 : 1);
    const moment = Math.min(
      calendar.unit === 'month' ? addMonths(parent, nth) : parent + nth * (calendar.unit === 'week' ? 7 : 1) * DAY,
      lastUnit(calendar.unit, parent, end),
    );
    if (moment > from) return moment;
    parent = end;
  }
}

/** The beginning of the last unit that starts within a parent unit. */
function lastUnit(unit: unknown, parent: number, end: number): number {
  if (unit === 'month') return Math.max(parent, addMonths(end, -1));
  const step = (unit === 'week' ? 7 : 1) * DAY;
  return parent + (Math.ceil((end - parent) / step) - 1) * step;
}

function startOf(parent: unknown, from: number): number {
  const date = new Date(from * 1000);
  if (parent === 'week') {
    const midnight = Math.floor(from / DAY) * DAY;
    return midnight - ((date.getUTCDay() + 6) % 7) * DAY;
  }
  return Date.UTC(date.getUTCFullYear(), parent === 'year' ? 0 : date.getUTCMonth(), 1) / 1000;
}
