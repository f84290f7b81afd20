import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { changedSince, digestOfRange, fileFault, openOwn, writeAll } from '../files.js';
import type { Segment, WindowRecord } from '../types.js';
import type { Window } from '../window.js';
import { gzipMember } from './gzip.js';
import type { Encoder, Lines, Sink, Written } from './sink.js';

/** One file of records: jsonl, csv or tsv, plain or gzip. */
export class FileSink implements Sink {
  #file: FileHandle | undefined;
  #position = 0;

  constructor(
    readonly path: string,
    readonly encoder: Encoder,
    readonly gzip: boolean,
  ) {}

  async open(position: number, done: readonly WindowRecord[] = []): Promise<void> {
    try {
      this.#file = await openOwn(this.path, 'r+').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        if (position > 0) throw changedSince(this.path);
        return openOwn(this.path, 'w+');
      });
      const { size } = await this.#file.stat();
      if (size < position) throw changedSince(this.path);
      if (position > 0) await this.#verify(position, done);
      await this.#file.truncate(position);
      this.#position = position;
      if (position === 0) {
        const header = await headerBytes(this.encoder, this.gzip);
        if (header.length > 0) this.#position += await writeAll(this.#file, [header], 0);
      }
    } catch (error) {
      throw fileFault(error, this.path, 'open');
    }
  }

  /** Holds every window that is recorded as written against its digest: a damaged file must not pass for done. */
  async #verify(position: number, done: readonly WindowRecord[]): Promise<void> {
    const header = await headerBytes(this.encoder, this.gzip);
    const parts = [{ bytes: header.length, sha256: createHash('sha256').update(header).digest('hex') }, ...done];
    let at = 0;
    for (const { bytes, sha256 } of parts) {
      if ((await digestOfRange(this.#file as FileHandle, at, bytes)) !== sha256) throw changedSince(this.path);
      at += bytes;
    }
    if (at !== position) throw changedSince(this.path);
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    const file = this.#file as FileHandle;
    const hash = createHash('sha256');
    const start = this.#position;
    try {
      for await (const group of encoded(lines, this.encoder, this.gzip)) {
        for (const chunk of group) hash.update(chunk);
        this.#position += await writeAll(file, group, this.#position);
      }
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
    return { bytes: this.#position - start, sha256: hash.digest('hex'), ...lateOf(this.encoder) };
  }

  position(): number {
    return this.#position;
  }

  async sync(): Promise<void> {
    try {
      await this.#file?.datasync();
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}

/** What an encoder has put into `_other` since it was asked last. */
export function lateOf(encoder: Encoder): Pick<Written, 'late'> {
  const late = encoder.late?.() ?? [];
  return late.length > 0 ? { late } : {};
}

/** The lines in the bytes of the file; a window without items has none. */
export function encoded(lines: Lines, encoder: Encoder, gzip: boolean): AsyncIterable<readonly Buffer[]> {
  const plain = encodeGroups(lines, encoder);
  return gzip ? whenAny(plain) : plain;
}

async function* encodeGroups(lines: Lines, encoder: Encoder): AsyncGenerator<readonly Buffer[]> {
  for await (const group of lines) yield group.map((chunk) => encoder.encode(chunk));
}

/** A gzip member for what comes, none for nothing. */
async function* whenAny(groups: AsyncGenerator<readonly Buffer[]>): AsyncGenerator<readonly Buffer[]> {
  const first = await groups.next();
  if (first.done) return;
  yield* gzipMember(
    (async function* () {
      yield first.value;
      yield* groups;
    })(),
  );
}

/** What stands at the beginning of each file, in the file's own bytes. */
export async function headerBytes(encoder: Encoder, gzip: boolean): Promise<Buffer> {
  const header = encoder.header();
  if (!header) return Buffer.alloc(0);
  if (!gzip) return header;
  const parts: Buffer[] = [];
  const source = (async function* () {
    yield [header];
  })();
  for await (const group of gzipMember(source)) parts.push(...group);
  return Buffer.concat(parts);
}

/** A gzip file that holds nothing: a file of no bytes is none. */
export async function emptyGzip(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const group of gzipMember((async function* () {})())) parts.push(...group);
  return Buffer.concat(parts);
}

export async function headerSegment(encoder: Encoder, gzip: boolean): Promise<Segment | null> {
  const bytes = await headerBytes(encoder, gzip);
  return bytes.length === 0 ? null : { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
