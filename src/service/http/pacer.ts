/**
 * Keeps the requests of one process below the service's limit, and those of all processes that share a pace below a
 * rate.
 */
export interface Pacer {
  /** Resolves when the next request may be sent, in order of arrival; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<void>;
  /** Reports a request refused with 429; `retryAfterMs` is the wait the service asked for, if any. */
  throttled(retryAfterMs: number | undefined): void;
  /** Reports a request that ended in any other way. Each `acquire` is followed by one of the two. */
  answered(): void;
}

/** The pace that all users of a key share. */
export interface SharedPace {
  /**
   * Reserves the next turns: at least one, at most `wanted`. An unused turn is lost, but nobody waits for it.
   * @returns for each turn, the milliseconds from now until it begins
   */
  reserve(wanted: number): Promise<readonly number[]>;
  /** Lets no turn reserved from now on begin within this many milliseconds. */
  pause(ms: number): Promise<void>;
}

export interface PacerOptions {
  /** Upper limit, in requests per second. */
  readonly rate?: number | undefined;
  /** The turns shared by everyone bound by the rate. */
  readonly shared?: SharedPace | undefined;
  /** In milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Turns missed because a timer fired late are made up for within this time, in milliseconds. */
const CATCH_UP_MS = 100;

/** The service counts requests as they arrive: one that was slow to connect must not fall among the next ones. */
const LATENESS_MS = 50;

/** The times of the last requests: no more requests leave within a span than the limit allows for it. */
class Ceiling {
  readonly #moments: number[];
  readonly #spanMs: number;
  #next = 0;

  constructor(rate: number) {
    const many = Math.min(1000, Math.max(1, Math.floor(rate)));
    this.#moments = new Array<number>(many).fill(Number.NEGATIVE_INFINITY);
    this.#spanMs = (many / rate) * 1000 + (many > 1 ? LATENESS_MS : 0);
  }

  /** The earliest time at which another request may leave. */
  due(): number {
    return (this.#moments[this.#next] as number) + this.#spanMs;
  }

  left(now: number): void {
    this.#moments[this.#next] = now;
    this.#next = (this.#next + 1) % this.#moments.length;
  }
}

/** A clock in milliseconds since its creation that never goes back, nor below the given `least`. */
function forwardClock({ now }: Pick<PacerOptions, 'now'>): (least?: number) => number {
  let time = 0;
  let seen = now();
  return (least = 0) => {
    const moment = now();
    time = Math.max(time + Math.max(0, moment - seen), least);
    seen = moment;
    return time;
  };
}

/**
 * A pacer that learns the service's rate from its refusals (`RateLearner`) and never sends faster than a given limit.
 * Requests leave evenly spaced, so that no second at the service holds more than another. It trusts the clock only when
 * it moves forward: setting it back stalls nothing.
 */
export function makePacer(options: PacerOptions): Pacer {
  const learner = new RateLearner(options.rate);
  /** The waiting callers; each function runs when its turn comes. */
  const queue: (() => void)[] = [];
  const clock = forwardClock(options);
  let slot = 0;
  let pumping: { current: AbortController } | undefined;
  let pausing: Promise<void> | undefined;

  // The limit is kept to the letter: missed turns are made up for only within it.
  const ceiling = options.rate === undefined ? undefined : new Ceiling(options.rate);
  /** Start times of turns reserved from the shared pace. */
  const turns: number[] = [];
  const due = () => Math.max(slot, learner.pausedUntil, ceiling?.due() ?? 0, turns[0] ?? 0);
  const leave = (now: number, waited: boolean) => {
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
        } else if (options.shared && turns.length === 0) {
          await pausing;
          const waits = await options.shared.reserve(queue.length);
          const taken = clock();
          turns.push(...waits.map((ms) => taken + ms));
        } else {
          turns.shift();
          leave(now, true);
          queue.shift()?.();
        }
      }
    } catch (error) {
      if (!signals.current.signal.aborted) throw error;
    } finally {
      // An unused turn is not made up for.
      turns.length = 0;
      pumping = undefined;
    }
  };

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const now = clock();
      if (!options.shared && queue.length === 0 && due() <= now) {
        leave(now, false);
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.splice(queue.indexOf(grant), 1);
          if (queue.length === 0) pumping?.current.abort();
          reject(signal?.reason);
        };
        const grant = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(grant);
        void pump();
      });
    },
    throttled: (retryAfterMs) => {
      const now = clock();
      const before = learner.pausedUntil;
      learner.refused(now, retryAfterMs);
      // A wait that the service demands from one user of the key applies to all of them.
      const { pausedUntil } = learner;
      if (options.shared && pausedUntil > before) pausing = options.shared.pause(pausedUntil - now);
    },
    answered: () => learner.accepted(clock()),
  };
}

const LEAST_RATE = 0.1;
/** The climb is quick up to this share of the learned rate. */
const NEAR = 0.975;
/** Time constant of the quick climb, in milliseconds. */
const CLIMB_MS = 700;
/** Growth per accepted request after that, as a share of the learned rate. */
const CREEP = 0.0003;
/** Largest growth per second: a window shows that it is used up only at its end. */
const CREEP_A_SECOND = 0.007;
/** After this many requests and seconds without a refusal, the climb gets quicker. */
const CREEP_LONG = 150;
const CREEP_LONG_S = 4;
/** A cycle between two refusals reveals the rate if it has at least this many milliseconds and requests. */
const CYCLE_MS = 2_000;
const CYCLE_REQUESTS = 10;
/** The count of the first burst counts as the rate if a cycle falls short of it by at most this share, or by one. */
const FIRST_SHARE = 0.15;
/** Growth per second, and limit per request, until a second cycle confirms an earlier one to within `SAME`. */
const SEARCH = 1.08;
const SEARCH_STEP = 1.01;
const SAME = 0.04;
/** A cycle with at least this many requests ended as planned. */
const FULL_CYCLE = 50;
/** Refusals with no acceptance in between count as one shortage for this long, in milliseconds. */
const SHORTAGE_MS = 1_100;
/**
 * A longer `Retry-After` means that nothing is accepted until then; a shorter one applies only to the refused request.
 */
const LONG_RETRY_MS = 2_000;
const FIRST_PAUSE_MS = 500;
const GUESS_MS = 1_000;

/**
 * Learns how many requests per second the service accepts, only from which were refused and when. Pure: the time is
 * passed in (in milliseconds, never going back).
 *
 * Assumes no limit before the first refusal. From then on the rate climbs until the next refusal, drops below what it
 * learned from that, and climbs again: quickly to a little below the learned rate, then slowly. In the end a single
 * refusal about every 130 requests shows where the limit is. The number accepted from one refusal to the next, when the
 * service had nothing left to give both times, is its rate, whether it counts by bucket or by window.
 */
class RateLearner {
  /** Requests per second that may leave now; infinite while nothing limits them. */
  rate: number;
  /** The presumed rate of the service; undefined while still searching. */
  #learned: number | undefined;
  /** No request may leave before this time. */
  pausedUntil = 0;
  #inFlight = 0;
  /** Pending outcomes of requests that left before the last step down. */
  #stale = 0;
  /** Times of acceptance in the last second. */
  #recent: number[] = [];
  #free = true;
  /** Requests accepted in the second before the first refusal. */
  #first = 0;
  #cycleFrom: number | undefined;
  #cycleRate = 0;
  #doubts = 0;
  #accepted = 0;
  #acceptedSinceStep = 0;
  #steppedAt = 0;
  #climbedAt = 0;
  /** True when two consecutive cycles agreed. */
  #confirmed = false;
  #barren = 0;

  constructor(private readonly ceiling = Number.POSITIVE_INFINITY) {
    this.rate = ceiling;
  }

  /**
   * Records that a request leaves. `waited` means that the pacer, not the program, held it back: only then may it
   * climb.
   */
  sent(now: number, waited: boolean): void {
    this.#inFlight += 1;
    this.#cycleFrom ??= now;
    if (!this.#free && waited) this.#setRate(this.#climbed(now, Math.min(now - this.#climbedAt, 1000)));
    this.#climbedAt = now;
  }

  accepted(now: number): void {
    if (this.#outcome()) this.#acceptedSinceStep += 1;
    this.#accepted += 1;
    this.#barren = 0;
    this.#recent.push(now);
    while ((this.#recent[0] ?? now) <= now - GUESS_MS) this.#recent.shift();
  }

  refused(now: number, retryAfterMs: number | undefined): void {
    const fresh = this.#outcome();
    if (retryAfterMs !== undefined && retryAfterMs > LONG_RETRY_MS) this.#longPause(now, retryAfterMs);
    else if (fresh) this.#stepDown(now, retryAfterMs);
  }

  /** Counts one outcome; false when its request left before the last step down. */
  #outcome(): boolean {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    if (this.#stale === 0) return true;
    this.#stale -= 1;
    return false;
  }

  #climbed(now: number, passedMs: number): number {
    const learned = this.#learned;
    const seconds = passedMs / 1000;
    if (learned === undefined) return this.rate * 2 ** seconds;
    const near = learned * NEAR;
    if (this.rate < near)
      return this.rate + (near - this.rate) * (1 - Math.exp(-passedMs / CLIMB_MS)) + learned * CREEP;
    const cycle = (now - (this.#cycleFrom ?? now)) / 1000;
    const impatience = Math.max(0, Math.min(8, (this.#accepted - CREEP_LONG) / 60, cycle - CREEP_LONG_S));
    if (!this.#confirmed) return this.rate * Math.min(SEARCH ** (seconds * (1 + impatience)), SEARCH_STEP);
    return this.rate + learned * Math.min(CREEP * 2 ** impatience, CREEP_A_SECOND * 2 ** (impatience * 0.7) * seconds);
  }

  #stepDown(now: number, retryAfterMs: number | undefined): void {
    const elapsed = now - (this.#cycleFrom ?? now);
    if (this.#free) {
      this.#free = false;
      this.#pause(now, retryAfterMs ?? FIRST_PAUSE_MS);
      this.#first = this.#recent.length;
      this.#start(now, Math.max(1, this.#first));
    } else if (this.#sameShortage(now)) {
      return;
    } else if (this.#acceptedSinceStep === 0) {
      // Nothing at all is accepted: go slower and slower, with growing pauses.
      this.#barren += 1;
      this.#confirmed = false;
      this.#pause(now, Math.max(retryAfterMs ?? 0, Math.min(30_000, 250 * 2 ** this.#barren)));
      this.#step(now, this.rate * 0.7);
    } else if (elapsed < CYCLE_MS || this.#accepted < CYCLE_REQUESTS) {
      this.#learned = Math.min(this.#learned ?? this.rate, this.rate);
      this.#step(now, this.rate * (this.#confirmed ? 0.96 : 0.9));
      this.#doubt();
    } else {
      this.#conclude(((this.#accepted + 0.5) * 1000) / elapsed);
      this.#start(now, (this.#learned ?? this.rate) * NEAR);
    }
  }

  /** Ends a full cycle, in which `seen` requests per second were accepted. */
  #conclude(seen: number): void {
    const before = this.#learned ?? 0;
    if (this.#confirmed) {
      if (this.#accepted < FULL_CYCLE) {
        // Refused earlier than planned: the learned rate was slightly too high.
        this.#learned = Math.min(this.rate, before) * 0.985;
        if (this.#accepted < FULL_CYCLE / 4) this.#doubt();
      } else {
        // Small corrections only: with a service that counts by window, one cycle may show slightly too little.
        this.#learned = Math.min(this.rate, Math.max(seen * 1.01, before * 0.96));
        this.#doubts = 0;
      }
      return;
    }
    // After a climb, with a service that counts by window, the average is too low and the last second too high.
    const told = plausible(seen, this.#accepted) * 1.01;
    const climbed = this.#recent.length >= 10 && this.rate > this.#cycleRate * 1.1;
    const first = this.#first;
    if (this.rate >= first && first > told && first - told < Math.max(1, first * FIRST_SHARE)) this.#learned = first;
    else this.#learned = Math.min(this.rate, climbed ? (told + Math.max(told, this.#recent.length)) / 2 : told);
    this.#confirmed = Math.abs(told / before - 1) < SAME + 1 / this.#accepted;
    this.#doubts = 0;
  }

  #doubt(): void {
    this.#doubts += 1;
    if (this.#doubts >= 3) this.#confirmed = false;
  }

  /** True if almost nothing was accepted since the last step: the window is used up, which ends by itself. */
  #sameShortage(now: number): boolean {
    const passed = now - this.#steppedAt;
    return passed < SHORTAGE_MS && this.#acceptedSinceStep < 1 + this.rate * 0.0002 * passed;
  }

  /** Starts a cycle: the service has nothing left to give at this moment. */
  #start(now: number, rate: number): void {
    this.#cycleFrom = now + Math.max(0, this.pausedUntil - now) / 2;
    this.#accepted = 0;
    this.#step(now, rate);
    this.#cycleRate = this.rate;
  }

  #step(now: number, rate: number): void {
    this.#setRate(rate);
    this.#acceptedSinceStep = 0;
    this.#steppedAt = now;
    this.#stale = this.#inFlight;
    this.#climbedAt = Math.max(now, this.pausedUntil);
  }

  #setRate(rate: number): void {
    this.rate = Math.min(this.ceiling, Math.max(LEAST_RATE, rate));
  }

  #pause(now: number, ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, now + ms);
  }

  /** Handles a limit over a long window: nothing is accepted until it ends; the number accepted in it is its size. */
  #longPause(now: number, retryAfterMs: number): void {
    if (now < this.pausedUntil) return;
    const cycle = (now - (this.#cycleFrom ?? now) + retryAfterMs) / 1000;
    this.#free = false;
    this.#learned = Math.max(this.#accepted, 1) / cycle;
    this.#pause(now, retryAfterMs);
    this.#start(now, this.#learned * NEAR);
    this.#cycleFrom = now + retryAfterMs;
  }
}

/** Limits are usually whole numbers: a count less than one request below a whole number means that number. */
function plausible(rate: number, counted: number): number {
  const whole = Math.ceil(rate * 0.98);
  return whole > 0 && Math.abs(rate - whole) / whole < 0.01 + 0.6 / counted ? whole : rate;
}
