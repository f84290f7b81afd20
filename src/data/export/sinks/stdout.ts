import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { usage } from '../../../base/errors/errors.js';
import { sanitiseLines } from '../../../items/text/inert.js';
import { OutputSink as Output } from '../../../screen/output-formats.js';
import type { Window } from '../window.js';
import { emptyGzip, encoded, headerBytes } from './line-file.js';
import type { Encoder, Lines, Sink, Written } from './sink.js';

/**
 * Standard output: prints each window once it has been read completely; strips live control characters on a terminal.
 */
export class StdoutSink implements Sink {
  position = 0;
  readonly #terminal: boolean;
  readonly #decoder = new StringDecoder('utf8');
  readonly #out: Output;

  constructor(
    stream: NodeJS.WritableStream,
    readonly encoder: Encoder,
    readonly gzip: boolean,
  ) {
    this.#terminal = (stream as NodeJS.WritableStream & { readonly isTTY?: boolean }).isTTY === true;
    this.#out = new Output(stream);
  }

  async open(): Promise<void> {
    if (this.#terminal && this.gzip) throw usage('Compressed data is not for a terminal: pipe it on, or name a file.');
    const header = await headerBytes(this.encoder, this.gzip);
    if (header.length > 0) await this.#write(header);
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    const hash = createHash('sha256');
    const start = this.position;
    for await (const group of encoded(lines, this.encoder, this.gzip)) {
      for (const chunk of group) {
        hash.update(chunk);
        await this.#write(chunk);
      }
    }
    return { bytes: this.position - start, sha256: hash.digest('hex'), late: this.encoder.late?.() };
  }

  async sync(): Promise<void> {}

  broken(error: unknown): Promise<unknown> {
    return this.#out.broken(error);
  }

  async close(): Promise<void> {
    if (this.gzip && this.position === 0) await this.#write(await emptyGzip());
  }

  /**
   * Resolves when the stream has accepted the chunk, so slow consumers slow the reading. Throws `ClosedPipe` if it is
   * closed.
   */
  async #write(chunk: Buffer): Promise<void> {
    await this.#out.bytes(this.#terminal ? Buffer.from(this.#inert(chunk)) : chunk);
    this.position += chunk.length;
  }

  /** Tabs separate the cells of TSV and are harmless. */
  #inert(chunk: Buffer): string {
    return this.#decoder.write(chunk).split('\t').map(sanitiseLines).join('\t');
  }
}
