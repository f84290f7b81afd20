import { cops, say, type Text } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import { type AccountEvent, type EventSource, isWanted } from './account-event.js';
import type { DeliveryStore, Listener } from './delivery-store.js';

/** What a named listener listens to. */
export interface Taking {
  readonly store: DeliveryStore;
  readonly source: EventSource;
  readonly name: string;
  readonly notations: readonly string[];
  readonly receiver: string | undefined;
  /** Where a new listener starts, unix seconds; now by default. */
  readonly from: number | undefined;
  now(): number;
  /** Prints a note for the user. */
  say(text: Text): void;
}

/**
 * The listener of a name with its position in the events, created if new. If the data was recreated or restored, it
 * starts at the new beginning and says so. Undefined while the data is being created.
 */
export function settledListener(taking: Taking): Listener | undefined {
  const { store, source, name, receiver, from } = taking;
  const identity = source.identity();
  if (identity === undefined) return undefined;
  const known = store.listener(name);
  if (known === undefined) {
    store.begin(name, identity, from === undefined ? source.last() : source.before(from), receiver);
    taking.say(from === undefined ? `${name} begins now.` : `${name} starts with the events since ${isoTime(from)}.`);
  } else if (known.source !== identity || (known.event !== undefined && source.find(known.event)?.row !== known.row)) {
    const lost = store.begin(name, identity, source.begin(), receiver);
    const rest = lost === 0 ? '' : ` ${lost} earlier events were not delivered and are lost.`;
    taking.say(`The data was recreated or restored: ${name} starts at its beginning.${rest}`);
  }
  return store.listener(name);
}

/** Takes everything that has happened since. */
export async function takeNew(taking: Taking): Promise<void> {
  for (;;) {
    await taking.source.refresh();
    const listener = settledListener(taking);
    const events = listener === undefined ? [] : taking.source.after(listener.row);
    if (events.length === 0) return;
    const wanted = ({ type }: AccountEvent) => isWanted(type, taking.notations);
    taking.store.take(taking.name, events, wanted, taking.now());
  }
}

/** How a known name continues. */
export function goingOn({ store, name, from }: Taking, known: Listener): Text[] {
  const waiting = store.count(name, 'waiting');
  const failed = store.count(name, 'failed');
  return [
    `${name} continues where it stopped${waiting === 0 ? '' : `: ${waiting} events are waiting`}.`,
    ...(from === undefined ? [] : [`--from only applies to a new name; ${name} already exists.`]),
    ...(failed === 0
      ? []
      : [say`Delivery of ${failed} events was given up: ${cops`events list --failed --as ${known.name}`}`]),
  ];
}
