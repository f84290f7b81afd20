import type { RangeOptions } from '../../base/time/range.js';
import type { KeepOptions } from '../mirror/keep-mirror.js';

/** Options of `cops report`, as they were typed. */
export interface ReportOptions extends RangeOptions, KeepOptions {
  readonly by?: readonly string[];
  readonly across?: string;
  readonly top?: string;
  readonly where?: readonly string[];
  readonly rows?: boolean;
  readonly chart?: boolean;
  readonly against?: string;
  /** Another name of `--against`. */
  readonly compare?: string;
  /** The moment that the figures are of, where they are of one. */
  readonly asOf?: string;
  readonly currency?: string;
  readonly overdueDays?: string;
  readonly withTrials?: boolean;
  /** `closed`: the figures of a locked month as they were frozen. */
  readonly as?: string;
  /** How far a forecast reaches. */
  readonly next?: string;
  readonly lock?: boolean;
  readonly unlock?: boolean;
  readonly adjustments?: boolean;
  /** A file of a lock. */
  readonly restore?: string;
  /** Why a month is unlocked. */
  readonly reason?: string;
  readonly journal?: string;
  /** True where its file is said with `--out`, or not at all. */
  readonly html?: string | true;
  readonly out?: string;
  readonly sql?: boolean;
  readonly explain?: boolean;
}
