import { DAY } from '../../base/time/units.js';
import { WALL_PARTS } from '../../base/time/zones.js';

/**
 * Shows unix seconds as `2026-01-31 10:00 CET` in one zone. Looks up the zone's offset once per day in the data,
 * because that costs more than everything else in a row; on a day with a clock change, every time. UTC needs no lookup:
 * building the zone formatter takes longer than a small command.
 */
export class Clock {
  readonly #dates = new Map<number, string>();
  readonly #boundaries = new Map<number, number>();
  readonly #byOffset = new Map<string, string>();
  readonly #isUtc: boolean;
  #parts: Intl.DateTimeFormat | undefined;
  #names: readonly Intl.DateTimeFormat[] | undefined;

  constructor(private readonly timeZone: string) {
    this.#isUtc = timeZone === 'UTC';
  }

  /** Undefined for a number that is not a moment. */
  show(unix: number): string | undefined {
    if (!Number.isFinite(unix) || Math.abs(unix) > 8e12) return undefined;
    const seconds = this.offset(unix);
    const local = new Date((Math.floor(unix) + seconds) * 1000).toISOString();
    const minute = local.slice(0, local.indexOf('T') + 6).replace('T', ' ');
    return `${minute} ${this.#isUtc ? 'UTC' : this.#name(unix, `${local.slice(0, local.indexOf('-', 1))} ${seconds}`)}`;
  }

  /** `2026-01-31T10:00:00+01:00` for whole seconds in the years 0 to 9999. */
  iso(unix: number): string {
    const seconds = this.offset(unix);
    return `${this.#local(unix + seconds, 'T')}${zoneText(seconds)}`;
  }

  /** Seconds by which the zone is ahead of UTC at a moment. */
  offset(unix: number): number {
    if (this.#isUtc) return 0;
    const day = Math.floor(unix / DAY);
    const first = this.#boundary(day);
    return first === this.#boundary(day + 1) ? first : this.#ask(unix);
  }

  /** `2026-01-31 10:00:00`, as spreadsheet programs read it. */
  plain(unix: number): string {
    return this.#local(unix + this.offset(unix), ' ');
  }

  /** Formats whole seconds of local time. */
  #local(seconds: number, between: string): string {
    const day = Math.floor(seconds / DAY);
    let date = this.#dates.get(day);
    if (date === undefined) {
      date = new Date(day * DAY * 1000).toISOString().slice(0, 10);
      this.#dates.set(day, date);
    }
    const rest = seconds - day * DAY;
    return `${date}${between}${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  }

  #boundary(day: number): number {
    let known = this.#boundaries.get(day);
    if (known === undefined) {
      known = this.#ask(day * DAY);
      this.#boundaries.set(day, known);
    }
    return known;
  }

  #ask(unix: number): number {
    this.#parts ??= new Intl.DateTimeFormat('en-US', { timeZone: this.timeZone, ...WALL_PARTS, era: 'short' });
    const at: Record<string, string> = {};
    for (const { type, value } of this.#parts.formatToParts(unix * 1000)) at[type] = value;
    const year = at.era?.startsWith('B') ? 1 - Number(at.year) : Number(at.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(at.month) - 1, Number(at.day));
    wall.setUTCHours(Number(at.hour), Number(at.minute), Number(at.second));
    return wall.getTime() / 1000 - Math.floor(unix);
  }

  /** Within a year each offset has one name, and looking up names costs most. */
  #name(unix: number, yearAndOffset: string): string {
    let name = this.#byOffset.get(yearAndOffset);
    if (name === undefined) {
      name = this.#askName(unix);
      this.#byOffset.set(yearAndOffset, name);
    }
    return name;
  }

  #askName(unix: number): string {
    // The short names of a zone depend on the variety of English: `EST` is American, `CET` British.
    this.#names ??= ['en-US', 'en-GB', 'en-AU'].map(
      (locale) => new Intl.DateTimeFormat(locale, { timeZone: this.timeZone, timeZoneName: 'short' }),
    );
    const all = this.#names.map(
      (format) => format.formatToParts(unix * 1000).find((part) => part.type === 'timeZoneName')?.value ?? '',
    );
    return all.find((name) => !/^(GMT|UTC)[+\-\u2212]/.test(name)) ?? all[0] ?? '';
  }
}

const TWO: string[] = [];

/** Two digits of a number below 100, each formatted once. */
function two(value: number): string {
  TWO[value] ??= String(value).padStart(2, '0');
  return TWO[value];
}

/** `Z`, or `+01:00`. */
function zoneText(seconds: number): string {
  if (seconds === 0) return 'Z';
  const minutes = Math.round(Math.abs(seconds) / 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
