import type { CopsError } from '../../base/errors/errors.js';
import type { Mode } from '../profiles/types.js';
import type { AlsoDone } from './write-gate.js';

/** How a write ended, in the terms of the command line's outcome table. */
export type HistoryOutcome =
  | 'done'
  | 'refused'
  | 'payment_failed'
  | 'fraud_detected'
  | 'rate_limited'
  | 'not_sent'
  | 'unknown';

/** One write as `cops history` shows it. */
export interface Entry {
  readonly id: string;
  readonly like: string;
  readonly time: string;
  readonly profile: string;
  readonly base_url: string;
  readonly mode: string;
  readonly operation: string;
  readonly ids: readonly string[];
  /** Names given instead of ids, each with the id it means. */
  readonly named?: Readonly<Record<string, string>>;
  /** Idempotency key. */
  readonly key?: string;
  /** Fingerprint of the API key. */
  readonly credential: string;
  readonly journal?: string;
  /** `agent` for a write requested by an AI agent. */
  readonly who?: string;
  /** Additional operations that fields of the body performed. */
  readonly also?: readonly AlsoDone[];
  /** The value of `--reason`. */
  readonly reason?: string;
  /** The maximum amount moved, if a policy counted it. */
  readonly amount?: string;
  readonly currency?: string;
  /** Who wrote it, as the server of a team's ledger says; the machine is what it claims to be. */
  readonly user?: string;
  readonly machine?: string;
  readonly pid: number;
  /** `running` while the process that began it lives; without a recorded end after that it is unknown. */
  readonly outcome: HistoryOutcome | 'running';
  readonly finished?: string;
  readonly http_status?: number;
  readonly code?: number;
  readonly error_code?: string;
  readonly api_call_id?: string | null;
  /** What the answer said, by field: `customer_id`, `api_call_unix`, `result`. */
  readonly made?: Readonly<Record<string, string | number>>;
  readonly settles?: string;
  readonly settled?: { readonly as: string; readonly time: string; readonly note?: string };
}

/** Whose writes to compare: those of one profile, and those with the same key under any name. */
export interface Whose {
  readonly profile: string;
  /** Fingerprint of the API key. */
  readonly fingerprint?: string;
}

/** A completed write and its time. */
export interface DoneWrite {
  readonly id: string;
  readonly time: string;
}

/** The source and target of writes; the same for all rows of a bulk run. */
export interface Origin {
  readonly profile: string;
  readonly baseUrl: string;
  readonly mode: Mode;
  /** Family and action as on the command line: `subscriptions cancel`. */
  readonly operation: string;
  /** Fingerprint of the API key. */
  readonly fingerprint: string;
}

/** One write of an origin. Nothing in it is secret. */
export interface RowIntent {
  readonly ids: readonly string[];
  /** The idempotency key, if one is sent. */
  readonly key?: string | undefined;
  /** The tag that equal writes share (`intentionTag` in `request/secrets`). */
  readonly tag: string;
  /** Names given instead of ids, each with the id it means. */
  readonly named?: Readonly<Record<string, string>> | undefined;
  /** The content sent, for the gate: never recorded. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A write that is about to be sent. */
export type Intent = Origin & RowIntent;

/** How a write ended. */
export interface Finish {
  readonly outcome: HistoryOutcome;
  readonly httpStatus?: number;
  readonly code?: number;
  readonly errorCode?: string;
  readonly apiCallId?: string | null;
  /** What the answer said, by field. */
  readonly made?: Readonly<Record<string, string | number>> | undefined;
  /** The command that settles an unknown outcome, as shown to the operator. */
  readonly settles?: string;
}

export interface Pending {
  /** Names the entry for `cops history show`. */
  readonly id: string;
  /** Records how it ended; the first call counts. */
  finish(finish: Finish): Promise<void>;
}

/** What is known about an intent from a bulk run. */
export interface KnownIntent {
  readonly id: string;
  readonly like: string;
  readonly time: string;
  readonly key?: string;
}

/** The writes of one bulk run, whose durable record is the run's journal. */
export interface Trail {
  /**
   * Records the intent of a row in two steps, for a journal that names the entry first: `begin` resolves once it is in the
   * file, and looks for a like write that is open elsewhere, or was done since the run began. Throws as `History.begin`.
   */
  plan(row: RowIntent): { readonly id: string; begin(): Promise<Begun> };
  /** An entry that an earlier process of the same run began, to record its end: nothing is sent for it. */
  recall(id: string, tag: string): Promise<Pending>;
  /** Continues an entry that an earlier process of the same run began, unless the same was done elsewhere since. */
  reopen(id: string, row: RowIntent): Promise<Begun>;
}

/**
 * `doneElsewhere`: the same was done since the run began; its own intent, if new, is withdrawn. `settled`: somebody has
 * settled it since, so nothing is sent.
 */
export interface Begun {
  readonly pending: Pending;
  readonly doneElsewhere?: DoneWrite;
  readonly settled?: { readonly as: 'done' | 'not_done'; readonly says: string };
}

export interface TrailOptions {
  /** Names the run in its entries. */
  readonly journal: string;
  /** The time the run began, RFC 3339 in UTC. */
  readonly since: string;
  /** Lets repeated writes pass. */
  readonly again?: boolean;
}

/** Filters for the entries to list. */
export interface ListFilter {
  readonly unknownOnly?: boolean;
  /** Only those of one team member. */
  readonly user?: string | undefined;
}

/** The history of writes, for reading and settling. */
export interface History {
  /** Lines that `list` and `show` could not read so far (torn by a crash); they are skipped. */
  readonly damagedLines: number;
  /** Writes with an unknown outcome or still running, by tag: the guard for many rows at once. */
  openTags(whose: Whose): Promise<ReadonlyMap<string, Entry>>;
  /** The intents of one bulk run, oldest first. */
  intentsOf(journal: string): AsyncIterable<KnownIntent>;
  /** The recorded outcomes of these entries, by id; entries without one are absent. */
  endedOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
  /** Entries, newest first. */
  list(filter?: ListFilter): AsyncIterable<Entry>;
  /** The writes with an idempotency key, by any credential, newest first. */
  ofKey(key: string): AsyncIterable<Entry>;
  /** One entry by its id or a prefix of it. @throws CopsError not_found (4), usage (2) if several match */
  show(id: string): Promise<Entry>;
  /**
   * Records the outcome that the operator found, beside the existing record.
   * @throws CopsError stopped (12) if the write is running, usage (2) if its outcome is known
   */
  settle(id: string, as: 'done' | 'not-done', note?: string): Promise<Entry>;
  close(): Promise<void>;
}

/** The history in which writes begin. */
export interface GatedHistory extends History {
  /**
   * Records the intent, so that it survives the machine before this resolves. Then refuses, with the intent taken back,
   * when a like write is open: also one that began elsewhere at the same moment, or was done by another process since
   * `since`, when this command began (RFC 3339 in UTC). `again` lets it pass.
   * @throws CopsError stopped (12) from the gate or the repeat guard; local (11) when it cannot be recorded
   */
  begin(intent: Intent, options?: { readonly again?: boolean; readonly since?: string }): Promise<Pending>;
  /** Why nothing begun here may be sent any more; checked right before each request. Absent if nothing can begin. */
  mayLeave?(): CopsError | undefined;
  /** Stores synchronously that these entries (id and tag), begun here, were never sent: the process is about to end. */
  abandon?(entries: ReadonlyMap<string, string>): void;
  /** The writes of one bulk run. */
  trail(origin: Origin, options: TrailOptions): Trail;
}
