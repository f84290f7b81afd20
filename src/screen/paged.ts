import { Writable } from 'node:stream';
import type { PagerProcess } from '../base/world.js';
import { unpainted } from '../items/text/width.js';

export interface PagedOptions {
  /** The terminal itself. */
  readonly stdout: NodeJS.WritableStream;
  readonly columns: number;
  readonly rows: number;
  /** Starts the pager; resolves to undefined where that fails. */
  readonly open: () => Promise<PagerProcess | undefined>;
}

type State =
  | { readonly is: 'holding' }
  | { readonly is: 'direct' }
  | { readonly is: 'paging'; readonly pager: PagerProcess };

/**
 * Standard output that buffers an answer until it is longer than the screen, then shows it through a pager. A shorter
 * answer is written once it is complete. Quitting the pager early counts as a closed pipe.
 */
export class Paged extends Writable {
  readonly #options: PagedOptions;
  #state: State = { is: 'holding' };
  #held: Buffer[] = [];
  #lines = 0;
  /** Resolves when the pager ends before everything was written. */
  readonly quit: Promise<void>;
  #quitNow: () => void = () => {};
  #stopped = false;

  constructor(options: PagedOptions) {
    super({ decodeStrings: true });
    this.#options = options;
    this.quit = new Promise((resolve) => {
      this.#quitNow = resolve;
    });
    this.on('error', () => {});
  }

  /** Takes no more text: the pager keeps what it has. */
  stop(): void {
    this.#stopped = true;
    if (this.#state.is === 'paging') this.#state.pager.input.end();
    this.#quitNow();
  }

  /** Writes the rest of the buffer, or waits until the user leaves the pager. */
  async finish(): Promise<void> {
    const state = this.#state;
    if (state.is === 'paging') {
      state.pager.input.end();
      await state.pager.ended;
      return;
    }
    if (this.#held.length > 0 && !this.#stopped) await this.#toTerminal(Buffer.concat(this.#held.splice(0)));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take(chunk).then(() => done(), done);
  }

  async #take(chunk: Buffer): Promise<void> {
    if (this.#stopped) throw closed();
    if (this.#state.is === 'direct') return this.#toTerminal(chunk);
    if (this.#state.is === 'paging') return this.#toPager(this.#state.pager, chunk);
    this.#held.push(chunk);
    this.#lines += linesOf(chunk.toString('utf8'), this.#options.columns);
    // Leaves a line for the shell prompt.
    if (this.#lines < this.#options.rows) return;
    const pager = await this.#options.open();
    const all = Buffer.concat(this.#held.splice(0));
    if (pager === undefined) {
      this.#state = { is: 'direct' };
      return this.#toTerminal(all);
    }
    this.#state = { is: 'paging', pager };
    pager.input.on('error', () => {});
    void pager.ended.then(() => {
      this.#stopped = true;
      this.#quitNow();
    });
    return this.#toPager(pager, all);
  }

  #toTerminal(chunk: Buffer): Promise<void> {
    return written(this.#options.stdout, chunk);
  }

  /** Races the write against the pager's end, since a dead pager never answers. */
  async #toPager(pager: PagerProcess, chunk: Buffer): Promise<void> {
    const outcome = await Promise.race([
      written(pager.input, chunk).then(
        () => 'written' as const,
        () => 'closed' as const,
      ),
      pager.ended.then(() => 'closed' as const),
    ]);
    if (outcome === 'closed') throw closed();
  }
}

function written(stream: NodeJS.WritableStream, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function closed(): NodeJS.ErrnoException {
  return Object.assign(new Error('the pager was left'), { code: 'EPIPE' });
}

/**
 * Number of terminal lines a text takes, including wrapped ones; overcounting slightly for wide characters is harmless.
 */
function linesOf(text: string, columns: number): number {
  const seen = unpainted(text).split('\n');
  return seen.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), -1);
}
