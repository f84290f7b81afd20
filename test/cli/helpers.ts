import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprint } from '../../src/account/profiles/keys.js';
import { type Handler, type Service, type ServiceOptions, startService } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { KEY as TEST_KEY } from '../harness/home.js';
import { Home, homeFor, type Ran } from './program.js';

export const KEY = TEST_KEY;
export const A = 'AAAAAAAAAAAAAAAAAAA1';
export const B = 'BBBBBBBBBBBBBBBBBBB2';
export const C = 'CCCCCCCCCCCCCCCCCCC3';

/** A service that is closed after the test. */
export async function service(options: ServiceOptions = {}): Promise<Service> {
  return closeAfterTest(await startService(options));
}

/** A home that is removed after the test. */
export function home(extra: Readonly<Record<string, string>> = {}): Home {
  const made = new Home(extra);
  closeAfterTest({ close: () => made.remove() });
  return made;
}

/** A service with a home whose environment points to it; a test key is proven to be one, unless told otherwise. */
export async function pair(
  options: ServiceOptions | Handler = {},
  mode: 'test' | 'live' = 'test',
  extra: Readonly<Record<string, string>> = {},
  proven = mode === 'test',
): Promise<{ readonly service: Service; readonly home: Home }> {
  const started = await service(typeof options === 'function' ? { handler: options } : options);
  const made = homeFor(started.baseUrl, mode, extra);
  if (proven) prove(made, started.baseUrl);
  knowFirstDay(made, started.baseUrl);
  closeAfterTest({ close: () => made.remove() });
  return { service: started, home: made };
}

/** Leaves the proof that the test key is one, as reading an item does. */
export function prove(made: Home, baseUrl: string, key: string = KEY): void {
  const proof = { fingerprint: fingerprint(key), base_url: baseUrl, mode: 'test' };
  const config = made.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(config, 'proofs.json'), JSON.stringify({ version: 1, proofs: [proof] }), { mode: 0o600 });
}

/** Leaves the first day of the account, 30 days ago, as a search for it does: a list of people is one window then. */
export function knowFirstDay(made: Home, baseUrl: string, key: string = KEY): void {
  const firstDay = Math.floor(Date.now() / 1000) - 30 * 86_400;
  const day = {
    fingerprint: fingerprint(key),
    base_url: baseUrl,
    first_day: firstDay,
    source: 'found',
    is_proven: true,
  };
  const config = made.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(config, 'first-days.json'), JSON.stringify({ version: 1, days: [day] }), { mode: 0o600 });
}

/** A home that knows no first day: the next command that needs it looks for it. */
export function forgetFirstDay(made: Home): void {
  rmSync(path.join(made.env.COPS_CONFIG_DIR ?? '', 'first-days.json'), { force: true });
}

export interface ErrorLine {
  readonly kind: string;
  readonly message: string;
  readonly http_status: number | null;
  readonly code: number | null;
  readonly error_code: string | null;
  readonly api_call_id: string | null;
  readonly hint: string | null;
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
}

/** The error that a run left as the last line of standard error. */
export function errorOf(ran: Ran): ErrorLine {
  const last = ran.stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(last) as { error: ErrorLine }).error;
}

/** Items with ids and dates, newest first. */
export function items(count: number, unix = 1_780_000_000, more: object = {}): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `ITEM${String(at).padStart(16, '0')}`,
    created_date_unix: unix - at,
    live_mode: false,
    ...more,
  }));
}

export function json<T = unknown>(ran: Ran): T {
  return JSON.parse(ran.stdout) as T;
}
