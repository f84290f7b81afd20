import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { fileFault, openOwn, readRange, writeAll } from './files.js';

/** Lines of one page: in memory, or in the window's part file. */
export type Block = Buffer | Place;

export interface Place {
  readonly at: number;
  readonly length: number;
}

/** Takes the lines of a window that cannot wait in memory. */
export class PartFile {
  #end = 0;
  readonly #hash = createHash('sha256');
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
  ) {}

  static async create(path: string): Promise<PartFile> {
    try {
      return new PartFile(path, await openOwn(path, 'w+'));
    } catch (error) {
      throw fileFault(error, path, 'create');
    }
  }

  static async reopen(path: string): Promise<PartFile> {
    try {
      return new PartFile(path, await open(path, 'r'));
    } catch (error) {
      throw fileFault(error, path, 'open');
    }
  }

  /** Appends all buffers, one after another, and tells where each stands. */
  append(buffers: readonly Buffer[]): Promise<Place[]> {
    const turn = this.#last.then(async () => {
      const places: Place[] = [];
      let at = this.#end;
      for (const { length } of buffers) {
        places.push({ at, length });
        at += length;
      }
      try {
        await writeAll(this.file, buffers, this.#end);
      } catch (error) {
        throw fileFault(error, this.path, 'write');
      }
      for (const buffer of buffers) this.#hash.update(buffer);
      this.#end = at;
      return places;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async read(place: Place): Promise<Buffer> {
    try {
      return await readRange(this.file, place.at, place.length);
    } catch (error) {
      throw fileFault(error, this.path, 'read');
    }
  }

  /** The SHA-256 of everything that was appended. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  async sync(): Promise<void> {
    try {
      await this.file.datasync();
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
  }

  async remove(): Promise<void> {
    await this.#last;
    await this.file.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.file.close().catch(() => undefined);
  }
}
