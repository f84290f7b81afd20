/** @module-tag thorough */
/**
 * One command line to one request, for every operation: what the example of its help sends, held against the facts
 * of the service and against a file that people can read in a review.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home, ROOT } from '../cli/program.js';
import { golden, pooled } from './file.js';

interface Fact {
  readonly family: string;
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, { readonly required?: boolean; readonly many?: boolean }>>;
  readonly body?: {
    readonly closed: boolean;
    readonly complete: boolean;
    readonly fields: Readonly<Record<string, unknown>>;
  };
}

interface Described {
  readonly family: string;
  readonly action: string;
  readonly example: string;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | null;
}

interface Shown {
  readonly described: Described;
  readonly request: Request;
  readonly text: string;
}

const BASE = 'https://service.example/api/v2';
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const facts = (
  JSON.parse(readFileSync(path.join(ROOT, 'test/fixtures/service-facts.json'), 'utf8')) as { operations: Fact[] }
).operations;
const home = new Home({ COPS_BASE_URL: BASE, COPS_API_KEY: 'key_of_the_tests_0001', COPS_MODE: 'test' });
const started = Math.floor(Date.now() / 1000);
let shown: Shown[] = [];

beforeAll(async () => {
  const listed = await home.run(['commands', '-o', 'json']);
  expect(listed.code, listed.stderr).toBe(0);
  const described = JSON.parse(listed.stdout) as Described[];
  const lines = argumentLists(described.map(({ example }) => example));
  const work = path.join(home.folder, 'work');
  mkdirSync(work);
  for (const [name, body] of Object.entries(FILES)) writeFileSync(path.join(work, name), JSON.stringify(body));
  const failed: string[] = [];
  const all = await pooled(described, 2, async (one) => {
    const [program, ...args] = lines[described.indexOf(one)] ?? [];
    expect(program).toBe('cops');
    const ran = await home.run([...args, '--dry-run', '-o', 'json', '--tz', 'UTC'], { cwd: work });
    if (ran.code !== 0) failed.push(`${one.example}: ${ran.code} ${ran.stderr}`);
    if (ran.code !== 0) return undefined;
    const request = JSON.parse(ran.stdout) as Request;
    return { described: one, request, text: textOf(one, request) };
  });
  expect(failed).toEqual([]);
  shown = all.filter((one) => one !== undefined);
}, 300_000);

afterAll(() => home.remove());

/** What the files that examples name hold. */
const FILES: Readonly<Record<string, unknown>> = {
  'portal.json': {
    name: 'Help',
    enabled: true,
    tracking_domain: 'DOMAIN00000000000001',
    recaptcha: { site_key: 'site', secret_key: 'secret-of-recaptcha' },
    smtp_profile: 'SMTP0000000000000001',
  },
  'card.json': {
    payment: { credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 31, card_code: '123' } },
  },
};

/** The words of shell command lines, as the shell splits them. */
function argumentLists(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const text = execFileSync('sh', ['-f', '-c', script], { encoding: 'utf8', maxBuffer: 1 << 24 });
  const lists: string[][] = [[]];
  for (const word of text.split('\0').slice(0, -1)) {
    if (word === '\n') lists.push([]);
    else lists.at(-1)?.push(word);
  }
  return lists;
}

/** A request without what changes from run to run: the random key, and moments counted from now. */
function textOf({ example }: Described, request: Request): string {
  const url = request.url
    .slice(BASE.length)
    .replace(/date_(start|end)=(\d+)/g, (_, edge: string, digits: string) => `date_${edge}=${moment(Number(digits))}`);
  const { idempotency_key: key, ...rest } = request.body ?? {};
  const body = request.body === null ? '' : `\n  ${JSON.stringify(rest)}${key === undefined ? '' : ' + key'}`;
  return `${example}\n  ${request.method} ${url}${body}\n`;
}

function moment(unix: number): string {
  const ago = started - unix;
  if (Math.abs(ago) < 3600) return '<now>';
  if (Math.abs(ago - 12 * 3600) < 3600) return '<now-12h>';
  for (const days of [1, 2, 7, 30, 90]) if (Math.abs(ago - days * 86_400) < 3600) return `<now-${days}d>`;
  return String(unix);
}

it('knows every operation of the service and no other', () => {
  const known = shown.map(({ described }) => `${described.family.replaceAll('-', '_')} ${described.action}`);
  expect([...known].sort()).toEqual(facts.map(({ family, action }) => `${family} ${action}`).sort());
});

it('sends each operation with the method and to the path of the facts', () => {
  const wrong: string[] = [];
  for (const { described, request } of shown) {
    const fact = factOf(described);
    const [where = ''] = request.url.slice(BASE.length).split('?');
    const pattern = new RegExp(`^${fact.path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
    const otherWords = fact.path.split('/').filter((word) => !word.startsWith('{'));
    const fits = request.url.startsWith(`${BASE}/`) && request.method === fact.method && pattern.test(where);
    if (!fits || !otherWords.every((word) => where.split('/').includes(word))) {
      wrong.push(`${described.example}: ${request.method} ${where}, not ${fact.method} ${fact.path}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('sends the query parameters that the facts require, and none that they do not know', () => {
  const wrong: string[] = [];
  for (const { described, request } of shown) {
    const known = factOf(described).query ?? {};
    const names = new Set(new URL(request.url).searchParams.keys());
    for (const [name, { required }] of Object.entries(known)) {
      if (required && !names.has(name)) wrong.push(`${described.example}: ${name} is missing`);
    }
    if (factOf(described).query === undefined) continue;
    for (const name of names) {
      // The one search whose page was cut before its parameters is asked like all other searches.
      const likeAllSearches = described.action === 'search' && name === 'search_term';
      if (!Object.hasOwn(known, name) && !likeAllSearches) wrong.push(`${described.example}: ${name} is unknown`);
    }
  }
  expect(wrong).toEqual([]);
});

it('gives every POST that changes something a random key, and a GET neither body nor key', () => {
  const keys = new Set<string>();
  for (const { described, request } of shown) {
    if (request.method === 'GET') {
      expect(request.body, described.example).toBeNull();
      continue;
    }
    const key = request.body?.idempotency_key;
    if (key === undefined) {
      expect(['bigquery query', 'sales estimate'], described.example).toContain(
        `${described.family} ${described.action}`,
      );
    } else {
      expect(key, described.example).toMatch(UUID4);
      keys.add(key as string);
    }
  }
  expect(keys.size).toBe(shown.filter(({ request }) => request.body?.idempotency_key !== undefined).length);
});

it('sends only fields that a closed body has', () => {
  for (const { described, request } of shown) {
    const { body } = factOf(described);
    if (!body?.closed || !body.complete || request.body === null) continue;
    const sent = Object.keys(request.body).filter((name) => name !== 'idempotency_key');
    for (const name of sent) expect(Object.keys(body.fields), described.example).toContain(name);
  }
});

it('shows neither the key nor a card in any dry run', () => {
  for (const { described, request } of shown) {
    const text = JSON.stringify(request);
    expect(text, described.example).not.toContain('key_of_the_tests_0001');
    expect(text, described.example).not.toMatch(/4111111111111111|secret-of-recaptcha/);
  }
});

it('sends what the golden file says', () => {
  const came = shown.map(({ text }) => text).join('\n');
  expect(came).toBe(golden('requests.txt', came));
});

function factOf({ family, action }: Described): Fact {
  const fact = facts.find((one) => one.family === family.replaceAll('-', '_') && one.action === action);
  if (!fact) throw new Error(`no facts on ${family} ${action}`);
  return fact;
}
