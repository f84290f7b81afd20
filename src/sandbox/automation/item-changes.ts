import type { Value } from '../store/item-values.js';

/** One item that was added, changed or removed: the source of events. */
export interface ItemChange {
  readonly family: string;
  readonly id: string;
  readonly customer: string | null;
  /** Absent for a new item. */
  readonly before?: Value;
  /** Absent for a removed item. */
  readonly after?: Value;
}
