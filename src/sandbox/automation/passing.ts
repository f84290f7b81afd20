import type { ItemStore } from '../store/item-store.js';
import type { Host } from './host.js';
import { passTime } from './pass-time.js';

/** How long a request waits for earlier due tasks, milliseconds, unless a function is running. */
const WAIT_MS = 40;
/** The pause between two slices, in which requests have the machine to themselves, milliseconds. */
const PAUSE_MS = 15;

/**
 * Runs due tasks before a request is answered. Requests wait for them. Where that takes long (the first request after
 * days, a large account) and the clock may lag, they are answered at the moment reached so far.
 */
export class Passing {
  #running: Promise<unknown> | undefined;
  #next: number | undefined;
  #isSlow = false;
  #isStopped = false;

  constructor(
    private readonly store: ItemStore,
    private readonly host: Host,
    private readonly isLagging: boolean,
  ) {}

  /** The moment at which a request made at `now` (unix seconds) takes place: everything due before it has happened. */
  async until(now: number): Promise<number> {
    if (!this.isLagging) {
      while (this.#running) await this.#running;
      await this.#start(now);
      return now;
    }
    for (;;) {
      const running = this.#running ?? this.#start(now);
      if (await endsWithin(running, WAIT_MS)) {
        if (!this.store.nextDue(now) || this.#isStopped) return now;
      } else if (!this.#isSlow) return this.#next === undefined ? now : Math.min(now, this.#next);
    }
  }

  #start(now: number): Promise<unknown> {
    const slice = (next: number | undefined, isSlow: boolean) => {
      this.#next = next;
      this.#isSlow = isSlow;
      if (next === undefined || isSlow) return undefined;
      return new Promise<void>((resolve, reject) => {
        setTimeout(() => (this.#isStopped ? reject(new Error('The sandbox is closed.')) : resolve()), PAUSE_MS).unref();
      });
    };
    const running = passTime(this.store, now, this.host, this.isLagging ? { slice } : {}).finally(() => {
      this.#running = undefined;
      this.#next = undefined;
      this.#isSlow = false;
    });
    this.#running = running;
    return running;
  }

  /** Stops running tasks. */
  stop(): void {
    this.#isStopped = true;
    this.#running?.catch(() => {});
  }
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
