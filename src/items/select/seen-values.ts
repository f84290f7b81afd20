import { nearest } from '../../base/errors/nearest.js';
import type { Lossless } from '../json/lossless.js';
import { type Condition, fulfils } from './condition.js';
import { scalarText, valuesAt } from './values.js';

/** Different values of a field that are counted, and that are told. */
const MOST_COUNTED = 500;
const MOST_TOLD = 12;
const LONGEST = 60;
/** Fields whose values no note repeats. */
const HIDDEN = /secret|key|token|password|card|cvv|iban|value$/i;

/** Counts the values of the fields that a line compares, so that a value that none has is told from one that is rare. */
export class SeenValues {
  readonly #conditions: readonly Condition[];
  readonly #met = new Set<Condition>();
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param conditions those that want a value, not moments or parts of texts */
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

  /** One sentence for each value that no item has, with those that there are. */
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
