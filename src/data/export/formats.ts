import { basename, dirname, isAbsolute, join } from 'node:path';
import { usage } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import type { World } from '../../base/world.js';

/** The traits of an export format, defined only here. Its writer is in `sinks/`, chosen in `sinks/make.ts`. */
export interface ExportTraits {
  /** File extensions of the format, the usual one first. */
  readonly endings: readonly string[];
  /** Whether a text stream cannot carry it: not for standard output, and with its own compression or none. */
  readonly binary: boolean;
  /** Why it cannot be a folder of files, where it cannot. */
  readonly oneFile?: string;
  /** Whether cells are text, in the form that a locale's spreadsheet programs read. */
  readonly textCells?: true;
  /** Whether columns can be chosen. */
  readonly chosenColumns?: true;
  /** Whether times can be shown unchanged. */
  readonly timesAsTold?: true;
  /** Whether gzip would help and is not built in. */
  readonly packable?: true;
  /** Whether items stay unchanged, so that no columns are settled. */
  readonly wholeItems?: true;
}

const TRAITS = {
  jsonl: { endings: ['jsonl', 'ndjson'], binary: false, wholeItems: true },
  csv: { endings: ['csv'], binary: false, textCells: true, chosenColumns: true, timesAsTold: true },
  tsv: { endings: ['tsv', 'tab'], binary: false, textCells: true, chosenColumns: true, timesAsTold: true },
  xlsx: {
    endings: ['xlsx'],
    binary: true,
    oneFile: 'A workbook is one file.',
    chosenColumns: true,
    timesAsTold: true,
  },
  parquet: { endings: ['parquet', 'pq'], binary: true },
  sqlite: { endings: ['sqlite', 'sqlite3', 'db'], binary: true, oneFile: 'SQLite is one file.', packable: true },
} as const satisfies Readonly<Record<string, ExportTraits>>;

export type ExportFormat = keyof typeof TRAITS;

export const EXPORT_FORMATS = Object.keys(TRAITS) as readonly ExportFormat[];

/** The traits of each format. */
export const EXPORT_TRAITS: Readonly<Record<ExportFormat, ExportTraits>> = TRAITS;

/** The format of a file extension; undefined for an unknown one. */
export function formatOfEnding(path: string): ExportFormat | undefined {
  const ending = /\.([^.]+)$/.exec(path.toLowerCase())?.[1] ?? '';
  return EXPORT_FORMATS.find((format) => EXPORT_TRAITS[format].endings.includes(ending));
}

/**
 * The target of an export, and the files next to it. `path`: the file or folder, without a trailing slash. `work`:
 * Folder of a running export; removed when it ends.
 */
export type Target = ReturnType<typeof targetOf>;

/** The format of a file's extension, if any (`jsonl` for folders and standard output), and whether it is compressed. */
export function formatOf(out: string): { format: ExportFormat | undefined; gzip: boolean } {
  if (out === '-' || isFolder(out)) return { format: 'jsonl', gzip: false };
  const lower = out.toLowerCase();
  const gzip = lower.endsWith('.gz');
  const plain = gzip ? lower.slice(0, -3) : lower;
  return { format: formatOfEnding(plain), gzip };
}

export function isFolder(out: string): boolean {
  return /[/\\]$/.test(out);
}

/** A file or folder in the form that exports use: absolute, a folder with a trailing slash. */
export function absoluteTarget(out: string, world: Pick<World, 'cwd' | 'confined'>): string {
  const path = typedPath(world, out);
  return isAbsolute(out) ? out : `${path}${isFolder(out) ? '/' : ''}`;
}

/** `label` distinguishes several exports into one file. */
export function targetOf(out: string, label?: string) {
  if (out === '-') return { kind: 'stdout', path: '-', manifest: '', work: '' };
  const folder = isFolder(out);
  const path = folder ? out.replace(/[/\\]+$/, '') : out;
  if (path === '' || basename(path) === '')
    throw usage('--out names the root folder.', 'Name a file or a folder below it.');
  const more = label === undefined ? '' : `.${label}`;
  return {
    kind: folder ? 'folder' : 'file',
    path,
    manifest: `${path}${more}.manifest.json`,
    work: join(dirname(path), `${basename(path)}${more}.export`),
  };
}
