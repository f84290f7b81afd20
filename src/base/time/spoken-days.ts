import { wrongOption } from '../errors/errors.js';
import { type NamedMonth, namedMonth, type YearDirection } from './month-names.js';
import { type CalendarUnit, midnight, moved, namedPeriod, periodName, startOf } from './periods.js';
import { ahead, before, MONTHS, spanAhead, spanBehind } from './spans.js';
import { isoTime } from './units.js';
import { momentsOf, shiftDay, type WallTime, wallTime, type Zone } from './zones.js';

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Words before a day that change nothing. */
const BEFORE = /^(?:on|in|since|from|by|until|till|as of) (?:the )?(?=\D|\d{1,2}(?:st|nd|rd|th|[./\s]))/;

/** A day, month or quarter as people say it. */
export interface SpokenDate extends NamedMonth {
  /** Which of several was taken, where the words leave that open. */
  readonly which?: string | undefined;
}

const dayName = (day: WallTime): string => periodName('day', day);

/**
 * What `friday`, `last tuesday`, `end of next month`, `the 15th`, `15/01/2027`, `15.1.2027` or a name of a month means
 * (`namedMonth`). Undefined for any other text, and for one with two meanings.
 * @param now in milliseconds
 */
export function spokenDate(
  text: string,
  now: number,
  zone: Zone,
  look: YearDirection = 'back',
): SpokenDate | undefined {
  const word = text.trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(BEFORE, '');
  const today = midnight(wallTime(now, zone));
  const weekdays = weekdayIn(word, today, look);
  if (weekdays)
    return weekdays.length > 1
      ? undefined
      : { iso: weekdays[0] ?? '', hasYear: false, which: weekdayName(weekdays[0]) };
  const days = numericDays(word);
  if (days) return days.length > 1 ? undefined : { iso: days[0] ?? '', hasYear: true };
  return edgeIn(word, now, zone, look) ?? dayOfMonth(word, today, look) ?? namedMonth(word, now, zone, look);
}

/** @throws CopsError `usage` for a day with two meanings, with both */
export function refuseUnclearDay(text: string, now: number, zone: Zone, look: YearDirection, option: string): void {
  const word = text.trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(BEFORE, '');
  const meant = weekdayIn(word, midnight(wallTime(now, zone)), look) ?? numericDays(word) ?? [];
  if (meant.length > 1) throw wrongOption(option, `"${text}" could be ${meant.join(' or ')}.`, 'Write which one.');
}

/** The notes about times that leave something open: the year of a month, which Friday, which of two equal hours. */
export function datesSaid(
  texts: readonly (string | undefined)[],
  now: number,
  zone: Zone,
  look: YearDirection = 'back',
): string[] {
  const usual = look === 'back' ? 'the last that has begun' : 'the next one';
  return [...new Set(texts)].flatMap((text) => {
    if (text === undefined) return [];
    const named = spokenDate(text, now, zone, look);
    if (named === undefined) return twiceSaid(text.trim(), now, zone);
    if (named.hasYear) return [];
    return [`${text.trim()} is read as ${named.iso}, ${named.which ?? usual}.`];
  });
}

const LOCAL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?$/;

/** A time in the hour that a zone's clocks show twice when they are set back, written or so many months away. */
function twiceSaid(text: string, now: number, zone: Zone): string[] {
  const coming = spanAhead(text);
  const span = coming ?? spanBehind(text);
  const isFar = span !== undefined && span.unit in MONTHS;
  const moved = isFar ? (coming ? ahead : before)(Math.floor(now / 1000), span, zone) * 1000 : undefined;
  const wall = LOCAL.test(text)
    ? wallTime(Date.parse(`${text.replace(' ', 'T')}Z`), { name: 'UTC' })
    : moved && wallTime(moved, zone);
  const [first, second] = (wall ? momentsOf(wall, zone) : []).map((ms) => isoTime(Math.floor(ms / 1000)));
  if (first === undefined || second === undefined) return [];
  return [`${text} occurs twice in ${zone.name}: ${first} is taken; the other is ${second}.`];
}

const weekdayName = (iso = ''): string => {
  const name = WEEKDAYS[(new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '';
  return `a ${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

/** The days that a weekday may mean: `next friday` within this week is also said of the one after it. */
function weekdayIn(word: string, today: WallTime, look: YearDirection): string[] | undefined {
  const [, day = '', week] =
    /^([a-z]{3,9}) (?:of )?(this|next|last|previous) week$/.exec(word.replace(/^(\S+ week) ([a-z]+day)$/, '$2 $1')) ??
    [];
  const [, which = '', name = day] = /^(?:(this|next|coming|last|past|previous) )?([a-z]{3,9})$/.exec(word) ?? [];
  const at = name === '' ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(name));
  if (at < 0) return undefined;
  const isBack = /^(?:last|past|previous)$/.test(which) || (which === '' && look === 'back');
  const own = shiftDay(startOf(today, 'week'), at);
  if (week) return [dayName(shiftDay(own, week === 'this' ? 0 : week === 'next' ? 7 : -7))];
  const away = dayName(own).localeCompare(dayName(today));
  if (isBack) return [dayName(away < 0 || (away === 0 && which === '') ? own : shiftDay(own, -7))];
  const coming = away > 0 ? own : shiftDay(own, 7);
  return which === 'next' && away > 0 ? [dayName(coming), dayName(shiftDay(coming, 7))] : [dayName(coming)];
}

/** The days that digits may mean: `15/01/2027` is one, `01/02/2027` may be two, `1.2.2027` is always in February. */
function numericDays(word: string): string[] | undefined {
  const [, year, month, day] = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/.exec(word) ?? [];
  if (year) return existing([[year, month, day]]);
  const [, one, mark, two, last = ''] = /^(\d{1,2})([./])(\d{1,2})\2((?:20)?\d\d)$/.exec(word) ?? [];
  if (!one) return undefined;
  const full = last.length === 2 ? `20${last}` : last;
  return existing(
    mark === '.'
      ? [[full, two, one]]
      : [
          [full, two, one],
          [full, one, two],
        ],
  );
}

function existing(all: readonly (readonly (string | undefined)[])[]): string[] | undefined {
  const days = all
    .map(([year, month = '', day = '']) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
    .filter((iso) => new Date(`${iso}T00:00:00Z`).toJSON()?.slice(0, 10) === iso);
  return days.length === 0 ? undefined : [...new Set(days)];
}

/** `end of next month`, `beginning of 2027`, `end of january`: the last or first day. */
function edgeIn(word: string, now: number, zone: Zone, look: YearDirection): SpokenDate | undefined {
  const [, edge, of = ''] = /^(?:the )?(end|beginning|start) of (?:the )?(.+)$/.exec(word) ?? [];
  if (!edge) return undefined;
  const month = namedMonth(of, now, zone, look);
  const spoken = /^(?:week|month|quarter|year)$/.test(of) ? `this ${of}` : (month?.iso ?? of);
  const period = namedPeriod(spoken, now, zone);
  if (!period) return undefined;
  return {
    iso: dayName(edge === 'end' ? shiftDay(period.next, -1) : period.first),
    hasYear: month?.hasYear ?? false,
    which: `the ${edge} of ${spoken}`,
  };
}

/** `the 15th`: of this month, the one before or the one after it; `the 15th of next month`. */
function dayOfMonth(word: string, today: WallTime, look: YearDirection): SpokenDate | undefined {
  const [, digits, of] = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (this|next|last) month)?$/.exec(word) ?? [];
  const day = Number(digits);
  if (!digits || day < 1 || day > 31) return undefined;
  const unit: CalendarUnit = 'month';
  const step = look === 'back' ? -1 : 1;
  if (of) {
    const first = moved(startOf(today, unit), unit, { this: 0, next: 1, last: -1 }[of] ?? 0);
    const one = shiftDay(first, day - 1);
    return one.month === first.month ? { iso: dayName(one), hasYear: true } : undefined;
  }
  const isPassed = look === 'back' ? day > today.day : day < today.day;
  for (let by = isPassed ? step : 0; Math.abs(by) < 4; by += step) {
    const first = moved(startOf(today, unit), unit, by);
    const one = shiftDay(first, day - 1);
    if (one.month === first.month) return { iso: dayName(one), hasYear: false };
  }
  return undefined;
}
