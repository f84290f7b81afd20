import type { WholeRangeOptions } from '../../session/read/range-of.js';

/** Options of an export as they were typed. */
export interface ExportOptions extends WholeRangeOptions {
  /** False with `--no-range`. */
  readonly range?: boolean | undefined;
  readonly out?: string | undefined;
  readonly format?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly gzip?: boolean | undefined;
  readonly shard?: string | undefined;
  readonly restart?: boolean | undefined;
  readonly sinceLast?: boolean | undefined;
  readonly refresh?: string | undefined;
  readonly pageSize?: string | undefined;
  /** Manifests of exports whose columns are taken over. */
  readonly schema?: readonly string[] | undefined;
}

/** Options of `cops sync`, as they were typed. */
export interface SyncOptions
  extends Pick<ExportOptions, 'from' | 'format' | 'concurrency' | 'refresh' | 'restart' | 'gzip'> {
  /** Reads all windows of a mirror again. */
  readonly full?: boolean;
  readonly firstDay?: string;
}
