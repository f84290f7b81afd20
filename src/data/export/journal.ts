import { type FileHandle, readFile } from 'node:fs/promises';
import { unlessAbsent } from '../../base/files/read-file.js';
import { onFile, openOwn, sha256Of, writeAll } from './files.js';
import type { WindowRecord } from './types.js';
import type { Proof } from './window.js';

/** One line of the journal of a running export. */
export type Entry =
  | { readonly t: 'split'; readonly window: string; readonly ranges: readonly (readonly [number, number])[] }
  /** The end of the range was moved back to the service's clock. */
  | { readonly t: 'end'; readonly window: string; readonly to: number }
  /** A window that was read before its turn: its lines are in a part file, blocks in order, ids at the end. */
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
  /** A window whose items are in the target; `position` is the target's length then. */
  | {
      readonly t: 'done';
      readonly record: WindowRecord;
      readonly position: number;
      readonly edge?: string;
      readonly spent: Spent;
    }
  /** Everything is written; the target takes its name. */
  | { readonly t: 'finishing'; readonly spent: Spent };

/** Requests since the export began, those before a stop included as far as the journal tells. */
export interface Spent {
  readonly requests: number;
  /** Those that were answered 429. */
  readonly refused: number;
}

interface PartFacts extends Proof {
  readonly serviceUnix: number;
}

/** One JSON object a line, durable after the data that it speaks of; a line that a crash has cut is dropped. */
export class Journal {
  private constructor(
    readonly path: string,
    readonly file: FileHandle,
    private position: number,
  ) {}

  static open(path: string): Promise<{ journal: Journal; entries: Entry[] }> {
    return onFile(path, 'open', async () => {
      const bytes = (await readFile(path).catch(unlessAbsent)) ?? Buffer.alloc(0);
      const { entries, length } = parse(bytes);
      const file = await openOwn(path, bytes.length === 0 ? 'w' : 'r+');
      if (length < bytes.length) await file.truncate(length);
      return { journal: new Journal(path, file, length), entries };
    });
  }

  async append(entries: readonly Entry[]): Promise<void> {
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

/** Tells a line that was damaged. */
function sumOf(entry: Entry): string {
  return sha256Of(JSON.stringify(entry)).slice(0, 16);
}

/** The whole lines of a journal, and their length in bytes. */
export function parse(bytes: Buffer): { entries: Entry[]; length: number } {
  const entries: Entry[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    try {
      const { sum, ...entry } = JSON.parse(bytes.toString('utf8', at, end)) as Entry & { sum?: string };
      // A line that was changed, and what follows it, is read from the service anew.
      if (sum !== sumOf(entry as Entry)) break;
      entries.push(entry as Entry);
    } catch {
      break;
    }
    at = end + 1;
  }
  return { entries, length: at };
}
