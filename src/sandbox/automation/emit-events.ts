import { newItemHead, type Scene } from '../rules/call.js';
import { Refusal } from '../rules/refusals.js';
import { idsUnder, listUnder, type Value } from '../store/item-values.js';
import { itemTypeOf } from './event-object.js';
import type { ItemChange } from './item-changes.js';
import { chainOf, happeningOf } from './notations.js';
import { aboutItem } from './occasions.js';
import { reschedule } from './schedules.js';
import { notify, type Raised } from './subscribers.js';

/** How many values are shown for a name (service.md#limits). */
const MOST_VALUES = 500;

/** Updates the list of metadata names with the items, however an item got its metadata. reading: metadata-names */
function fileNames(scene: Scene, { before, after }: ItemChange): void {
  if (!after || after.metadata === before?.metadata) return;
  const had = before ? pairsOf(before) : [];
  for (const [name, value] of pairsOf(after))
    if (!had.some((pair) => pair[0] === name && pair[1] === value)) fileName(scene, name, value);
}

function pairsOf(item: Value): [name: string, value: string][] {
  return listUnder(item, 'metadata')
    .filter(({ name }) => typeof name === 'string' && name !== '')
    .map(({ name, value }) => [String(name), String(value)]);
}

function fileName(scene: Scene, name: string, content: string): void {
  const { store, live, now } = scene;
  const known = store.named('metadata', live, 'name', name).find(({ value }) => value.name === name);
  if (!known) {
    store.insert('metadata', { ...newItemHead(scene), name, enabled: true, values: [content] }, { live });
    return;
  }
  const values = idsUnder(known.value, 'values');
  if (values.length >= MOST_VALUES || values.includes(content)) return;
  store.update(known, { values: [...values, content] }, now);
}

/**
 * Does some work and raises the events of its changes, in order. Refused work raises none, unless its result stays (a
 * failed payment).
 */
export function raising<T>(scene: Scene, work: () => T): T {
  const changes: ItemChange[] = [];
  const { watch } = scene.store;
  scene.store.watch = (change) => changes.push(change);
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal && error.keep)) changes.length = 0;
    throw error;
  } finally {
    scene.store.watch = undefined;
    raise(scene, changes);
    scene.store.watch = watch;
  }
}

function raise(scene: Scene, changes: readonly ItemChange[]): void {
  const hasFulfillment = (id: string) =>
    Boolean(scene.store.get('shipping', id, scene.live)?.value.fulfillment_account);
  const raised: Raised[] = [];
  const records: Value[] = [];
  for (const change of changes) {
    reschedule(scene, change);
    fileNames(scene, change);
    const happening = happeningOf(change, hasFulfillment);
    for (const notation of chainOf(happening)) {
      const itemId = happening.itemId ?? change.id;
      const itemType = itemTypeOf(notation);
      const about = { itemType, itemId, live: scene.live };
      const other = happening.itemId === undefined ? undefined : aboutItem(scene.store, about);
      const item = other?.value ?? filtered(scene, change);
      raised.push({ notation, itemType, itemId, item });
      records.push(recordOf(scene, { notation, itemType, itemId, customerId: change.customer }));
    }
  }
  for (const record of records) scene.store.insert('site_events', record, { live: scene.live });
  notify(scene, raised);
}

/** Fields that filters take from an item's payment when the item has none of its own. */
const OF_PAYMENT = ['gateway_id', 'payment_profile', 'method'] as const;

/**
 * The item that filters look at (service.md#events): a note is filtered by its customer, a refund by the gateway of its
 * payment.
 */
function filtered({ store, live }: Scene, { family, customer, before, after }: ItemChange): Value {
  const item = after ?? before ?? {};
  if (family === 'notes' && customer) return { ...store.get('customers', customer, live)?.value, ...item };
  if (!['pending_refunds', 'salvage_transactions', 'chargebacks'].includes(family)) return item;
  const payment = store.get(
    'transactions',
    String(item.transaction_id ?? idsUnder(item, 'transactions')[0]),
    live,
  )?.value;
  const known = OF_PAYMENT.filter((name) => payment?.[name] !== undefined).map((name) => [name, payment?.[name]]);
  return { ...Object.fromEntries(known), ...item };
}

/** An event as `site_events` lists it; the fields of that list's items are not published. reading: site-events */
function recordOf(scene: Scene, event: Omit<Raised, 'item'> & { readonly customerId: string | null }): Value {
  return {
    id: scene.newId(),
    created_date_unix: scene.now,
    live_mode: scene.live,
    type: 'account_event',
    notation: event.notation,
    item_type: event.itemType,
    item_id: event.itemId,
    customer_id: event.customerId,
  };
}
