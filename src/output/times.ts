import { DAY } from '../time/units.js';

interface DayOffset {
  readonly seconds: number;
  readonly name: string;
}

/**
 * Shows unix seconds as `2026-01-31 10:00 CET` in one zone. The zone's offset is asked for once a day of the
 * data, because asking costs more than everything else in a row; a day on which clocks change is asked each time.
 */
export class Clock {
  readonly #dates = new Map<number, string>();
  readonly #boundaries = new Map<number, DayOffset>();
  readonly #byOffset = new Map<string, string>();
  readonly #parts: Intl.DateTimeFormat;
  readonly #names: readonly Intl.DateTimeFormat[];

  constructor(timeZone: string) {
    this.#parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
    // Which short names a zone has depends on the English asked: `EST` is American, `CET` British.
    this.#names = ['en-US', 'en-GB', 'en-AU'].map(
      (locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }),
    );
  }

  /** Undefined for a number that is no moment. */
  show(unix: number): string | undefined {
    if (!Number.isFinite(unix) || Math.abs(unix) > 8e12) return undefined;
    const { seconds, name } = this.#offset(unix);
    const local = new Date((Math.floor(unix) + seconds) * 1000).toISOString();
    const minute = local.slice(0, local.indexOf('T') + 6).replace('T', ' ');
    return `${minute} ${name}`;
  }

  /** `2026-01-31T10:00:00+01:00` for whole seconds in the years 0 to 9999. */
  iso(unix: number): string {
    const { seconds } = this.#offset(unix);
    return `${this.#local(unix + seconds, 'T')}${zoneText(seconds)}`;
  }

  /** Seconds by which the zone's own clock is ahead of UTC at a moment. */
  offset(unix: number): number {
    return this.#offset(unix).seconds;
  }

  /** `2026-01-31 10:00:00`, as spreadsheet programs read it. */
  plain(unix: number): string {
    return this.#local(unix + this.#offset(unix).seconds, ' ');
  }

  /** Whole seconds of the zone's own clock as text. */
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

  #offset(unix: number): DayOffset {
    const day = Math.floor(unix / DAY);
    const first = this.#boundary(day);
    const last = this.#boundary(day + 1);
    return first.seconds === last.seconds && first.name === last.name ? first : this.#ask(unix);
  }

  #boundary(day: number): DayOffset {
    let known = this.#boundaries.get(day);
    if (known === undefined) {
      known = this.#ask(day * DAY);
      this.#boundaries.set(day, known);
    }
    return known;
  }

  #ask(unix: number): DayOffset {
    const at: Record<string, string> = {};
    for (const { type, value } of this.#parts.formatToParts(unix * 1000)) at[type] = value;
    const year = at.era?.startsWith('B') ? 1 - Number(at.year) : Number(at.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(at.month) - 1, Number(at.day));
    wall.setUTCHours(Number(at.hour), Number(at.minute), Number(at.second));
    const seconds = wall.getTime() / 1000 - Math.floor(unix);
    // Within a year one offset has one name; asking for names is what costs most.
    const key = `${year} ${seconds}`;
    let name = this.#byOffset.get(key);
    if (name === undefined) {
      name = this.#name(unix);
      this.#byOffset.set(key, name);
    }
    return { seconds, name };
  }

  #name(unix: number): string {
    const all = this.#names.map(
      (format) => format.formatToParts(unix * 1000).find((part) => part.type === 'timeZoneName')?.value ?? '',
    );
    return all.find((name) => !/^(GMT|UTC)[+\-\u2212]/.test(name)) ?? all[0] ?? '';
  }
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** `Z`, or `+01:00`. */
function zoneText(seconds: number): string {
  if (seconds === 0) return 'Z';
  const minutes = Math.round(Math.abs(seconds) / 60);
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
