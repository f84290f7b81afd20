import type { IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import {
  type Reply,
  type SendOptions,
  type ServiceRequest,
  type TlsMaterial,
  type Transport,
  TransportError,
} from '../../base/transport.js';
import type { World } from '../../base/world.js';
import { checkBaseUrl, proxyFor, queryText } from './base-url.js';
import { decode, EARLY_ANSWER, MAX_ANSWER_BYTES, toTransportError } from './failure.js';
import { makeTrace } from './request-log.js';
import type { Connector } from './tunnel.js';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly key: string;
  /** The profile's certificates, instead of those this machine trusts. */
  readonly tls?: TlsMaterial | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Number of parallel connections; 1 by default. */
  readonly connections?: number;
  /** Many requests will follow (an export, a bulk run), so optimising frequently run code pays off. */
  readonly isLong?: boolean;
  /** Receives each line of `--debug`, with secrets masked. */
  readonly trace?: (line: string) => void;
  /** Sets flags of the JavaScript engine; if absent, none are set. */
  readonly tuneEngine?: World['tuneEngine'];
}

/**
 * Longest wait for a connection, and longest idle time of one, in milliseconds. The idle time is shorter than servers
 * and load balancers usually allow, so that a write hardly ever meets a connection that was just closed.
 */
const CONNECT_MS = 10_000;
const IDLE_MS = 1_500;

/**
 * Opens the connection to the service over the network. Connects on the first request. Never retries, never follows
 * redirects, and says for every failure whether the request can have left (`TransportError`).
 *
 * Why `dispatch` on one client per connection, and not a `Pool`, `fetch` or Node's own agent (`npm run bench clients`):
 * a connection counts as busy for one more turn of the event loop after its answer, so a pool queues the next request,
 * and a busy loop makes that turn long. With 32 connections and 20 ms latency, this cost the pool a sixth of its pages;
 * a client sends immediately. It also takes the least time per page. undici processes an answer to its end, including
 * the caller's parsing, before it looks at the next socket. Callers with many connections therefore send the next
 * request first and process the page afterwards (the export's `Reader`).
 * Throws a usage error for a bad base URL or proxy, and `not_authorised` for a key that cannot be a header.
 */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const base = new URL(checkBaseUrl(options.baseUrl, 'the profile'));
  if (!/^[\x21-\x7e]+$/.test(options.key)) {
    const what =
      options.key === '' ? 'is empty' : 'contains characters that API keys never have (spaces, line ends or others)';
    throw new CopsError('not_authorised', `The API key ${what}`, { hint: say`Store it again: \`${cops`login`}\`.` });
  }
  const proxy = proxyFor(base, options.env);
  const sockets = new Set<Socket>();
  const connect = await openConnector(proxy, sockets, options.tls);
  let lanes: Promise<Lanes> | undefined;
  const openLanes = async (): Promise<Lanes> => {
    const { default: Client } = await import('undici/lib/dispatcher/client.js');
    // undici parses HTTP with WebAssembly. After the first answer V8 would optimise it in the background, and the
    // process would wait for that at its end (75 to 200 ms); the quick first compilation is enough for a few requests.
    // The flag must be set now: earlier, code cached under other flags would be compiled again; later, the parser
    // already exists (that takes one turn).
    if (!options.isLong) options.tuneEngine?.('--wasm-tiering-budget=2000000000');
    return new Lanes(
      Array.from({ length: options.connections ?? 1 }, () => new Client(base.origin, { ...FIXED, connect })),
    );
  };
  const dispatcherFor = async ({ isOnly }: SendOptions): Promise<Pick<Dispatcher, 'dispatch'>> => {
    if (!isOnly || lanes) {
      lanes ??= openLanes();
      return lanes;
    }
    const { request } = await import('node:http');
    return singleRequest(base, connect, request);
  };
  const trace = options.trace && makeTrace(options.trace, options.key);
  const common = { 'x-api-key': options.key, accept: 'application/json', 'user-agent': options.userAgent };
  const withBody = { ...common, 'content-type': 'application/json' };

  return {
    async send(request: ServiceRequest, sendOptions: SendOptions): Promise<Reply> {
      const path = base.pathname.replace(/\/$/, '') + request.path + queryText(request.query);
      const own = request.method === 'POST' ? withBody : common;
      const headers = request.headers ? { ...own, ...request.headers, 'x-api-key': options.key } : own;
      trace?.request(request, base.origin + path, headers);
      // Loads a part of Node on demand.
      const began = trace && performance.now();
      const elapsed = () => Math.round(performance.now() - (began ?? 0));
      try {
        const packed = await exchange(await dispatcherFor(sendOptions), {
          origin: base.origin,
          host: base.host,
          proxy: proxy?.host,
          method: request.method,
          path,
          headers,
          body: request.method === 'POST' ? (request.body ?? '{}') : undefined,
          ...sendOptions,
        });
        const reply = packed.headers['content-encoding'] === undefined ? packed : await decode(packed);
        trace?.reply(reply, elapsed());
        return reply;
      } catch (error) {
        if (error instanceof TransportError) trace?.failure(error, elapsed());
        throw error;
      }
    },
    async close(): Promise<void> {
      await (await lanes)?.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// One request at a time per connection, and no retries by the library: undici would resend requests queued behind a
// broken one by itself.
export const FIXED = {
  pipelining: 1,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Makes connections, through the proxy if there is one, and tracks their sockets. */
export async function openConnector(
  proxy: URL | undefined,
  sockets: Set<Socket>,
  tls?: TlsMaterial,
): Promise<Connector> {
  const { default: buildConnector } = await import('undici/lib/core/connect.js');
  const direct = buildConnector({ timeout: CONNECT_MS, ...tls });
  // Only the connector knows sockets that are still connecting; they would keep the process alive.
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  let connect: Connector = (target, callback) => track(direct(target, callback) as unknown as Socket);
  if (proxy) {
    const { throughProxy } = await import('./tunnel.js');
    connect = throughProxy(proxy, connect, CONNECT_MS, track);
  }
  return (target, callback) =>
    connect(target, (error, socket) => (error ? callback(error, null) : afterSilence(socket as Socket, callback)));
}

/** Hands a connection over after two silent turns of the loop: bytes before the request cannot be its answer. */
function afterSilence(socket: Socket, callback: Parameters<Connector>[1]): void {
  let failure: Error | undefined;
  const keep = (error: Error): void => {
    failure = error;
  };
  socket.on('error', keep);
  // The connection's end follows, and would be reported instead of its cause.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith('ERR_SSL_')) socket.destroy(error);
  });
  const judge = (): void => {
    socket.off('error', keep);
    if (socket.readableLength > 0) {
      failure = Object.assign(new Error('bytes came before a request was sent'), { code: EARLY_ANSWER });
      socket.destroy();
    } else if (socket.destroyed) {
      failure ??= Object.assign(new Error('the connection was closed at once'), { code: 'ECONNRESET' });
    }
    if (failure) callback(failure, null);
    else callback(null, socket);
  };
  setImmediate(() => setImmediate(judge));
}

/** One client per connection; a request goes to the one with the shortest queue. Each connects on first use. */
export class Lanes {
  constructor(private readonly clients: readonly Client[]) {}

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let [best] = this.clients as readonly [Client, ...Client[]];
    for (const client of this.clients) {
      if (client.stats.size < best.stats.size) best = client;
      if (best.stats.size === 0) break;
    }
    return best.dispatch(options, handler);
  }

  async destroy(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.destroy()));
  }
}

export interface Exchange {
  readonly origin: string;
  /** For messages. */
  readonly host: string;
  readonly proxy?: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Reads at most this many bytes of an answer and drops the rest: only its status counts. */
  readonly mostBytes?: number;
}

const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Sends one request and reads its whole answer. Rejects only with `TransportError`. `not_sent` rests on one fact: a
 * dispatcher calls `onRequestStart` right before it writes the first byte. A request for which it was never called, and
 * which is refused there from then on, has not left this machine.
 */
export function exchange(dispatcher: Pick<Dispatcher, 'dispatch'>, what: Exchange): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { host, signal } = what;
    let controller: Dispatcher.DispatchController | undefined;
    let started = false;
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    let status = 0;
    let headers: Record<string, string> = {};
    let size = 0;
    const chunks: Buffer[] = [];

    const stage = () => (started ? 'lost' : 'not_sent');
    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const giveUp = (error: TransportError) =>
      settle(() => {
        reject(error);
        controller?.abort(error);
      });
    const onAbort = () =>
      giveUp(new TransportError(stage(), 'ABORTED', 'The request was interrupted', { cause: signal?.reason }));

    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    timer = setTimeout(
      () => giveUp(new TransportError(stage(), 'TIMEOUT', `No full answer from ${host} within ${what.timeoutMs} ms`)),
      Math.min(what.timeoutMs, LONGEST_TIMER_MS),
    );

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        if (settled || started) {
          given.abort(new Error('given up before it was sent, or sent before'));
          if (started) giveUp(new TransportError('lost', 'RESENT', 'The connection tried to send the request again'));
          return;
        }
        started = true;
      },
      onResponseStart(_controller, statusCode, raw) {
        if (statusCode < 200) return;
        // The connection's earlier request got two answers; this one has not been written yet.
        if (!started) return giveUp(toTransportError({ code: EARLY_ANSWER }, 'not_sent', host, what.proxy));
        status = statusCode;
        headers = flat(raw);
        if (Number(headers['content-length']) > MAX_ANSWER_BYTES && what.mostBytes === undefined)
          giveUp(tooLargeOf(host));
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (what.mostBytes !== undefined && size > what.mostBytes) {
          settle(() => resolve({ status, headers, body: Buffer.concat(chunks) }));
          return controller?.abort(new Error('enough was read'));
        }
        if (size > MAX_ANSWER_BYTES) return giveUp(tooLargeOf(host));
        chunks.push(chunk);
      },
      onResponseEnd: () => settle(() => resolve({ status, headers, body: joined(chunks, size) })),
      onResponseError(_controller, error) {
        settle(() => reject(toTransportError(error, stage(), host, what.proxy)));
      },
    };
    const { origin, method, path, body } = what;
    try {
      dispatcher.dispatch(
        { origin, method, path, headers: what.headers, body: body ?? null, idempotent: false },
        handler,
      );
    } catch (error) {
      settle(() => reject(toTransportError(error, stage(), host, what.proxy)));
    }
  });
}

const tooLargeOf = (host: string): TransportError =>
  new TransportError('lost', 'TOO_LARGE', `The answer from ${host} is too large to read`);

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}

function flat(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw))
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

/**
 * Sends single requests without a body over Node's own HTTP, each on its own connection. Loading undici's client takes
 * longer than such a request. What is sent, and what a failure is called, is the same with both.
 */
function singleRequest(base: URL, connect: Connector, ask: typeof request): Pick<Dispatcher, 'dispatch'> {
  const { host, protocol, port } = base;
  const target = { host, hostname: base.hostname.replace(/^\[|\]$/g, ''), protocol, port };
  return {
    dispatch(options, handler) {
      let given: Error | undefined;
      let stop = (): void => undefined;
      let isOver = false;
      const abort = (reason: Error): void => {
        given ??= reason;
        stop();
      };
      const controller = { abort } as Dispatcher.DispatchController;
      const fail = (error: Error): void => {
        if (isOver) return;
        isOver = true;
        handler.onResponseError?.(controller, given ?? named(error));
      };
      connect(target, (error, socket) => {
        if (error || !socket) return fail(error ?? new Error('no connection'));
        handler.onRequestStart?.(controller, undefined);
        if (given) {
          socket.destroy();
          return fail(given);
        }
        const headers = { host, connection: 'keep-alive', ...(options.headers as Record<string, string>) };
        const sent = ask({
          method: options.method,
          path: options.path,
          headers: Object.entries(headers).flat(),
          createConnection: () => socket,
        });
        stop = () => sent.destroy(given);
        sent.on('error', fail);
        sent.once('response', (response) => {
          response.on('error', fail);
          handler.onResponseStart?.(controller, response.statusCode ?? 0, headersOf(response), response.statusMessage);
          response.on('data', (chunk: Buffer) => given ?? handler.onResponseData?.(controller, chunk));
          response.once('end', () => {
            if (isOver || given) return;
            isOver = true;
            handler.onResponseEnd?.(controller, {});
          });
        });
        sent.end();
      });
      return true;
    },
  };
}

/** All headers received: Node would drop some repeated ones. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? '']);
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** The error with the code that undici uses: an orderly close is not a reset. */
function named(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ECONNRESET' || error.syscall !== undefined) return error;
  return Object.assign(new Error('other side closed', { cause: error }), { code: 'UND_ERR_SOCKET' });
}
