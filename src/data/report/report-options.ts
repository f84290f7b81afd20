import type { RangeOptions } from '../../base/time/range.js';
import type { KeepOptions } from '../mirror/keep-mirror.js';

/** Options of `cops report`, as typed. */
export interface ReportOptions extends RangeOptions, KeepOptions {
  readonly by?: readonly string[];
  readonly across?: string;
  readonly top?: string;
  readonly share?: boolean;
  /** The figure that orders the rows, and ranks for `--top`. */
  readonly sort?: string;
  readonly where?: readonly string[];
  /** Conditions on the figures of the rows. */
  readonly having?: readonly string[];
  readonly rows?: boolean;
  readonly chart?: boolean;
  readonly against?: string;
  /** The moment of the figures, for reports that show one moment. */
  readonly asOf?: string;
  readonly currency?: string;
  readonly overdueDays?: string;
  readonly withTrials?: boolean;
  /** `closed`: the figures of a locked month as frozen. */
  readonly as?: string;
  /** The last days of the buckets of an aging list. */
  readonly buckets?: string;
  /** How far a forecast reaches. */
  readonly next?: string;
  readonly lock?: boolean;
  readonly unlock?: boolean;
  readonly adjustments?: boolean;
  /** The file of a lock. */
  readonly restore?: string;
  /** Why a month is being unlocked. */
  readonly reason?: string;
  readonly journal?: string;
  /** True if `--out` gives its file, or nothing does. */
  readonly html?: string | true;
  readonly out?: string;
  readonly sql?: boolean;
  readonly explain?: boolean;
}
