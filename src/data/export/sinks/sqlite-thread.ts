import { fileURLToPath } from 'node:url';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { CopsError, type ErrorKind, local } from '../../../base/errors/errors.js';
import type { Family } from '../../../catalogue/types.js';
import type { Schema } from '../../../items/schema/types.js';
import type { WindowRecord } from '../types.js';
import type { Window } from '../window.js';
import type { Lines, Sink, Written } from './sink.js';
import { REST_MS, SqliteSink } from './sqlite.js';

/** Distinguishes the thread of this file from any other. */
const THREAD = 'cops-sqlite';
/** How many groups of lines may be in transit. */
const AHEAD = 2;

/** The parameters of a sink in a thread. */
interface Table {
  readonly path: string;
  readonly family: Pick<Family, 'name' | 'idField'>;
  readonly schema: Schema;
  readonly anew: boolean;
}

/** Pending answers, by number. */
type Question = { readonly ask: number } & (
  | { readonly open: Table; readonly done: readonly WindowRecord[] }
  | { readonly write: true }
  | { readonly sync: true }
  | { readonly close: true }
);

/** State of the window being written. */
type Piece =
  | { readonly lines: ArrayBuffer; readonly length: number }
  | { readonly end: true }
  | { readonly drop: true };

type Reply =
  | { readonly taken: ArrayBuffer }
  | { readonly to: number; readonly done: Written | undefined }
  | {
      readonly to: number;
      readonly failed: { readonly kind: ErrorKind; readonly message: string; readonly hint: string | undefined };
    };

/**
 * A table's sink in a separate thread: SQLite works, and waits for the disk, while the next pages arrive. If the
 * program is not a file that a thread can load (a single executable), the sink stays in this thread.
 */
export function sqliteSink(table: Table): Sink {
  const file = fileURLToPath(import.meta.url);
  return file.endsWith('.js')
    ? new ThreadSink(table, file)
    : new SqliteSink(table.path, table.family, table.schema, table.anew);
}

class ThreadSink implements Sink {
  readonly position = 0;
  readonly restMs = REST_MS;
  #worker: Worker | undefined;
  /** Buffers that the thread has returned. */
  readonly #free: ArrayBuffer[] = [];
  #onTheWay = 0;
  #asked = 0;
  readonly #replies = new Map<number, { done(written: Written | undefined): void; failed(error: unknown): void }>();
  /** Why the thread ended. */
  #gone: unknown;
  #wake: () => void = () => {};

  constructor(
    readonly table: Table,
    readonly file: string,
  ) {}

  async open(_position: number, done: readonly WindowRecord[]): Promise<void> {
    const worker = new Worker(this.file, { workerData: THREAD, resourceLimits: { maxYoungGenerationSizeMb: 2 } });
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#take(reply));
    const ended = (why: string, cause?: unknown) =>
      this.#end(local(`The thread that writes ${this.table.path} ended: ${why}.`, undefined, cause));
    worker.on('error', (error) => ended(error.message, error));
    worker.on('exit', (code) => ended(`code ${code}`));
    await this.#ask((ask) => ({ ask, open: this.table, done })).catch(async (error) => {
      await this.close();
      throw error;
    });
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    let failed = false;
    const written = this.#ask((ask) => ({ ask, write: true }));
    written.catch(() => {
      failed = true;
      this.#wake();
    });
    try {
      for await (const group of lines) {
        while (this.#onTheWay >= AHEAD && !failed) {
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
        }
        if (failed) break;
        this.#send(group);
      }
    } catch (error) {
      this.#post({ drop: true });
      await written.catch(() => undefined);
      throw error;
    }
    this.#post({ end: true });
    return (await written) as Written;
  }

  async sync(): Promise<void> {
    await this.#ask((ask) => ({ ask, sync: true }));
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    await this.#ask((ask) => ({ ask, close: true })).catch(() => undefined);
    this.#worker = undefined;
    worker.removeAllListeners('exit');
    await worker.terminate();
  }

  #send(group: readonly Buffer[]): void {
    const length = group.reduce((sum, block) => sum + block.length, 0);
    const kept = this.#free.pop();
    const buffer = kept && kept.byteLength >= length ? kept : new ArrayBuffer(length);
    const bytes = new Uint8Array(buffer);
    let at = 0;
    for (const block of group) {
      bytes.set(block, at);
      at += block.length;
    }
    this.#onTheWay++;
    this.#post({ lines: buffer, length }, [buffer]);
  }

  #ask(question: (ask: number) => Question): Promise<Written | undefined> {
    if (this.#gone) return Promise.reject(this.#gone);
    return new Promise((done, failed) => {
      const ask = this.#asked++;
      this.#replies.set(ask, { done, failed });
      this.#post(question(ask));
    });
  }

  #post(order: Question | Piece, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(order, transfer);
  }

  #take(reply: Reply): void {
    if ('taken' in reply) {
      this.#onTheWay--;
      this.#free.push(reply.taken);
      this.#wake();
      return;
    }
    const waiting = this.#replies.get(reply.to);
    this.#replies.delete(reply.to);
    if ('done' in reply) waiting?.done(reply.done);
    else {
      const { kind, message, hint } = reply.failed;
      waiting?.failed(new CopsError(kind, message, hint === undefined ? {} : { hint }));
    }
  }

  #end(error: unknown): void {
    this.#gone ??= error;
    for (const { failed } of this.#replies.values()) failed(this.#gone);
    this.#replies.clear();
  }
}

/** The other side: passes lines to the sink as they arrive. */
class Side {
  #sink: SqliteSink | undefined;
  #give: (piece: Piece) => void = () => {};

  constructor(readonly port: MessagePort) {}

  take(order: Question | Piece): void {
    if (!('ask' in order)) {
      this.#give(order);
      return;
    }
    if ('open' in order) {
      const { path, family, schema, anew } = order.open;
      this.#sink = new SqliteSink(path, family, schema, anew);
    }
    const sink = this.#sink as SqliteSink;
    if ('open' in order) this.#answer(order.ask, sink.open(0, order.done));
    else if ('write' in order) this.#answer(order.ask, sink.write(undefined, this.#lines()));
    else if ('sync' in order) this.#answer(order.ask, sink.sync());
    else this.#answer(order.ask, sink.close());
  }

  #answer(to: number, work: Promise<Written> | Promise<void>): void {
    work.then(
      (done) => this.#say({ to, done: done ?? undefined }),
      (error) => {
        const message = error instanceof Error ? error.message : String(error);
        const known = error instanceof CopsError ? error : undefined;
        this.#say({
          to,
          failed: { kind: known?.kind ?? 'internal', message, hint: known?.facts.hint && String(known.facts.hint) },
        });
      },
    );
  }

  #say(reply: Reply): void {
    this.port.postMessage(reply, 'taken' in reply ? [reply.taken] : []);
  }

  /** The lines of one window, as they arrive; a buffer is returned when the group after it is requested. */
  #lines(): Lines {
    const waiting: Piece[] = [];
    let wake = () => {};
    let over = false;
    const giveBack = (piece: Piece) => {
      if ('lines' in piece) this.#say({ taken: piece.lines });
    };
    this.#give = (piece) => {
      if (over) giveBack(piece);
      else waiting.push(piece);
      wake();
    };
    return (async function* () {
      try {
        for (;;) {
          const piece = waiting.shift();
          if (!piece) {
            await new Promise<void>((woken) => {
              wake = woken;
            });
          } else if ('lines' in piece) {
            try {
              yield [Buffer.from(piece.lines, 0, piece.length)];
            } finally {
              giveBack(piece);
            }
          } else if ('end' in piece) return;
          else throw new CopsError('interrupted', 'The window was given up.');
        }
      } finally {
        over = true;
        for (const piece of waiting.splice(0)) giveBack(piece);
      }
    })();
  }
}

if (!isMainThread && workerData === THREAD && parentPort) {
  const side = new Side(parentPort);
  parentPort.on('message', (order: Question | Piece) => side.take(order));
}
