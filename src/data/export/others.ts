import { learnValue } from '../../items/schema/learn.js';
import type { LateField, LateFields } from './late.js';

/** Name of the column that takes what no other column takes, as one JSON object by dotted path. */
export const OTHER = '_other';

/** What of one item no column takes: paths, and ranges of the item's bytes. */
export class Others {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #paths: string[] = [];
  /** By pairs: where each begins and ends. */
  readonly #ranges: number[] = [];

  /** Begins another item, which lies in these bytes. */
  begin(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#paths.length = 0;
    this.#ranges.length = 0;
  }

  add(path: string, start: number, end: number): void {
    this.#paths.push(path);
    this.#ranges.push(start, end);
  }

  get any(): boolean {
    return this.#paths.length > 0;
  }

  /** Value by value. */
  fields(): LateField[] {
    return this.#paths.map((path, i) => {
      const field = learnValue(path.slice(path.lastIndexOf('.') + 1), this.#json(i));
      return { path, items: 1, field };
    });
  }

  /** As one JSON object by path; undefined where there is nothing. Each value is told to `late` as well. */
  json(late?: LateFields): string | undefined {
    if (this.#paths.length === 0) return undefined;
    const members = this.#paths.map((path, i) => {
      const raw = this.#json(i);
      if (raw !== 'null') late?.note(path, raw);
      return `${JSON.stringify(path)}:${raw}`;
    });
    return `{${members.join(',')}}`;
  }

  #json(i: number): string {
    return this.#bytes.toString('utf8', this.#ranges[2 * i], this.#ranges[2 * i + 1]);
  }
}
