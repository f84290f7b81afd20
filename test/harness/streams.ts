import { PassThrough, Writable } from 'node:stream';

/** What a faked output stream is: a pipe, or a terminal so many columns wide. */
export interface OutputOptions {
  /** Columns of a terminal; without it the stream is a pipe. */
  readonly columns?: number;
  /** Rows of that terminal; 40 unless told. */
  readonly rows?: number;
  /**
   * Reads each piece, as the program at the other end would. The writer waits for its promise (a slow reader); what
   * it throws is the fault that the writer meets: `fault('EPIPE')` for a reader that went away, `fault('ENOSPC')` for
   * a full disk.
   */
  readonly reader?: (piece: string) => void | Promise<void>;
}

/** A fault of the system as Node reports it. */
export function fault(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: faked by the test`), { code });
}

/** Standard output or standard error of a run in this process; keeps all that was written. */
export class Output extends Writable {
  readonly isTTY: boolean | undefined;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly #reader: OutputOptions['reader'];
  readonly #pieces: Buffer[] = [];

  constructor(options: OutputOptions = {}) {
    // A pipe takes some more while its reader is at the last piece; a small limit makes a slow reader felt at once.
    super({ highWaterMark: 16_384 });
    this.#reader = options.reader;
    if (options.columns !== undefined) {
      this.isTTY = true;
      this.columns = options.columns;
      this.rows = options.rows ?? 40;
    }
    this.on('error', () => {});
  }

  /** All that came out so far. */
  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  /** Writes at once, as a short answer is written. */
  print(text: string): void {
    const piece = Buffer.from(text);
    this.#reader?.(text);
    this.#pieces.push(piece);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#read(chunk).then(() => done(), done);
  }

  async #read(chunk: Buffer): Promise<void> {
    await this.#reader?.(chunk.toString());
    this.#pieces.push(chunk);
  }

  getColorDepth(): number {
    return 8;
  }

  hasColors(): boolean {
    return this.isTTY === true;
  }

  cursorTo(): boolean {
    return true;
  }

  moveCursor(): boolean {
    return true;
  }

  clearLine(): boolean {
    return true;
  }
}

/** Standard input of a run in this process: a pipe, or the keys of a terminal. */
export class Input extends PassThrough {
  readonly isTTY: boolean | undefined;
  isRaw = false;

  constructor(terminal = false) {
    super();
    if (terminal) this.isTTY = true;
  }

  setRawMode(raw: boolean): this {
    this.isRaw = raw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
