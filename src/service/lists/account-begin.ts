import { join } from 'node:path';
import { whileLocked } from '../../base/files/lock.js';
import { readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';

/** Longest range that a list accepts, in days (service.md#limits). */
const WINDOW_DAYS = 90;
/** Empty windows in a row before an account is assumed to begin after them: two years. */
const EMPTY_WINDOWS = 9;
/** Most requests that the search may cost. */
const MOST_REQUESTS = 60;

/**
 * The first day found for an account. `day`: start of the day (UTC) before which nothing was seen, in unix seconds;
 * undefined for an empty account. `isProven`: false where the requests ran out before two empty years were seen: older
 * items may exist.
 */
export type FirstDay = Awaited<ReturnType<typeof findFirstDay>>;

/** Returns how many items a list has in a range; undefined where the service does not say. */
export type CountItems = (list: 'customers' | 'sales', range: TimeRange) => Promise<number | undefined>;

/**
 * Finds the day on which an account begins, by its customers and sales only: goes back from now in doubling steps to
 * the oldest part that holds any, from there back until two years in a row are empty, then narrows down to the first
 * item. Costs at most 60 requests.
 * @param now in unix seconds
 */
export async function findFirstDay(count: CountItems, now: number) {
  const search = new Search(count, now);
  const oldest = await search.oldestWindow();
  if (oldest === undefined) return { day: undefined, isProven: search.isProven, requests: search.requests };
  const day = await search.firstDayIn(search.window(oldest));
  return { day, isProven: search.isProven, requests: search.requests };
}

class Search {
  requests = 0;
  isProven = true;

  constructor(
    readonly count: CountItems,
    readonly now: number,
  ) {}

  /** The window that ends `back` windows before now. */
  window(back: number): TimeRange {
    const to = this.now - back * WINDOW_DAYS * DAY;
    return { from: Math.max(0, to - WINDOW_DAYS * DAY), to };
  }

  /** True when either list has items in the range; undefined when no request is left to find out. */
  async #holds(range: TimeRange): Promise<boolean | undefined> {
    for (const list of ['customers', 'sales'] as const) {
      if (this.requests >= MOST_REQUESTS) return undefined;
      this.requests++;
      if (((await this.count(list, range)) ?? 0) > 0) return true;
    }
    return false;
  }

  async oldestWindow(): Promise<number | undefined> {
    let oldest = (await this.#holds(this.window(0))) ? 0 : undefined;
    let empty = oldest === undefined ? 1 : 0;
    let back = 1;
    if (oldest !== undefined) {
      // Skips whole years in a few steps; the loop below searches what lies before the last step.
      for (let step = 1; await this.#holds(this.window(step)); step *= 2) oldest = step;
      back = oldest + 1;
    }
    for (; empty < EMPTY_WINDOWS && this.window(back).to > 0; back++) {
      const holds = await this.#holds(this.window(back));
      if (holds === undefined) {
        this.isProven = false;
        break;
      }
      if (holds) oldest = back;
      empty = holds ? 0 : empty + 1;
    }
    return oldest;
  }

  /** Halves the days of a range that holds items until one is left; returns its start. */
  async firstDayIn({ from, to }: TimeRange): Promise<number> {
    let [low, high] = [Math.floor(from / DAY), Math.floor(to / DAY)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      // A second more at each end, whichever of its ends the service counts: at worst the day before is found.
      const holds = await this.#holds({ from: Math.max(0, low * DAY - 1), to: (middle + 1) * DAY });
      // When requests run out, the earlier day is the safe choice.
      if (holds === undefined) break;
      if (holds) high = middle;
      else low = middle + 1;
    }
    return low * DAY;
  }
}

/** A first day as stored for a key. */
export interface KeptDay {
  readonly fingerprint: string;
  readonly base_url: string;
  /** In unix seconds. */
  readonly first_day: number;
  /** `found`: by searching; `given`: by `--first-day`. */
  readonly source: 'found' | 'given';
  readonly is_proven: boolean;
}

const fileOf = (configDir: string): string => join(configDir, 'first-days.json');

/** The stored first day for a key at a service; an unusable file counts as empty. */
export async function readFirstDay(
  configDir: string,
  fingerprint: string,
  baseUrl: string,
): Promise<KeptDay | undefined> {
  const days = await readAll(configDir);
  return days.find((day) => day.fingerprint === fingerprint && day.base_url === baseUrl);
}

/** Stores a first day. It can be found again, so the caller decides whether to mention a failure. */
export const keepFirstDay = (configDir: string, day: KeptDay): Promise<void> =>
  changeDays(configDir, (days) => [
    ...days.filter((one) => one.fingerprint !== day.fingerprint || one.base_url !== day.base_url),
    day,
  ]);

/** Forgets the first day of each account whose data no longer exists. */
export async function forgetFirstDays(configDir: string, isGone: (day: KeptDay) => boolean): Promise<void> {
  if ((await readAll(configDir)).some(isGone))
    await changeDays(configDir, (days) => days.filter((day) => !isGone(day)));
}

function changeDays(configDir: string, change: (days: readonly KeptDay[]) => KeptDay[]): Promise<void> {
  return whileLocked(fileOf(configDir), { what: 'The file of first days' }, async () => {
    const days = change(await readAll(configDir));
    await replaceFile(fileOf(configDir), `${JSON.stringify({ version: 1, days }, null, 2)}\n`);
  });
}

async function readAll(configDir: string): Promise<readonly KeptDay[]> {
  try {
    const { days } = JSON.parse(readOwnFile(fileOf(configDir))?.toString('utf8') ?? '{}') as { days?: unknown };
    return Array.isArray(days) ? days.filter(isKeptDay) : [];
  } catch {
    return [];
  }
}

function isKeptDay(value: unknown): value is KeptDay {
  const day = value as Partial<KeptDay> | null;
  return (
    typeof day?.fingerprint === 'string' &&
    typeof day.base_url === 'string' &&
    Number.isSafeInteger(day.first_day) &&
    (day.source === 'found' || day.source === 'given') &&
    typeof day.is_proven === 'boolean'
  );
}
