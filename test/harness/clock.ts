import type { World } from '../../src/base/world.js';

/** What a run of the program has for a clock: milliseconds since the epoch, and pauses. */
export type Clock = Pick<World, 'now' | 'sleep'>;

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The clock of the machine. */
export const realClock: Clock = { now: Date.now, sleep: waitFor };

/** A clock that jumps over every pause of the program, so that a test of retries and paces waits for none of them. */
export class QuickClock implements Clock {
  /** The pauses that were asked for, milliseconds. */
  readonly pauses: number[] = [];
  #ahead: number;

  /** Begins at a time, milliseconds since the epoch, and goes on as the machine's clock does. */
  constructor(start = Date.now()) {
    this.#ahead = start - Date.now();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Jumps to the end of the pause, after what was begun before it has had its turn. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.pauses.push(ms);
    const due = this.now() + ms;
    await waitFor(0, signal);
    this.#ahead = Math.max(this.#ahead, due - Date.now());
  }
}

/** A clock that stands on a fixed day, but for the pauses of the program. */
export class StandingClock implements Clock {
  #now = Date.UTC(2026, 10, 20, 12, 0, 0);

  now(): number {
    return this.#now;
  }

  async sleep(ms: number): Promise<void> {
    this.#now += ms;
  }
}

/** A clock by which everything takes long: each look at it is 400 ms later. */
export class HastyClock extends StandingClock {
  override now(): number {
    void this.sleep(400);
    return super.now();
  }
}
