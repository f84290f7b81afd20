import { group } from '../items/text/width.js';
import { strokes } from './style.js';
import type { Notes } from './types.js';

/** The period over which speed is measured, in milliseconds. */
const MEASURED_MS = 10_000;
/** Shortest time between two lines, in milliseconds. */
const EVERY_MS = 250;

/** A job shorter than this shows no progress, in milliseconds. */
export const SOON_MS = 800;

/** What a job counts. */
export interface Measured {
  /** The name of what is counted, in the plural: `rows`. */
  readonly unit: string;
  /** What the job is doing, shown before the figures. */
  readonly what?: string | undefined;
  /** The work left after counting, in units of the count. */
  readonly rest?: number;
}

/** The recent speed of a job, per second. */
export class Speed {
  readonly #marks: { at: number; done: number }[];

  constructor(at: number, done = 0) {
    this.#marks = [{ at, done }];
  }

  at(now: number, done: number): number {
    const marks = this.#marks;
    if (now - (marks.at(-1)?.at ?? 0) >= 1000) marks.push({ at: now, done });
    while (marks.length > 2 && now - (marks[1]?.at ?? now) > MEASURED_MS) marks.shift();
    const [mark = { at: now, done }] = marks;
    return (done - mark.done) / Math.max(0.001, (now - mark.at) / 1000);
  }
}

/** The progress of a job: count and speed, and share and time left where its total is known. */
export class Meter {
  readonly #began: number;
  readonly #speed: Speed;
  #shown = 0;

  /** @param from how many were done before; they do not count towards the speed */
  constructor(
    readonly notes: Pick<Notes, 'progress'>,
    readonly now: () => number,
    readonly measured: Measured,
    from = 0,
  ) {
    this.#began = now();
    this.#speed = new Speed(this.#began, from);
  }

  /** Reports how far the job is, if it is time to; `more` goes at the end of the line. */
  show(done: number, of?: number, more: readonly string[] = []): void {
    const now = this.now();
    if (now - this.#began < SOON_MS || now - this.#shown < EVERY_MS) return;
    this.#shown = now;
    this.notes.progress(this.text(done, of, more), of ? done / (of + (this.measured.rest ?? 0)) : undefined);
  }

  text(done: number, of?: number, more: readonly string[] = []): string {
    const { unit, what, rest = 0 } = this.measured;
    const speed = this.#speed.at(this.now(), done);
    const left = speed > 0 && of !== undefined ? (of + rest - done) / speed : 0;
    const figures = [
      `${group(done)}${of === undefined ? '' : ` of ${group(of)}`} ${unit}`,
      ...(speed > 0 ? [`${speedText(speed)}/s`] : []),
      ...(left > 0 ? [`${duration(left)} left`] : []),
      ...more,
    ];
    return `${what === undefined ? '' : `${what}: `}${figures.join(' · ')}`;
  }
}

export function speedText(speed: number): string {
  return speed < 10 ? speed.toFixed(1) : group(Math.round(speed));
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Characters of a bar. */
const BAR = 16;

/** A bar with its share: `█████░░░░░░░░░░░  31 %`. */
export function barOf(share: number): string {
  const { full, empty } = strokes();
  const filled = Math.min(BAR, Math.max(0, Math.floor(share * BAR)));
  return `${full.repeat(filled)}${empty.repeat(BAR - filled)} ${percentOf(share)}`;
}

export function percentOf(share: number): string {
  return `${String(Math.floor(100 * Math.min(1, Math.max(0, share)))).padStart(3)} %`;
}
