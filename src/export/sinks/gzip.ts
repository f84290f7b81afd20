import { createGzip } from 'node:zlib';

/**
 * The chunks as one gzip member with the same bytes on every machine: no time, no name, and "unknown" for the
 * system. Members may follow one another in a file, so each window becomes one.
 */
export async function* gzipMember(chunks: AsyncIterable<readonly Buffer[]>): AsyncGenerator<readonly Buffer[]> {
  const gzip = createGzip({ level: 6 });
  const out: Buffer[] = [];
  let failure: unknown;
  let first = true;
  gzip.on('data', (chunk: Buffer) => {
    // The tenth byte of the header tells the system that wrote it.
    if (first) chunk[9] = 255;
    first = false;
    out.push(chunk);
  });
  const failed = new Promise<void>((resolve) => {
    gzip.once('error', (error) => {
      failure = error;
      resolve();
    });
  });
  const ended = new Promise<void>((resolve) => gzip.once('end', resolve));
  for await (const group of chunks) {
    for (const chunk of group) {
      if (gzip.write(chunk)) continue;
      await Promise.race([new Promise<void>((resolve) => gzip.once('drain', resolve)), failed]);
    }
    if (failure) throw failure;
    if (out.length > 0) yield out.splice(0);
  }
  gzip.end();
  await Promise.race([ended, failed]);
  if (failure) throw failure;
  yield out;
}
