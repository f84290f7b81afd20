import type { TimeRange } from '../../base/time/range.js';
import type { Family } from '../../catalogue/types.js';

/** Rows of the family that refer to some items. */
export interface KeptReferring {
  /** Where a row holds the one id that it refers to; undefined where it may hold several. */
  readonly path: string | undefined;
  readonly ids: readonly string[];
  /** Unix seconds before which none of them that matters was made; undefined where any may matter. */
  readonly from: number | undefined;
}

/** Rows that were seen before, used instead of requests for them. */
export interface KeptRows {
  /** The rows of ids, of those that may be used; undefined where the service is asked for all of them. */
  ofIds(family: Family, ids: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
  /** At least all rows that refer to ids; undefined where the service is to be asked. */
  referring(family: Family, wanted: KeptReferring): Promise<readonly string[] | undefined>;
  /** True where nothing else is asked: a row that is not there was not seen. */
  readonly isAll: boolean;
}

/** A list as a mirror has it, at a moment of the past or as it was left. */
export interface KeptList extends KeptRows {
  /** The moment that it shows, milliseconds: what is relative counts from it. */
  readonly moment: number;
  /** Items of the family in a range, newest first, each with the moment at which it was seen. */
  items(range: TimeRange | undefined): readonly string[];
  /** What is unknown about that moment, in sentences. */
  readonly doubts: readonly string[];
  close(): void;
}

/** The member of a kept item that says when its state was seen first, unix seconds. */
export const SEEN_AT = '_seen_at_unix';
