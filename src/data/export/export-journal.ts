import type { FileHandle } from 'node:fs/promises';
import { jsonOf, local, orElse } from '../../base/errors/errors.js';
import { readOwnFile, readThere } from '../../base/files/read-file.js';
import type { Schema } from '../../items/schema/types.js';
import { onFile, openOwn, sha256Of, writeAll, writeAtomically } from './files.js';
import type { Settings } from './resumed-settings.js';
import type { Manifest, WindowRecord } from './types.js';
import type { WindowProof } from './window.js';

/** One line of the journal of a running export. */
export type JournalEntry =
  | { readonly t: 'split'; readonly window: string; readonly ranges: readonly (readonly [number, number])[] }
  /** The end of the range was moved back to the service's clock. */
  | { readonly t: 'end'; readonly window: string; readonly to: number }
  /** A window read ahead of its turn: its lines are in a part file, blocks in order, ids at the end. */
  | {
      readonly t: 'part';
      readonly window: string;
      readonly file: string;
      readonly blocks: readonly (readonly [at: number, length: number])[];
      readonly ids: readonly [at: number, length: number];
      /** Digest of the file up to the end of the ids. */
      readonly sha256?: string;
      readonly facts: PartFacts;
    }
  /** A window whose items are in the target; `position` is the target's length afterwards. */
  | {
      readonly t: 'done';
      readonly record: WindowRecord;
      readonly position: number;
      readonly edge?: string;
      readonly spent: Spent;
    }
  /** Everything is written; the target is about to get its name. */
  | { readonly t: 'finishing'; readonly spent: Spent };

/** Requests since the export began, including those before a stop as far as the journal knows. */
export interface Spent {
  readonly requests: number;
  /** Requests that were answered with 429. */
  readonly refused: number;
}

interface PartFacts extends WindowProof {
  readonly serviceUnix: number;
  /** Absent in journals of older versions. */
  readonly begunAt?: number;
  readonly doneAt: number;
}

/** One JSON object per line, made durable after the data it describes; a line cut by a crash is dropped. */
export class ExportJournal {
  private constructor(
    readonly path: string,
    readonly file: FileHandle,
    private position: number,
  ) {}

  static open(path: string): Promise<{ journal: ExportJournal; entries: JournalEntry[] }> {
    return onFile(path, 'open', async () => {
      const bytes = readOwnFile(path) ?? Buffer.alloc(0);
      const { entries, length } = parse(bytes);
      const file = await openOwn(path, bytes.length === 0 ? 'w' : 'r+');
      if (length < bytes.length) await file.truncate(length);
      return { journal: new ExportJournal(path, file, length), entries };
    });
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    const text = Buffer.from(entries.map((entry) => `${JSON.stringify({ ...entry, sum: sumOf(entry) })}\n`).join(''));
    await onFile(this.path, 'write', async () => {
      this.position += await writeAll(this.file, [text], this.position);
      await this.file.datasync();
    });
  }

  async close(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }
}

/** The journal entries of an unfinished export; undefined where the journal cannot be read. */
export function readJournal(path: string): JournalEntry[] {
  return orElse(() => parse(readThere(path)).entries, []);
}

/** Detects a damaged line. */
function sumOf(entry: JournalEntry): string {
  return sha256Of(JSON.stringify(entry)).slice(0, 16);
}

/** The complete lines of a journal, and their length in bytes. */
function parse(bytes: Buffer): { entries: JournalEntry[]; length: number } {
  const entries: JournalEntry[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    try {
      const { sum, ...entry } = JSON.parse(bytes.toString('utf8', at, end)) as JournalEntry & { sum?: string };
      // A changed line, and everything after it, is read from the service again.
      if (sum !== sumOf(entry as JournalEntry)) break;
      entries.push(entry as JournalEntry);
    } catch {
      break;
    }
    at = end + 1;
  }
  return { entries, length: at };
}

/** `plan.json` of a running export: its settings, frozen when it began. */
export interface Plan {
  readonly plan: 1;
  readonly settings: Settings;
  readonly range: Manifest['range'];
  readonly windows: readonly (readonly [number, number] | null)[];
  readonly started: string;
  /** The bytes of an existing target that stay, for `--since-last` on a file of records. */
  readonly base_bytes: number;
  /** Digest of the manifest that this run continues from. */
  readonly base: string | null;
  /** Windows of that manifest whose files are replaced. */
  readonly replaced: readonly string[];
  /** Files of a folder that are deleted when this run ends. */
  readonly remove: readonly string[];
  /** 1, plus one for each time that an export continues from its manifest. */
  readonly round: number;
  /** Nothing of the existing target stays. */
  readonly anew: boolean;
}

type Sealed<T> = T & { readonly digest: string };

/** The settled columns of a running export; undefined before they are settled. */
export async function readSettled(path: string): Promise<Schema | undefined> {
  const record = await readSealed<{ readonly fields: Schema }>(
    path,
    'schema',
    'The columns file of the running export',
  );
  return record?.fields;
}

export async function writeSettled(path: string, fields: Schema): Promise<void> {
  await writeSealed(path, { schema: 1, fields });
}

/** The record as JSON with its digest, so that manual changes are noticed. */
export function seal(record: object): string {
  return `${JSON.stringify({ ...record, digest: digestOf(record) }, null, 1)}\n`;
}

export function digestOf(record: object): string {
  const { digest: _, ...rest } = record as Record<string, unknown>;
  return sha256Of(JSON.stringify(rest));
}

export async function readPlan(path: string): Promise<Plan | undefined> {
  return readSealed<Plan>(path, 'plan', 'The plan of the running export');
}

export async function readManifest(path: string): Promise<Sealed<Manifest> | undefined> {
  return readSealed<Manifest>(path, 'manifest', 'The manifest');
}

export async function writeSealed(path: string, record: object): Promise<void> {
  await writeAtomically(path, seal(record));
}

async function readSealed<T extends object>(path: string, kind: string, what: string): Promise<Sealed<T> | undefined> {
  const text = await onFile(path, 'read', async () => readOwnFile(path)?.toString('utf8'));
  if (text === undefined) return undefined;
  const value: unknown = jsonOf(text, (error) => damaged(what, path, 'it is not valid JSON', error));
  const record = value as Record<string, unknown>;
  if (typeof value !== 'object' || value === null || record[kind] !== 1)
    throw damaged(what, path, 'it has another kind or version');
  if (record.digest !== digestOf(record)) throw damaged(what, path, 'it was changed by hand');
  return value as Sealed<T>;
}

function damaged(what: string, path: string, why: string, cause?: unknown) {
  return local(
    `${what} cannot be used: ${why} (${path}).`,
    'Put the original back, or start over with --restart.',
    cause,
  );
}
