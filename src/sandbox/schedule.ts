import type { Value } from './text.js';

const DAY = 86_400;

/** No schedule goes beyond the year 9999, whatever period a profile was given. */
const LAST_MOMENT = Date.UTC(9999, 11, 31) / 1000;

/** The moment one period after `from` by a subscription profile (spec 2.3), unix seconds, in UTC. */
export function nextRenewal(profile: Value, from: number): number {
  const next = unbounded(profile, from);
  return next <= LAST_MOMENT ? next : LAST_MOMENT;
}

function unbounded(profile: Value, from: number): number {
  if (profile.frequency === 'calendar') return nextOnCalendar((profile.frequency_calendar ?? {}) as Value, from);
  if (profile.frequency === 'fiscal') {
    const fiscal = (profile.frequency_fiscal ?? {}) as Value;
    const every = fiscal.setting === 'infrequent' ? Math.max(1, Number(fiscal.value ?? 1)) : 1;
    return addMonths(from, every * (fiscal.unit === 'year' ? 12 : 3));
  }
  const { unit_value: count, unit } = (profile.frequency_unit ?? { unit_value: 1, unit: 'months' }) as Value;
  const times = Math.max(1, Number(count));
  if (unit === 'days') return from + times * DAY;
  if (unit === 'weeks') return from + times * 7 * DAY;
  return addMonths(from, unit === 'years' ? times * 12 : times);
}

/** The same day and time so many months later, or the last day of a shorter month. */
export function addMonths(from: number, months: number): number {
  const date = new Date(from * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}

/** The nth unit of the next parent unit whose moment lies after `from`. */
function nextOnCalendar(calendar: Value, from: number): number {
  const nth = Math.max(1, Number(calendar.value ?? 1)) - 1;
  let parent = startOf(calendar.parent, from);
  for (let turn = 0; turn < 3; turn++) {
    const moment =
      calendar.unit === 'month' ? addMonths(parent, nth) : parent + nth * (calendar.unit === 'week' ? 7 : 1) * DAY;
    if (moment > from) return moment;
    parent = calendar.parent === 'week' ? parent + 7 * DAY : addMonths(parent, calendar.parent === 'year' ? 12 : 1);
  }
  return parent;
}

function startOf(parent: unknown, from: number): number {
  const date = new Date(from * 1000);
  if (parent === 'week') {
    const midnight = Math.floor(from / DAY) * DAY;
    return midnight - ((date.getUTCDay() + 6) % 7) * DAY;
  }
  return Date.UTC(date.getUTCFullYear(), parent === 'year' ? 0 : date.getUTCMonth(), 1) / 1000;
}
