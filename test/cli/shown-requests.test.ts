/* Requests as one can paste or count them: --curl, --log-format json, --template. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listHandler, ok, refusal, wrote } from '../fixtures/service/service.js';
import { A, items, KEY, pair } from './helpers.js';

const NOW = Math.floor(Date.now() / 1000);

describe('--curl', () => {
  it('sends no write, and shows the key by its variable alone', async () => {
    const { service, home } = await pair(() => wrote('customer', A));
    const ran = await home.run(['customers', 'edit', A, '--first-name', "O'Brien", '--curl']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(service.requests).toEqual([]);
    expect(ran.stdout).toContain(`${service.baseUrl}/customers/${A}`);
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
  });

  it('is a line that the real curl sends as cops would', { tags: ['tool'] }, async () => {
    const { service, home } = await pair(() => wrote('customer', A));
    const shown = await home.run(['customers', 'edit', A, '--first-name', "O'Brien & Co", '--curl']);
    await promisify(execFile)('sh', ['-c', shown.stdout], { env: { ...process.env, COPS_API_KEY: KEY } });
    await home.run(['customers', 'edit', A, '--first-name', "O'Brien & Co", '--yes']);
    const [pasted, sent] = service.requests.filter(({ method }) => method === 'POST');
    const told = (one: typeof pasted) => {
      const { idempotency_key: _key, ...body } = JSON.parse(one?.body ?? '{}') as Record<string, unknown>;
      return { path: one?.path, key: one?.headers['x-api-key'], type: one?.headers['content-type'], body };
    };
    expect(told(pasted)).toEqual(told(sent));
  });

  it('shows each page of a list, and asks only how many there are', async () => {
    const { service, home } = await pair(listHandler({ items: items(60, NOW - 99) }));
    const ran = await home.run(['customers', 'list', '--last', '2d', '--page-size', '25', '--curl']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(
      ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => /[?&]page=(\d+)/.exec(line)?.[1]),
    ).toEqual(['1', '2', '3']);
    expect(service.requests).toHaveLength(1);
  });

  it('leaves a body with secrets to a file', async () => {
    const { service, home } = await pair(() => wrote('customer', A));
    const file = path.join(home.folder, 'card.json');
    writeFileSync(
      file,
      JSON.stringify({ card_number: '4111111111111111', exp_month: 12, exp_year: 30, card_code: '123' }),
    );
    const line = ['customers', 'payment-methods', 'create', A, '--body', `@${file}`, '--no-validate', '--curl'];
    const ran = await home.run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('@body.json');
    expect(ran.stdout).not.toContain('4111');
    expect(service.requests).toEqual([]);
  });

  it.each([['whoami'], ['mode', 'live'], ['sandbox', 'status']])('has nothing to show of %s', async (...line) => {
    const { home } = await pair(() => ok({ id: A }));
    expect((await home.run([...line, '--curl'])).code).toBe(2);
  });
});

describe('--curl of what reads by what it holds', () => {
  it.each([['report', 'revenue'], ['sync'], ['setup', 'plan', 'shop']])(
    'is refused with the reason, before anything: %s',
    async (...line) => {
      const { service, home } = await pair(() => ok({ id: A }));
      const ran = await home.run([...line, '--curl']);
      expect([ran.code, ran.stdout, service.requests]).toEqual([2, '', []]);
      expect(ran.stderr).toMatch(/^Error: cops [a-z ]+ takes no --curl: /);
    },
  );
});

describe('--log-format json', () => {
  it('leaves nothing but lines of JSON on standard error: requests, notes and the error', async () => {
    const { home } = await pair(listHandler({ items: items(60, NOW - 99) }));
    const list = ['customers', 'list', '--limit', '5', '--last', '2d', '--log-format', 'json', '-o', 'csv'];
    const ran = await home.run([...list, '--columns', 'id,curency'], { terminal: 80 });
    expect(ran.code).toBe(2);
    const lines = ran.stderr.split('\n').filter((line) => line !== '');
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.at(-1)).toMatchObject({ error: { kind: 'usage' } });
    const cut = await home.run([...list, '-q']);
    const said = cut.stderr.trimEnd().split('\n');
    expect(said.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('5 of 60') }),
    );
  });

  it('is one line for each request, attempts apart, without a body or a query', async () => {
    let asked = 0;
    const { home } = await pair(() => (asked++ === 0 ? refusal(503) : ok({ id: A, live_mode: false })));
    const ran = await home.run(['customers', 'get', A, '--log-format', 'json', '-q', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    const lines = ran.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { method: 'GET', path: `/customers/${A}`, status: 503, attempt: 1 },
      { method: 'GET', path: `/customers/${A}`, status: 200, attempt: 2 },
    ]);
    expect(typeof lines[1]?.ms).toBe('number');
    expect(typeof lines[1]?.api_call_id).toBe('string');
    expect(ran.stderr).not.toContain(KEY);
  });
});

describe('--template', () => {
  const list = ['customers', 'list', '--last', '2d', '--oldest-first'];
  const two = [
    `{"id":"${A}","created_date_unix":${NOW - 90},"balance":10.50,"customer":{"email":"a@example.com"}}`,
    `{"id":"${A.slice(0, 19)}z","created_date_unix":${NOW - 80},"balance":12345678901234567890,"customer":{"email":null}}`,
  ];

  it('writes a text for each item: digits as they came, what is absent as nothing', async () => {
    const { home } = await pair(listHandler({ items: two }));
    const ran = await home.run([...list, '--template', '{{balance}}\\t{{ customer.email }}|']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout.split('\n').sort()).toEqual(['', '10.50\ta@example.com|', '12345678901234567890\t|'].sort());
  });

  it.each([
    [['--template', '{{id}} {{curency}}']],
    [['--columns', 'id,curency', '-o', 'csv']],
    [['--columns', 'id,curency', '-o', 'jsonl']],
  ])('prints no row before the error of %j', async (options) => {
    const { home } = await pair(listHandler({ items: two }));
    const ran = await home.run([...list, ...options]);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(/no item has ."?curency/);
  });

  it.each([['{{nonsense}}'], ['{{id'], ['{{if id}}'], ['no value']])('refuses %s', async (template) => {
    const { home } = await pair(listHandler({ items: two }));
    expect((await home.run([...list, '--template', template])).code).toBe(2);
  });

  it.each([['-o', 'json'], ['--columns', 'id'], ['--query', '[].id'], ['--raw']])(
    'goes with no %s',
    async (...other) => {
      const { service, home } = await pair(listHandler({ items: two }));
      const ran = await home.run([...list, '--template', '{{id}}', ...other]);
      expect([ran.code, service.requests.length]).toEqual([2, 0]);
    },
  );

  it('is inert on a terminal', async () => {
    const { home } = await pair(() => ok({ id: A, live_mode: false, company: '\u001b[31mred' }));
    const ran = await home.run(['customers', 'get', A, '--template', '{{company}}'], { terminal: 80 });
    expect(ran.stdout).not.toContain('\u001b[31m');
  });
});
