import { RateLearner } from './learner.js';

/** Keeps the requests of one process below what the service allows. */
export interface Pacer {
  /** Resolves when the next request may be sent, first come first served; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<void>;
  /** A request was refused with 429; `retryAfterMs` is what the service asked for, if it did. */
  throttled(retryAfterMs: number | undefined): void;
  /** A request ended in any other way. Each `acquire` is followed by one of the two. */
  answered(): void;
  /** What was learned, for progress and `--verbose`. */
  stats(): PacerStats;
}

export interface PacerStats {
  readonly sent: number;
  readonly refused: number;
  /** Requests a second that are allowed at present; undefined while nothing limits them. */
  readonly rate: number | undefined;
}

export interface PacerOptions {
  /** Ceiling, requests a second. */
  readonly rate?: number;
  /** Milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  random(): number;
}

/** Slots that were missed because a timer came late are made up for within this time, milliseconds. */
const CATCH_UP_MS = 100;

interface Waiter {
  grant(): void;
}

/** The moments of the last requests: in the time that a ceiling gives to so many, no more of them leave. */
class Ceiling {
  readonly #moments: number[];
  readonly #spanMs: number;
  #next = 0;

  constructor(rate: number) {
    const many = Math.min(1000, Math.max(1, Math.floor(rate)));
    this.#moments = new Array<number>(many).fill(Number.NEGATIVE_INFINITY);
    this.#spanMs = (many / rate) * 1000;
  }

  /** The earliest moment at which another request may leave. */
  due(): number {
    return (this.#moments[this.#next] as number) + this.#spanMs;
  }

  left(now: number): void {
    this.#moments[this.#next] = now;
    this.#next = (this.#next + 1) % this.#moments.length;
  }
}

/**
 * A pacer that learns the service's rate from its refusals (`RateLearner`) and never sends faster than a given
 * ceiling. Requests leave evenly spaced, so that no second of the service holds more than another. It trusts the
 * clock only forwards: one that is set back stops nothing.
 */
export function makePacer(options: PacerOptions): Pacer {
  const learner = new RateLearner(options.rate);
  const queue: Waiter[] = [];
  let sent = 0;
  let refused = 0;
  let time = 0;
  let seen = options.now();
  let slot = 0;
  let pumping: { current: AbortController } | undefined;

  /** Milliseconds that passed since the start, never fewer than `least`. */
  const clock = (least = 0) => {
    const now = options.now();
    time = Math.max(time + Math.max(0, now - seen), least);
    seen = now;
    return time;
  };
  // A ceiling of so many is kept to the letter: slots that were missed are made up for only inside it.
  const ceiling = options.rate === undefined ? undefined : new Ceiling(options.rate);
  const due = () => Math.max(slot, learner.pausedUntil, ceiling?.due() ?? 0);
  const leave = (now: number, waited: boolean) => {
    sent += 1;
    learner.sent(now, waited);
    const spacing = Number.isFinite(learner.rate) ? 1000 / learner.rate : 0;
    slot = Math.max(slot, learner.pausedUntil, now - CATCH_UP_MS) + spacing;
    ceiling?.left(now);
  };
  const pump = async () => {
    if (pumping) return;
    const signals = { current: new AbortController() };
    pumping = signals;
    try {
      for (let now = clock(); queue.length > 0; now = clock()) {
        const wait = Math.ceil(due() - now);
        if (wait > 0) {
          signals.current = new AbortController();
          await options.sleep(wait, signals.current.signal);
          clock(now + wait);
        } else {
          leave(now, true);
          queue.shift()?.grant();
        }
      }
    } catch (error) {
      if (!signals.current.signal.aborted) throw error;
    } finally {
      pumping = undefined;
    }
  };

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const now = clock();
      if (queue.length === 0 && due() <= now) {
        leave(now, false);
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.splice(queue.indexOf(waiter), 1);
          if (queue.length === 0) pumping?.current.abort();
          reject(signal?.reason);
        };
        const waiter = {
          grant() {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(waiter);
        void pump();
      });
    },
    throttled(retryAfterMs) {
      refused += 1;
      learner.refused(clock(), retryAfterMs);
    },
    answered: () => learner.accepted(clock()),
    stats: () => ({ sent, refused, rate: Number.isFinite(learner.rate) ? learner.rate : undefined }),
  };
}
