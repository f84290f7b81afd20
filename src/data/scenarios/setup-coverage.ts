import type { TreeObject } from '../../items/json/tree.js';
import type { Stored } from '../../sandbox/store/item-store.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';
import { addressOf, loadFamilies } from '../../setup/families.js';
import { keyOfItem } from '../../setup/shape-references.js';
import { type Marks, marksOf } from './expectations.js';
import type { ItemSource } from './seen-items.js';

/** Objects of a set-up, as `family/name`: those that a scenario touched, and the others. */
export interface SetupCoverage {
  readonly touched: readonly string[];
  readonly untouched: readonly string[];
}

/**
 * The set-up objects that a scenario touches: those it changes, those its items and calls name, and those it expects
 * something of.
 */
export class CoverageWatch {
  /** Items that expectations looked at. */
  readonly looked = new Set<string>();
  readonly #begun: Marks;
  readonly #objects = new Map<string, string>();

  private constructor(
    private readonly items: ItemSource,
    private readonly since: number,
  ) {
    this.#begun = marksOf(items);
  }

  /**
   * @param since the newest row before the scenario began
   * @param before ids of items that existed before the set-up was applied
   */
  static async begin(items: ItemSource, since: number, before: ReadonlySet<string>): Promise<CoverageWatch> {
    const watch = new CoverageWatch(items, since);
    for (const managed of (await loadFamilies()).managed.values()) {
      for (const { id, value } of items.all(managed.family.name, false)) {
        const key = keyOfItem(managed, value as TreeObject) ?? id;
        if (!before.has(id)) watch.#objects.set(id, addressOf(managed.name, key));
      }
    }
    return watch;
  }

  end(): SetupCoverage {
    const text = KINDS_OF_ITEMS.flatMap((family) => this.#changed(family)).join('\n');
    const touched: string[] = [];
    const untouched: string[] = [];
    for (const [id, address] of this.#objects)
      (this.looked.has(id) || text.includes(id) ? touched : untouched).push(address);
    return { touched: touched.sort(), untouched: untouched.sort() };
  }

  #changed(family: string): string[] {
    const marks = family === 'api_calls' ? undefined : marksOf(this.items, [family]).get(family);
    const begun = this.#begun.get(family);
    const isChanged = ({ id, seq }: Stored) => {
      const mark = marks?.get(`${id} false`) ?? marks?.get(`${id} true`);
      return marks === undefined ? seq > this.since : mark !== (begun?.get(`${id} false`) ?? begun?.get(`${id} true`));
    };
    return both(this.items, family).flatMap((one) => (isChanged(one) ? JSON.stringify(one.value) : []));
  }
}

function both(items: ItemSource, family: string): Stored[] {
  return [false, true].flatMap((live) => items.all(family, live));
}

/** The objects that no scenario touched, given those that each touched. */
export function untouchedByAll(all: readonly SetupCoverage[]) {
  const touched = new Set(all.flatMap((one) => one.touched));
  const objects = new Set([...touched, ...all.flatMap((one) => one.untouched)]);
  return { untouched: [...objects].filter((one) => !touched.has(one)).sort(), count: objects.size };
}
