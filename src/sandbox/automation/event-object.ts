import { eventType } from '../../catalogue/event-types.js';
import type { Value } from '../store/item-values.js';
import type { Occasion } from './occasions.js';

/** What triggers a function. */
export type Source = Occasion['source'] | 'email_template';

/** The type of the item of an event: a sentinel alert is about a fraud detection. */
export function itemTypeOf(notation: string): string {
  const type = eventType(notation);
  return type === 'sentinel' ? 'fraud_detection' : type;
}

/** The event object that a function receives; its payload is not published. reading: function-event */
export function eventObject(
  facts: Omit<Occasion, 'what' | 'source' | 'cause'> & {
    readonly source: Source;
    readonly item: Value | undefined;
    /** Unix seconds. */
    readonly now: number;
  },
): Value {
  return {
    event_source: facts.source,
    notation: facts.notation ?? null,
    item_type: facts.itemType ?? null,
    item_id: facts.itemId ?? null,
    item: facts.item ?? null,
    live_mode: facts.live,
    created_date_unix: facts.now,
    custom_arguments: facts.arguments ?? {},
  };
}
