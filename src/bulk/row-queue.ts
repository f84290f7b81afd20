import type { PlannedRow } from './types.js';

/** Rows handed out one by one, while more of them are fetched for all who wait. */
export class RowQueue {
  #rows: Iterator<PlannedRow> = [][Symbol.iterator]();
  #fetching: Promise<boolean> | undefined;

  constructor(private readonly source: AsyncIterator<Iterable<PlannedRow>>) {}

  /** The next row that is here already. */
  take(): PlannedRow | undefined {
    const step = this.#rows.next();
    return step.done ? undefined : step.value;
  }

  /** The next row; undefined after the last. */
  async wait(): Promise<PlannedRow | undefined> {
    for (;;) {
      const row = this.take();
      if (row) return row;
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
      if (!(await this.#fetching)) return undefined;
    }
  }

  async #fetch(): Promise<boolean> {
    const step = await this.source.next();
    if (!step.done) this.#rows = step.value[Symbol.iterator]();
    return !step.done;
  }
}
