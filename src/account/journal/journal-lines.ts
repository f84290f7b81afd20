import type { Skew } from '../../service/http/service-clock.js';
import type { HistoryOutcome } from '../history/types.js';
import type { Mode } from '../profiles/types.js';

/** The limits at which a run stops, as given on its command line. */
export interface RunLimits {
  readonly max_failures?: number | undefined;
  readonly stop_on_fraud?: true | undefined;
}

/** The condition that each row's item must meet right before its request, as typed. */
export interface RowCondition {
  readonly where?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
}

/** The first line of a journal: what the run is bound to. */
export interface JournalHeader extends RunLimits {
  readonly type: 'header';
  /** Lines of version 2 carry their number and checksum (`seal.ts`). */
  readonly version: 1 | 2;
  readonly id: string;
  readonly created: string;
  readonly profile: string;
  readonly base_url: string;
  readonly mode: Mode;
  readonly family: string;
  readonly action: string;
  readonly risk: string;
  /** Fingerprint of the API key at the start. */
  readonly credential: string;
  readonly input: {
    readonly kind: 'list' | 'ids' | 'csv' | 'tsv' | 'jsonl';
    /** The file; absent if the rows are kept beside the journal. */
    readonly path?: string;
    /** The ids of the command line. */
    readonly list?: readonly string[];
    readonly sha256: string;
  };
  readonly templates: readonly string[];
  /** The base body for every row, as JSON text; never contains secrets. */
  readonly base?: string;
  /** False with `--no-validate`. */
  readonly validate?: boolean;
  /** The meaning of empty cells, if given. */
  readonly empty?: 'skip' | 'null';
  /** The id column, if given. */
  readonly id_column?: string;
  /** True if the rows are stored as resolved writes: names were turned into ids before the run. */
  readonly settled?: boolean;
  /** The clock used to read date words: milliseconds, and the name of the zone. */
  readonly clock?: { readonly now: number; readonly tz: string };
  readonly rows: number;
  /** The conditions that selected its rows, if they came from a list. */
  readonly condition?: RowCondition | undefined;
  /** True if rows carry no idempotency key: then nothing is ever sent twice. */
  readonly keyless: boolean;
}

/** A process started working on the journal. */
export interface RunLine extends RunLimits {
  readonly type: 'run';
  readonly time: string;
  readonly credential: string;
}

interface RowLine {
  readonly row: number;
  readonly line: number;
  readonly ids: readonly string[];
  readonly key?: string;
  readonly time: string;
}

/** A row is about to be sent. */
export interface IntentLine extends RowLine {
  readonly type: 'intent';
  /** The history entry of this write. */
  readonly history?: string;
  readonly tag: string;
  /** How far the service's clock is ahead, if the run did not say so before; empty if unknown. */
  readonly skew?: Skew;
}

/** The recorded part of a send's outcome: the service's words, never bodies. */
export interface OutcomeFacts<Outcome = HistoryOutcome> {
  readonly outcome: Outcome;
  readonly http_status?: number;
  readonly code?: number;
  readonly error_code?: string;
  readonly message?: string;
  readonly api_call_id?: string | null;
}

/** The same for a row that may not have been sent because there was nothing to change. */
export type EndFacts = OutcomeFacts<HistoryOutcome | 'skipped'>;

/** A row ended. */
export interface ResultLine extends RowLine, EndFacts {
  readonly type: 'result';
  /** How far the service's clock is ahead, from the first answer in a process that shows it. */
  readonly skew?: Skew;
}

/** Reconciling settled an unknown row. */
export interface ResolvedLine extends RowLine {
  readonly type: 'resolved';
  readonly as: 'done' | 'not_done';
  readonly evidence: readonly string[];
  readonly api_call_id?: string | null;
}

export type JournalLine = JournalHeader | RunLine | IntentLine | ResultLine | ResolvedLine;
