import { nearest } from '../../base/errors/nearest.js';
import type { Lossless } from '../json/lossless.js';
import { group } from '../text/width.js';
import { type Condition, comparisons, isEmptiness } from './condition.js';
import { fulfils } from './fulfils.js';
import { scalarText, valuesAt } from './values.js';

/** The most distinct values of a field to count, and to show. */
const MOST_COUNTED = 500;
const MOST_TOLD = 12;
const LONGEST = 60;
/** Fields whose values no note may repeat. */
const HIDDEN = /secret|key|token|password|card|cvv|iban|value$/i;

/** A condition on related rows is held against the items that met those before it. */
export const REST = 'No item that meets the other conditions has';

/** Counts the values of the compared fields, to distinguish a value that no item has from a rare one. */
export class SeenValues {
  readonly #single: readonly Condition[];
  /** Each with the values that its commas separate. */
  readonly #lists: readonly Condition[];
  readonly #met = new Set<Condition>();
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param conditions only those on whole values are used, not on moments or parts of text */
  constructor(
    conditions: readonly Condition[],
    readonly none = 'No item has',
  ) {
    const all = conditions.flatMap(alternativesOf);
    this.#single = all.filter((one) => one.parts === undefined && one.operator === '=' && isTold(one) && !isTime(one));
    this.#lists = all.filter((one) => one.parts !== undefined && !one.isSpoken && isTold(one));
    for (const { path } of [...this.#single, ...this.#lists]) this.#counts.set(path, new Map());
  }

  saw(item: Lossless): void {
    for (const condition of [...this.#single, ...this.#lists.flatMap(comparisons)])
      if (!this.#met.has(condition) && fulfils(item, asEqual(condition)) === true) this.#met.add(condition);
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
    return this.#single.flatMap((condition) => (this.#met.has(condition) ? [] : this.#unseen(condition)));
  }

  /** One sentence for each listed value that no item has, and for a list that is one value after all. */
  listRemarks(): string[] {
    return this.#lists.flatMap((condition) => {
      const each = comparisons(condition);
      const values = each.filter(({ isWhole }) => !isWhole);
      const unseen = values.filter((one) => !this.#met.has(one));
      const { path, operator, operand } = condition;
      if (!each.some((one) => one.isWhole && this.#met.has(one))) return unseen.flatMap((one) => this.#unseen(one));
      if (unseen.length === values.length) return [`${path}${operator}${operand} is one value, comma included.`];
      return [];
    });
  }

  /** One sentence for each list that is also one value of an item. */
  twoWays(): string[] {
    return this.#lists.flatMap((condition) => {
      const met = comparisons(condition).filter((one) => this.#met.has(one));
      const { path, operator, operand } = condition;
      if (!met.some(({ isWhole }) => isWhole) || met.length < 2) return [];
      const counts = operator === '=' ? 'both count' : 'neither counts';
      return [
        `"${operand}" is one value of ${path} and a list of them, and ${counts}: in quotes it is the one value: '${path}${operator}"${operand}"'.`,
      ];
    });
  }

  #unseen(condition: Condition): string[] {
    const { path, operand, operator } = condition;
    const counts = this.#counts.get(path) ?? new Map<string, number>();
    const sign = operator === '~' ? '~' : '=';
    const others = sign === '~' || isTime(condition) ? '' : otherValues(operand, counts);
    return counts.size === 0 ? [] : [`${this.none} ${path}${sign}${operand}${others}.`];
  }
}

/** The conditions that are a value, or a list of values. */
function alternativesOf(condition: Condition): readonly Condition[] {
  const { parts } = condition;
  return parts && !parts.areValues ? parts.of.flatMap(alternativesOf) : [condition];
}

const isTold = (condition: Condition): boolean =>
  condition.field === undefined && !isEmptiness(condition) && !HIDDEN.test(condition.path);

const isTime = ({ type = 'text' }: Condition): boolean => ['instant', 'day', 'month'].includes(type);

/** A value left out counts as seen if an item has it. */
const asEqual = (condition: Condition): Condition =>
  condition.operator === '!=' ? { ...condition, operator: '=' } : condition;

function otherValues(operand: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size > MOST_TOLD) {
    const [near] = nearest(operand, counts.keys());
    return near === undefined ? '' : `; there is ${near}`;
  }
  const listed = [...counts].sort(([, a], [, b]) => b - a).map(([value, count]) => `${value} ${group(count)}`);
  return `; seen: ${listed.join(', ')}`;
}
