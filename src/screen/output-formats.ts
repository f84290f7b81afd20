import { local } from '../base/errors/errors.js';

/** What an output format is; the one place that says it. */
export interface FormatTraits {
  /** A few words for completion. */
  readonly about: string;
  /** True for one document over the whole: what has no end cannot be shown in it. */
  readonly document: boolean;
  /** True where an item is shown with all its fields unless columns are chosen. */
  readonly wholeItems: boolean;
  /** True where errors are JSON as well. */
  readonly jsonErrors: boolean;
  /** True for what a person reads a screen at a time. */
  readonly forPeople: boolean;
  /** True for one kind of rows alone: it has no place for items of several kinds. */
  readonly flat: boolean;
  /** True where `--raw` can be shown: the service's JSON as it came. */
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
  ids: format('ids only, one a line', 'flat'),
};

export type Format = keyof typeof TRAITS;

/** Every output format, in the order in which help names them. */
export const OUTPUT_FORMATS: Readonly<Record<Format, FormatTraits>> = TRAITS;

export const FORMATS = Object.keys(TRAITS) as readonly Format[];

/** The traits of a word that may name a format. */
export function formatTraits(word: string | undefined): FormatTraits | undefined {
  return FORMATS.includes(word as Format) ? OUTPUT_FORMATS[word as Format] : undefined;
}

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
