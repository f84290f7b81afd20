import type { Scene } from '../rules/call.js';
import { paymentTypeOf } from '../rules/payment-types.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, listUnder, objectUnder, type Value } from '../store/item-values.js';
import { itemFilterValues } from '../store/list-filters.js';
import { makerOf, postMail } from './mail.js';
import { appoint, delaySeconds, type Occasion } from './occasions.js';

/** An event to deliver to its subscribers. */
export interface Raised {
  readonly notation: string;
  readonly itemType: string;
  readonly itemId: string;
  /** The item that filters look at. */
  readonly item: Value;
}

/** An automation that an event may start. */
interface Subscriber {
  readonly id: string;
  readonly notations: readonly string[];
  readonly filters: Value;
  readonly task: 'run_function' | 'start_thread' | 'send_mail';
  /** Seconds between the event and the run. */
  readonly delay: number;
  /** The template of a mail that is sent immediately. */
  readonly template?: Stored | undefined;
}

/** Starts the automations that wait for the events: functions, assistants, mail (service.md#events). */
export function notify(scene: Scene, events: readonly Raised[]): void {
  if (events.length === 0) return;
  const subscribers = subscribersOf(scene).filter(({ id }) => !scene.cause?.includes(id));
  if (subscribers.length === 0) return;
  for (const event of events) {
    for (const { id, notations, filters, task, delay, template } of subscribers) {
      if (!notations.includes(event.notation) || !passes(event.item, filters)) continue;
      const occasion: Occasion = {
        what: id,
        live: scene.live,
        source: 'account_event',
        notation: event.notation,
        itemType: event.itemType,
        itemId: event.itemId,
        cause: scene.cause,
      };
      // A mail without a delay is sent with the event, because thousands of sales need no task each.
      if (template) postMail(scene, template, scene.newId(), occasion);
      else appoint(scene, task, scene.newId(), scene.now + delay, occasion);
    }
  }
}

function subscribersOf({ store, live }: Scene): Subscriber[] {
  const of = (family: string, read: (item: Stored) => Subscriber | undefined) =>
    store.derived(family, live, () =>
      store
        .all(family, live)
        .filter(({ value }) => value.enabled !== false)
        .map(read)
        .filter((one) => one !== undefined),
    );
  return [...of('functions', ofFunction), ...of('ai_assistants', ofAssistant), ...of('email_templates', ofTemplate)];
}

function ofFunction({ id, value }: Stored): Subscriber | undefined {
  if (value.event_source !== 'account_event') return undefined;
  return {
    id,
    notations: idsUnder(value, 'account_event_notations'),
    filters: objectUnder(value, 'account_event_filters'),
    task: 'run_function',
    delay: delayOf(objectUnder(value, 'timing_options')),
  };
}

function ofAssistant({ id, value }: Stored): Subscriber | undefined {
  const trigger = objectUnder(objectUnder(value, 'settings'), 'trigger_settings');
  if (trigger.trigger !== 'account_event') return undefined;
  const event = objectUnder(trigger, 'account_event');
  const delay = objectUnder(event, 'delay');
  return {
    id,
    notations: [String(event.notation ?? '')],
    filters: objectUnder(event, 'filters'),
    task: 'start_thread',
    delay: delaySeconds(delay.time_value ?? 1, delay.time_unit ?? 'minutes'),
  };
}

function delayOf({ timing, time_value: value, time_unit: unit }: Value): number {
  return timing === 'delay' ? delaySeconds(value, unit) : 0;
}

/**
 * The trigger of a template is an event of service.md#events or api_direct; its filters and timing have the same names
 * as elsewhere. reading: mail-triggers
 */
function ofTemplate(item: Stored): Subscriber | undefined {
  const { id, value } = item;
  if (value.template_trigger === 'api_direct') return undefined;
  const delay = delayOf(objectUnder(value, 'timing'));
  const filters = Object.entries(objectUnder(value, 'filters')).map(([name, values]) => [
    name.endsWith('_filter') ? name : `${name}_filter`,
    values,
  ]);
  return {
    id,
    notations: [String(value.template_trigger ?? '')],
    filters: Object.fromEntries(filters) as Value,
    task: 'send_mail',
    delay,
    template: delay === 0 && makerOf(value) === undefined ? item : undefined,
  };
}

/**
 * Whether an item passes all filters of an event (service.md#events). An empty filter passes everything; a filter on a
 * value that the item does not have does not pass. reading: event-filters
 */
function passes(item: Value, filters: Value): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    if (!Array.isArray(wanted) || wanted.length === 0) return true;
    if (name === 'metadata_filter') return passesMetadata(item, wanted as Value[]);
    const words = wanted.map((one) => String((one as Value | null)?.id ?? one));
    const asked = name === 'payment_type_filter' ? words.map((word) => paymentTypeOf(word)?.id ?? word) : words;
    return itemFilterValues(name, item).some((value) => asked.includes(value));
  });
}

/** Every distinct name must match; several values of one name are alternatives (service.md#assistants). */
function passesMetadata(item: Value, wanted: readonly Value[]): boolean {
  const pairs = listUnder(item, 'metadata');
  const names = new Set(wanted.map(({ name }) => String(name)));
  return [...names].every((name) => {
    const values = wanted.filter((one) => one.name === name).map(({ value }) => String(value).trim());
    return pairs.some((pair) => pair.name === name && values.includes(String(pair.value).trim()));
  });
}
