import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { onFile, openOwn, writeAll } from '../files.js';
import type { Segment, WindowRecord } from '../types.js';
import type { Window } from '../window.js';

/** The result of writing a window to the target. */
export type Written = Segment & Pick<WindowRecord, 'file' | 'late' | 'schema'>;

/** Groups of lines (each line ends in a newline), in order, about a megabyte per group. Can be iterated again. */
export type Lines = AsyncIterable<readonly Buffer[]>;

/** Takes windows in the order of the plan. */
export interface Sink {
  /** Continues after the recorded windows, at `position` (0 for a new target); cuts off anything after it. */
  open(position: number, done: readonly WindowRecord[]): Promise<void>;
  write(window: Window, lines: Lines, items: number): Promise<Written>;
  /** The target's length after the last written window; 0 if windows are not stored in sequence. */
  readonly position: number;
  /** Makes everything written so far durable. */
  sync(): Promise<void>;
  /** Closes the target after the last window. */
  close(): Promise<void>;
  /** The error that ends a target whose reader may already have some of it. */
  broken?(error: unknown): Promise<unknown>;
}

/** Turns lines of JSON into the bytes of a format. */
export interface Encoder {
  /** Written once at the start of each file. */
  header(): Buffer | undefined;
  encode(lines: Buffer): Buffer;
  /** Fields put into `_other` since the last call. */
  late?(): Written['late'];
}

/** JSON lines as they are. */
export const JSONL: Encoder = {
  header: () => undefined,
  encode: (lines) => lines,
};

/** A file that is written from start to end. */
export class NewFile {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
  ) {}

  static async create(path: string): Promise<NewFile> {
    return new NewFile(path, await openOwn(path, 'w'));
  }

  async write(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) this.#hash.update(chunk);
    this.#bytes += await onFile(this.path, 'write', () => writeAll(this.file, chunks, this.#bytes));
  }

  /** Durable when it returns. */
  async finish(): Promise<Segment> {
    await onFile(this.path, 'write', () => this.file.sync());
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }
}
