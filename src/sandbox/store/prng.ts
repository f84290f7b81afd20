import { LETTERS } from './seeded-ids.js';

/** Repeatable random numbers: equal seeds give equal sequences (sfc32, with a state of four words). */
export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    let hash = 2166136261;
    const word = () => {
      for (const letter of seed) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
      hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
      return hash | 0;
    };
    this.#a = word();
    this.#b = word();
    this.#c = word();
    for (let turn = 0; turn < 15; turn++) this.#next();
  }

  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** An integer from 0 to below `below`. */
  int(below: number): number {
    return this.#next() % below;
  }

  /** True with probability `share`. */
  happens(share: number): boolean {
    return this.#next() < share * 4294967296;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)] as T;
  }

  /** A 20-character identifier. */
  id(): string {
    let id = '';
    for (let group = 0; group < 4; group++) {
      let word = this.#next();
      for (let letter = 0; letter < 5; letter++) {
        id += LETTERS[word % 62];
        word = Math.floor(word / 62);
      }
    }
    return id;
  }
}
