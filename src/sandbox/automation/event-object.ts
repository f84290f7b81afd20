import { eventType } from '../../catalogue/events.js';
import type { Value } from '../text.js';

/** The type of the item that an event is about: an alert of the sentinel is about a fraud detection. */
export function itemTypeOf(notation: string): string {
  const type = eventType(notation);
  return type === 'sentinel' ? 'fraud_detection' : type;
}

/** What a function gets of an event; its payload is not published. reading: function-event */
export function eventObject(facts: {
  readonly source: 'account_event' | 'api_direct' | 'schedule' | 'email_template';
  readonly notation?: string | undefined;
  readonly itemType?: string | undefined;
  readonly itemId?: string | undefined;
  readonly item?: Value | undefined;
  readonly live: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** Values of the custom arguments, by name. */
  readonly arguments?: Value | undefined;
}): Value {
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
