import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { onFile, openOwn, writeAll } from '../files.js';
import type { Segment } from '../types.js';

/** A file that is written from its beginning to its end. */
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
