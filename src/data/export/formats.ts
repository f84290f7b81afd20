import { basename, dirname, isAbsolute, join } from 'node:path';
import { usage } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import type { World } from '../../base/world.js';

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

/** Where an export goes, and the files beside it. */
export interface Target {
  readonly kind: 'file' | 'folder' | 'stdout';
  /** The file or folder, without a slash at its end. */
  readonly path: string;
  readonly manifest: string;
  /** Folder of a running export; removed at its end. */
  readonly work: string;
}

/** The format that a file's ending means, if any (`jsonl` for folders and standard output), and if it is packed. */
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

/** A file or folder as an export takes it: absolute, a folder with its slash. */
export function absoluteTarget(out: string, world: Pick<World, 'cwd' | 'confined'>): string {
  const path = typedPath(world, out);
  return isAbsolute(out) ? out : `${path}${isFolder(out) ? '/' : ''}`;
}

/** `label` tells several exports into one file apart. */
export function targetOf(out: string, label?: string): Target {
  if (out === '-') return { kind: 'stdout', path: '-', manifest: '', work: '' };
  const folder = isFolder(out);
  const path = folder ? out.replace(/[/\\]+$/, '') : out;
  if (path === '' || basename(path) === '')
    throw usage('--out names the root folder.', 'Name a file or a folder in it.');
  const more = label === undefined ? '' : `.${label}`;
  return {
    kind: folder ? 'folder' : 'file',
    path,
    manifest: `${path}${more}.manifest.json`,
    work: join(dirname(path), `${basename(path)}${more}.export`),
  };
}
