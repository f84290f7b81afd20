import type { CopsError } from '../base/errors/errors.js';
import type { TreeObject } from '../items/json/tree.js';

/** One row of the input, as read. */
export interface RowRecord {
  /** Number of the row among the non-empty rows, from 1. */
  readonly row: number;
  /** Line of the input where it begins, from 1; the position of an id given on the command line. */
  readonly line: number;
  /** A line of an id list. */
  readonly id?: string;
  /** Cells by column name. */
  readonly cells?: Readonly<Record<string, string>>;
  /** An object of a JSON Lines file. */
  readonly object?: TreeObject;
}

/** One row as a write. */
export interface PlannedRow {
  readonly row: number;
  readonly line: number;
  readonly ids: readonly string[];
  readonly body: TreeObject;
  /** Equal for two rows that mean the same write (`intentionTag` of `request/secrets`). */
  readonly tag: string;
}

/** The result of a send, a part of `WriteOutcome` of `service/http/write.ts`. */
export type SendResult =
  | {
      readonly claim: 'done';
      readonly reply: { readonly status: number; readonly body: Buffer };
      readonly envelope: { readonly api_call_id?: string | null };
    }
  | { readonly claim: 'refused' | 'not_sent' | 'unknown'; readonly error: CopsError };
