import { readFile, stat } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CopsError, local } from '../errors/errors.js';
import type { PostgresAddress } from './postgres-address.js';
import { commitUnknown, connectFault, MissingPassword, queryFault } from './postgres-faults.js';
import type { Cell } from './types.js';

/** The oldest server that is promised, as `server_version_num` has it. */
const OLDEST_SERVER = 15;
/** How long a statement may take to end after it was cancelled, before its connection is cut, milliseconds. */
const CANCEL_MS = 2_000;

/** What goes to a statement: `bigint` and numbers as digits, arrays as PostgreSQL's own. */
export type PostgresValue = Cell | boolean | undefined | Date | readonly (Cell | boolean)[];

/**
 * A column of a row. Integers are numbers while a number holds them exactly, `bigint` beyond; `bytea` are bytes; all
 * else (`numeric`, `timestamptz`, `real`, `json`, arrays) is the text that PostgreSQL gives, so that no digit is lost.
 */
export type PostgresCell = Cell | boolean;

export interface PostgresRows {
  readonly rows: readonly (readonly PostgresCell[])[];
  /** Rows that a statement returned or touched. */
  readonly count: number;
}

/** What can be asked of a database, in a transaction or outside of one. */
export interface PostgresSession {
  /** Runs one statement, with values for `$1`…; without values several, split by semicolons, may stand in it. */
  query(sql: string, values?: readonly PostgresValue[]): Promise<PostgresRows>;
  /** `COPY … FROM STDIN`: sends text or bytes. Returns how many rows came in. */
  copyIn(sql: string, source: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>): Promise<number>;
  /** `COPY … TO STDOUT`: the bytes as they come. Read them to the end before the next statement. */
  copyOut(sql: string): AsyncIterable<Buffer>;
}

export interface TransactionOptions {
  /** One view of the data for all statements, which write nothing. */
  readonly snapshot?: boolean;
  /** Waits for the disk when it commits, whatever the server's setting is. */
  readonly durable?: boolean;
}

/**
 * One connection, whose statements run one after the other. It keeps no state of a session, so that a pooler may give
 * each transaction another server: no prepared names, no settings outside a transaction, no temporary tables that stay.
 */
export interface Postgres extends PostgresSession {
  readonly address: PostgresAddress;
  /**
   * Runs `work` in a transaction, in which times are told in UTC; whatever it throws undoes it all.
   * @throws CopsError `network` whose facts say `commit: 'unknown'` where the answer to COMMIT never came
   */
  transaction<T>(work: (session: PostgresSession) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Ends the connection. Never throws. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a reference in the address led to; PGPASSWORD and the password file are looked at without it. */
  readonly password?: string | undefined;
  /** Cancels the statement that runs, and refuses all later ones, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** What the server shows as the name of this client. */
  readonly application?: string;
}

/**
 * Connects to a PostgreSQL 15 or newer (command-line.md#a-database-as-an-address).
 * @throws CopsError `not_authorised` (3) for a refused or missing password, `network` (8) where no server answers or its
 *   certificate is not accepted, `local` (11) for a database that is not there or a server that is too old
 */
export async function connectPostgres(address: PostgresAddress, options: ConnectOptions): Promise<Postgres> {
  options.signal?.throwIfAborted();
  const password = options.password ?? (options.env.PGPASSWORD || (await passwordOf(address, options.env)));
  const client = new pg.Client({
    ...{ host: address.host, port: address.port, user: address.user, database: address.database },
    // A function, for a text that is missing is looked for in the environment of this process.
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
  /** The end of what runs: the next statement waits for it. */
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
    // Between two statements a connection ends without anybody to tell; the next one does.
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

  /** The engine may have undone it by itself, or be gone: the first error is the one to tell. */
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
    // A transaction in which a statement failed is undone by its COMMIT, without an error.
    if (tag === 'ROLLBACK') throw local(`${this.address.text} undid a transaction instead of committing it.`);
  }

  async #query(sql: string, values?: readonly PostgresValue[]): Promise<PostgresRows> {
    const given = values?.map((value) => (typeof value === 'bigint' ? String(value) : value));
    const result = await this.#run(() =>
      this.client.query<PostgresCell[]>({ text: sql, ...(given && { values: given }), rowMode: 'array' }),
    );
    // Of several statements the answer is a list; the last one is what was asked.
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
    try {
      return await this.#cancellable(work);
    } catch (error) {
      throw this.#told(error);
    }
  }

  #told(error: unknown): unknown {
    if (this.signal?.aborted) return this.signal.reason;
    return error instanceof CopsError ? error : queryFault(error, this.address);
  }

  /** Runs a statement which the signal cancels at the server; where that does not help, the connection is cut. */
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

  /** Asks the server, over a connection of its own as the protocol wants it, to end the statement that runs. */
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

  /** One statement, or transaction, at a time: a transaction is of the connection, not of who asks. */
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
      return file === undefined || file === 'system' ? undefined : await readFile(file);
    } catch (cause) {
      throw local(`${file}, which the address of the database names, cannot be read.`, undefined, cause);
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

/** The password that the user's password file has for an address (`~/.pgpass`); one that others may read is left alone. */
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
    for (const line of (await readFile(file, 'utf8')).split(/\r?\n/)) {
      if (line.startsWith('#')) continue;
      const parts = (line.match(/(?:^|:)((?:\\.|[^:\\])*)/g) ?? []).map((part, at) =>
        (at > 0 ? part.slice(1) : part).replace(/\\(.)/g, '$1'),
      );
      if (parts.length >= 5 && wanted.every((one, at) => parts[at] === '*' || parts[at] === one)) return parts[4];
    }
  } catch {
    // A file that is not there names no password.
  }
  return undefined;
}

const BOOL = 16;
const BYTEA = 17;
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23, 26]);

/** How a column of a type is read; see {@link PostgresCell}. */
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
