/** Options of an export as they were typed. */
export interface ExportOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly last?: string | undefined;
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
}

/** The options of `cops export` beside the filters of the family, for parser, help and completion. */
export const EXPORT_OPTIONS: readonly { readonly flags: string; readonly description: string }[] = [
  { flags: '--from <when>', description: 'begin of the range: 2026-01-31, RFC 3339, unix seconds, 90d' },
  { flags: '--to <when>', description: 'end of the range (default: now), frozen when the export begins' },
  { flags: '--last <span>', description: 'the range that ends now: 30d, 6w, 3mo, 1y' },
  { flags: '--no-range', description: 'read the list without dates' },
  { flags: '--out <file | folder/ | ->', description: 'a file, a folder (one file a window), or standard output' },
  { flags: '--format <format>', description: "jsonl, csv, tsv, parquet or sqlite (default: by the file's ending)" },
  { flags: '--concurrency <n>', description: 'at most this many requests at once (default 32)' },
  { flags: '--gzip', description: 'compress jsonl, csv and tsv' },
  { flags: '--shard <i/n>', description: 'only every n-th window: one machine of n; --rate is divided by n' },
  { flags: '--restart', description: 'begin anew, whatever is there' },
  { flags: '--since-last', description: 'go on from the manifest of the finished export' },
  {
    flags: '--refresh <span>',
    description: 'with --since-last: read this span again and replace its rows (SQLite, folders)',
  },
  { flags: '--page-size <n>', description: 'items a request, 1 to 25' },
];

/** Options of `cops sync`, as they were typed. */
export type SyncOptions = Pick<ExportOptions, 'from' | 'format' | 'concurrency' | 'refresh' | 'restart' | 'gzip'>;

/** The options of `cops sync`, for parser, help and completion. */
export const SYNC_OPTIONS: readonly { readonly flags: string; readonly description: string }[] = [
  { flags: '--from <when>', description: 'where a list begins that was never read (default: 1y)' },
  { flags: '--format <format>', description: 'of a folder: jsonl, csv, tsv or parquet (default: jsonl)' },
  { flags: '--refresh <span>', description: 'read this span again: changes of old items are not seen otherwise' },
  { flags: '--concurrency <n>', description: 'at most this many requests at once (default 32)' },
  { flags: '--gzip', description: 'compress jsonl, csv and tsv' },
  { flags: '--restart', description: 'read everything anew' },
];
