import type Big from 'big.js';
import type { AlsoDone, IntentFacts } from '../history/write-gate.js';
import type { Mode } from '../profiles/types.js';
import type { KnownRisk } from '../safety/decide.js';

/** Who requests a write. */
export type Who = 'person' | 'agent';

/** Limits by currency, exact. */
export type Limits = ReadonlyMap<string, Big>;

/** One rule: which writes it applies to, and what it says about them. All rules that apply to a write must allow it. */
export interface Rule {
  readonly name: string;
  /** Scope; an absent field applies to all. */
  readonly profiles?: readonly string[] | undefined;
  readonly modes?: readonly Mode[] | undefined;
  readonly who?: readonly Who[] | undefined;
  /** Families and operations, as on the command line: `customers`, `transactions refund`. */
  readonly operations?: readonly string[] | undefined;
  /** Only these may be written. */
  readonly only?: readonly string[] | undefined;
  /** These may not be written. */
  readonly never?: readonly string[] | undefined;
  /** Limit for one write; a currency that is not named may not move at all. */
  readonly most?: Limits | undefined;
  /** Limit for a day in the policy's zone. */
  readonly mostADay?: Limits | undefined;
  /** Limit of writes within any hour. */
  readonly writesAnHour?: number | undefined;
  /** Days of the week on which no write is allowed, from `WEEKDAYS`. */
  readonly neverOn?: readonly string[] | undefined;
  /** Minutes of the day: from the first up to, not including, the second; the first may be the later one (a night). */
  readonly hours?: readonly [from: number, to: number] | undefined;
  /** A reason is required. */
  readonly reason?: boolean | undefined;
  /** Operations that an agent may run although nobody is there to ask. */
  readonly alone?: readonly string[] | undefined;
}

export interface Policy {
  /** IANA name of the zone for days and hours. */
  readonly zone: string;
  /** Writes before this moment are not counted (milliseconds); a person sets it. */
  readonly countsFrom?: number | undefined;
  readonly rules: readonly Rule[];
}

/** The maximum amount that a write moves at once. */
export type Moves =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'amount'; readonly amount: Big; readonly currency: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** A write to be judged. */
export interface Asked {
  readonly profile: string;
  /** Fingerprint of the key. */
  readonly credential: string;
  readonly mode: Mode;
  readonly who: Who;
  /** `transactions refund`. */
  readonly operation: string;
  /** What body fields also do: a rule for that applies to this write. */
  readonly also?: readonly AlsoDone[] | undefined;
  readonly risk: KnownRisk;
  /** True for an operation outside the catalogue: it may do anything. */
  readonly isUnlisted?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** One write as limits count it. */
export interface Counted
  extends Omit<Asked, 'mode' | 'risk' | 'isUnlisted' | 'reason'>,
    Pick<IntentFacts, 'amount' | 'currency'> {
  readonly id: string;
  readonly time: number;
  readonly mode: string;
}

/** What limits count, and the exclusive turn of limited writers. */
export interface CountedWrites {
  /** The time by the clock that all writers limited together share, milliseconds. */
  now(): Promise<number>;
  /**
   * The writes since a moment (ms) that are done, open, or unknown.
   * @throws CopsError stopped (12) where the record is not what it was: what it lost would not be counted
   */
  since(moment: number): Promise<readonly Counted[]>;
  /**
   * Judges and records: while `deed` runs nobody else's does, and what it records is counted for whoever comes next.
   * @throws CopsError local (11) when another one does not come to its end
   */
  exclusively<T>(deed: () => Promise<T>): Promise<T>;
}
