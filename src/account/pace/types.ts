/** A participant in a shared pace. */
export interface SharedPaceOptions {
  /** The key's fingerprint: one pace per key. */
  readonly key: string;
  /** Requests per second. */
  readonly rate: number;
  /** Called once, if the pace cannot be shared: this process then keeps its own. */
  onFault(reason: string): void;
}
