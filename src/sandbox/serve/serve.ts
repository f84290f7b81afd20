import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { accountOf } from '../rules/accounts.js';
import type { ItemStore } from '../store/item-store.js';
import { modeOf } from '../store/kinds.js';
import { type OpenedSandbox, openSandboxStore } from '../store/open-store.js';
import { bodyBytes } from '../store/prebuilt-json.js';
import { first, type QueryFields } from '../store/query-fields.js';
import { newId } from '../store/seeded-ids.js';
import { controlServer } from './control.js';
import { isMeant, readBody } from './incoming.js';
import {
  drawFault,
  type FaultKind,
  type Faults,
  faultAnswer,
  faultBody,
  rateLimit,
  type Trouble,
} from './injected-faults.js';
import type { Incoming, Outgoing } from './messages.js';
import { ServedMetrics } from './metrics.js';
import { createService } from './service.js';

export interface ServeOptions {
  readonly dataDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Delay of every answer, milliseconds. */
  readonly latencyMs?: number;
  /** Requests per second; more get 429. */
  readonly rateLimit?: number;
  readonly faults?: Faults;
  readonly rangeEnds?: 'in' | 'out';
  /** Names that a `Host` header may contain besides those of this machine's own address. */
  readonly hosts?: readonly string[];
  /** Port of the control server, 0 for any free one; absent for none. */
  readonly control?: number | undefined;
  readonly now: () => number;
  readonly random: () => number;
}

/** How long requests in progress may take when the service stops, milliseconds. */
const LAST_MS = 500;
/** The end of the published base URL; requests are answered with and without it. */
const BASE_PATH = '/v2';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Serves the sandbox on the loopback address for any HTTP client.
 * @throws CopsError `local` for the database, or the system's error when the port is taken.
 */
export async function serveSandbox(options: ServeOptions) {
  const opened = await openSandboxStore({ dataDir: options.dataDir, now: options.now });
  const service = createService({ ...opened, isServed: true, rangeEnds: options.rangeEnds });
  const admits = options.rateLimit === undefined ? () => true : rateLimit(options.rateLimit, options.now);
  const trouble = { faults: options.faults ?? [], random: options.random };
  const habits = { ...options, trouble, metrics: new ServedMetrics() };
  const server = createServer((request, response) => {
    new Exchange(request, response, opened, habits).run(service.handle, admits).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const control = options.control === undefined ? undefined : controlServer({ opened, trouble, hosts: options.hosts });
  const servers = control ? [server, control.server] : [server];
  const close = async () => {
    await Promise.all(servers.map(stop));
    await service.close().finally(() => opened.database.close());
  };
  try {
    await listen(server, options.port);
    if (control) await listen(control.server, options.control ?? 0);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** The base URL, without a trailing slash. */
    url: `${addressOf(server)}${BASE_PATH}`,
    /** The address at which clock, faults and keys can be changed, and its token. */
    control: control && { url: addressOf(control.server), token: control.token },
    /** Stops accepting requests, gives those in progress a moment to finish, and closes the database. */
    close,
  };
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Closes idle connections immediately, those with a request once it is answered, the others after a moment. */
function stop(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const last = setTimeout(() => server.closeAllConnections(), LAST_MS);
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(last);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/** Answers one request, with the injected fault if there is one. */
class Exchange {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly opened: OpenedSandbox,
    private readonly options: ServeOptions & { readonly trouble: Trouble; readonly metrics: ServedMetrics },
  ) {}

  async run(handle: (incoming: Incoming) => Promise<Outgoing>, admits: () => boolean): Promise<void> {
    const body = await readBody(this.request);
    if (!isMeant(this.request, this.options.hosts))
      return this.#fault(421, 'This sandbox does not answer to that name: see cops sandbox serve --host.');
    if (this.request.method === 'GET' && this.request.url === '/metrics') return this.#metrics();
    this.#count();
    if (this.options.latencyMs) await wait(this.options.latencyMs);
    if (body === undefined) {
      this.response.shouldKeepAlive = false;
      return this.#fault(400, 'The body is too large.');
    }
    if (!admits()) return this.#fault(429, 'Too many requests.', { 'retry-after': '1' });
    const fault = drawFault(this.options.trouble, this.#path());
    const instead = faultAnswer(fault, 'before');
    if (instead) return this.#fault(instead.status, instead.message, instead.headers);
    if (fault === 'cut-before') return void this.request.socket.destroy();
    const incoming = this.#incoming(body);
    if (fault === 'insert' || fault === 'delete') this.#disturb(incoming, fault);
    const answer = await handle(incoming);
    await this.#answer(answer, fault);
  }

  #metrics(): void {
    const text = this.options.metrics.text(this.opened.now());
    this.response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    this.response.end(text);
  }

  /** Counts the answer once it is sent, or the connection is gone. */
  #count(): void {
    const began = performance.now();
    const { request, response } = this;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 0;
      const seconds = (performance.now() - began) / 1000;
      this.options.metrics.answered(request.method ?? '', this.#path(), status, seconds);
    });
  }

  /** The path below the base URL, without its query. */
  #path(): string {
    const [whole = '/'] = (this.request.url ?? '/').split('?', 1);
    return whole.startsWith(`${BASE_PATH}/`) ? whole.slice(BASE_PATH.length) : whole;
  }

  #incoming(body: string): Incoming {
    const target = this.request.url ?? '/';
    const mark = target.indexOf('?');
    const path = this.#path();
    const query: QueryFields = mark < 0 ? [] : [...new URLSearchParams(target.slice(mark + 1))];
    const key = this.request.headers['x-api-key'];
    return {
      method: this.request.method ?? 'GET',
      path,
      query,
      body,
      key: Array.isArray(key) ? key[0] : key,
      ip: this.request.socket.remoteAddress ?? '127.0.0.1',
    };
  }

  #disturb(incoming: Incoming, how: 'insert' | 'delete'): void {
    const family = incoming.path.split('/')[1] ?? '';
    const account = accountOf(this.opened.database, incoming.key ?? '');
    if (account?.enabled && incoming.method === 'GET' && incoming.path === `/${family}`)
      disturbList(this.opened.store, family, account.live, incoming.query, how);
  }

  async #answer(answer: Outgoing, fault: FaultKind | undefined): Promise<void> {
    if (fault === 'cut-after') return void this.request.socket.destroy();
    const instead = faultAnswer(fault, 'after');
    if (instead) return this.#fault(instead.status, instead.message, instead.headers);
    if (fault === 'wrong-type') {
      this.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      this.response.end('<!doctype html><title>Maintenance</title><p>We are back soon.</p>');
      return;
    }
    if (fault === undefined) return this.#whole(answer);
    const body = bodyBytes(answer.body);
    this.response.writeHead(answer.status, { ...answer.headers, 'content-length': String(body.length) });
    if (fault === 'truncate') {
      this.response.write(body.subarray(0, Math.floor(body.length / 2)), () => this.request.socket.destroy());
      return;
    }
    if (fault === 'slow') {
      const piece = Math.ceil(body.length / 6) || 1;
      for (let at = 0; at < body.length; at += piece) {
        await wait(500);
        this.response.write(body.subarray(at, at + piece));
      }
      this.response.end();
      return;
    }
    this.response.end(body);
  }

  /** Sends head and body together; ready-made bytes are not copied. */
  #whole({ status, headers, body }: Outgoing): void {
    const { before, bytes, after } = typeof body === 'string' ? { before: body, bytes: undefined, after: '' } : body;
    const length = Buffer.byteLength(before) + (bytes?.length ?? 0) + Buffer.byteLength(after);
    this.response.writeHead(status, { ...headers, 'content-length': String(length) });
    if (bytes === undefined) return void this.response.end(before);
    this.response.cork();
    this.response.write(before);
    this.response.write(bytes);
    this.response.end(after);
    this.response.uncork();
  }

  #fault(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    const text = faultBody(message, Math.floor(this.opened.now() / 1000));
    this.response.writeHead(status, { 'content-type': JSON_TYPE, ...headers });
    this.response.end(text);
  }
}

/** Adds or removes one item of a date-ranged list while a client reads it, as in a busy account. */
function disturbList(
  store: ItemStore,
  family: string,
  live: boolean,
  query: QueryFields,
  how: 'insert' | 'delete',
): void {
  const start = Number(first(query, 'date_start'));
  const end = Number(first(query, 'date_end'));
  if (!Number.isInteger(start) || !Number.isInteger(end)) return;
  const mode = modeOf(family, live);
  const kind = store.kind(family, mode);
  const newest = store.database
    .prepare('SELECT id FROM items WHERE kind = ? AND created BETWEEN ? AND ? ORDER BY created DESC, seq DESC LIMIT 1')
    .get(kind, start, end);
  const item = newest && store.get(family, newest[0] as string, mode);
  if (!item) return;
  store.transaction(() => {
    if (how === 'delete') return store.remove(item);
    const copy = { ...item.value, id: newId() };
    store.insert(family, copy, { live: mode, created: item.created, customer: item.customer });
  });
}
