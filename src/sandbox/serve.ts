import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ACCOUNTS } from './accounts.js';
import { disturbList } from './disturb.js';
import { catalogueLoader } from './embedded.js';
import { drawFault, type FaultKind, type Faults, faultBody, RateLimit } from './faults.js';
import type { Incoming, Outgoing } from './messages.js';
import { type Opened, openStore } from './open.js';
import type { Query } from './query.js';
import { createService } from './service.js';
import { bodyBytes } from './spliced.js';

export interface ServeOptions {
  readonly dataDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Every answer waits so long, milliseconds. */
  readonly latencyMs?: number;
  /** Requests a second, beyond which 429 is answered. */
  readonly rateLimit?: number;
  readonly faults?: Faults;
  readonly rangeEnds?: 'in' | 'out';
  /** Names that a `Host` header may hold beside those of this machine's own address. */
  readonly hosts?: readonly string[];
  readonly now: () => number;
  readonly random: () => number;
}

export interface Serving {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** Stops taking requests, lets those in flight end, closes the database. */
  close(): Promise<void>;
}

/** The largest body taken; a key value may be 5 MB. */
const LARGEST_BODY = 8 * 1024 * 1024;
/** Names of the loopback address. Any other was led here by somebody else's name server, from a page in a browser. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Serves the sandbox on the loopback address for any HTTP client.
 * @throws CopsError `local` for the database, or the system's error when the port is taken.
 */
export async function serveSandbox(options: ServeOptions): Promise<Serving> {
  const opened = await openStore({ dataDir: options.dataDir, now: options.now });
  const service = createService({
    store: opened.store,
    load: catalogueLoader,
    accounts: ACCOUNTS,
    moment: opened.moment,
    isReady: opened.isReady,
    rangeEnds: options.rangeEnds ?? 'in',
    description: async () => (await import('./description.js')).describeSandbox(),
  });
  const limit = options.rateLimit === undefined ? undefined : new RateLimit(options.rateLimit, options.now);
  const server = createServer((request, response) => {
    const exchange = new Exchange(request, response, opened, options);
    exchange.run((incoming) => service.handle(incoming), limit).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  try {
    await listen(server, options.port);
  } catch (error) {
    opened.database.close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          void service.close().finally(() => {
            opened.database.close();
            resolve();
          });
        });
        server.closeIdleConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** One request and its answer, with whatever trouble was asked for. */
class Exchange {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly opened: Opened,
    private readonly options: ServeOptions,
  ) {}

  async run(handle: (incoming: Incoming) => Promise<Outgoing>, limit: RateLimit | undefined): Promise<void> {
    const body = await this.#readBody();
    if (!this.#isMeant()) {
      return this.#fault(421, 'This sandbox is not served under that name: see cops sandbox serve --host.');
    }
    if (this.options.latencyMs) await wait(this.options.latencyMs);
    if (body === undefined) {
      this.response.shouldKeepAlive = false;
      return this.#fault(400, 'The body is too large.');
    }
    if (limit && !limit.admits()) return this.#fault(429, 'Too many requests.', { 'retry-after': '1' });
    const fault = this.options.faults && drawFault(this.options.faults, this.options.random);
    if (fault === '429') return this.#fault(429, 'Too many requests.');
    if (fault === 'retry-after') return this.#fault(429, 'Too many requests.', { 'retry-after': '1' });
    if (fault === '500') return this.#fault(500, 'Unexpected error.');
    if (fault === 'cut-before') return void this.request.socket.destroy();
    const incoming = this.#incoming(body);
    if (fault === 'insert' || fault === 'delete') this.#disturb(incoming, fault);
    const answer = await handle(incoming);
    await this.#answer(answer, fault);
  }

  /** Whether the request names an address that this service is meant to be reached by. */
  #isMeant(): boolean {
    const host = (this.request.headers.host ?? '').toLowerCase();
    const name = host.replace(/:\d*$/, '');
    return [...LOOPBACK, ...(this.options.hosts ?? [])].some((one) => one.toLowerCase() === name);
  }

  #incoming(body: string): Incoming {
    const target = this.request.url ?? '/';
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query: Query = mark < 0 ? [] : [...new URLSearchParams(target.slice(mark + 1))];
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
    const account = ACCOUNTS.find((one) => one.key === incoming.key);
    if (account?.enabled && incoming.method === 'GET' && incoming.path === `/${family}`) {
      disturbList(this.opened.store, family, account.live, incoming.query, how);
    }
  }

  async #answer(answer: Outgoing, fault: FaultKind | undefined): Promise<void> {
    if (fault === 'cut-after') return void this.request.socket.destroy();
    if (fault === '500-after') return this.#fault(500, 'Unexpected error.');
    if (fault === 'wrong-type') {
      this.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      this.response.end('<!doctype html><title>Maintenance</title><p>We are back soon.</p>');
      return;
    }
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

  #fault(status: number, message: string, headers: Record<string, string> = {}): void {
    const text = faultBody(message, Math.floor(this.opened.now() / 1000));
    this.response.writeHead(status, { 'content-type': JSON_TYPE, ...headers });
    this.response.end(text);
  }

  /** The whole body, or undefined when it is too large; the rest of one that is too large is let go. */
  #readBody(): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let size = 0;
      this.request.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size <= LARGEST_BODY) pieces.push(piece);
        else {
          pieces.length = 0;
          resolve(undefined);
        }
      });
      this.request.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
      this.request.on('error', reject);
      this.request.on('aborted', () => reject(new Error('The client went away.')));
    });
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
