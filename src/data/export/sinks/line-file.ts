import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { changedSince, digestOfRange, onFile, openOwn, sha256Of, writeAll } from '../files.js';
import type { Segment, WindowRecord } from '../types.js';
import type { Window } from '../window.js';
import type { Encoder, Lines, Sink, Written } from './sink.js';

/** One file of records: jsonl, csv or tsv, plain or gzip. */
export class FileSink implements Sink {
  #file: FileHandle | undefined;
  position = 0;

  constructor(
    readonly path: string,
    readonly encoder: Encoder,
    readonly gzip: boolean,
  ) {}

  async open(position: number, done: readonly WindowRecord[] = []): Promise<void> {
    const opened = onFile(this.path, 'open', async () => {
      this.#file = await openOwn(this.path, 'r+').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        if (position > 0 || done.some(({ bytes }) => bytes > 0)) throw changedSince(this.path);
        return openOwn(this.path, 'w+');
      });
      const { size } = await this.#file.stat();
      if (size < position) throw changedSince(this.path);
      const header = await headerBytes(this.encoder, this.gzip);
      if (position > 0) await this.#verify(this.#file, position, [segmentOf(header), ...done]);
      await this.#file.truncate(position);
      this.position = position === 0 ? await writeAll(this.#file, [header], 0) : position;
    });
    await opened.catch(async (error) => {
      await this.close();
      throw error;
    });
  }

  /** Checks every window recorded as written against its digest, so that a damaged file does not pass as done. */
  async #verify(file: FileHandle, position: number, parts: readonly Segment[]): Promise<void> {
    let at = 0;
    for (const { bytes, sha256 } of parts) {
      if ((await digestOfRange(file, at, bytes)) !== sha256) throw changedSince(this.path);
      at += bytes;
    }
    if (at !== position) throw changedSince(this.path);
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    const file = this.#file as FileHandle;
    const hash = createHash('sha256');
    const start = this.position;
    await onFile(this.path, 'write', async () => {
      for await (const group of encoded(lines, this.encoder, this.gzip)) {
        for (const chunk of group) hash.update(chunk);
        this.position += await writeAll(file, group, this.position);
      }
    });
    return { bytes: this.position - start, sha256: hash.digest('hex'), late: this.encoder.late?.() };
  }

  async sync(): Promise<void> {
    await onFile(this.path, 'write', async () => this.#file?.datasync());
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}

/** Converts lines to the bytes of the file; a window without items has none. */
export function encoded(lines: Lines, encoder: Encoder, gzip: boolean): AsyncIterable<readonly Buffer[]> {
  const plain = encodeGroups(lines, encoder);
  return gzip ? whenAny(plain) : plain;
}

async function* encodeGroups(lines: Lines, encoder: Encoder): AsyncGenerator<readonly Buffer[]> {
  for await (const group of lines) yield group.map((chunk) => encoder.encode(chunk));
}

/** Wraps content in a gzip member; nothing for no content. */
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

/** The start of each file, in the file's own encoding. */
export async function headerBytes(encoder: Encoder, gzip: boolean): Promise<Buffer> {
  const header = encoder.header();
  if (!header) return Buffer.alloc(0);
  return gzip ? gzipped([header]) : header;
}

/** An empty gzip file, because a file of zero bytes is not one. */
export function emptyGzip(): Promise<Buffer> {
  return gzipped([]);
}

async function gzipped(chunks: readonly Buffer[]): Promise<Buffer> {
  const source = (async function* () {
    yield chunks;
  })();
  const parts: Buffer[] = [];
  for await (const group of gzipMember(source)) parts.push(...group);
  return Buffer.concat(parts);
}

export function segmentOf(bytes: Buffer): Segment {
  return { bytes: bytes.length, sha256: sha256Of(bytes) };
}

/**
 * Compresses the chunks into one gzip member with the same bytes on every machine: no time, no name, and system
 * "unknown". A file may contain several members, so each window becomes one.
 */
export async function* gzipMember(groups: AsyncIterable<readonly Buffer[]>): AsyncGenerator<readonly Buffer[]> {
  const gzip = createGzip({ level: 6, chunkSize: 1 << 16 });
  const chunks = async function* () {
    for await (const group of groups) yield* group;
  };
  // An error here makes the reading below fail.
  pipeline(Readable.from(chunks(), { objectMode: false }), gzip).catch(() => undefined);
  let first = true;
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    // The tenth byte of the header names the system that wrote it.
    if (first) chunk[9] = 255;
    first = false;
    yield [chunk];
  }
}
