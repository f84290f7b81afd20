import type { TimeRange } from '../../base/time/range.js';
import type { Family } from '../../catalogue/types.js';

/** A family's rows that refer to some items. */
export interface KeptReferring {
  /** Where a row holds the only id that it refers to; undefined if it may hold several. */
  readonly path: string | undefined;
  readonly ids: readonly string[];
  /** The earliest creation of a row that matters, unix seconds; undefined if any may matter. */
  readonly from: number | undefined;
}

/** Rows seen before, used instead of requests for them. */
export interface KeptRows {
  /** The usable rows of ids; undefined if the service must be asked for all of them. */
  ofIds(family: Family, ids: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
  /** At least all rows that refer to ids; undefined if the service must be asked. */
  referring(family: Family, wanted: KeptReferring): Promise<readonly string[] | undefined>;
  /** True if nothing else can be asked: a row that is absent was not seen. */
  readonly isAll: boolean;
}

/** A list as a mirror has it, at a past moment or as last synced. */
export interface KeptList extends KeptRows {
  /** The moment that it shows, milliseconds: relative times count from it. */
  readonly moment: number;
  /** Items of the family in a range, newest first, each with the moment it was seen. */
  items(range: TimeRange | undefined): readonly string[];
  /** What is unknown about that moment, in sentences. */
  readonly doubts: readonly string[];
  close(): void;
}

/** The member of a mirrored item that says when its state was first seen, unix seconds. */
export const SEEN_AT = '_seen_at_unix';
