import { usage } from '../../base/errors/errors.js';
import { EVENTS } from '../../catalogue/event-types.js';
import { createService } from '../serve/service.js';
import type { Value } from '../store/item-values.js';
import type { OpenedSandbox } from '../store/open-store.js';
import { GivenFields } from './given-fields.js';
import { ITEM_RECIPES } from './items.js';
import { SALE_RECIPES } from './trigger-sales.js';
import { type Recipe, Tools } from './trigger-tools.js';

const RECIPES: Readonly<Record<string, Recipe>> = { ...SALE_RECIPES, ...ITEM_RECIPES };

/** What makes an event happen: its own recipe, else the first one below it. */
function recipeOf(notation: string): Recipe | undefined {
  const below = Object.keys(RECIPES).find((name) => name.startsWith(`${notation}.`));
  return RECIPES[notation] ?? (below === undefined ? undefined : RECIPES[below]);
}

export interface TriggerFacts {
  readonly live: boolean;
  /** The item to act on; the buyer, where the event begins with a sale. */
  readonly item?: string | undefined;
  readonly random: () => number;
  /** Fields for the writes that take them. */
  readonly fields?: GivenFields | undefined;
}

export { makePresent, UnfitEntry } from './wanted-items.js';
export { GivenFields };

/**
 * Makes an event of service.md#events happen, with the items that belong to it, through the service's own operations.
 * @returns the raised events, in order
 * @throws CopsError `usage` and `not_found` for an unsuitable item, `refused` for what the rules refuse
 */
export async function trigger(opened: OpenedSandbox, notation: string, facts: TriggerFacts): Promise<Value[]> {
  const recipe = EVENTS.includes(notation) ? recipeOf(notation) : undefined;
  if (!recipe) throw new Error(`No recipe makes ${notation} happen.`);
  const { store } = opened;
  const service = createService(opened);
  const last = store.lastFiled();
  try {
    await recipe(new Tools(opened, service, facts.live, facts.random, facts.item, facts.fields));
    const left = facts.fields?.left() ?? [];
    if (left.length > 0)
      throw usage(
        `No write that makes ${notation} happen takes ${left.map((text) => text.replace(/:?=.*/s, '')).join(', ')}.`,
      );
    const raised = store.filedAfter('site_events', facts.live, last).map(({ value }) => value);
    if (!raised.some((event) => event.notation === notation)) throw new Error(`${notation} did not happen.`);
    return raised;
  } finally {
    await service.close();
  }
}
