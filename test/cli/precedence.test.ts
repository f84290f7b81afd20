/** Flags, variables, profile, defaults; keys and modes (command-line.md#keys-and-modes). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, ok, redirect, wrote } from '../fixtures/service/service.js';
import { A, errorOf, home, items, json, KEY, pair, service } from './helpers.js';
import type { Home } from './program.js';

const TEST_KEY = 'test_key_of_profile_aaaa';
const LIVE_KEY = 'live_key_of_profile_bbbb';

/** A home with a filed profile whose keys are variables of the environment. */
async function filed(
  baseUrl: string,
  name = 'shop',
  made: Home = home({ T_KEY: TEST_KEY, L_KEY: LIVE_KEY }),
): Promise<Home> {
  const ran = await made.run([
    'profiles',
    'add',
    name,
    '--base-url',
    baseUrl,
    '--test-key',
    'env:T_KEY',
    '--live-key',
    'env:L_KEY',
  ]);
  expect(ran.code, ran.stderr).toBe(0);
  return made;
}

it('uses the test key unless live is requested: flag, then variable, then profile', async () => {
  const at = await service({
    handler: (request) => ok({ id: A, live_mode: request.headers['x-api-key'] === LIVE_KEY }),
  });
  const made = await filed(at.baseUrl);
  const key = async (args: string[], env: Record<string, string> = {}) => {
    const ran = await made.run(['campaigns', 'get', A, ...args], { env });
    expect(ran.code, ran.stderr).toBe(0);
    return at.requests.at(-1)?.headers['x-api-key'];
  };
  expect(await key([])).toBe(TEST_KEY);
  expect(await key(['--live'])).toBe(LIVE_KEY);
  expect(await key([], { COPS_MODE: 'live' })).toBe(LIVE_KEY);
  expect(await key(['--test'], { COPS_MODE: 'live' })).toBe(TEST_KEY);
  expect((await made.run(['mode', 'live', '--yes'])).code).toBe(0);
  expect(await key([])).toBe(LIVE_KEY);
  expect(await key([], { COPS_MODE: 'test' })).toBe(TEST_KEY);
  expect(await key(['--test'])).toBe(TEST_KEY);
});

it('lets flags win over variables and variables over the profile, for each setting', async () => {
  const a = await service({ handler: () => ok({ id: A, live_mode: false }) });
  const b = await service({ handler: () => ok({ id: A, live_mode: false }) });
  const c = await service({ handler: () => ok({ id: A, live_mode: false }) });
  const made = await filed(a.baseUrl);
  await filed(b.baseUrl, 'other', made);
  const line = ['campaigns', 'get', A];
  await made.run(['profiles', 'use', 'shop']);
  await made.run(line);
  await made.run(line, { env: { COPS_PROFILE: 'other' } });
  await made.run([...line, '-p', 'shop'], { env: { COPS_PROFILE: 'other' } });
  expect([a.requests.length, b.requests.length]).toEqual([2, 1]);
  await made.run(line, { env: { COPS_BASE_URL: c.baseUrl, COPS_API_KEY: KEY, COPS_MODE: 'test' } });
  expect(c.requests[0]?.headers['x-api-key']).toBe(KEY);
  await made.run([...line, '--base-url', a.baseUrl], {
    env: { COPS_BASE_URL: c.baseUrl, COPS_API_KEY: KEY, COPS_MODE: 'test' },
  });
  expect(a.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
  expect((await made.run(line, { env: { COPS_OUTPUT: 'ids' } })).stdout).toBe(`${A}\n`);
  expect(json(await made.run([...line, '-o', 'json'], { env: { COPS_OUTPUT: 'ids' } }))).toMatchObject({ id: A });
});

it.each([undefined, ''])('guards COPS_API_KEY without a mode (%j) as live', async (mode) => {
  const at = await service({ handler: () => wrote('subscription', A) });
  const made = home({
    COPS_BASE_URL: at.baseUrl,
    COPS_API_KEY: KEY,
    ...(mode === undefined ? {} : { COPS_MODE: mode }),
  });
  const ran = await made.run(['subscriptions', 'cancel', A]);
  expect(ran.code).toBe(12);
  expect(at.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
  expect((await made.run(['subscriptions', 'cancel', A, '--yes'])).code).toBe(0);
});

it('refuses a mode that is neither test nor live', async () => {
  const { home: made, service: at } = await pair(() => ok(), 'test');
  expect((await made.run(['campaigns', 'list'], { env: { COPS_MODE: 'prod' } })).code).toBe(2);
  expect(at.requests).toHaveLength(0);
});

it.each([
  [['campaigns', 'list'], {}],
  [['campaigns', 'list'], { COPS_BASE_URL: 'http://127.0.0.1:9/' }],
] as const)('ends with 3 without a key: %j %j', async (line, env) => {
  const ran = await home(env).run(line);
  expect(ran).toMatchObject({ code: 3, stdout: '' });
});

it('refuses http to another host, and takes https', async () => {
  const made = home({ COPS_API_KEY: KEY, COPS_MODE: 'test' });
  const ran = await made.run(['campaigns', 'list', '--base-url', 'http://service.example/api']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/https/);
  expect((await made.run(['campaigns', 'list', '--dry-run', '--base-url', 'https://service.example/api'])).code).toBe(
    0,
  );
});

it.each([301, 302, 307, 308])('takes a redirect (%i) as an error and sends the key nowhere else', async (status) => {
  const other = await service({ handler: () => ok({ id: A }) });
  const { home: made, service: at } = await pair(() => redirect(`${other.baseUrl}/campaigns/${A}`, status));
  const ran = await made.run(['campaigns', 'get', A]);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout).toBe('');
  expect(other.requests).toHaveLength(0);
  expect(at.requests).toHaveLength(1);
});

it('stops with 12 at an item that contradicts the mode, before printing it', async () => {
  const { home: made, service: at } = await pair(() => ok({ id: A, name: 'Secret item', live_mode: true }), 'test');
  const ran = await made.run(['campaigns', 'get', A]);
  expect(ran).toMatchObject({ code: 12, stdout: '' });
  expect(ran.stderr).not.toContain('Secret item');
  expect(at.requests).toHaveLength(1);
});

it('remembers a proof by the fingerprint of the key, never the key', async () => {
  const { home: made } = await pair(() => ok({ id: A, live_mode: false }), 'test');
  await made.run(['campaigns', 'get', A]);
  const folder = path.join(made.folder, 'config');
  const { execFileSync } = await import('node:child_process');
  const found = execFileSync('sh', ['-c', `grep -rl ${KEY} ${folder} || true`], { encoding: 'utf8' });
  expect(found).toBe('');
});

it('asks nothing for money once a key was proven to be test', async () => {
  const { home: made, service: at } = await pair(
    (request) => (request.method === 'GET' ? ok({ id: A, live_mode: false }) : wrote('subscription', A)),
    'test',
  );
  expect((await made.run(['campaigns', 'get', A])).code).toBe(0);
  expect((await made.run(['subscriptions', 'cancel', A])).code).toBe(0);
  expect(at.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('never shows a key: not in output, errors, --debug, whoami, profiles or doctor', async () => {
  const at = await service({ routes: { 'GET /campaigns': listHandler({ items: items(1), dated: false }) } });
  const made = await filed(at.baseUrl);
  for (const line of [
    ['campaigns', 'list', '--debug', '-v'],
    ['campaigns', 'get', A, '--debug', '--raw'],
    ['campaigns', 'list', '--dry-run'],
    ['whoami'],
    ['profiles', 'list'],
    ['profiles', 'show', 'shop'],
    ['config', 'list'],
  ]) {
    const ran = await made.run(line);
    const text = ran.stdout + ran.stderr;
    expect(text, line.join(' ')).not.toContain(TEST_KEY);
    expect(text, line.join(' ')).not.toContain(LIVE_KEY);
  }
});

it('masks the key where a message of the service repeats it', async () => {
  const { home: made } = await pair(() => ({
    status: 401,
    json: { code: 0, message: `key ${KEY} is unknown`, result: 'error' },
  }));
  for (const format of ['table', 'json']) {
    const ran = await made.run(['campaigns', 'get', A, '-o', format, '--debug']);
    expect(ran.code).toBe(3);
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
  }
});

it('refuses a literal key with the reason', async () => {
  const made = home();
  const ran = await made.run([
    'profiles',
    'add',
    'x',
    '--base-url',
    'https://a.example',
    '--test-key',
    'abcdefghijklmnop',
  ]);
  expect(ran.code).toBe(2);
  expect(ran.stderr + ran.stdout).not.toContain('abcdefghijklmnop');
  expect(ran.stderr).toMatch(/env:/);
});

it('reports a damaged configuration with its path and leaves it as it is', async () => {
  const made = await filed('https://a.example');
  const file = path.join(made.folder, 'config', 'config.json');
  writeFileSync(file, '{"profiles": {');
  const ran = await made.run(['campaigns', 'list']);
  expect(ran.code).toBe(11);
  expect(ran.stderr).toContain(file);
  expect((await made.run(['profiles', 'use', 'shop'])).code).toBe(11);
  expect(readFileSync(file, 'utf8')).toBe('{"profiles": {');
});

it('refuses every write of a read_only profile, reads going on', async () => {
  const at = await service({
    handler: (request) => (request.method === 'GET' ? ok({ id: A, live_mode: false }) : wrote('customer', A)),
  });
  const made = await filed(at.baseUrl);
  expect((await made.run(['profiles', 'edit', 'shop', '--read-only'])).code).toBe(0);
  expect((await made.run(['campaigns', 'get', A])).code).toBe(0);
  for (const line of [
    ['customer-groups', 'create', '--name', 'x'],
    ['subscriptions', 'cancel', A, '--yes'],
    ['api', 'POST', '/customer_groups', '-d', 'name=x', '--yes'],
  ]) {
    const ran = await made.run([...line, '-o', 'json']);
    expect(ran.code, line.join(' ')).toBe(12);
    expect(errorOf({ ...ran })).toMatchObject({ kind: 'stopped' });
  }
  expect(at.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
});

it('replaces the wallet word in paths, both ways, not in free text', async () => {
  const at = await service({
    handler: (request) =>
      request.method === 'GET'
        ? ok({ id: A, live_mode: false, paypot_account_email: 'me@paypot.example' })
        : wrote('paypot_account', A),
  });
  const made = await filed(at.baseUrl);
  expect((await made.run(['profiles', 'edit', 'shop', '--wallet-word', 'paypot'])).code).toBe(0);
  const ran = await made.run(['wallet-accounts', 'get', A]);
  expect(at.requests[0]?.path).toBe(`/paypot_accounts/${A}`);
  expect(json(ran)).toMatchObject({ wallet_account_email: 'me@paypot.example' });
  await made.run(['wallet-accounts', 'edit', A, '--wallet-account-email', 'wallet@wallet.example']);
  expect(at.requests.at(-1)).toMatchObject({
    path: `/paypot_accounts/${A}`,
    json: { paypot_account_email: 'wallet@wallet.example' },
  });
});

describe('a filed key', () => {
  const line = ['customers', 'get', A];

  it.each([
    ['--base-url', (url: string) => ({ words: ['--base-url', url], env: {} })],
    ['COPS_BASE_URL', (url: string) => ({ words: [], env: { COPS_BASE_URL: url } })],
  ] as const)('goes to no other host that %s names, unless that is said', async (_, elsewhere) => {
    const own = await service({ handler: () => ok({ id: A, live_mode: false }) });
    const other = await service({ handler: () => ok({ id: A, live_mode: false }) });
    const made = await filed(own.baseUrl);
    const { words, env } = elsewhere(other.baseUrl);
    expect((await made.run([...line, ...words, '-o', 'json'], { env })).code).toBe(12);
    expect((await made.run([...line, ...words, '--send-key-to', 'elsewhere.example'], { env })).code).toBe(12);
    expect(other.requests).toHaveLength(0);
    const named = await made.run([...line, ...words, '--send-key-to', new URL(other.baseUrl).host], { env });
    expect([named.code, other.requests.length], named.stderr).toEqual([0, 1]);
    // The same host by another path is the same host, and a key of the environment is given with the line.
    expect((await made.run([...line, '--base-url', `${own.baseUrl}/x`])).code).toBe(0);
    expect((await made.run([...line, ...words], { env: { ...env, COPS_API_KEY: KEY, COPS_MODE: 'test' } })).code).toBe(
      0,
    );
  });

  it('is not run as a command for another host', async () => {
    const own = await service({ handler: () => ok({ id: A }) });
    const made = home();
    const mark = path.join(made.folder, 'ran');
    const add = [
      'profiles',
      'add',
      'shop',
      '--base-url',
      own.baseUrl,
      '--test-key',
      `cmd:touch ${mark}; echo key_0001_of_cmd`,
    ];
    expect((await made.run(add)).code).toBe(0);
    expect((await made.run([...line, '--base-url', 'https://elsewhere.example/v2'])).code).toBe(12);
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ['profiles edit', ['profiles', 'edit', 'shop', '--base-url', 'https://elsewhere.example/v2']],
    ['config set', ['config', 'set', 'base_url', 'https://elsewhere.example/v2']],
    [
      'login',
      [
        'login',
        'shop',
        '--base-url',
        'https://elsewhere.example/v2',
        '--test-key',
        'env:T_KEY',
        '--replace',
        '--no-check',
      ],
    ],
  ] as const)('does not move with its profile by %s, unless it is given anew or said', async (_, edit) => {
    const own = await service();
    const made = await filed(own.baseUrl);
    const address = async () =>
      json<{ base_url: string }>(await made.run(['profiles', 'show', 'shop', '-o', 'json'])).base_url;
    expect((await made.run(edit)).code).toBe(12);
    expect(await address()).toBe(own.baseUrl);
    const said = await made.run([...edit, '--send-key-to', 'elsewhere.example']);
    expect([said.code, await address()], said.stderr).toEqual([0, 'https://elsewhere.example/v2']);
  });

  it('moves where every key is given anew, and not by a detour over no address', async () => {
    const own = await service();
    const made = await filed(own.baseUrl);
    expect((await made.run(['config', 'unset', 'base_url'])).code).toBe(0);
    expect((await made.run(['config', 'set', 'base_url', 'https://elsewhere.example/v2'])).code).toBe(12);
    expect((await made.run(line, { env: { COPS_BASE_URL: own.baseUrl } })).code).toBe(12);
    const anew = ['--test-key', 'env:T_KEY', '--live-key', 'env:L_KEY'];
    expect(
      (await made.run(['profiles', 'edit', 'shop', '--base-url', 'https://elsewhere.example/v2', ...anew])).code,
    ).toBe(0);
  });
});
