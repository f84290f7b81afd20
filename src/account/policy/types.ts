import type Big from 'big.js';
import type { AlsoDone } from '../history/gate.js';
import type { Mode } from '../profiles/types.js';
import type { KnownRisk } from '../safety/decide.js';

/** Who requests a write. */
export type Who = 'person' | 'agent';

/** Limits by currency, exact. */
export type Limits = ReadonlyMap<string, Big>;

/** One rule: whose writes it speaks of, and what it says of them. All rules that speak of a write must let it pass. */
export interface Rule {
  readonly name: string;
  /** Scope; an absent field applies to all. */
  readonly profiles?: readonly string[] | undefined;
  readonly modes?: readonly Mode[] | undefined;
  readonly who?: readonly Who[] | undefined;
  /** Families and operations, as on the command line: `customers`, `transactions refund`. */
  readonly operations?: readonly string[] | undefined;
  /** Nothing but these may be written. */
  readonly only?: readonly string[] | undefined;
  /** These may not be written. */
  readonly never?: readonly string[] | undefined;
  /** Most for one write; a currency that is not named may not move at all. */
  readonly most?: Limits | undefined;
  /** Most for a day of the policy's zone. */
  readonly mostADay?: Limits | undefined;
  /** Most writes within any hour. */
  readonly writesAnHour?: number | undefined;
  /** Minutes of the day: from the first up to, not including, the second; the first may be the later one (a night). */
  readonly hours?: readonly [from: number, to: number] | undefined;
  /** A reason is required. */
  readonly reason?: boolean | undefined;
  /** Operations that an agent may commit although nobody is there to be asked. */
  readonly alone?: readonly string[] | undefined;
}

export interface Policy {
  /** IANA name of the zone whose days and hours count. */
  readonly zone: string;
  /** What was written before this moment is not counted (milliseconds); a person sets it. */
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
  /** What fields of the body bring besides: a rule that speaks of it speaks of this write. */
  readonly also?: readonly AlsoDone[] | undefined;
  readonly risk: KnownRisk;
  /** True for an operation outside the catalogue: it may do anything that any operation does. */
  readonly isUnlisted?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** One write as limits count it. */
export interface Counted {
  readonly id: string;
  readonly time: number;
  readonly profile: string;
  readonly credential: string;
  readonly mode: string;
  readonly operation: string;
  /** What its body brought besides. */
  readonly also?: readonly AlsoDone[] | undefined;
  readonly who: 'person' | 'agent';
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}

/** What limits count, and the turn of those who are limited. */
export interface CountedWrites {
  /** The moment by the clock that all share who are limited together, milliseconds. */
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
