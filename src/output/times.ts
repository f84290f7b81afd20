const DAY = 86_400;

interface DayOffset {
  readonly seconds: number;
  readonly name: string;
}

/**
 * Shows unix seconds as `2026-01-31 10:00 CET` in one zone. The zone's offset is asked for once a day of the
 * data, because asking costs more than everything else in a row; a day on which clocks change is asked each time.
 */
export class Clock {
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
    return all.find((name) => !/^(GMT|UTC)[+\-−]/.test(name)) ?? all[0] ?? '';
  }
}
