import type { Postgres } from '../../base/database/postgres.js';

/** The ledger's own description. */
export interface LedgerFacts {
  readonly id: string;
  readonly baseUrl: string;
  readonly mode: string;
  /** Items that every key of the account can read: they reveal a key of another account. */
  readonly items: readonly LedgerItem[];
  /** How long a process may write without contact, milliseconds. */
  readonly leaseMs: number;
  readonly version: number;
  readonly leastWriter: number;
  /** Who we are according to the server. */
  readonly user: string;
}

/** An immutable item of the account. */
export interface LedgerItem {
  readonly family: string;
  readonly id: string;
}

/** How to reach a ledger; connects only when first asked. */
export interface LedgerPlace {
  /** The address in a form that may be shown. */
  readonly address: string;
  readonly schema: string;
  /** The user in the address. */
  readonly user: string;
  /** A new connection; aborted connections are cut. */
  connect(signal: AbortSignal): Promise<Postgres>;
  /** Where this machine stores what it saw of ledgers, and ends that a ledger does not have yet. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The longest wait for an answer from the service, milliseconds. */
  readonly timeoutMs: number;
  readonly self: { readonly pid: number; readonly host: string };
  /** @throws CopsError stopped (12) for a ledger of another account */
  check?(facts: LedgerFacts): void;
  /** Called once with what a person should know. */
  warn(text: string): void;
}

/** One request to the ledger, in the form that `act` takes. */
export type LedgerDeed = Readonly<Record<string, unknown>> & {
  readonly do: 'begin' | 'reopen' | 'end' | 'withdraw' | 'line';
};

/** A write in the form that the ledger reports. */
export interface ToldWrite {
  readonly id: string;
  readonly at: string;
  readonly user: string;
  readonly machine: string;
  readonly pid: number;
  readonly state: 'open' | 'done' | 'not_done';
  readonly running: boolean;
  readonly outcome?: string | null;
  readonly settles?: string | null;
  readonly finished?: string | null;
}

/** The result of a request. */
export interface Answer {
  readonly n?: number;
  readonly other?: ToldWrite;
  readonly done?: ToldWrite;
  readonly ended?: ToldWrite;
  readonly missing?: boolean;
  readonly fenced?: boolean;
  readonly behind?: boolean;
}
