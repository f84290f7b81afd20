import { CopsError, local } from '../base/errors/errors.js';
import { joinedTexts } from '../base/text/command-line.js';

/** The traits of an output format; the only place that defines them. */
export interface FormatTraits {
  /** A short description for completion. */
  readonly about: string;
  /** True for a single document: an endless stream cannot be shown in it. */
  readonly document: boolean;
  /** True where an item shows all its fields unless columns are chosen. */
  readonly wholeItems: boolean;
  /** True where errors are JSON too. */
  readonly jsonErrors: boolean;
  /** True for a format that people read one screen at a time. */
  readonly forPeople: boolean;
  /** True for formats with one kind of row, which cannot hold items of several kinds. */
  readonly flat: boolean;
  /** True where `--raw` works: the service's JSON as received. */
  readonly raw: boolean;
}

function format(about: string, ...traits: readonly Exclude<keyof FormatTraits, 'about'>[]): FormatTraits {
  return {
    about,
    document: traits.includes('document'),
    wholeItems: traits.includes('wholeItems'),
    jsonErrors: traits.includes('jsonErrors'),
    forPeople: traits.includes('forPeople'),
    flat: traits.includes('flat'),
    raw: traits.includes('raw'),
  };
}

const TRAITS = {
  table: format('for people', 'forPeople', 'raw'),
  json: format('one array or item', 'document', 'wholeItems', 'jsonErrors', 'forPeople', 'raw'),
  jsonl: format('an item a line', 'wholeItems', 'jsonErrors', 'raw'),
  csv: format('comma-separated', 'flat'),
  tsv: format('tab-separated', 'flat'),
  yaml: format('for people and files', 'document', 'wholeItems', 'forPeople'),
  ids: format('ids only, one per line', 'flat'),
};

export type Format = keyof typeof TRAITS;

/** Every output format, in help order. */
export const OUTPUT_FORMATS: Readonly<Record<Format, FormatTraits>> = TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

/** The traits of the format with this name; undefined for any other word. */
export function formatTraits(word: string | undefined): FormatTraits | undefined {
  return FORMATS.includes(word as Format) ? OUTPUT_FORMATS[word as Format] : undefined;
}

/** The reader of standard output went away (`| head`). This ends a read; it is not a fault. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

const BATCH = 64 * 1024;
const PARTLY = 'The output so far is only a part of the answer.';

/**
 * The only writer to standard output. It buffers small pieces, waits for the stream before taking more, and turns
 * failures into `ClosedPipe` or a local fault. Buffered text is written as soon as the program is idle, so rows appear
 * as soon as they are known.
 */
export class OutputSink {
  #parts: string[] = [];
  #length = 0;
  #writing: Promise<void> = Promise.resolve();
  #scheduled = false;
  #failure: Error | undefined;
  #hasBegun = false;

  constructor(private readonly stream: NodeJS.WritableStream) {
    // Never removed: a stream may report a broken pipe after the last write was acknowledged.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure ??= outputFault(error);
    });
  }

  /** Takes text. Returns a promise when the reader is slower than we are; undefined means continue without waiting. */
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

  /** Writes bytes verbatim, after all earlier text. */
  async bytes(chunk: Buffer): Promise<void> {
    await this.flush();
    await this.#send(chunk);
  }

  /** Resolves when the stream has accepted everything so far. */
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

  /** The error that ends the output, which says if something was printed before it. */
  async broken(error: unknown): Promise<unknown> {
    // The reader may already rely on data from before the failure, so it is flushed.
    await this.flush().catch(() => undefined);
    if (!this.#hasBegun || !(error instanceof CopsError) || error === this.#failure) return error;
    const hint = joinedTexts([PARTLY, error.facts.hint], ' ');
    return new CopsError(error.kind, error.message, { ...error.facts, hint });
  }

  #send(chunk: string | Buffer): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#hasBegun = true;
    return new Promise((resolve, reject) => {
      this.stream.write(chunk as string, (error) => {
        if (!error) return resolve();
        this.#failure ??= outputFault(error);
        reject(this.#failure);
      });
    });
  }
}

const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Interprets a failed write to standard output: a closed reader, or a local fault. */
export function outputFault(error: NodeJS.ErrnoException): Error {
  if (GONE.has(error.code ?? '')) return new ClosedPipe('standard output was closed');
  const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  return local(`Standard output could not be written: ${why}.`, PARTLY, error);
}
