/** What may be claimed of a write, row by row of the outcome table (command-line.md#writes), on the built program. */
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import {
  declined,
  duplicateKey,
  fraud,
  html,
  notFound,
  ok,
  type Reaction,
  refusal,
  serverError,
  tooMany,
  truncated,
  wrote,
} from '../fixtures/service/service.js';
import { A, B, errorOf, home, json, KEY, pair } from './helpers.js';

const LINE = ['customer-groups', 'edit', A, '--name', 'x', '-o', 'json'];
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const done = wrote('customer_group', A);
const fast = tooMany(0);

interface Row {
  readonly name: string;
  readonly script: readonly Reaction[];
  readonly code: number;
  readonly sent: number;
  readonly history: string;
  readonly args?: readonly string[];
}

const rows: readonly Row[] = [
  { name: '2xx with code 1', script: [done], code: 0, sent: 1, history: 'done' },
  { name: '201 with code 1', script: [{ ...done, status: 201 }], code: 0, sent: 1, history: 'done' },
  { name: 'code 1 after a lost answer', script: ['drop', done], code: 0, sent: 2, history: 'done' },
  {
    name: 'code 1 after an answer cut in its middle',
    script: [{ ...done, cutAfter: 0.5 }, done],
    code: 0,
    sent: 2,
    history: 'done',
  },
  { name: 'code 1 after 429s', script: [fast, fast, done], code: 0, sent: 3, history: 'done' },
  { name: '400', script: [refusal(400)], code: 1, sent: 1, history: 'refused' },
  { name: '400 E0208', script: [refusal(400, 'E0208')], code: 1, sent: 1, history: 'refused' },
  { name: '401', script: [refusal(401)], code: 3, sent: 1, history: 'refused' },
  { name: '403', script: [refusal(403)], code: 3, sent: 1, history: 'refused' },
  { name: '402 declined', script: [declined(2)], code: 5, sent: 1, history: 'payment_failed' },
  { name: '402 gateway error', script: [declined(3)], code: 5, sent: 1, history: 'payment_failed' },
  { name: '402 held', script: [declined(4)], code: 5, sent: 1, history: 'payment_failed' },
  { name: '402 fraud', script: [fraud()], code: 6, sent: 1, history: 'fraud_detected' },
  { name: '404', script: [notFound()], code: 4, sent: 1, history: 'refused' },
  { name: '405', script: [refusal(405)], code: 1, sent: 1, history: 'refused' },
  { name: '400 after a lost answer', script: ['drop', refusal(400)], code: 9, sent: 2, history: 'unknown' },
  { name: '401 after a lost answer', script: ['drop', refusal(401)], code: 9, sent: 2, history: 'unknown' },
  { name: '402 after a lost answer', script: ['drop', declined()], code: 9, sent: 2, history: 'unknown' },
  { name: '404 after a lost answer', script: ['drop', notFound()], code: 9, sent: 2, history: 'unknown' },
  { name: '405 after a lost answer', script: ['drop', refusal(405)], code: 9, sent: 2, history: 'unknown' },
  { name: 'E0583', script: [duplicateKey()], code: 9, sent: 1, history: 'unknown' },
  { name: 'E0583 after 429', script: [fast, duplicateKey()], code: 9, sent: 2, history: 'unknown' },
  { name: 'E0583 after a lost answer', script: ['drop', duplicateKey()], code: 9, sent: 2, history: 'unknown' },
  {
    name: '429 to the end',
    script: [fast, fast, fast],
    code: 7,
    sent: 3,
    history: 'rate_limited',
    args: ['--max-retries', '2'],
  },
  {
    name: '429 to the end after a lost answer',
    script: ['drop', fast, fast, fast, fast],
    code: 9,
    sent: 2,
    history: 'unknown',
    args: ['--max-retries', '1'],
  },
  { name: '500', script: [serverError(500)], code: 9, sent: 1, history: 'unknown' },
  { name: '502', script: [html(502)], code: 9, sent: 1, history: 'unknown' },
  { name: '503', script: [serverError(503)], code: 9, sent: 1, history: 'unknown' },
  { name: '200 without JSON', script: [html()], code: 9, sent: 1, history: 'unknown' },
  {
    name: '200 with another code',
    script: [{ json: { code: 0, message: 'x' } }],
    code: 9,
    sent: 1,
    history: 'unknown',
  },
  { name: '200 that ends too early', script: [truncated()], code: 9, sent: 1, history: 'unknown' },
  { name: 'no answer, twice', script: ['drop', 'drop'], code: 9, sent: 2, history: 'unknown' },
  {
    name: 'time-out, twice',
    script: ['silence', 'silence'],
    code: 9,
    sent: 2,
    history: 'unknown',
    args: ['--timeout', '0.4'],
  },
  {
    name: 'a redirect',
    script: [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    code: 9,
    sent: 1,
    history: 'unknown',
  },
];

for (const { name, script, code, sent, history, args } of rows) {
  it(`${name}: exit code ${code}, ${sent} sent`, async () => {
    const { service, home: made } = await pair();
    service.script(...script, ...Array.from({ length: 3 }, () => done));
    const ran = await made.run([...LINE, ...(args ?? [])]);
    const keys = service.requests.map(({ json: body }) => (body as { idempotency_key?: string }).idempotency_key);
    expect({ code: ran.code, sent: service.requests.length }, ran.stderr).toEqual({ code, sent });
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(UUID4);
    const lines = json<Record<string, unknown>[]>(await made.run(['history', 'list', '-o', 'json']));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ outcome: history, key: keys[0] });
    if (code === 0) expect(json(ran)).toMatchObject({ customer_group_id: A });
    else expect(ran.stdout).toBe('');
    if (code === 9) {
      const error = errorOf(ran);
      expect(error.kind).toMatch(/unknown/);
      expect(`${error.message} ${error.hint}`).toMatch(new RegExp(`customer-groups get ${A}|api-calls`));
    }
  });
}

it.each([
  ['a lost answer', 'drop', 9],
  ['429', fast, 7],
  ['500', serverError(), 9],
] as const)('sends nothing twice without a key: %s', async (_, reaction, code) => {
  const { service, home: made } = await pair();
  service.script(reaction, done);
  const ran = await made.run([...LINE, '--no-idempotency-key']);
  expect(ran.code).toBe(code);
  expect(service.requests).toHaveLength(1);
  expect(service.requests[0]?.json).toEqual({ name: 'x' });
});

it('reports refused connections, unknown names and failed TLS as nothing done', async () => {
  const made = home({ COPS_API_KEY: KEY, COPS_MODE: 'test' });
  const closed = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
  const plain = createServer((socket) => socket.end('not tls')).listen(0, '127.0.0.1');
  await new Promise((resolve) => plain.once('listening', resolve));
  const { port } = plain.address() as { port: number };
  try {
    for (const url of [
      `http://127.0.0.1:${closed}/api`,
      'https://no-such-host.invalid/api',
      `https://127.0.0.1:${port}/api`,
    ]) {
      const ran = await made.run([...LINE, '--base-url', url, '--max-retries', '1']);
      expect({ url, code: ran.code, stderr: ran.stderr.slice(0, 400) }).toMatchObject({ url, code: 8 });
    }
  } finally {
    plain.close();
  }
}, 90_000);

it('names a user’s own key that was used before', async () => {
  const { service, home: made } = await pair();
  service.script(duplicateKey());
  const ran = await made.run([...LINE, '--idempotency-key', 'my-own-key-0001']);
  expect(ran.code).toBe(9);
  expect(ran.stderr).toMatch(/key that you gave was used before/);
  expect(service.requests[0]?.json).toMatchObject({ idempotency_key: 'my-own-key-0001' });
});

it.each([
  [9, 2],
  [10, 0],
  [255, 0],
  [256, 2],
] as const)('takes an idempotency key of %i characters with exit code %i', async (length, code) => {
  const { service, home: made } = await pair(() => done);
  expect((await made.run([...LINE, '--idempotency-key', 'k'.repeat(length)])).code).toBe(code);
  expect(service.requests).toHaveLength(code === 0 ? 1 : 0);
});

it('requires 11 characters for the create of an assistant', async () => {
  const { service, home: made } = await pair(() => wrote('ai_assistant', A));
  const line = ['ai-assistants', 'create', '--body', '{}', '--no-validate'];
  expect((await made.run([...line, '--idempotency-key', 'k'.repeat(10)])).code).toBe(2);
  expect(service.requests).toHaveLength(0);
  expect((await made.run([...line, '--idempotency-key', 'k'.repeat(11)])).code).toBe(0);
});

it('gives every run a new key', async () => {
  const { service, home: made } = await pair(() => done);
  await made.run(LINE);
  await made.run(LINE);
  const keys = service.requests.map(({ json: body }) => (body as { idempotency_key: string }).idempotency_key);
  expect(new Set(keys).size).toBe(2);
});

it('requires --again to repeat a write whose outcome is unknown, and only for that one', async () => {
  const { service, home: made } = await pair(({ path }) => wrote('customer_group', path.split('/')[2] ?? ''));
  service.script(serverError());
  expect((await made.run(LINE)).code).toBe(9);
  const again = await made.run(LINE);
  expect(again.code).toBe(12);
  expect(again.stderr).toContain('--again');
  expect(service.requests).toHaveLength(1);
  expect((await made.run(['customer-groups', 'edit', B, '--name', 'x'])).code).toBe(0);
  expect((await made.run(['customer-groups', 'edit', A, '--name', 'y'])).code).toBe(0);
  expect((await made.run([...LINE, '--again'])).code).toBe(0);
  expect(service.requests).toHaveLength(4);
});

it('lets history settle an unknown write', async () => {
  const { service, home: made } = await pair(() => done);
  service.script(serverError());
  await made.run(LINE);
  const [line] = json<{ id: string }[]>(await made.run(['history', 'list', '-o', 'json']));
  expect(line?.id).toBeTruthy();
  const shown = await made.run(['history', 'show', line?.id ?? '', '-o', 'json']);
  expect(json(shown)).toMatchObject({ outcome: 'unknown', mode: 'test' });
  const help = await made.run(['history', 'settle', '--help']);
  const flag = /--(?:as|done|outcome)\b[^\n]*/.exec(help.stdout)?.[0] ?? '';
  const words = flag.startsWith('--done') ? ['--done'] : [flag.split(/[ =<]/)[0] ?? '', 'done'];
  expect((await made.run(['history', 'settle', line?.id ?? '', ...words])).code, help.stdout).toBe(0);
  expect((await made.run(LINE)).code).toBe(0);
});

it('keeps secrets out of the history', async () => {
  const { home: made } = await pair(() => wrote('customer', A));
  const card = { card_number: '4111111111111111', exp_month: 1, exp_year: 31, card_code: '987' };
  const body = {
    campaign: 'C',
    customer: { first_name: 'a', last_name: 'b', email: 'a@b.example' },
    payment: { credit_card: card },
  };
  expect((await made.run(['customers', 'create', '--body', '-'], { input: JSON.stringify(body) })).code).toBe(0);
  const { execFileSync } = await import('node:child_process');
  const found = execFileSync('sh', ['-c', `grep -rlE '4111111111111111|${KEY}' ${made.folder} || true`], {
    encoding: 'utf8',
  });
  expect(found).toBe('');
});

it('writes the api_call_id of the answer into the history', async () => {
  const { home: made } = await pair(() => ({
    json: { api_call_id: B, api_call_unix: 1, code: 1, customer_group_id: A, result: 'success' },
  }));
  await made.run(LINE);
  const [line] = json<Record<string, unknown>[]>(await made.run(['history', 'list', '-o', 'json']));
  expect(JSON.stringify(line)).toContain(B);
});

it('reports a refund as accepted, not as paid back', async () => {
  const { home: made } = await pair((request) =>
    request.method === 'GET' ? ok({ id: A, live_mode: false }) : ok({ result: 'success' }),
  );
  await made.run(['product-sales', 'get', A]);
  const ran = await made.run(['product-sales', 'refund', A, '--amount', '1.50']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/accepted/i);
  expect(ran.stderr).toMatch(/not (yet )?paid back/i);
});

it('sends an estimate and a query without a key and without asking', async () => {
  const { service, home: made } = await pair(() => ok({ results: [] }), 'live');
  await made.run(['sales', 'estimate', '--sale-id', A]);
  expect(service.requests[0]?.json).toEqual({ sale_id: A });
});

it.each(['never', 'always', 'auto'] as const)('keeps to the profile setting idempotency_key: %s', async (setting) => {
  const { service, home: made } = await pair(() => done);
  const env = { COPS_API_KEY: undefined, COPS_MODE: undefined, COPS_BASE_URL: undefined, T_KEY: KEY };
  const add = ['profiles', 'add', 'p', '--base-url', service.baseUrl, '--test-key', 'env:T_KEY'];
  expect((await made.run(add, { env })).code).toBe(0);
  const edit = await made.run(['profiles', 'edit', 'p', '--idempotency-key', setting], { env });
  expect(edit.code, edit.stderr).toBe(0);
  const ran = await made.run([...LINE, '-p', 'p'], { env });
  expect(ran.code, ran.stderr).toBe(0);
  expect(Object.hasOwn(service.requests[0]?.json as object, 'idempotency_key')).toBe(setting !== 'never');
});

it('explains a refusal that names idempotency_key by that setting', async () => {
  const { service, home: made } = await pair();
  service.script(refusal(400, 'E0001', 'Property idempotency_key is not allowed'));
  const ran = await made.run(LINE);
  expect(ran.code).toBe(1);
  expect(`${errorOf(ran).message} ${errorOf(ran).hint}`).toMatch(/idempotency_key.*never|never.*idempotency/);
});
