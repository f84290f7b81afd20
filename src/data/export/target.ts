import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { usage } from '../../base/errors/errors.js';
import { type ExportFormat, formatOfEnding } from './formats.js';

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
export function absoluteTarget(out: string, cwd: string): string {
  return isAbsolute(out) ? out : `${resolve(cwd, out)}${isFolder(out) ? '/' : ''}`;
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
