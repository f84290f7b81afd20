/** What an export format is; the one place that says it. Its writer stands in `sinks/`, chosen in `sinks/make.ts`. */
export interface ExportTraits {
  /** Endings of files that mean it, the usual one first. */
  readonly endings: readonly string[];
  /** True for what no stream of text can carry: not for standard output, and packed by itself or not at all. */
  readonly binary: boolean;
  /** Why it cannot be a folder of files, where it cannot. */
  readonly oneFile?: string;
  /** True where the columns are text and may be chosen. */
  readonly textCells?: true;
  /** True where times may be shown as they came. */
  readonly timesAsTold?: true;
  /** True where gzip would be of use and is not there yet. */
  readonly packable?: true;
  /** True where the items stay as they came, so that no columns are settled. */
  readonly wholeItems?: true;
}

const TRAITS = {
  jsonl: { endings: ['jsonl', 'ndjson'], binary: false, wholeItems: true },
  csv: { endings: ['csv'], binary: false, textCells: true, timesAsTold: true },
  tsv: { endings: ['tsv', 'tab'], binary: false, textCells: true, timesAsTold: true },
  xlsx: { endings: ['xlsx'], binary: true, oneFile: 'A workbook is one file.', timesAsTold: true },
  parquet: { endings: ['parquet', 'pq'], binary: true },
  sqlite: { endings: ['sqlite', 'sqlite3', 'db'], binary: true, oneFile: 'SQLite is one file.', packable: true },
} as const satisfies Readonly<Record<string, ExportTraits>>;

export type ExportFormat = keyof typeof TRAITS;

export const EXPORT_FORMATS = Object.keys(TRAITS) as readonly ExportFormat[];

/** The traits of each format. */
export const EXPORT_TRAITS: Readonly<Record<ExportFormat, ExportTraits>> = TRAITS;

/** The format that the ending of a file means; undefined for one that means none. */
export function formatOfEnding(path: string): ExportFormat | undefined {
  const ending = /\.([^.]+)$/.exec(path.toLowerCase())?.[1] ?? '';
  return EXPORT_FORMATS.find((format) => EXPORT_TRAITS[format].endings.includes(ending));
}
