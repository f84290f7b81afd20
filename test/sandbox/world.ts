import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Books, breaches } from '../../src/data/scenarios/books.js';
import { createService } from '../../src/sandbox/serve/service.js';
import type { OpenedSandbox } from '../../src/sandbox/store/open-store.js';
import { bodyBytes } from '../../src/sandbox/store/prebuilt-json.js';
import { layFor } from '../harness/seeded.js';

/* A sandbox of a test's own with a clock that the test moves: requests, what was recorded, and the books. */

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export type Json = any;

const KEY = 'sandbox-key-no-secret-0000000001-test';

export class SandboxWorld {
  now = Date.UTC(2026, 0, 31, 10) / 1000;

  private constructor(
    readonly dataDir: string,
    readonly opened: OpenedSandbox,
    readonly service: ReturnType<typeof createService>,
  ) {}

  static async make(seed = 1, renewals = 40): Promise<SandboxWorld> {
    const dataDir = mkdtempSync(join(tmpdir(), 'alive-'));
    let world: SandboxWorld | undefined;
    const clock = () => (world?.now ?? Date.UTC(2026, 0, 31, 10) / 1000) * 1000;
    const opened = await layFor(dataDir, clock() / 1000, seed, renewals, { due: true, clock });
    const { store, moment, isReady } = opened;
    const service = createService({ store, moment, isReady });
    world = new SandboxWorld(dataDir, opened, service);
    return world;
  }

  async send(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
    const [pathname = '', search = ''] = path.split('?');
    const query = [...new URLSearchParams(search)] as [string, string][];
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.service.handle({ method, path: pathname, query, key: KEY, body: text });
    return { status: answer.status, body: JSON.parse(bodyBytes(answer.body).toString('utf8')) };
  }

  /** A write that is to be taken; its answer. */
  async post(path: string, body: Json = {}): Promise<Json> {
    const answer = await this.send('POST', path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async get(path: string): Promise<Json> {
    return (await this.send('GET', path)).body;
  }

  /** Time passes, and what falls due happens. */
  async pass(seconds: number): Promise<void> {
    this.now += seconds;
    await this.get('/campaigns?limit=1&page=1');
  }

  /** Items of a family in test mode, oldest first. */
  all(family: string, fits: (item: Json) => boolean = () => true): Json[] {
    return this.opened.store
      .all(family, false)
      .map(({ value }) => value)
      .filter(fits);
  }

  one(family: string, fits: (item: Json) => boolean = () => true): Json {
    const found = this.all(family, fits).at(-1);
    if (!found) throw new Error(`no item of ${family} fits`);
    return found;
  }

  breaches(): string[] {
    return breaches(new Books(this.opened.store, false));
  }

  /** The body of a sale that is paid by a card. */
  order(name = 'Ceramic Mug', card_number = '4111111111111111'): Json {
    return {
      campaign: this.one('campaigns').id,
      payment_profile: this.one('payment_profiles', ({ enabled }) => enabled !== false).id,
      customer: { first_name: 'Ann', last_name: 'O', email: `ann${Math.random()}@example.com`, country: 'USA' },
      credit_card: { card_number, exp_month: 1, exp_year: 30, card_code: '123' },
      products: [{ id: this.one('products', (item) => item.name === name).id }],
    };
  }

  async makeFunction(settings: Json): Promise<string> {
    const { function_id: id } = await this.post('/functions', { name: `F ${Math.random()}` });
    await this.post(`/functions/${id}`, settings);
    return id;
  }

  async close(): Promise<void> {
    await this.service.close();
    this.opened.database.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
