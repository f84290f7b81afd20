import { nearest } from '../../base/errors/nearest.js';
import type { Lossless } from '../json/lossless.js';
import { type Condition, fulfils } from './condition.js';
import { scalarText, valuesAt } from './values.js';

/** Most distinct values of a field to count, and to show. */
const MOST_COUNTED = 500;
const MOST_TOLD = 12;
const LONGEST = 60;
/** Fields whose values no note may repeat. */
const HIDDEN = /secret|key|token|password|card|cvv|iban|value$/i;

/** Counts the values of the compared fields, to distinguish a value that no item has from a rare one. */
export class SeenValues {
  readonly #conditions: readonly Condition[];
  readonly #met = new Set<Condition>();
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param conditions only those on whole values are used, not on moments or parts of text */
  constructor(conditions: readonly Condition[]) {
    this.#conditions = conditions.filter(({ path, operator, operand, type = 'text' }) => {
      const isMoment = ['instant', 'day', 'month'].includes(type);
      return operator === '=' && !isMoment && operand !== '' && operand !== 'null' && !HIDDEN.test(path);
    });
    for (const { path } of this.#conditions) this.#counts.set(path, new Map());
  }

  saw(item: Lossless): void {
    for (const condition of this.#conditions) {
      if (!this.#met.has(condition) && fulfils(item, condition) === true) this.#met.add(condition);
    }
    for (const [path, counts] of this.#counts) {
      for (const value of valuesAt(item, path)) {
        const text = scalarText(value);
        if (text !== undefined && text.length <= LONGEST && (counts.has(text) || counts.size < MOST_COUNTED))
          counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
  }

  /** One sentence for each value that no item has, listing the values that exist. */
  remarks(): string[] {
    return this.#conditions.flatMap((condition) => {
      const counts = this.#counts.get(condition.path) ?? new Map<string, number>();
      if (this.#met.has(condition) || counts.size === 0) return [];
      return [`No item has ${condition.path}=${condition.operand}${otherValues(condition.operand, counts)}.`];
    });
  }
}

function otherValues(operand: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size > MOST_TOLD) {
    const [near] = nearest(operand, counts.keys());
    return near === undefined ? '' : `; there is ${near}`;
  }
  const number = new Intl.NumberFormat('en-US');
  const listed = [...counts].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} ${number.format(count)}`);
  return `; seen: ${listed.join(', ')}`;
}
