import { counted } from '../../items/text/numbered.js';
import { duration, SOON_MS, Speed, speedText } from '../../screen/meter.js';
import type { Notes } from '../../screen/types.js';
import type { Context } from '../../session/context/context.js';

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
    readonly whole?: { readonly began: number; readonly share: (own: number) => number } | undefined,
    /** How much of the unfinished windows has been read, counted in windows. */
    readonly parts: () => number = () => 0,
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
    if (now - (this.whole?.began ?? this.#began) < SOON_MS || now - this.#shown < EVERY_MS) return;
    this.#shown = now;
    this.notes.progress(this.text(now), this.#share());
  }

  #windowsRead(): number {
    return this.windowsDone + this.parts();
  }

  #share(): number | undefined {
    const windows = this.windows();
    const own = windows > 0 ? Math.min(1, this.#windowsRead() / windows) : undefined;
    return this.whole ? this.whole.share(own ?? 0) : own;
  }

  #left(now: number, windowRate: number): number | undefined {
    if (this.whole === undefined)
      return windowRate > 0 ? (this.windows() - this.#windowsRead()) / windowRate : undefined;
    const share = this.#share() ?? 0;
    return share > 0 ? ((now - this.whole.began) / 1000 / share) * (1 - share) : undefined;
  }

  text(now = this.now()): string {
    const rate = this.#speeds[0].at(now, this.items);
    const windows = this.windows();
    const windowRate = this.#speeds[1].at(now, this.#windowsRead());
    const left = this.#left(now, windowRate);
    return [
      ...(this.whole ? [] : [`${this.windowsDone}/${windows} windows`]),
      counted(this.items, 'item'),
      `${speedText(rate)}/s`,
      // A terminal of 80 columns cuts what follows.
      ...(left !== undefined && left > 0 ? [`${duration(left)} left`] : []),
      ...(this.whole ? [] : [counted(this.requests, 'request')]),
      ...(this.refused > 0 ? [`${this.refused} × 429`] : []),
      ...(this.reread > 0 ? [`${this.reread} read again`] : []),
    ].join(' · ');
  }

  /** Seconds since the run began. */
  seconds(): number {
    return (this.now() - this.#began) / 1000;
  }
}

/** Shows the progress of reading a list: windows of all, items, speed, time left. */
export function listProgress(
  { notes, world }: Pick<Context, 'notes' | 'world'>,
  name: string,
  { at, of, began }: { readonly at: number; readonly of: number; readonly began: number },
): (windows: number, isWindow: boolean, items: number) => void {
  const begins = `${name.replaceAll('_', ' ')} (list ${at + 1} of ${of})`;
  let windows = 1;
  const line = { progress: (text: string, share?: number) => notes.progress(`${text} · ${begins}`, share) };
  const progress = new Progress(
    line,
    () => world.now(),
    () => windows,
    { began, share: (own) => (at + own) / of },
  );
  return (due, isWindow, items) => {
    windows = Math.max(windows, due);
    if (isWindow) progress.windowsDone++;
    else progress.requests++;
    progress.took(items);
  };
}
