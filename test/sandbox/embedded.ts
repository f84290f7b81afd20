import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breaches } from '../../src/data/scenarios/books.js';
import { createService } from '../../src/sandbox/serve/service.js';
import type { OpenedSandbox } from '../../src/sandbox/store/open-store.js';
import { bodyBytes } from '../../src/sandbox/store/prebuilt-json.js';
import { layFor } from '../harness/seeded.js';
import { KeptBooks } from './conservation.js';
import { type Json, TEST_KEY } from './service.js';

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** The sandbox in this process with a clock of its own: after every write its books must balance. */
export class Embedded {
  /** Unix seconds. */
  now: number;
  readonly #service: ReturnType<typeof createService>;
  /** Of all that was written only that is read again (`property/sandbox/conservation` compares it with the whole). */
  readonly #books: KeptBooks;

  private constructor(
    private readonly dataDir: string,
    private readonly opened: OpenedSandbox,
    start: number,
  ) {
    this.now = start;
    const { store, isReady, moment } = opened;
    const due = () => ({ ...moment(), unix: this.now, isDue: true });
    this.#service = createService({ store, moment: due, isReady });
    this.#books = new KeptBooks(store, false);
  }

  static async start(moment: string): Promise<Embedded> {
    const dataDir = mkdtempSync(join(tmpdir(), 'embedded-'));
    const start = Date.parse(moment) / 1000;
    return new Embedded(dataDir, await layFor(dataDir, start, 5, 20), start);
  }

  async send(method: string, path: string, body?: Json | string, key = TEST_KEY): Promise<Answer> {
    const [pathname = '', search = ''] = path.split('?');
    const query = [...new URLSearchParams(search)] as [string, string][];
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.#service.handle({ method, path: pathname, query, key, body: text });
    return { status: answer.status, body: JSON.parse(bodyBytes(answer.body).toString('utf8')) };
  }

  async get(path: string): Promise<Json> {
    return (await this.send('GET', path)).body;
  }

  async post(path: string, body: Json = {}): Promise<Answer> {
    const since = this.now;
    const answer = await this.send('POST', path, body);
    const found = breaches(this.#books.refresh(), since);
    if (found.length > 0) throw new Error(`after ${path}: ${found.slice(0, 3).join('\n')}`);
    return answer;
  }

  /** Moves the clock; what has fallen due happens with the next request. */
  async at(moment: string): Promise<void> {
    this.now = Date.parse(moment) / 1000;
    await this.get('/campaigns?limit=1&page=1');
  }

  all(family: string): Json[] {
    return this.opened.store.all(family, false).map(({ value }) => value);
  }

  stop(): void {
    this.opened.database.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
