import { group } from '../../items/text/width.js';
import { duration } from '../../screen/meter.js';
import type { Notes } from '../../screen/types.js';

const EVERY_MS = 250;

/** Items per second are measured over this period. */
const MEASURED_MS = 10_000;

/** The counts of one run, and the line that shows them. */
export class Progress {
  items = 0;
  requests = 0;
  refused = 0;
  reread = 0;
  windowsDone = 0;
  readonly #began: number;
  #shown = 0;
  #marks: { at: number; items: number; windows: number }[];

  constructor(
    readonly notes: Pick<Notes, 'progress'>,
    readonly now: () => number,
    readonly windows: () => number,
    /** The job that these windows are a part of: its own share done, by that of the windows, and when it began. */
    readonly whole?: { readonly began: number; readonly share: (own: number) => number },
  ) {
    this.#began = now();
    this.#marks = [{ at: this.#began, items: 0, windows: 0 }];
  }

  took(items: number): void {
    this.items += items;
    this.show();
  }

  show(): void {
    const now = this.now();
    if (now - this.#shown < EVERY_MS) return;
    this.#shown = now;
    const marks = this.#marks;
    if (now - (marks.at(-1)?.at ?? 0) >= 1000) marks.push({ at: now, items: this.items, windows: this.windowsDone });
    while (marks.length > 2 && now - (marks[1]?.at ?? now) > MEASURED_MS) marks.shift();
    this.notes.progress(this.text(now), this.#share());
  }

  #share(): number | undefined {
    const windows = this.windows();
    const own = windows > 0 ? Math.min(1, this.windowsDone / windows) : undefined;
    return this.whole ? this.whole.share(own ?? 0) : own;
  }

  #left(now: number, windowRate: number): number | undefined {
    if (this.whole === undefined) return windowRate > 0 ? (this.windows() - this.windowsDone) / windowRate : undefined;
    const share = this.#share() ?? 0;
    return share > 0 ? ((now - this.whole.began) / 1000 / share) * (1 - share) : undefined;
  }

  text(now = this.now()): string {
    const mark = this.#marks[0] ?? { at: this.#began, items: 0, windows: 0 };
    const seconds = Math.max(0.001, (now - mark.at) / 1000);
    const rate = (this.items - mark.items) / seconds;
    const windows = this.windows();
    const windowRate = (this.windowsDone - mark.windows) / seconds;
    const left = this.#left(now, windowRate);
    return [
      ...(this.whole ? [] : [`${this.windowsDone}/${windows} windows`]),
      `${group(this.items)} ${this.items === 1 ? 'item' : 'items'}`,
      `${group(Math.round(rate))} items/s`,
      `${group(this.requests)} ${this.requests === 1 ? 'request' : 'requests'}`,
      ...(this.refused > 0 ? [`${this.refused} × 429`] : []),
      ...(this.reread > 0 ? [`${this.reread} read again`] : []),
      ...(left !== undefined && left > 0 ? [`${duration(left)} left`] : []),
    ].join(' · ');
  }

  /** Seconds since the run began. */
  seconds(): number {
    return (this.now() - this.#began) / 1000;
  }
}
