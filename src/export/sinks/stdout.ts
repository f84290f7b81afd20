import { createHash } from 'node:crypto';
import type { Window } from '../window.js';
import { encoded, headerBytes } from './file.js';
import type { Encoder, Lines, Sink, Written } from './sink.js';

/** Standard output: each window is printed when it has been read whole. */
export class StdoutSink implements Sink {
  #position = 0;
  #fault: NodeJS.ErrnoException | undefined;

  constructor(
    readonly stream: NodeJS.WritableStream,
    readonly encoder: Encoder,
    readonly gzip: boolean,
  ) {
    stream.on('error', (error) => {
      this.#fault = error;
    });
  }

  async open(): Promise<void> {
    const header = await headerBytes(this.encoder, this.gzip);
    if (header.length > 0) await this.#write(header);
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    const hash = createHash('sha256');
    const start = this.#position;
    for await (const group of encoded(lines, this.encoder, this.gzip)) {
      for (const chunk of group) {
        hash.update(chunk);
        await this.#write(chunk);
      }
    }
    return { bytes: this.#position - start, sha256: hash.digest('hex') };
  }

  position(): number {
    return this.#position;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}

  /** Resolves when the stream has taken the chunk, so that a slow reader slows the reading of the service. */
  async #write(chunk: Buffer): Promise<void> {
    if (this.#fault) throw this.#fault;
    await new Promise<void>((resolve, reject) => {
      this.stream.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    this.#position += chunk.length;
  }
}
