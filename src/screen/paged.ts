import { Writable } from 'node:stream';
import type { PagerProcess } from '../base/world.js';

export interface PagedOptions {
  /** The terminal itself. */
  readonly stdout: NodeJS.WritableStream;
  readonly columns: number;
  readonly rows: number;
  /** Starts the pager; undefined where it cannot be started. */
  readonly open: () => Promise<PagerProcess | undefined>;
}

type State =
  | { readonly is: 'holding' }
  | { readonly is: 'direct' }
  | { readonly is: 'paging'; readonly pager: PagerProcess };

/**
 * Standard output that holds an answer until it is longer than the screen, and then shows it through a pager. What
 * fits the screen is written when the answer is whole. A pager that is quit early is a closed pipe.
 */
export class Paged extends Writable {
  readonly #options: PagedOptions;
  #state: State = { is: 'holding' };
  #held: Buffer[] = [];
  #lines = 0;
  /** Resolves when the pager has ended before all was written. */
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

  /** Takes no more: what the pager has is all that it gets. */
  stop(): void {
    this.#stopped = true;
    if (this.#state.is === 'paging') this.#state.pager.input.end();
    this.#quitNow();
  }

  /** Writes what is still held, or waits until the pager was left. */
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
    // The prompt of the shell needs a line too.
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

  /** A pager that is gone answers no more: whichever comes first. */
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

/** Lines that a text takes on a terminal, those that it breaks counted; a little too many for wide letters is no harm. */
function linesOf(text: string, columns: number): number {
  const seen = text.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  return seen.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), -1);
}
