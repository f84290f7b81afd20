/** Who keeps a pace with others. */
export interface SharedPaceOptions {
  /** The key's fingerprint: one pace a key. */
  readonly key: string;
  /** Requests a second. */
  readonly rate: number;
  /** Called once, where the pace cannot be kept together: this process then keeps one of its own. */
  onFault(reason: string): void;
}
