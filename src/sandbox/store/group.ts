import type { Durable } from './durable.js';
import type { ItemStore } from './item-store.js';

/** How long one group may hold everything else, milliseconds: what waits longer goes into the next one. */
const LONGEST_MS = 20;

interface Job {
  readonly work: () => unknown;
  readonly isChange: boolean;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** How a job ended, to be told after the commit; `error` is why the commit itself came to nothing. */
type End = (error?: unknown) => void;

/**
 * Writes that arrive together are committed together: each is answered only when the one commit of its group is
 * durable, and what one of them throws undoes nothing of the others.
 */
export class GroupCommit {
  #waiting: Job[] = [];
  #number = 0;

  /** @param log is waited for before anything is answered; without one it is left to the system when that is on the disk. */
  constructor(
    private readonly store: ItemStore,
    private readonly log?: Durable | undefined,
  ) {}

  /** The number of the group that is being done: while it is the same, nobody else writes. */
  get number(): number {
    return this.#number;
  }

  /**
   * Runs `work` in the next group's transaction; `isChange` when its loss would matter. It must leave nothing half done when it throws (`Store.step`).
   * @throws what `work` throws, after the commit; or why the commit failed, when nothing of the group was done.
   */
  run<T>(work: () => T, isChange = true): Promise<T> {
    return new Promise((done, failed) => {
      this.#waiting.push({ work, isChange, done: done as (result: unknown) => void, failed });
      if (this.#waiting.length === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const ends: End[] = [];
    let taken = 0;
    let error: unknown;
    this.#number++;
    const until = performance.now() + LONGEST_MS;
    try {
      this.store.transaction(() => {
        do ends.push(attempt(this.#waiting[taken++] as Job));
        while (taken < this.#waiting.length && performance.now() < until);
      });
    } catch (thrown) {
      error = thrown;
      // The transaction may not even have begun.
      if (taken === 0) ends.push((this.#waiting[taken++] as Job).failed);
    }
    const isChange = this.#waiting.slice(0, taken).some((job) => job.isChange);
    this.#waiting = this.#waiting.slice(taken);
    if (this.#waiting.length > 0) setImmediate(() => this.#commit());
    const tell = (why?: unknown) => {
      for (const end of ends) end(why);
    };
    if (error !== undefined) tell(error);
    else if (this.log) this.log.settled(isChange).then(() => tell(), tell);
    else tell();
  }
}

/** Does a job; how it ended is told after the commit. */
function attempt({ work, done, failed }: Job): End {
  try {
    const result = work();
    return (error) => (error === undefined ? done(result) : failed(error));
  } catch (thrown) {
    return (error) => failed(error ?? thrown);
  }
}
