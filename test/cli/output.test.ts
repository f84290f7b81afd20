/** What reaches standard output and standard error, to the byte. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { envelope, listHandler, ok, refusal, serverError, tooMany, wrote } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { A, B, errorOf, items, json, KEY, pair } from './helpers.js';
import { PROGRAM } from './program.js';

const DIGITS = `{"id":"${A}","amount":10.00,"big":12345678901234567890,"exp":1E+2,"neg":-0.0,"text":"10.00","live_mode":false}`;
const paged = (list: readonly (string | Record<string, unknown>)[]) => listHandler({ items: list, dated: false });

it('prints a list as one array, an empty one as []', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged(items(60)), 'GET /customer_groups': paged([]) } });
  const full = await home.run(['campaigns', 'list', '-o', 'json']);
  expect(full.code).toBe(0);
  expect(json<unknown[]>(full)).toHaveLength(60);
  const none = await home.run(['customer-groups', 'list', '-o', 'json']);
  expect(none.code).toBe(0);
  expect(none.stdout.trim()).toBe('[]');
});

it('prints one item a line as jsonl, and ids one a line', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged(items(30)) } });
  const lines = (await home.run(['campaigns', 'list', '-o', 'jsonl'])).stdout.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual(items(30));
  expect((await home.run(['campaigns', 'list', '-o', 'ids'])).stdout).toBe(
    `${items(30)
      .map(({ id }) => id)
      .join('\n')}\n`,
  );
});

it('is json by default if standard output is not a terminal', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged(items(2)) } });
  expect(json(await home.run(['campaigns', 'list']))).toEqual(items(2));
});

it('keeps digits as they came in json, jsonl, csv and raw', async () => {
  const { home } = await pair({
    routes: {
      'GET /campaigns': paged([DIGITS]),
      [`GET /campaigns/${A}`]: { body: `{"api_call_id":"${B}","api_call_unix":1,"code":1,${DIGITS.slice(1)}` },
    },
  });
  for (const format of ['json', 'jsonl', 'csv', 'tsv', 'yaml']) {
    const columns = /[ct]sv/.test(format) ? ['--columns', 'id,amount,big'] : [];
    for (const line of [
      ['campaigns', 'list'],
      ['campaigns', 'get', A],
    ]) {
      const { stdout, code } = await home.run([...line, '-o', format, ...columns]);
      expect(code).toBe(0);
      for (const digits of ['10.00', '12345678901234567890']) expect(stdout, `${line} ${format}`).toContain(digits);
    }
  }
  const raw = await home.run(['campaigns', 'list', '--raw', '-o', 'json']);
  expect(raw.stdout).toContain('"amount":10.00,"big":12345678901234567890,"exp":1E+2,"neg":-0.0');
});

it('keeps digits through --query where it computes nothing', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged([DIGITS]) } });
  const ran = await home.run(['campaigns', 'list', '-o', 'json', '--query', '[].{a: amount, b: big}']);
  expect(ran.stdout.replace(/\s/g, '')).toBe('[{"a":10.00,"b":12345678901234567890}]');
});

it('applies --query to the whole result, not page by page', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged(items(60)) } });
  expect(json(await home.run(['campaigns', 'list', '--query', 'length(@)']))).toBe(60);
  expect(json(await home.run(['campaigns', 'list', '--query', '[-1].id']))).toBe(items(60).at(-1)?.id);
});

it('gives the item of a get without its envelope, and the whole of it with --raw', async () => {
  const { home } = await pair(() => ({
    body: `{"api_call_id":"${B}","api_call_unix":1,"code":1,"id":"${A}","name":"x"}`,
  }));
  expect(json(await home.run(['campaigns', 'get', A]))).toEqual({ id: A, name: 'x' });
  const raw = await home.run(['campaigns', 'get', A, '--raw']);
  expect(json(raw)).toEqual({ api_call_id: B, api_call_unix: 1, code: 1, id: A, name: 'x' });
});

it("gives a write the service's answer", async () => {
  const { home } = await pair(() => wrote('customer_group', A));
  const ran = await home.run(['customer-groups', 'create', '--name', 'x', '-o', 'json']);
  expect(json(ran)).toMatchObject({ code: 1, customer_group_id: A, result: 'success' });
});

it('gives the envelopes as they came with --raw', async () => {
  const { home, service } = await pair({ routes: { 'GET /campaigns': paged(items(30)) } });
  const ran = await home.run(['campaigns', 'list', '--raw', '-o', 'jsonl']);
  const lines = ran.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.map((line) => (JSON.parse(line) as { current_page: number }).current_page)).toEqual([1, 2]);
  expect(lines.flatMap((line) => (JSON.parse(line) as { results: unknown[] }).results)).toEqual(items(30));
  expect(service.requests).toHaveLength(2);
  expect(json<unknown[]>(await home.run(['campaigns', 'list', '--raw', '-o', 'json']))).toHaveLength(2);
});

it('prints nothing on standard output as json when page 3 breaks', async () => {
  const { home } = await pair((request) =>
    request.query.get('page') === '3' ? serverError() : paged(items(100))(request),
  );
  const ran = await home.run(['campaigns', 'list', '-o', 'json', '--max-retries', '0']);
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ http_status: 500 });
  expect(ran.stderr).not.toContain('The output so far');
});

it.each(['jsonl', 'csv', 'tsv', 'ids'])(
  'streams %s and shows by exit code and error that it is incomplete',
  async (format) => {
    const { home } = await pair((request) =>
      request.query.get('page') === '3' ? serverError() : paged(items(100))(request),
    );
    const ran = await home.run(['campaigns', 'list', '-o', format, '--max-retries', '0']);
    expect(ran.code).toBe(1);
    const rows = ran.stdout.trimEnd().split('\n').length - (['csv', 'tsv'].includes(format) ? 1 : 0);
    expect(rows).toBe(50);
    expect(ran.stderr).toContain('The output so far is only a part of the answer.');
  },
);

describe('an item of the other mode on page 2', () => {
  const contradicting = () =>
    pair((request) => {
      const live_mode = request.query.get('page') === '2';
      return paged(items(100).map((item) => ({ ...item, live_mode })))(request);
    });
  const ways = [['campaigns', 'list', '-o'], 'export campaigns --out - --format'.split(' ')];

  it.each(['jsonl', 'csv', 'json'])('says of %s whether something was printed', async (format) => {
    for (const way of format === 'json' ? [ways[0] ?? []] : ways) {
      const { home } = await contradicting();
      const ran = await home.run([...way, format]);
      expect(ran.code, ran.stderr).toBe(12);
      expect(ran.stderr).toContain('The item was neither shown nor stored');
      expect(ran.stderr).not.toContain('Nothing was printed');
      expect(ran.stderr.includes('The output so far is only a part')).toBe(ran.stdout !== '');
      if (format === 'json') expect(ran.stdout).toBe('');
    }
  });

  it('leaves nothing of it in a file', async () => {
    const { home } = await contradicting();
    const out = path.join(home.folder, 'campaigns.jsonl');
    const ran = await home.run(['export', 'campaigns', '--out', out]);
    expect(ran.code, ran.stderr).toBe(12);
    expect(ran.stderr).not.toContain('rinted');
    expect(existsSync(out)).toBe(false);
  });
});

it('streams: the first item is out before the last page is served', { tags: ['process'] }, async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { home } = await pair(async (request) => {
    if (request.query.get('page') === '2') await gate;
    return paged(items(30))(request);
  });
  const ran = await home.run(['campaigns', 'list', '-o', 'jsonl'], {
    onStart: (child) => child.stdout?.once('data', () => release()),
  });
  expect(ran.code).toBe(0);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(30);
});

it('shows columns in the order of --columns, in csv with dotted paths', async () => {
  const { home } = await pair({
    routes: { 'GET /campaigns': paged([{ id: A, customer: { email: 'a@b.c' }, text: 'a,"b"\nc' }, { id: B }]) },
  });
  const ran = await home.run(['campaigns', 'list', '-o', 'csv', '--columns', 'customer.email,id,text']);
  expect(ran.stdout.replaceAll('\r\n', '\n')).toBe(`customer.email,id,text\na@b.c,${A},"a,""b""\nc"\n,${B},\n`);
});

it('shows only data on standard output, notes and warnings on standard error', async () => {
  const { home } = await pair({ routes: { 'GET /customers': listHandler({ items: [] }) } });
  const ran = await home.run(['customers', 'list', '-o', 'table', '--debug', '-v']);
  expect(ran.code).toBe(0);
  expect(ran.stdout.split('\n').filter((line) => /30 days|GET|No items/.test(line))).toEqual([]);
  expect(ran.stderr).toMatch(/No range given: reading everything from the first day/);
  expect(ran.stderr).toMatch(/GET/);
  expect(ran.stderr).not.toContain(KEY);
});

it('is quiet with -q but for errors', async () => {
  const { home, service } = await pair({ routes: { 'GET /customers': listHandler({ items: [] }) } });
  expect(await home.run(['customers', 'list', '-q'])).toMatchObject({ code: 0, stderr: '' });
  service.script(refusal(400, 'E0001', 'No way'));
  expect((await home.run(['customers', 'get', A, '-q'])).stderr).toContain('No way');
});

it('honours NO_COLOR, FORCE_COLOR, CLICOLOR, TERM=dumb and --no-color', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': paged(items(2)) } });
  const line = ['campaigns', 'list', '-o', 'table'];
  const coloured = async (env: Record<string, string>, ...more: string[]) =>
    (await home.run([...line, ...more], { env })).stdout.includes('\u001b[');
  expect(await coloured({})).toBe(false);
  expect(await coloured({ FORCE_COLOR: '1' })).toBe(true);
  expect(await coloured({ FORCE_COLOR: '1' }, '--no-color')).toBe(false);
  expect(await coloured({ NO_COLOR: '1', TERM: 'xterm' })).toBe(false);
  expect(await coloured({ CLICOLOR: '0', TERM: 'xterm' })).toBe(false);
});

it('keeps control characters of the service from a table, but gives files the true bytes', async () => {
  const evil = 'a\u001b[31mred\u0007\u009b2J\u202e\r';
  const { home } = await pair({ routes: { 'GET /campaigns': paged([{ id: A, name: evil }]) } });
  const shown = await home.run(['campaigns', 'list', '-o', 'json']);
  expect(json(shown)).toEqual([{ id: A, name: evil }]);
  const table = await home.run(['campaigns', 'list', '-o', 'table', '--columns', 'id,name'], {
    env: { FORCE_COLOR: '0' },
  });
  expect(table.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

it('keeps control characters out of error messages', async () => {
  const { home } = await pair(() => refusal(400, 'E0001', 'bad \u001b]0;title\u0007 \u001b[2J'));
  const ran = await home.run(['campaigns', 'get', A, '-o', 'table']);
  expect(ran.code).toBe(1);
  expect(ran.stderr).not.toMatch(/[\u001b\u0007]/);
});

it('ends a read quietly with 0 when the reader of its pipe goes away', { tags: ['process'] }, async () => {
  const { home } = await pair({
    routes: { 'GET /campaigns': paged(items(500, 1_780_000_000, { text: 'x'.repeat(2000) })) },
  });
  for (const format of ['jsonl', 'csv', 'json', 'table']) {
    const script = `"$0" "$1" campaigns list --all -o ${format} | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const ran = await bash(script, [process.execPath, PROGRAM], home.env);
    expect(ran, format).toEqual({ stdout: '0\n', stderr: '' });
  }
});

it
  .skipIf(process.platform !== 'linux')
  .each(['--version', '--help', 'subscriptions cancel --help', 'commands -o json'])(
  'ends `%s` with 11 where standard output is a full disk',
  { tags: ['process'] },
  async (words) => {
    const { home } = await pair({ routes: {} });
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
      env: home.env,
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (piece) => {
      stderr += piece;
    });
    const [code] = await once(child, 'close');
    closeSync(full);
    expect(code).toBe(11);
    expect(stderr).toContain('the disk is full');
  },
);

it('puts 10 MB through a slow pipe whole', { tags: ['process'] }, async () => {
  const big = items(25, 1_780_000_000, { text: 'y'.repeat(84_000) });
  const pages = 5;
  const { home } = await pair((request) => {
    const page = Number(request.query.get('page'));
    return envelope(
      big.map((item, at) => ({ ...item, id: `P${page}N${at}x`.padEnd(20, '0') })),
      page,
      pages * 25,
      25,
    );
  });
  const script = '"$0" "$1" campaigns list --all -o json | (sleep 1; cat) | wc -c; echo "${PIPESTATUS[0]}"';
  const ran = await bash(script, [process.execPath, PROGRAM], home.env);
  const [bytes, code] = ran.stdout.trim().split(/\s+/);
  expect(code).toBe('0');
  expect(Number(bytes)).toBeGreaterThan(10_000_000);
});

it('honours Retry-After of a read and says nothing on standard output about it', async () => {
  const { home, service } = await pair({ routes: { 'GET /campaigns': paged(items(1)) } });
  service.script(tooMany(2));
  const clock = new QuickClock();
  const ran = await home.run(['campaigns', 'list'], { clock });
  expect(json(ran)).toEqual(items(1));
  expect(service.requests).toHaveLength(2);
  expect(Math.max(...clock.pauses)).toBeGreaterThanOrEqual(1900);
});

it('announces a long wait that the service asks for, and ends with 7 beyond --max-wait', async () => {
  const { home, service } = await pair({ routes: { 'GET /campaigns': paged(items(1)) } });
  service.script(tooMany(45));
  const clock = new QuickClock();
  const waited = await home.run(['campaigns', 'list'], { clock });
  expect(waited.code).toBe(0);
  expect(waited.stderr).toContain('asks for a pause');
  service.script(tooMany(120));
  const refused = await home.run(['campaigns', 'list', '--timeout', '0.5'], { clock: new QuickClock() });
  expect(refused.code).toBe(7);
  expect(refused.stderr).toContain('--max-wait 120');
  service.script(tooMany(120));
  expect((await home.run(['campaigns', 'list', '--max-wait', '120'], { clock: new QuickClock() })).code).toBe(0);
  service.script(tooMany(3));
  const short = await home.run(['campaigns', 'list', '--max-wait', '1'], { clock: new QuickClock() });
  expect(short.code).toBe(7);
  expect((await home.run(['campaigns', 'list', '--max-wait', 'soon'])).code).toBe(2);
});

it('prints a dry run as method, url, headers and body, and sends nothing', async () => {
  const { home, service } = await pair(() => ok());
  const ran = await home.run(['customer-groups', 'create', '--name', 'x', '--dry-run', '-o', 'json']);
  const shown = json<Record<string, unknown>>(ran);
  expect(Object.keys(shown)).toEqual(['method', 'url', 'headers', 'body']);
  expect(shown).toMatchObject({ method: 'POST', url: `${service.baseUrl}/customer_groups`, body: { name: 'x' } });
  expect(ran.stdout).not.toContain(KEY);
  const read = json<Record<string, unknown>>(await home.run(['campaigns', 'get', A, '--dry-run']));
  expect(Object.keys(read)).toEqual(['method', 'url', 'headers', 'body']);
  expect(service.connections()).toBe(0);
});

function bash(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script, ...args], { env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('close', () => resolve({ stdout, stderr }));
  });
}

it('shows the rows of an SQL query as a table and as csv, and as they came to programs', async () => {
  const answer = ok({
    query_results: [
      { m: '2025-12', c: 'CAD', n: 1.5 },
      { m: '2026-01', c: 'USD', n: 20.25, late: null },
    ],
  });
  const { home } = await pair(() => answer);
  const line = ['bigquery', 'query', 'SELECT 1', '-o'];
  expect((await home.run([...line, 'csv'])).stdout).toBe('m,c,n,late\n2025-12,CAD,1.5,\n2026-01,USD,20.25,\n');
  expect((await home.run([...line, 'table'])).stdout).toMatch(/^M +C +N.*\n2025-12 +CAD +1\.5/);
  expect(json<{ query_results: unknown[] }>(await home.run([...line, 'json'])).query_results).toHaveLength(2);
});
