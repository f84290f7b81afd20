import { local } from '../base/errors/errors.js';

/** The reader of standard output went away (`| head`): the end of a read, not a fault. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

const BATCH = 64 * 1024;

/**
 * The one writer of standard output. It gathers small pieces, waits for the stream before it takes more, and
 * turns failures into `ClosedPipe` or a local fault. A piece that waits is written as soon as the program is
 * idle, so rows appear when they are known.
 */
export class OutputSink {
  readonly #stream: NodeJS.WritableStream;
  #parts: string[] = [];
  #length = 0;
  #writing: Promise<void> = Promise.resolve();
  #scheduled = false;
  #failure: Error | undefined;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    // Stays for good: a stream may report a broken pipe after the last write has been answered.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure ??= outputFault(error);
    });
  }

  /** Takes text; the promise waits when the reader is slower than we are. Undefined means: go on at once. */
  write(text: string): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= BATCH) return this.flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.flush().catch(() => undefined);
      });
    }
    return undefined;
  }

  /** Writes bytes as they are, after what was taken before. */
  async bytes(chunk: Buffer): Promise<void> {
    await this.flush();
    await this.#send(chunk);
  }

  /** Resolves when everything taken so far was accepted by the stream. */
  async flush(): Promise<void> {
    if (this.#length > 0) {
      const text = this.#parts.join('');
      this.#parts = [];
      this.#length = 0;
      this.#writing = this.#writing.then(() => this.#send(text));
      this.#writing.catch(() => undefined);
    }
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  #send(chunk: string | Buffer): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#stream.write(chunk as string, (error) => {
        if (!error) return resolve();
        this.#failure ??= outputFault(error);
        reject(this.#failure);
      });
    });
  }
}

const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** What a failed write to standard output means: a reader that went away, or a local fault. */
export function outputFault(error: NodeJS.ErrnoException): Error {
  if (GONE.has(error.code ?? '')) return new ClosedPipe('standard output was closed');
  const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  return local(`Standard output could not be written: ${why}.`, 'What was written so far is not whole.', error);
}
