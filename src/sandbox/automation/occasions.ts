import type { Scene } from '../rules/call.js';
import type { ItemStore, Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import { familyOfItem } from '../store/kinds.js';

/** The reason that an automation runs; stored with its task until then. */
export interface Occasion {
  /** Id of the function, assistant or template. */
  readonly what: string;
  readonly live: boolean;
  readonly source: 'account_event' | 'api_direct' | 'schedule';
  readonly notation?: string | undefined;
  readonly itemType?: string | undefined;
  readonly itemId?: string | undefined;
  /** Values of the custom arguments, by name. */
  readonly arguments?: Value | undefined;
  /** Assistants whose actions led here: the occasion does not start any of them again. reading: no-echo */
  readonly cause?: readonly string[] | undefined;
}

/** Schedules an automation for a moment, unix seconds. */
export function appoint(scene: Scene, task: string, id: string, at: number, occasion: Occasion): void {
  scene.store.keepSecret(`${id}.occasion`, { ...occasion });
  scene.store.schedule(task, id, at);
}

/** The occasion of a task. */
export function occasionOf(store: ItemStore, id: string): Occasion | undefined {
  return store.secret(`${id}.occasion`) as unknown as Occasion | undefined;
}

/** The current item of an occasion; undefined when it has none or the item is gone. */
export function aboutItem(
  store: ItemStore,
  { itemType, itemId, live }: Pick<Occasion, 'itemType' | 'itemId' | 'live'>,
): Stored | undefined {
  const family = itemType === undefined ? undefined : familyOfItem(itemType);
  return family === undefined || itemId === undefined ? undefined : store.get(family, itemId, live);
}

/** The length in seconds of `{time_value, time_unit}`, as the delays of events and functions are written. */
export function delaySeconds(value: unknown, unit: unknown): number {
  const seconds: Readonly<Record<string, number>> = { minutes: 60, hours: 3600, days: 86_400 };
  const length = Number(value) * (seconds[String(unit)] ?? 0);
  return Number.isFinite(length) && length > 0 ? Math.floor(length) : 0;
}
