import type { Store } from './store.js';

/** How long one group may hold everything else, milliseconds: what waits longer goes into the next one. */
const LONGEST_MS = 20;

interface Job {
  readonly work: () => unknown;
  readonly isChange: boolean;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes that arrive together are committed together: each is answered only when the one commit of its group is
 * durable, and what one of them throws undoes nothing of the others.
 */
export class GroupCommit {
  #waiting: Job[] = [];

  /** @param isDurable whether what changes anything waits for the disk; what only notes a read never does. */
  constructor(
    private readonly store: Store,
    private readonly isDurable = false,
  ) {}

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
    let ends: (() => void)[] = [];
    let taken = 0;
    const until = performance.now() + LONGEST_MS;
    try {
      if (this.isDurable) {
        const waits = this.#waiting.some(({ isChange }) => isChange);
        this.store.database.exec(`PRAGMA synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
      }
      this.store.transaction(() => {
        do ends.push(attempt(this.#waiting[taken++] as Job));
        while (taken < this.#waiting.length && performance.now() < until);
      });
    } catch (error) {
      ends = this.#waiting.slice(0, Math.max(taken, 1)).map(
        ({ failed }) =>
          () =>
            failed(error),
      );
    }
    this.#waiting = this.#waiting.slice(ends.length);
    if (this.#waiting.length > 0) setImmediate(() => this.#commit());
    for (const end of ends) end();
  }
}

/** Does a job; how it ended is told after the commit. */
function attempt({ work, done, failed }: Job): () => void {
  try {
    const result = work();
    return () => done(result);
  } catch (error) {
    return () => failed(error);
  }
}
