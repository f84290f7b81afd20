import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { onFile, openOwn, readRange, writeAll } from './files.js';

/** Lines of one page: in memory, or in the window's part file. */
export type Block = Buffer | Place;

export interface Place {
  readonly at: number;
  readonly length: number;
}

/** Stores the lines of a window that memory has no room for. */
export class PartFile {
  #end = 0;
  readonly #hash = createHash('sha256');
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
  ) {}

  static async create(path: string): Promise<PartFile> {
    return new PartFile(path, await onFile(path, 'create', () => openOwn(path, 'w+')));
  }

  static async reopen(path: string): Promise<PartFile> {
    return new PartFile(path, await onFile(path, 'open', () => open(path, 'r')));
  }

  /** Appends all buffers in sequence, and returns the position of each. */
  append(buffers: readonly Buffer[]): Promise<Place[]> {
    const turn = this.#last.then(async () => {
      const places: Place[] = [];
      let at = this.#end;
      for (const { length } of buffers) {
        places.push({ at, length });
        at += length;
      }
      await onFile(this.path, 'write', () => writeAll(this.file, buffers, this.#end));
      for (const buffer of buffers) this.#hash.update(buffer);
      this.#end = at;
      return places;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  read({ at, length }: Place): Promise<Buffer> {
    return onFile(this.path, 'read', () => readRange(this.file, at, length));
  }

  /** The SHA-256 of everything appended. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  sync(): Promise<void> {
    return onFile(this.path, 'write', () => this.file.datasync());
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.file.close().catch(() => undefined);
  }
}
