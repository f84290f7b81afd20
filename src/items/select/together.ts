import type { Lossless } from '../json/lossless.js';
import { type Condition, comparisons } from './condition.js';
import { fulfils } from './fulfils.js';

/** Checks whether any item meets all conditions that a line has on one field. */
export class Together {
  readonly #groups: readonly (readonly Condition[])[];
  readonly #met = new Set<readonly Condition[]>();

  constructor(conditions: readonly Condition[]) {
    const byPath = new Map<string, Condition[]>();
    for (const one of conditions)
      if (new Set(comparisons(one).map(({ path }) => path)).size === 1)
        byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
    this.#groups = [...byPath.values()].filter((group) => group.length > 1);
  }

  saw(item: Lossless): void {
    for (const group of this.#groups)
      if (!this.#met.has(group) && group.every((one) => fulfils(item, one) === true)) this.#met.add(group);
  }

  /** An item with the related values that a condition is about. */
  sawRelated(condition: Condition, item: Lossless): void {
    if (this.#groups.some((group) => group.includes(condition))) this.saw(item);
  }

  /** One sentence for each field whose conditions no item meets together. */
  remarks(): string[] {
    return this.#groups.flatMap((group) => {
      if (this.#met.has(group)) return [];
      const said = group.map(({ text }) => text).join(' and ');
      const values = group.map(({ operand }) => operand).join(',');
      const isValues = group.every(({ operator, field }) => operator === '=' && field === undefined);
      return [`No item meets ${said}.${isValues ? ` Either of them: --where '${group[0]?.path}=${values}'` : ''}`];
    });
  }
}
