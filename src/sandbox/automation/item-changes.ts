import type { Value } from '../store/item-values.js';

/** One item that came, changed or went: what events are read from. */
export interface ItemChange {
  readonly family: string;
  readonly id: string;
  readonly customer: string | null;
  /** Absent for a new item. */
  readonly before?: Value;
  /** Absent for one that is gone. */
  readonly after?: Value;
}
