import { stat } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CopsError, local, orThrow } from '../errors/errors.js';
import { readGivenFile, readOwnText } from '../files/read-file.js';
import type { PostgresAddress } from './postgres-address.js';
import { commitUnknown, connectFault, MissingPassword, queryFault } from './postgres-faults.js';
import type { Cell } from './types.js';

/** The oldest supported major version of the server. */
const OLDEST_SERVER = 15;
/** How long a cancelled statement may take to end before its connection is cut, in milliseconds. */
const CANCEL_MS = 2_000;

/** A statement parameter: numbers and `bigint` are sent as digits, arrays as PostgreSQL arrays. */
export type PostgresValue = Cell | boolean | undefined | Date | readonly (Cell | boolean)[];

/**
 * A column value. Integers are numbers where a number holds them exactly, else `bigint`; `bytea` is bytes. Everything
 * else (`numeric`, `timestamptz`, `real`, `json`, arrays) stays the text that PostgreSQL sends, so that no digit is
 * lost.
 */
export type PostgresCell = Cell | boolean;

export interface PostgresRows {
  readonly rows: readonly (readonly PostgresCell[])[];
  /** Number of rows returned or affected. */
  readonly count: number;
}

/** The queries a database accepts, inside or outside a transaction. */
export interface PostgresSession {
  /**
   * Runs one statement with values for `$1`…; without values, `sql` may hold several statements split by semicolons.
   */
  query(sql: string, values?: readonly PostgresValue[]): Promise<PostgresRows>;
  /** `COPY … FROM STDIN`: sends text or bytes. Returns the number of rows copied. */
  copyIn(sql: string, source: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>): Promise<number>;
  /** `COPY … TO STDOUT`: the bytes as they arrive. Read them to the end before the next statement. */
  copyOut(sql: string): AsyncIterable<Buffer>;
}

export interface TransactionOptions {
  /** Read-only, with one view of the data for all statements. */
  readonly snapshot?: boolean;
  /** Waits for the disk at commit, whatever the server's setting. */
  readonly durable?: boolean;
}

/**
 * One connection, which runs its statements one after the other. It keeps no session state (no prepared names, no
 * settings outside a transaction, no lasting temporary tables), so a pooler may give each transaction another server.
 */
export interface Postgres extends PostgresSession {
  readonly address: PostgresAddress;
  /**
   * Runs `work` in a transaction that shows times in UTC; rolls back if `work` throws.
   * @throws CopsError `network` with `commit: 'unknown'` in its facts where the answer to COMMIT never came
   */
  transaction<T>(work: (session: PostgresSession) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Ends the connection. Never throws. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The password that the address refers to; without it, PGPASSWORD and the password file are tried. */
  readonly password?: string | undefined;
  /** Cancels the running statement and refuses all later ones, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The client name that the server shows. */
  readonly application?: string;
}

/**
 * Connects to PostgreSQL 15 or newer (command-line.md#a-database-as-an-address).
 * @throws CopsError `not_authorised` (3) for a refused or missing password, `network` (8) where no server answers or
 *   its certificate is not accepted, `local` (11) for a database that does not exist or a server that is too old
 */
export async function connectPostgres(address: PostgresAddress, options: ConnectOptions): Promise<Postgres> {
  options.signal?.throwIfAborted();
  const password = options.password ?? (options.env.PGPASSWORD || (await passwordOf(address, options.env)));
  const client = new pg.Client({
    ...{ host: address.host, port: address.port, user: address.user, database: address.database },
    // A function, because the library looks in this process's environment when the value is missing.
    password: () => {
      if (password === undefined) throw new MissingPassword();
      return password;
    },
    ssl: await tlsOptions(address),
    application_name: options.application ?? 'cops',
    connectionTimeoutMillis: address.connectSeconds * 1000,
    keepAlive: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  return new Connected(client, address, options.signal).open();
}

class Connected implements Postgres {
  /** Settles when the running work ends; the next statement waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  #lost: unknown;
  #isClosed = false;
  #version = '';
  #server: { process: number; secret: number } | undefined;

  constructor(
    readonly client: pg.Client,
    readonly address: PostgresAddress,
    readonly signal: AbortSignal | undefined,
  ) {}

  async open(): Promise<this> {
    const { client } = this;
    // Between statements nobody is listening when the connection ends; the next statement reports it.
    client.on('error', (error) => {
      this.#lost ??= error;
    });
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'server_version') this.#version = String(parameterValue);
    });
    connection.on('backendKeyData', ({ processID, secretKey }) => {
      this.#server = { process: processID, secret: secretKey };
    });
    const stop = (): void => this.#cut();
    this.signal?.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
    } catch (error) {
      this.signal?.throwIfAborted();
      throw connectFault(error, this.address);
    } finally {
      this.signal?.removeEventListener('abort', stop);
    }
    if (Number.parseInt(this.#version, 10) < OLDEST_SERVER) {
      await this.close();
      throw local(
        `${this.address.text} is PostgreSQL ${this.#version}.`,
        `Version ${OLDEST_SERVER} and newer are supported.`,
      );
    }
    return this;
  }

  query(sql: string, values?: readonly PostgresValue[]): Promise<PostgresRows> {
    return this.#inTurn(() => this.#query(sql, values));
  }

  copyIn(sql: string, source: Parameters<PostgresSession['copyIn']>[1]): Promise<number> {
    return this.#inTurn(() => this.#copyIn(sql, source));
  }

  async *copyOut(sql: string): AsyncIterable<Buffer> {
    let done = (): void => {};
    const turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    const before = this.#last;
    this.#last = before.then(() => turn);
    try {
      await before;
      yield* this.#copyOut(sql);
    } finally {
      done();
    }
  }

  transaction<T>(work: (session: PostgresSession) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#inTurn(async () => {
      const isolation = options.snapshot
        ? 'ISOLATION LEVEL REPEATABLE READ READ ONLY'
        : 'ISOLATION LEVEL READ COMMITTED';
      const durable = options.durable ? '; SET LOCAL synchronous_commit = on' : '';
      await this.#query(`BEGIN ${isolation}; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'${durable}`);
      let result: T;
      try {
        result = await work({
          query: (sql, values) => this.#query(sql, values),
          copyIn: (sql, source) => this.#copyIn(sql, source),
          copyOut: (sql) => this.#copyOut(sql),
        });
      } catch (error) {
        await this.#rollBack();
        throw error;
      }
      await this.#commit();
      return result;
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last.catch(() => {});
    await this.client.end().catch(() => {});
  }

  /** The engine may already have rolled back by itself, or be gone. The first error is the one to report. */
  async #rollBack(): Promise<void> {
    try {
      await this.client.query('ROLLBACK');
    } catch {
      this.#cut();
    }
  }

  async #commit(): Promise<void> {
    let tag: string;
    try {
      tag = (await this.#cancellable(() => this.client.query('COMMIT'))).command;
    } catch (error) {
      const fault = queryFault(error, this.address);
      throw fault.kind === 'network' || this.signal?.aborted ? commitUnknown(fault) : fault;
    }
    // COMMIT silently rolls back a transaction in which a statement failed.
    if (tag === 'ROLLBACK') throw local(`${this.address.text} rolled a transaction back instead of committing it.`);
  }

  async #query(sql: string, values?: readonly PostgresValue[]): Promise<PostgresRows> {
    const given = values?.map((value) => (typeof value === 'bigint' ? String(value) : value));
    const result = await this.#run(() =>
      this.client.query<PostgresCell[]>({ text: sql, ...(given && { values: given }), rowMode: 'array' }),
    );
    // Several statements return a list; the caller wants the last result.
    const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result;
    return { rows: last.rows, count: last.rowCount ?? 0 };
  }

  #copyIn(sql: string, source: Parameters<PostgresSession['copyIn']>[1]): Promise<number> {
    return this.#run(async () => {
      const target = this.client.query(copyFrom(sql));
      await pipeline(Readable.from(source, { objectMode: true }), target);
      return target.rowCount;
    });
  }

  async *#copyOut(sql: string): AsyncIterable<Buffer> {
    this.#check();
    try {
      for await (const chunk of this.client.query(copyTo(sql))) yield chunk as Buffer;
    } catch (error) {
      throw this.#told(error);
    }
  }

  #check(): void {
    this.signal?.throwIfAborted();
    if (this.#lost !== undefined) throw queryFault(this.#lost, this.address);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#check();
    return await orThrow(
      () => this.#cancellable(work),
      (error) => this.#told(error),
    );
  }

  #told(error: unknown): unknown {
    if (this.signal?.aborted) return this.signal.reason;
    return error instanceof CopsError ? error : queryFault(error, this.address);
  }

  /** Runs a statement that the signal cancels on the server; if that does not help, cuts the connection. */
  async #cancellable<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this;
    let patience: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      this.#cancel();
      patience = setTimeout(() => this.#cut(), CANCEL_MS);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearTimeout(patience);
    }
  }

  /** Asks the server to end the running statement, over a separate connection as the protocol requires. */
  #cancel(): void {
    if (!this.#server) return;
    const { host, port } = this.address;
    const request = Buffer.alloc(16);
    const CANCEL_REQUEST = 80_877_102;
    [16, CANCEL_REQUEST, this.#server.process, this.#server.secret].forEach((part, at) => {
      request.writeInt32BE(part | 0, at * 4);
    });
    const socket = host.startsWith('/')
      ? connectSocket(`${host}/.s.PGSQL.${port}`)
      : connectSocket({ host, port, timeout: CANCEL_MS });
    socket.on('error', () => {}).end(request);
  }

  #cut(): void {
    const { connection } = this.client as unknown as { connection: { stream: { destroy(error: Error): void } } };
    connection.stream.destroy(new Error('the connection was cut'));
  }

  /** Runs one statement or transaction at a time: a transaction belongs to the connection, not to the caller. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }
}

async function tlsOptions(address: PostgresAddress): Promise<false | ConnectionOptions> {
  if (address.tls === 'off') return false;
  const read = async (file: string | undefined): Promise<Buffer | undefined> => {
    try {
      return file === undefined || file === 'system' ? undefined : await readGivenFile(file);
    } catch (cause) {
      throw local(`${file}, named in the database address, cannot be read.`, undefined, cause);
    }
  };
  const [ca, cert, key] = await Promise.all([address.caFile, address.certificateFile, address.keyFile].map(read));
  return {
    rejectUnauthorized: address.tls !== 'unverified',
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(address.tls === 'without-name' && { checkServerIdentity: () => undefined }),
  };
}

/** The password for an address from the user's password file (`~/.pgpass`); ignores a file that others may read. */
async function passwordOf(
  address: PostgresAddress,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const home =
    env.APPDATA === undefined ? join(env.HOME ?? '', '.pgpass') : join(env.APPDATA, 'postgresql', 'pgpass.conf');
  const file = env.PGPASSFILE || home;
  const OTHERS = 0o077;
  try {
    const { mode } = await stat(file);
    if (env.APPDATA === undefined && (mode & OTHERS) !== 0) return undefined;
    const host = address.host.startsWith('/') ? 'localhost' : address.host;
    const wanted = [host, String(address.port), address.database, address.user];
    for (const line of readOwnText(file).split(/\r?\n/)) {
      if (line.startsWith('#')) continue;
      const parts = (line.match(/(?:^|:)((?:\\.|[^:\\])*)/g) ?? []).map((part, at) =>
        (at > 0 ? part.slice(1) : part).replace(/\\(.)/g, '$1'),
      );
      if (parts.length >= 5 && wanted.every((one, at) => parts[at] === '*' || parts[at] === one)) return parts[4];
    }
  } catch {
    // A missing file holds no password.
  }
  return undefined;
}

const BOOL = 16;
const BYTEA = 17;
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23, 26]);

/** How to parse a column of a type; see {@link PostgresCell}. */
function parserOf(type: number): (text: string) => PostgresCell {
  if (INTEGERS.has(type)) return wholeOf;
  if (type === BOOL) return (text) => text === 't';
  if (type === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex');
  return (text) => text;
}

function wholeOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
