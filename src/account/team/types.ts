import type { Postgres } from '../../base/database/postgres.js';

/** What a ledger says of itself. */
export interface LedgerFacts {
  readonly id: string;
  readonly baseUrl: string;
  readonly mode: string;
  /** Items that every key of the account reads: the mark by which a key of another account is found. */
  readonly items: readonly LedgerItem[];
  /** How long a process may write without being heard of, milliseconds. */
  readonly leaseMs: number;
  readonly version: number;
  readonly leastWriter: number;
  /** Who the server says that we are. */
  readonly user: string;
}

/** An immutable item of the account. */
export interface LedgerItem {
  readonly family: string;
  readonly id: string;
}

/** How a ledger is reached; nothing is connected before it is first asked. */
export interface LedgerPlace {
  /** The address as it may be shown. */
  readonly address: string;
  readonly schema: string;
  /** A new connection; aborted connections are cut. */
  connect(signal: AbortSignal): Promise<Postgres>;
  /** Where this machine keeps what it saw of ledgers, and ends that a ledger does not have yet. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The longest wait for an answer of the service, milliseconds. */
  readonly timeoutMs: number;
  readonly self: { readonly pid: number; readonly host: string };
  /** @throws CopsError stopped (12) for a ledger of another account */
  check?(facts: LedgerFacts): void;
  /** Told once of what a person should know. */
  warn(text: string): void;
}

/** One thing that is asked of the ledger, as `act` takes it. */
export type LedgerDeed = Readonly<Record<string, unknown>> & {
  readonly do: 'begin' | 'reopen' | 'end' | 'withdraw' | 'line';
};

/** A write as the ledger tells of it. */
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

/** What came of a deed. */
export interface Answer {
  readonly n?: number;
  readonly other?: ToldWrite;
  readonly done?: ToldWrite;
  readonly ended?: ToldWrite;
  readonly missing?: boolean;
  readonly fenced?: boolean;
  readonly behind?: boolean;
}
