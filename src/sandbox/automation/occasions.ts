import type { Scene } from '../rules/call.js';
import type { ItemStore, Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import { familyOfItem } from '../store/kinds.js';

/** What an automation runs for: kept beside its task until it has run. */
export interface Occasion {
  /** The function, assistant or template. */
  readonly what: string;
  readonly live: boolean;
  readonly source: 'account_event' | 'api_direct' | 'schedule';
  readonly notation?: string | undefined;
  readonly itemType?: string | undefined;
  readonly itemId?: string | undefined;
  /** Values of the custom arguments, by name. */
  readonly arguments?: Value | undefined;
  /** Assistants whose own doing led here: none of them is started by it again. reading: no-echo */
  readonly cause?: readonly string[] | undefined;
}

/** Asks for an automation at a moment, unix seconds. */
export function appoint(scene: Scene, task: string, id: string, at: number, occasion: Occasion): void {
  scene.store.keepSecret(`${id}.occasion`, { ...occasion });
  scene.store.schedule(task, id, at);
}

/** What a task was asked for. */
export function occasionOf(store: ItemStore, id: string): Occasion | undefined {
  return store.secret(`${id}.occasion`) as unknown as Occasion | undefined;
}

/** The item that an occasion is about, as it is now; undefined when there is none or it is gone. */
export function aboutItem(
  store: ItemStore,
  { itemType, itemId, live }: Pick<Occasion, 'itemType' | 'itemId' | 'live'>,
): Stored | undefined {
  const family = itemType === undefined ? undefined : familyOfItem(itemType);
  return family === undefined || itemId === undefined ? undefined : store.get(family, itemId, live);
}

/** Its length in seconds: `{time_value, time_unit}` as delays of events and functions have it. */
export function delaySeconds(value: unknown, unit: unknown): number {
  const seconds: Readonly<Record<string, number>> = { minutes: 60, hours: 3600, days: 86_400 };
  const length = Number(value) * (seconds[String(unit)] ?? 0);
  return Number.isFinite(length) && length > 0 ? Math.floor(length) : 0;
}
