import type { CopsError } from '../base/errors/errors.js';
import type { Family } from '../catalogue/types.js';
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
  /** The item that the row is about; missing until it was read. */
  readonly item?: RowItem;
}

/** What rows take from the item that they are about. */
export interface RowItem {
  /** What templates ask for, by the path: as text, `null` where it is empty. */
  readonly values: ReadonlyMap<string, { readonly value: string | null } | { readonly fault: string }>;
  /** What its sums are counted in. */
  readonly currency: string | undefined;
}

/** A field of the body that holds an id of a family. */
export interface RowSubject {
  readonly field: string;
  readonly family: Family;
}

/** One row as a write. */
export interface PlannedRow {
  readonly row: number;
  readonly line: number;
  readonly ids: readonly string[];
  readonly body: TreeObject;
  /** The values of its item that its body was computed from, by path. */
  readonly read?: Readonly<Record<string, string | null>> | undefined;
  /** Why it is not sent although it was asked for: the cells that it would change are empty. */
  readonly skipped?: string | undefined;
  /** Equal for two rows that mean the same write (`intentionTag` of `request/secrets`). */
  readonly tag: string;
}

/** The result of a send, a part of `WriteOutcome` of `service/http/send-write.ts`. */
export type SendResult =
  | {
      readonly claim: 'done';
      readonly reply: { readonly status: number; readonly body: Buffer };
      readonly envelope: { readonly api_call_id?: string | null };
    }
  | { readonly claim: 'refused' | 'not_sent' | 'unknown'; readonly error: CopsError };
