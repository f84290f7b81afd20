import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * The chunks as one gzip member with the same bytes on every machine: no time, no name, and "unknown" for the
 * system. Members may follow one another in a file, so each window becomes one.
 */
export async function* gzipMember(groups: AsyncIterable<readonly Buffer[]>): AsyncGenerator<readonly Buffer[]> {
  const gzip = createGzip({ level: 6, chunkSize: 1 << 16 });
  const chunks = async function* () {
    for await (const group of groups) yield* group;
  };
  // What fails here fails the reading below.
  pipeline(Readable.from(chunks(), { objectMode: false }), gzip).catch(() => undefined);
  let first = true;
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    // The tenth byte of the header tells the system that wrote it.
    if (first) chunk[9] = 255;
    first = false;
    yield [chunk];
  }
}
