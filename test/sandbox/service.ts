import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Books, breaches } from '../../src/data/scenarios/books.js';
import { advanceTo, openSandboxStore, parseFaults, serveSandbox } from '../../src/sandbox/serve/index.js';
import { endSchedules, laySandbox, SOME } from '../harness/seeded.js';

/*
 * The one place of this suite that touches the program: it starts the server and moves its clock. Everything else
 * speaks plain HTTP, from what the spec says.
 */

export const TEST_KEY = 'sandbox-key-no-secret-0000000001-test';
export const LIVE_KEY = 'sandbox-key-no-secret-0000000002-live';
export const READ_KEY = 'sandbox_test_key_that_may_only_read';
export const DISABLED_KEY = 'sandbox_test_key_that_is_disabled';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export type Json = Record<string, any>;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface Service {
  readonly url: string;
  get(path: string, query?: Query, key?: string): Promise<Answer>;
  post(path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Lets so many days pass. */
  advance(days: number): Promise<void>;
  /** Unix seconds on the service's clock. */
  now(): Promise<number>;
  stop(): Promise<void>;
}

export type Query = readonly (readonly [string, string | number])[] | Record<string, string | number>;

export async function startService(
  options: {
    fault?: string[];
    rangeEnds?: 'in' | 'out';
    latencyMs?: number;
    rateLimit?: number;
    /** False: no function or assistant runs by its schedule, which is most of what happens in a long time. */
    schedules?: boolean;
  } = {},
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const faults = parseFaults(options.fault ?? []);
  if (typeof faults === 'string') throw new Error(faults);
  const { fault: _fault, schedules = true, ...rest } = options;
  await laySandbox(dataDir, Date.now(), SOME);
  const serving = await serveSandbox({ dataDir, port: 0, now: Date.now, random: Math.random, faults, ...rest });
  // Beside the service, as another process would open it.
  const opened = await openSandboxStore({ dataDir, now: Date.now });
  if (!schedules) endSchedules(opened);
  return {
    url: serving.url,
    get: (path, query = {}, key = TEST_KEY) =>
      call(`${serving.url}${path}${queryText(query)}`, { headers: headers(key) }),
    post: (path, body = {}, key = TEST_KEY) =>
      call(`${serving.url}${path}`, {
        method: 'POST',
        headers: { ...headers(key), 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    advance: async (days) => {
      await advanceTo(opened, Math.floor(opened.now() / 1000) + Math.round(days * 86_400));
    },
    now: async () => Math.floor(opened.now() / 1000),
    stop: async () => {
      // After all that a file of tests wrote, the books balance in both modes (`conservation.ts`).
      // Items that a fault took away leave others that name them.
      const whole = !(options.fault ?? []).some((fault) => /^(insert|delete)/.test(fault));
      const found = whole ? [false, true].flatMap((live) => breaches(new Books(opened.store, live))) : [];
      opened.database.close();
      await serving.close();
      rmSync(dataDir, { recursive: true, force: true });
      if (found.length > 0) throw new Error(found.slice(0, 5).join('\n'));
    },
  };
}

function headers(key: string): Record<string, string> {
  return key === '' ? {} : { 'x-api-key': key };
}

export async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
}

function queryText(query: Query): string {
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The query of a date-ranged list over the last days. */
export function range(now: number, days = 90, more: Json = {}): Record<string, string | number> {
  return { date_start: now - days * 86_400, date_end: now, limit: 25, page: 1, ...more };
}

/** Every item of a date-ranged list within the last days (at most 90), page by page. */
export async function readAll(
  service: Service,
  path: string,
  days = 90,
  more: Json = {},
  key = TEST_KEY,
): Promise<Json[]> {
  const items: Json[] = [];
  for await (const page of pagesOf(service, path, days, more, key)) items.push(...page);
  return items;
}

async function* pagesOf(service: Service, path: string, days = 90, more: Json = {}, key = TEST_KEY) {
  const now = await service.now();
  for (let page = 1; ; page++) {
    const { status, body } = await service.get(path, range(now, days, { ...more, page }), key);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    yield body.results as Json[];
    if (page >= body.total_pages) return;
  }
}

/** The first item of a list that fits; what lies behind its page is not read. */
export async function find(service: Service, path: string, fits: (item: Json) => boolean): Promise<Json> {
  for await (const page of pagesOf(service, path)) {
    const item = page.find(fits);
    if (item) return item;
  }
  throw new Error(`no item of ${path} fits`);
}
