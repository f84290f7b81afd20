import { counted } from '../../items/text/numbered.js';
import { group } from '../../items/text/width.js';
import { duration, Speed } from '../../screen/meter.js';
import type { Notes } from '../../screen/types.js';

const EVERY_MS = 250;

/** The counts of one run, and the line that shows them. */
export class Progress {
  items = 0;
  requests = 0;
  refused = 0;
  reread = 0;
  windowsDone = 0;
  readonly #began: number;
  #shown = 0;
  readonly #speeds: readonly [items: Speed, windows: Speed];

  constructor(
    readonly notes: Pick<Notes, 'progress'>,
    readonly now: () => number,
    readonly windows: () => number,
    /** The job these windows belong to: when it began, and its share done, given theirs. */
    readonly whole?: { readonly began: number; readonly share: (own: number) => number },
  ) {
    this.#began = now();
    this.#speeds = [new Speed(this.#began), new Speed(this.#began)];
  }

  took(items: number): void {
    this.items += items;
    this.show();
  }

  show(): void {
    const now = this.now();
    if (now - this.#shown < EVERY_MS) return;
    this.#shown = now;
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
    const rate = this.#speeds[0].at(now, this.items);
    const windows = this.windows();
    const windowRate = this.#speeds[1].at(now, this.windowsDone);
    const left = this.#left(now, windowRate);
    return [
      ...(this.whole ? [] : [`${this.windowsDone}/${windows} windows`]),
      counted(this.items, 'item'),
      `${group(Math.round(rate))} items/s`,
      counted(this.requests, 'request'),
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
