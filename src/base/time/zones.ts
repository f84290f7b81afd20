import { orThrow, usage } from '../errors/errors.js';

/** A wall-clock time in some zone; `month` is 1 to 12. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The parts of a moment that a wall clock shows. */
export const WALL_PARTS = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

const formats = new WeakMap<object, Intl.DateTimeFormat>();

/** A checked zone, with its formatter. */
export interface Zone {
  readonly name: string;
}

/** The zone that dates know by themselves: `Intl` loads its data first, which takes half as long as a start of Node. */
const UTC = 'UTC';

/** Checks an IANA zone name; throws a usage error that names its source. */
export function zoneOf(name: string, source = '--tz'): Zone {
  const zone: Zone = { name };
  if (name === UTC) return zone;
  orThrow(
    () => formatOf(zone),
    () =>
      usage(
        `${source}: "${name}" is not a time zone.`,
        'Give an IANA name such as Europe/Berlin, America/New_York or UTC.',
      ),
  );
  return zone;
}

function formatOf(zone: Zone): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone.name, ...WALL_PARTS });
  formats.set(zone, format);
  return format;
}

/** The wall-clock time of a moment (milliseconds since the epoch) in a zone. */
export function wallTime(ms: number, zone: Zone): WallTime {
  if (zone.name === UTC && ms >= 0) return utcWall(new Date(ms));
  const parts: Record<string, number> = {};
  for (const part of formatOf(zone).formatToParts(ms)) parts[part.type] = Number(part.value);
  return {
    year: parts.year ?? 1970,
    month: parts.month ?? 1,
    day: parts.day ?? 1,
    hour: parts.hour ?? 0,
    minute: parts.minute ?? 0,
    second: parts.second ?? 0,
  };
}

const utcWall = (date: Date): WallTime => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
  hour: date.getUTCHours(),
  minute: date.getUTCMinutes(),
  second: date.getUTCSeconds(),
});

/** The seconds that a zone's clocks are ahead of UTC: pieces of time in order, each with its first moment. */
export function offsetsWithin(
  begins: number,
  ends: number,
  zone: Zone,
): { readonly since: number; readonly ahead: number }[] {
  const at = (unix: number): number => offsetAt(unix * 1000, zone) / 1000;
  const pieces = [{ since: begins, ahead: at(begins) }];
  const week = 7 * 86_400;
  for (let low = begins; low < ends && zone.name !== UTC; low += week) {
    const ahead = at(low + week);
    if (ahead === pieces.at(-1)?.ahead) continue;
    let [before, after] = [low, low + week];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (at(middle) === ahead) after = middle;
      else before = middle;
    }
    pieces.push({ since: after, ahead });
  }
  return pieces;
}

function offsetAt(ms: number, zone: Zone): number {
  const wall = wallTime(ms, zone);
  return utc(wall) - Math.floor(ms / 1000) * 1000;
}

const utc = (wall: WallTime): number =>
  Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);

/** The moments (in milliseconds) at which a zone's clocks show `wall`: none, one or two, the earlier first. */
export function momentsOf(wall: WallTime, zone: Zone): number[] {
  const naive = utc(wall);
  const offsets = new Set([offsetAt(naive - 86_400_000, zone), offsetAt(naive + 86_400_000, zone)]);
  return [...offsets]
    .map((offset) => naive - offset)
    .filter((ms) => utc(wallTime(ms, zone)) === naive)
    .sort((a, b) => a - b);
}

/**
 * The moment (in milliseconds) at which a zone's clocks show `wall`. A time that a clock change skips becomes the
 * moment of the change; of a time that occurs twice, the earlier wins.
 */
export function momentOf(wall: WallTime, zone: Zone): number {
  const [first] = momentsOf(wall, zone);
  if (first !== undefined) return first;
  const naive = utc(wall);
  // Skipped by a clock change: read with the offset from before the change, the wall time lies as far after the change
  // as it lies inside the gap.
  const before = naive - offsetAt(naive - 86_400_000, zone);
  return firstMomentNotBefore(before, naive, zone);
}

/** The same as whole unix seconds. */
export const unixOf = (wall: WallTime, zone: Zone): number => Math.floor(momentOf(wall, zone) / 1000);

function firstMomentNotBefore(near: number, naive: number, zone: Zone): number {
  let low = near - 4 * 3_600_000;
  let high = near + 4 * 3_600_000;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (utc(wallTime(middle, zone)) >= naive) high = middle;
    else low = middle;
  }
  return high;
}

/** The day `days` after (or, if negative, before) a calendar day. */
export function shiftDay(wall: WallTime, days: number): WallTime {
  const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day + days));
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The same day of the month `months` months earlier, or the last day of a shorter month. */
export function monthsBefore(wall: WallTime, months: number): WallTime {
  const index = wall.year * 12 + (wall.month - 1) - months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { ...wall, year, month, day: Math.min(wall.day, lastDay) };
}
