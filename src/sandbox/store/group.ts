import type { Durable } from './durable.js';
import type { ItemStore } from './item-store.js';

/** The longest that one group may block everything else, milliseconds; what is left waits for the next group. */
const LONGEST_MS = 20;
/** How long a note may wait for others, milliseconds. */
const NOTED_MS = 50;

interface Job {
  readonly work: () => unknown;
  readonly isChange: boolean;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** Reports how a job ended, after the commit; `error` is why the commit itself failed. */
type End = (error?: unknown) => void;

/**
 * Commits concurrent writes together. Each is answered only when the commit of its group is durable, and an error in
 * one does not undo the others.
 */
export class GroupCommit {
  #waiting: Job[] = [];
  #number = 0;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  /** The error that lost notes which nobody waited for. */
  #lost: unknown;

  /** @param log the log to wait for before any answer; without one, the system decides when data reaches the disk. */
  constructor(
    private readonly store: ItemStore,
    private readonly log?: Durable | undefined,
  ) {}

  /** The number of the current group: as long as it stays the same, nobody else writes. */
  get number(): number {
    return this.#number;
  }

  /**
   * Runs `work` in the next group's transaction; set `isChange` when losing it would matter. If `work` throws, it must
   * leave nothing half done (`Store.step`).
   * @throws what `work` throws, after the commit; or why the commit failed, in which case nothing of the group was
   * done.
   */
  run<T>(work: () => T, isChange = true): Promise<T> {
    return new Promise((done, failed) => {
      this.#waiting.push({ work, isChange, done: done as (result: unknown) => void, failed });
      this.#begin();
    });
  }

  /**
   * Queues `work` to run soon, in order, and waits only until earlier changes are on the disk: recording that something
   * was read need not delay its answer. Call `finish` before reading what it writes.
   * @throws why earlier notes were lost.
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

  /** Runs everything that waits. @throws why notes were lost. */
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
    const until = process.uptime() + LONGEST_MS / 1000;
    try {
      this.store.transaction(() => {
        do ends.push(attempt(this.#waiting[taken++] as Job));
        while (taken < this.#waiting.length && process.uptime() < until);
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

/** Runs a job; its end is reported after the commit. */
function attempt({ work, done, failed }: Job): End {
  try {
    const result = work();
    return (error) => (error === undefined ? done(result) : failed(error));
  } catch (thrown) {
    return (error) => failed(error ?? thrown);
  }
}
