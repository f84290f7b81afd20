import { eventType } from '../../catalogue/events.js';
import type { Scene } from '../call.js';
import { Refusal } from '../refusal.js';
import type { Value } from '../text.js';
import type { Change } from './changes.js';
import { chainOf, happeningOf } from './notations.js';
import { aboutItem } from './occasions.js';
import { reschedule } from './schedules.js';
import { notify } from './subscribers.js';

/** One account event as `site_events` keeps it. */
interface AccountEvent {
  readonly id: string;
  readonly notation: string;
  readonly itemType: string;
  readonly itemId: string;
  readonly customerId: string | null;
}

/**
 * Does some work and raises the events of what it changed, in the order of the changes. Work that is refused raises
 * none, unless what it did stays (a payment that failed).
 */
export function raising<T>(scene: Scene, work: () => T): T {
  const changes: Change[] = [];
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

function raise(scene: Scene, changes: readonly Change[]): void {
  const knowledge = {
    hasFulfillment: (id: string) =>
      Boolean(scene.store.get('shipping', id, scene.live)?.value.fulfillment_account ?? false),
  };
  for (const change of changes) {
    reschedule(scene, change);
    const happening = happeningOf(change, knowledge);
    for (const notation of chainOf(happening)) {
      const itemId = happening.itemId ?? change.id;
      const itemType = eventType(notation) === 'sentinel' ? 'fraud_detection' : eventType(notation);
      recordEvent(scene, { id: scene.newId(), notation, itemType, itemId, customerId: change.customer });
      const other =
        happening.itemId === undefined ? undefined : aboutItem(scene.store, { itemType, itemId, live: scene.live });
      notify(scene, { notation, itemType, itemId, item: other?.value ?? change.after ?? change.before ?? {} });
    }
  }
}

/** Files an event where `site_events` reads it; what an item of that list holds is not published. reading: site-events */
function recordEvent(scene: Scene, event: AccountEvent): void {
  const value: Value = {
    id: event.id,
    created_date_unix: scene.now,
    live_mode: scene.live,
    type: 'account_event',
    notation: event.notation,
    item_type: event.itemType,
    item_id: event.itemId,
    customer_id: event.customerId,
  };
  scene.store.insert('site_events', value, { live: scene.live });
}
