import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../../src/sandbox/serve/embedded-keys.js';
import { openSandboxStore, resetStore } from '../../../src/sandbox/serve/index.js';
import { createService } from '../../../src/sandbox/serve/service.js';
import { bodyBytes } from '../../../src/sandbox/store/prebuilt-json.js';
import { QuickClock } from '../../harness/clock.js';
import { closeAfterTest } from '../../harness/closing.js';
import { Home } from '../program.js';

/** A request as it comes in. */
export interface Seen {
  /** From 1, of the requests since the last `forget`. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What befalls a request; without it, it is answered. */
export interface Fate {
  /** Once it is here, before anything is done. */
  readonly before?: () => void;
  /** Once it is done, before it is answered. */
  readonly done?: () => void;
  /** Once the answer is on its way. */
  readonly after?: () => void;
  /** The connection breaks: before the work is done, or after it and before the answer. */
  readonly lost?: 'before' | 'after';
}

type Opened = Awaited<ReturnType<typeof resetStore>>;

/** The sandbox behind a port, which counts what it is asked for and lets a test meet any request. */
export class Served {
  /** What befalls each request. */
  fate: (seen: Seen) => Fate | undefined = () => undefined;
  /** What a request waits for before anything is done. */
  hold: (seen: Seen) => Promise<unknown> | undefined = () => undefined;
  seen: Seen[] = [];
  /** The service's clock; a run in this process may share it, so that its pauses pass here too. */
  readonly clock = new QuickClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'cops-served-'));
  #opened: Opened | undefined;
  #handle: ReturnType<typeof createService>['handle'] | undefined;
  readonly #server = createServer((request, response) => {
    this.#exchange(request, response).catch(() => response.destroy());
  });

  private constructor() {}

  static async start(options: { seed?: number; renewals?: number } = {}): Promise<Served> {
    const served = new Served();
    await served.reset(options);
    await new Promise<void>((resolve) => served.#server.listen(0, '127.0.0.1', resolve));
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get store(): Opened['store'] {
    if (!this.#opened) throw new Error('it is closed');
    return this.#opened.store;
  }

  /** Everything anew: a rich test account, an empty live one. */
  async reset({ seed = 1, renewals = 1 }: { seed?: number; renewals?: number } = {}): Promise<void> {
    this.#opened?.database.close();
    const file = join(this.folder, 'sandbox.sqlite');
    const first = join(this.folder, `${seed}-${renewals}.first`);
    const now = () => this.clock.now();
    if (existsSync(first)) {
      // Laid out anew on another day it would have other ids.
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      copyFileSync(first, file);
      this.#opened = await openSandboxStore({ dataDir: this.folder, now });
    } else {
      this.#opened = await resetStore({ dataDir: this.folder, now, seed, renewals, liveData: 'empty' });
      this.#opened.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
      copyFileSync(file, first);
    }
    const { store, moment, isReady } = this.#opened;
    this.#handle = createService({ store, moment, isReady }).handle;
    this.forget();
  }

  forget(): void {
    this.seen = [];
    this.fate = () => undefined;
  }

  /** Requests that may change something. */
  get writes(): readonly Seen[] {
    return this.seen.filter(({ method }) => method !== 'GET');
  }

  /** An environment of its test or live account in a home of its own, or in another's. */
  home(mode: 'test' | 'live', of: Home = closeAfterTest(new Closing())): Home {
    const key = mode === 'test' ? SANDBOX_TEST_KEY : SANDBOX_LIVE_KEY;
    Object.assign(of.env, { COPS_BASE_URL: this.url, COPS_API_KEY: key, COPS_MODE: mode });
    return of;
  }

  /** How many items of each family the live account has. */
  liveCounts(families: readonly string[]): Readonly<Record<string, number>> {
    return Object.fromEntries(families.map((name) => [name, this.store.all(name.replaceAll('-', '_'), true).length]));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#opened?.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString('utf8');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const seen = { n: this.seen.length + 1, method, path: pathname, body };
    this.seen.push(seen);
    await this.hold(seen);
    const fate = this.fate(seen) ?? {};
    fate.before?.();
    if (fate.lost === 'before') return void request.socket.destroy();
    const key = String(request.headers['x-api-key'] ?? '');
    const answer = await this.#handle?.({ method, path: pathname, query: [...searchParams], body, key });
    fate.done?.();
    if (!answer || fate.lost === 'after') return void request.socket.destroy();
    const bytes = bodyBytes(answer.body);
    response.writeHead(answer.status, { ...answer.headers, 'content-length': String(bytes.length) });
    response.end(bytes, fate.after);
  }
}

/** A home that a test closes with itself. */
class Closing extends Home {
  close(): void {
    this.remove();
  }
}
