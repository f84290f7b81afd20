import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import type { Field, Operation } from '../../../src/catalogue/types.js';
import { advanceTo, openSandboxStore, serveSandbox } from '../../../src/sandbox/serve/index.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

/*
 * Whatever a client sends over HTTP, the sandbox answers in the shapes of service.md#errors, never with an error of its
 * own, and its database stays sound: the passing of time and every list still work afterwards.
 */

const KEY = 'sandbox-key-no-secret-0000000001-test';
const DAY = 86_400;
const LONG = process.env.COPS_LONG === '1';
const dataDir = mkdtempSync(join(tmpdir(), 'hostile-'));
const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
// Queries run in a process each: they have a test of their own.
const operations: Operation[] = families
  .flatMap((family) => [...family.operations])
  .filter(({ path }) => path !== '/bigquery');
let server: Awaited<ReturnType<typeof serveSandbox>>;
/** Ids that exist, by the first word of their path. */
const known = new Map<string, string[]>();

beforeAll(async () => {
  await laySandbox(dataDir, Date.now(), FEW);
  server = await serveSandbox({ dataDir, port: 0, now: Date.now, random: Math.random });
  const at = await now();
  for (const operation of lists()) {
    const answer = await ask('GET', listPath(operation, at));
    const ids = (answer.body.results as { id?: string; key?: string }[]).map((item) => item.id ?? item.key);
    known.set(operation.path.split('/')[1] as string, ids.filter((id): id is string => id !== undefined).slice(0, 12));
  }
}, 30_000);
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const lists = () => operations.filter(({ list, path }) => list && list.style !== 'search' && !path.includes('{'));

function listPath({ path, list }: Operation, at: number): string {
  const dates =
    list?.style === 'windowed' ? `&date_start=${at - (path === '/ai_memos' ? 7 : 90) * DAY}&date_end=${at}` : '';
  return `${path}?limit=25&page=1${dates}`;
}

async function now(): Promise<number> {
  const opened = await openSandboxStore({ dataDir, now: Date.now });
  const at = Math.floor(opened.now() / 1000);
  opened.database.close();
  return at;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Json = any;

/** One request, its target and body as they are: no client library tidies them up. */
function ask(method: string, target: string, body?: string): Promise<{ status: number; body: Json }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': KEY, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) };
    const sent = httpRequest({ hostname, port, method, path: target, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const strange = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  0,
  -1,
  1.005,
  1e9,
  1e300,
  -1e300,
  true,
  false,
  [],
  [null],
  [[]],
  {},
  { id: null },
  { constructor: 'x' },
  '\u0000',
  '\ud800',
  'constructor',
  '__proto__',
  '9999-12-31T23:59:59Z',
  '0000-01-01',
  'x'.repeat(5000),
  '😀'.repeat(300),
);
const names = fc.constantFrom(
  ...'id created_date_unix updated_date_unix live_mode status metadata customer customer_id amount amount_total amount_captured enabled products product price quantity campaign constructor toString __proto__ hasOwnProperty idempotency_key api_call_id code trial_days subscription_profile transactions sales name tracking_number rates coupon_code discount_type discount_value user_gateway tracking_domain payment_type products shipping_amount'.split(
    ' ',
  ),
);
const anyId = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map((n) => pick([...known.values()].flat(), n) ?? 'x') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0'.repeat(20), 'search', 'constructor', '%00', '%', '..', '%2e%2e', 'a'.repeat(3000)),
  },
);

function pick<T>(values: readonly T[], n: number): T | undefined {
  return values[n % Math.max(1, values.length)];
}

/** A value that fits the field. */
function fitting(field: Field, name: string, depth = 0): fc.Arbitrary<unknown> {
  if (field.enum) return fc.constantFrom(...field.enum);
  if (field.format === 'id') return idFor(name);
  if (field.type === 'boolean') return fc.boolean();
  if (field.type === 'integer') return fc.constantFrom(1, 2, field.min ?? 0, field.max ?? 30, field.max ?? 2 ** 31);
  if (field.type === 'number') return fc.constantFrom(1, 0.01, 12.34, 0, field.max ?? 3, field.max ?? 1e7);
  if (field.type === 'array') {
    const { items, minItems = 0 } = field;
    return items && depth < 8
      ? fc.array(fitting(items, name, depth + 1), { minLength: minItems, maxLength: 2 })
      : fc.constant([]);
  }
  if (field.type === 'object') return field.fields ? object(field.fields, depth + 1) : fc.constant({ id: 'x' });
  if (field.type === 'any')
    return fc.oneof(idFor(name), fc.constantFrom<unknown>('word', 5, { id: 'x' }, [{ id: 'x' }]));
  if (/card_number/.test(name)) return fc.constantFrom('4111111111111111', '4000000000000002', '4000000000003220');
  return fc.constantFrom(...(TEXTS[field.format ?? ''] ?? ['word', 'another', 'third']));
}

const TEXTS: Readonly<Record<string, string[]>> = {
  digits: ['1', '12', '123'],
  email: ['a@example.com', 'hostile@example.com'],
  country: ['USA', 'DEU'],
  currency: ['USD', 'EUR'],
  'date-time': ['2030-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  url: ['https://example.com/a.png'],
  ipv4: ['127.0.0.1'],
  cron: ['0 6 * * *'],
  timezone: ['UTC', 'Europe/Berlin'],
};

function idFor(name: string): fc.Arbitrary<unknown> {
  const word = name.replace(/_id$|_filter$/, '');
  const ways = [
    word,
    `${word}s`,
    word.replace('third_party_shop', 'user_shops').replace('third_party_integration', 'user_third_party_integrations'),
  ];
  return fc
    .nat()
    .map((n) => pick(ways.map((way) => known.get(way)).find((ids) => ids?.length) ?? [...known.values()].flat(), n));
}

function object(fields: Readonly<Record<string, Field>>, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(fields).map(([name, field]) => [name, fitting(field, name, depth)] as const);
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []));
  return fc.record(Object.fromEntries(entries), { requiredKeys: required });
}

/** Leaves a body as it is, or puts something strange at one of its places. */
function mutated(bodies: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const change = fc.record({
    path: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
    name: fc.option(names, { freq: 2 }),
    value: fc.oneof(strange, anyId),
  });
  return fc.tuple(bodies, fc.option(change, { freq: 2 })).map(([body, one]) => {
    if (!one) return body;
    const copy = structuredClone(body);
    let place: Json = copy;
    for (const step of one.path) {
      const inner = pick(Object.keys(place), step);
      if (inner === undefined || typeof place[inner] !== 'object' || place[inner] === null) break;
      place = place[inner];
    }
    const name = one.name ?? pick(Object.keys(place), one.path[0] ?? 0) ?? 'name';
    // As JSON.parse would: also `__proto__` is a name like any other.
    Object.defineProperty(place, name, { value: one.value, enumerable: true, configurable: true, writable: true });
    return copy;
  });
}

/** Bodies that the page of a sale breaks off before: the sandbox's own names. */
const order = fc.record(
  {
    campaign: idFor('campaigns'),
    payment_profile: idFor('payment_profiles'),
    customer: fc.constant({ first_name: 'A', last_name: 'B', email: 'hostile@example.com' }),
    products: fc.array(
      fc.record(
        { id: idFor('products'), quantity: fc.constantFrom(1, 3), price: fc.constantFrom(0, 1, 9.99) },
        { requiredKeys: ['id'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
    shipping_amount: fc.constantFrom(0, 4.9),
    tax_amount: fc.constantFrom(0, 0.07),
    discount_amount: fc.constantFrom(0, 1.5, 1e6),
    credit_card: fc.constant({ card_number: '4111111111111111', exp_month: 1, exp_year: 30, card_code: '123' }),
  },
  { requiredKeys: ['campaign', 'payment_profile', 'customer', 'products', 'credit_card'] },
);

interface Sent {
  method: string;
  target: string;
  body?: string;
}

const lasting = operations.filter(({ action }) => !/delete$/.test(action));
// What is deleted is gone for all that comes after it, so that deletions are rare.
const anyOperation = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...lasting) },
  { weight: 1, arbitrary: fc.constantFrom(...operations.filter((one) => !lasting.includes(one))) },
);

const wellMeant: fc.Arbitrary<Sent> = anyOperation.chain((operation) => {
  const family = operation.path.split('/')[1] as string;
  const words = operation.path.split('/').map((word) => {
    if (!word.startsWith('{')) return fc.constant(word);
    const name = word === '{product_image_id}' ? 'images' : word === '{payment_method_id}' ? 'customer_cards' : family;
    return fc.oneof({ weight: 12, arbitrary: idFor(name) }, { weight: 1, arbitrary: anyId });
  });
  const path = fc.tuple(...words).map((all) => all.join('/'));
  const query = fc.record(
    Object.fromEntries(
      [
        ...Object.keys(operation.query ?? {}),
        'limit',
        'page',
        'date_start',
        'date_end',
        'metadata_filter',
        'customer_id',
      ].map((name) => [
        name,
        fc.oneof(
          fc.constantFrom('1', '25', String(Math.floor(Date.now() / 1000))),
          fc.constantFrom('', '-1', 'x', '1e9', '{"name":"channel","value":"web"}', '[]', 'null', '9'.repeat(30)),
          anyId,
        ),
      ]),
    ),
    { requiredKeys: [] },
  );
  const fields = operation.body?.fields ?? {};
  const selling =
    /^\/(sales|invoices)(\/pending)?(\/estimate|\/\{sale_id\}|\/\{sale_id\}\/process)?$/.test(operation.path) &&
    operation.method === 'POST';
  const body = mutated(
    selling
      ? fc.oneof(
          object(fields),
          fc.tuple(object(fields), order).map(([one, other]) => ({ ...one, ...other })),
        )
      : object(fields),
  );
  return fc.tuple(path, query, body).map(([at, parameters, content]) => ({
    method: operation.method,
    target: operation.method === 'GET' ? `${at}?${new URLSearchParams(parameters as Record<string, string>)}` : at,
    ...(operation.method === 'POST' ? { body: JSON.stringify(content) } : {}),
  }));
});

const illMeant: fc.Arbitrary<Sent> = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE'),
    target: fc
      .array(
        fc.oneof(
          fc.constantFrom(
            'sales',
            'constructor',
            '__proto__',
            'customers',
            'payment_methods',
            'openapi.json',
            '',
            '%',
            '%00',
            '*',
            '{id}',
          ),
          anyId,
        ),
        { maxLength: 5 },
      )
      .map((words) => `/${words.join('/')}`)
      .chain((path) =>
        fc
          .constantFrom('', '?', '?limit=1&page=1', '?%', '?a[b]=c&&=', '?metadata_filter[x][name]=1')
          .map((query) => path + query),
      ),
    body: fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{}',
      '{"a":1',
      `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      '\ufeff{}',
      '{"constructor":"x","__proto__":{"id":"y"}}',
    ),
  },
  { requiredKeys: ['method', 'target'] },
);

/** What has broken the sandbox once. */
const FOUND: Sent[] = [
  { method: 'GET', target: '/constructor/x' },
  { method: 'POST', target: '/__proto__', body: '{}' },
  { method: 'POST', target: '/sites', body: '{"constructor":"x"}' },
  { method: 'POST', target: '/projects', body: '{"name":"x","id":1}' },
  { method: 'POST', target: '/projects', body: '{"name":"x","__proto__":".."}' },
  { method: 'POST', target: '/projects', body: '{"name":"x","metadata":"none"}' },
  { method: 'POST', target: '/user_shops', body: '{"name":"x","created_date_unix":"never"}' },
  {
    method: 'POST',
    target: '/tracking_domains',
    body: `{"name":"x","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  },
];

describe('a hostile client', () => {
  it('is answered, never with an unexpected error, and leaves the database sound', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 5, arbitrary: wellMeant }, { weight: 1, arbitrary: illMeant }),
        async ({ method, target, body }) => {
          const answer = await ask(method, target, body);
          expect(
            [200, 400, 401, 402, 404, 405],
            `${method} ${target} ${body?.slice(0, 1500)}: ${JSON.stringify(answer.body)}`,
          ).toContain(answer.status);
          if (method !== 'HEAD' && !answer.body.openapi) expect(answer.body.code === 1).toBe(answer.status === 200);
        },
      ),
      {
        numRuns: LONG ? 30_000 : 200,
        seed: Number(process.env.COPS_SEED ?? 20_260_101),
        examples: FOUND.map((one) => [one]),
      },
    );
    await time((LONG ? 400 : 40) * DAY);
    const at = await now();
    for (const operation of lists()) {
      const answer = await ask(
        'GET',
        `${listPath(operation, at)}&metadata_filter={"name":"a","value":"METADATA_NAME_EXISTS"}`,
      );
      expect(answer.status, `${operation.path} ${JSON.stringify(answer.body)}`).toBe(200);
    }
    await checkDatabase();
  });
});

describe('what a client may set up', () => {
  const attempt = async (path: string, body: unknown) => (await ask('POST', path, JSON.stringify(body))).status;

  it('keeps every schedule within the calendar', async () => {
    for (const id of known.get('subscription_profiles') ?? []) {
      const body = { frequency: 'unit', frequency_unit: { unit: 'years', value: 2_000_000_000 } };
      expect(await attempt(`/subscription_profiles/${id}`, body)).toBe(200);
    }
    await time(40 * DAY);
    expect((await ask('GET', '/campaigns?limit=1&page=1')).status).toBe(200);
    expect(await attempt('/products', { name: 'Endless', price: 1, trial_days: 2_000_000_000 })).toBe(400);
  });

  it.each([-1, 1e9, 1e300])('takes no sum of %s', async (price) => {
    expect(await attempt('/products', { name: 'Odd', price })).toBe(400);
  });

  it('has no coupon that adds to a price, or makes it no number', async () => {
    for (const [code, discount_value] of [
      ['WORD', 'much'],
      ['NAUGHT', null],
      ['DOUBLE', 200],
    ] as const)
      expect(await attempt('/coupons', { coupon_code: code, discount_type: 'percent', discount_value })).toBe(400);
    expect(await attempt('/coupons', { coupon_code: 'LESS', discount_type: 'amount', discount_value: -5 })).toBe(400);
  });
});

async function time(seconds: number): Promise<void> {
  const opened = await openSandboxStore({ dataDir, now: Date.now });
  try {
    await advanceTo(opened, Math.floor(opened.now() / 1000) + seconds);
  } finally {
    opened.database.close();
  }
}

/** Every row is filed under what it says itself, and the kept counts are those of the rows. */
async function checkDatabase(): Promise<void> {
  const { database } = await openSandboxStore({ dataDir, now: Date.now });
  try {
    const rows = database
      .prepare("SELECT i.id, i.created, i.body || coalesce(p.text, '') FROM items i LEFT JOIN parts p ON p.id = i.part")
      .all();
    const wrong = rows.filter(([id, created, text]) => {
      const item = JSON.parse(text as string);
      return (item.id ?? item.key ?? id) !== id || (item.created_date_unix ?? created) !== created;
    });
    expect(wrong).toEqual([]);
    const money = rows.map(([, , text]) => text as string).filter((text) => text.includes('"amount_original_total"'));
    expect(money.filter((text) => /"amount[a-z_]*":(?!\d+\.\d\d[,}])/.test(text))).toEqual([]);
    const counted = database.prepare('SELECT kind, n FROM counts WHERE level = 0 AND n > 0 ORDER BY kind').all();
    expect(counted).toEqual(database.prepare('SELECT kind, count(*) FROM items GROUP BY kind ORDER BY kind').all());
  } finally {
    database.close();
  }
}
