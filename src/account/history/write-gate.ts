/** The operation that a field of a write's body performed in addition to its own. */
export interface AlsoDone {
  readonly operation: string;
  readonly field: string;
}

/** The fields that a gate adds to the record of a write. */
export interface IntentFacts {
  /** `agent` for a write requested by an AI agent; absent for a person. */
  readonly who?: 'agent' | undefined;
  readonly also?: readonly AlsoDone[] | undefined;
  /** `--reason`. */
  readonly reason?: string | undefined;
  /** The maximum amount moved, if a rule counts it: exact decimals, by currency. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}

/** A write as a gate sees it. */
export interface GatedRow {
  readonly ids: readonly string[];
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Decides whether a write may be recorded, and so sent: nothing leaves without its record. */
export interface Gate {
  /** Records an allowed write, one process at a time. @throws CopsError stopped (12) with the rule that stops it */
  admit<T>(row: GatedRow, record: (facts: IntentFacts) => Promise<T>): Promise<T>;
  /** The same for a write that is already recorded and counted, and is sent again with its key. */
  readmit(row: GatedRow): Promise<void>;
}
