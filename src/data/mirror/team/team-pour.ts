import type { PostgresSession } from '../../../base/database/postgres.js';
import { sqlStateOf } from '../../../base/database/postgres-faults.js';
import type { CopyBytes } from './team-lines.js';

const UNIQUE_VIOLATION = '23505';

/** A COPY of lines that are still being made: the server takes in what there is while more are made. */
export class Pouring {
  #wake: () => void = () => undefined;
  #end: 'open' | 'whole' | Error = 'open';
  readonly #done: Promise<unknown>;

  private constructor(
    private readonly session: PostgresSession,
    sql: string,
    lines: CopyBytes,
  ) {
    this.#done = session.copyIn(sql, this.#parts(lines));
    // Whoever ends it learns of a fault.
    this.#done.catch(() => undefined);
  }

  static async begin(session: PostgresSession, sql: string, lines: CopyBytes): Promise<Pouring> {
    await session.query('SAVEPOINT poured');
    return new Pouring(session, sql, lines);
  }

  async *#parts(lines: CopyBytes): AsyncGenerator<Buffer> {
    for (let [at, sent] = [0, 0]; ; ) {
      const { parts } = lines;
      const { length = 0 } = parts[at] ?? {};
      if (this.#end instanceof Error) throw this.#end;
      if (length > sent) yield parts[at]?.subarray(sent) as Buffer;
      else if (at < parts.length - 1) {
        at++;
        sent = 0;
        continue;
      } else if (this.#end === 'whole') return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      sent = length;
    }
  }

  /** There are more lines. */
  more(): void {
    this.#wake();
  }

  /** Waits until all lines are in. @returns false where none is, because one has the id of a row that is there */
  async end(): Promise<boolean> {
    this.#end = 'whole';
    this.#wake();
    const isIn = await this.#done.then(
      () => true,
      (error: unknown) => {
        if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
        return false;
      },
    );
    await this.session.query(`${isIn ? '' : 'ROLLBACK TO SAVEPOINT poured; '}RELEASE SAVEPOINT poured`);
    return isIn;
  }

  /** Ends it without its lines. */
  async fail(error: unknown): Promise<void> {
    this.#end = error as Error;
    this.#wake();
    await this.#done.catch(() => undefined);
  }
}
