import type { Durable } from './durable.js';
import type { ItemStore } from './item-store.js';

/** How long one group may hold everything else, milliseconds: what waits longer goes into the next one. */
const LONGEST_MS = 20;
/** How long a note may wait for others, milliseconds. */
const NOTED_MS = 5;

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
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  /** Why notes were lost that nobody waited for. */
  #lost: unknown;

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
      this.#begin();
    });
  }

  /**
   * Has `work` done soon, in the order of all that waits, and waits only for what changed before to be on the disk: what
   * notes that something was read need not hold its answer. It must be done before it is asked for (`finish`).
   * @throws why notes before it were lost.
   */
  async note(work: () => unknown): Promise<void> {
    this.#throwLost();
    const noting = () => {
      try {
        work();
      } catch (error) {
        this.#lost = error;
      }
    };
    const failed = (error: unknown) => {
      this.#lost = error;
    };
    this.#waiting.push({ work: noting, isChange: false, done: () => {}, failed });
    this.#later ??= setTimeout(() => this.#commit(), NOTED_MS);
    await this.log?.settled(false);
  }

  /** Does all that waits. @throws why notes were lost. */
  finish(): void {
    while (this.#waiting.length > 0) this.#commit();
    this.#throwLost();
  }

  #throwLost(): void {
    const lost = this.#lost;
    this.#lost = undefined;
    if (lost !== undefined) throw lost;
  }

  #begin(): void {
    this.#soon ??= setImmediate(() => this.#commit());
  }

  #commit(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    if (this.#waiting.length === 0) return;
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
    if (this.#waiting.length > 0) this.#begin();
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
