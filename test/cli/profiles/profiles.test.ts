import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../fixtures/service/service.js';
import { Home, PROGRAM, type Ran, ROOT } from '../program.js';

const TEST_KEY = 'key-of-tests-TTTT';
const LIVE_KEY = 'key-of-tests-LLLL';

let home: Home;
let config: string;
beforeEach(() => {
  home = new Home();
  config = join(home.folder, 'config', 'config.json');
});
afterEach(() => home.remove());

const run = (args: string, options: Parameters<Home['run']>[1] = {}): Promise<Ran> =>
  home.run(args.split(' '), options);
const json = (ran: Ran) => {
  expect(ran.stderr + ran.code).toMatch(/0$/);
  return JSON.parse(ran.stdout);
};
const everything = (ran: Ran) => ran.stdout + ran.stderr;

describe('profiles', () => {
  it('are added, shown, used, edited, renamed and removed, keys masked everywhere', async () => {
    const env = { K: TEST_KEY };
    const added = await run('profiles add acme --base-url https://api.acme.example/v2/ --test-key env:K --live-key -', {
      input: `${LIVE_KEY}\n`,
      env,
    });
    expect(added.code).toBe(0);
    expect(added.stderr).toContain(join(home.folder, 'config'));
    expect(JSON.parse(added.stdout)).toMatchObject({
      base_url: 'https://api.acme.example/v2',
      test_key: 'env:K',
      live_key: 'stored ****LLLL',
      current: true,
    });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(statSync(join(home.folder, 'config')).mode & 0o777).toBe(0o700);
    expect(readFileSync(config, 'utf8')).not.toContain(TEST_KEY);

    const whoami = json(await run('whoami --verbose', { env }));
    expect(whoami).toMatchObject({
      profile: 'acme',
      mode: 'test',
      key: '****TTTT',
      mode_proof: 'unproven',
      read_only: false,
    });
    expect(whoami.sources).toMatchObject({ mode: 'default', base_url: 'profile acme', key: 'profile acme, env:K' });
    expect(json(await run('whoami --live --verbose', { env }))).toMatchObject({
      mode: 'live',
      key: '****LLLL',
      sources: { mode: 'flag --live' },
    });

    expect((await run('profiles edit acme --read-only --mode live', { env })).code).toBe(0);
    expect(json(await run('profiles rename acme shop'))).toMatchObject({
      profile: 'shop',
      read_only: true,
      mode: 'live',
    });
    expect((await run('profiles add two --base-url https://two.example --test-key env:K', { env })).code).toBe(0);
    expect(json(await run('profiles use two'))).toMatchObject({ current: true });
    const list = json(await run('profiles list'));
    expect(list.map((each: { profile: string }) => each.profile)).toEqual(['shop', 'two', 'sandbox']);
    expect((await run('profiles remove two')).code).toBe(0);
    for (const line of ['profiles list -o table', 'profiles show shop -o yaml', 'whoami --debug', 'mode'])
      expect(everything(await run(line, { env }))).not.toContain(LIVE_KEY);
  });

  it('refuse a literal key without repeating it, and write nothing', async () => {
    const ran = await run(`profiles add acme --base-url https://a.example --test-key ${LIVE_KEY}`);
    expect(ran.code).toBe(2);
    expect(everything(ran)).not.toContain(LIVE_KEY);
    expect(ran.stderr).toContain('history');
    expect((await run('profiles list -o ids')).stdout.trim()).toBe('sandbox');
  });

  it('refuse to be added twice, and names that are taken', async () => {
    const add = 'profiles add acme --base-url https://a.example --test-key';
    expect((await run(`${add} env:A`)).code).toBe(0);
    expect((await run(`${add} env:B`)).code).toBe(2);
    expect(json(await run('profiles show acme')).test_key).toBe('env:A');
    expect((await run('profiles add sandbox --base-url https://a.example')).code).toBe(2);
    expect((await run('profiles remove sandbox')).code).toBe(2);
    expect((await run('-p acmee whoami')).stderr).toContain('Did you mean acme?');
  });

  it('are reported damaged with the path, by every command, and left as they are', async () => {
    mkdirSync(join(home.folder, 'config'));
    writeFileSync(config, '{"profiles": {"acme": {"live_key": {"kind": "stored", "key": "key-of');
    const before = readFileSync(config, 'utf8');
    for (const line of ['whoami', 'profiles list', 'mode live', 'profiles add b --base-url https://b.example']) {
      const ran = await run(line);
      expect(ran.code).toBe(11);
      expect(ran.stderr).toContain(config);
      expect(ran.stderr).not.toContain('key-of');
    }
    expect(readFileSync(config, 'utf8')).toBe(before);
  });

  it('lose nothing when several processes add at once', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `p${at}`);
    const all = await Promise.all(
      names.map((name) => run(`profiles add ${name} --base-url https://a.example --test-key env:A`)),
    );
    expect(all.map((ran) => ran.code)).toEqual(names.map(() => 0));
    expect(Object.keys(JSON.parse(readFileSync(config, 'utf8')).profiles).sort()).toEqual(names);
  });

  it('run a key command at each use and never store what it prints', async () => {
    await home.run(['profiles', 'add', 'a', '--base-url', 'https://a.example', '--test-key', `cmd:echo ${TEST_KEY}`]);
    const ran = await run('whoami --verbose');
    expect(json(ran).key).toBe('****TTTT');
    expect(everything(ran) + (await run('profiles list')).stdout).not.toContain(TEST_KEY);
    await home.run(['profiles', 'edit', 'a', '--test-key', 'cmd:echo locked >&2; exit 3']);
    const failed = await run('whoami');
    expect(failed.code).toBe(3);
    expect(failed.stderr).not.toContain('locked');
  });

  it('forget keys at logout and keep the rest', async () => {
    await run('profiles add a --base-url https://a.example --test-key env:A --live-key -', { input: LIVE_KEY });
    expect(json(await run('logout a --live -q')).forgotten).toEqual(['live_key']);
    expect(readFileSync(config, 'utf8')).not.toContain(LIVE_KEY);
    expect(json(await run('profiles show a'))).toMatchObject({ base_url: 'https://a.example', test_key: 'env:A' });
  });

  it.each([
    ['logout a', ['b-test']],
    ['logout a --live', ['a-test', 'b-test']],
    ['profiles remove a --yes', ['b-test']],
    ['profiles rename a c', ['b-test']],
    ['config set id_cache false -p a', ['b-test']],
  ])('takes the ids that it read along: %s', async (line, left) => {
    const env = { A: TEST_KEY };
    await run('profiles add a --base-url https://a.example --test-key env:A --live-key env:A', { env });
    const ids = join(home.folder, 'data', 'ids');
    for (const place of ['a-test', 'a-live', 'b-test']) {
      mkdirSync(join(ids, place), { recursive: true });
      writeFileSync(join(ids, place, 'sales.json'), '[["AAAAAAAAAAAAAAAAAAA1","Ada",1]]');
    }
    expect((await run(line, { env })).code).toBe(0);
    expect(readdirSync(ids).sort()).toEqual(left);
  });

  it('say which mode has a key when the one in use has none', async () => {
    await run('profiles add a --base-url https://a.example --live-key env:A');
    const ran = await run('customers list');
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toContain('Its live key is used with --live.');
  });

  it('hold the mode that a line begins with, the sandbox included', async () => {
    expect(json(await run('-p sandbox mode live')).mode).toBe('live');
    expect(json(await run('-p sandbox whoami')).mode).toBe('live');
    expect(json(await run('-p sandbox whoami --test')).mode).toBe('test');
    expect((await run('-p sandbox whoami --test --live')).code).toBe(2);
    expect((await run('-p sandbox mode production')).code).toBe(2);
  });

  it('are not needed with COPS_API_KEY and COPS_BASE_URL; without a mode that is guarded as live', async () => {
    const env = { COPS_API_KEY: TEST_KEY, COPS_BASE_URL: 'https://a.example' };
    expect(json(await run('whoami', { env }))).toMatchObject({ profile: 'env', mode: 'live', mode_assumed: true });
    expect(json(await run('whoami', { env: { ...env, COPS_MODE: 'test' } }))).toMatchObject({
      mode: 'test',
      mode_assumed: false,
    });
    expect((await run('whoami')).code).toBe(3);
  });
});

describe('login', () => {
  let service: Service;
  const items = (live: boolean) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      code: 1,
      message: 'Success',
      total_count: 1,
      total_pages: 1,
      current_page: 1,
      results: [{ id: 'aaaaaaaaaaaaaaaaaaaa', live_mode: live }],
    }),
  });
  beforeEach(async () => {
    service = await startService({
      key: [TEST_KEY, LIVE_KEY],
      routes: { 'GET /customers': (request) => items(request.headers['x-api-key'] === LIVE_KEY) },
    });
  });
  afterEach(() => service.close());

  it('checks each key with one call before it files it', async () => {
    const ran = await home.run(
      ['login', 'a', '--base-url', service.baseUrl, '--test-key', 'env:T', '--live-key', 'env:L'],
      {
        env: { T: TEST_KEY, L: LIVE_KEY },
      },
    );
    expect(ran.code).toBe(0);
    expect(service.requests.map((request) => request.headers['x-api-key'])).toEqual([TEST_KEY, LIVE_KEY]);
    expect(json(await run('profiles show a'))).toMatchObject({ base_url: service.baseUrl, test_key: 'env:T' });
  });

  it.each([
    ['refused', { T: 'some-other-key' }, 3],
    ['of the other mode', { T: LIVE_KEY }, 12],
    ['missing', {}, 3],
  ])('files nothing for a key that is %s', async (_what, env, code) => {
    const ran = await home.run(['login', 'a', '--base-url', service.baseUrl, '--test-key', 'env:T'], { env });
    expect(ran.code).toBe(code);
    expect((await run('profiles show a')).code).toBe(2);
  });

  it('files nothing for a service that is not there (exit code 8)', async () => {
    await service.close();
    const ran = await home.run(['login', 'a', '--base-url', service.baseUrl, '--test-key', 'env:T'], {
      env: { T: TEST_KEY },
    });
    expect(ran.code).toBe(8);
    expect((await run('profiles show a')).code).toBe(2);
  });

  it('never replaces a key in silence', async () => {
    const line = ['login', 'a', '--base-url', service.baseUrl, '--test-key'];
    const env = { T: TEST_KEY, U: TEST_KEY };
    expect((await home.run([...line, 'env:T'], { env })).code).toBe(0);
    expect((await home.run([...line, 'env:U'], { env })).code).toBe(12);
    expect(json(await run('profiles show a')).test_key).toBe('env:T');
    expect((await home.run([...line, 'env:U', '--replace'], { env })).code).toBe(0);
    expect(json(await run('profiles show a')).test_key).toBe('env:U');
  });

  it('without a terminal names what is missing and the scripted way', async () => {
    const ran = await run('login');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('cops profiles add');
  });

  it.each(['xterm', 'dumb'])(
    'asks at a terminal, keys unseen (TERM=%s; needs expect)',
    { tags: ['tool'] },
    async (term) => {
      const { status, output } = await atTerminal(term, [
        ['Name of the profile', 'shop\\r'],
        ['Base URL', 'http://plain.example\\r'],
        ['https://', ''],
        ['Base URL', `${service.baseUrl}\\r`],
        ['Test key', `${TEST_KEY}\\r`],
        ['Live key', '\\r'],
      ]);
      expect(output).not.toContain(TEST_KEY);
      expect(status).toBe(0);
      expect(JSON.parse(readFileSync(config, 'utf8')).profiles.shop.test_key).toEqual({
        kind: 'stored',
        key: TEST_KEY,
      });
    },
  );

  it.each([
    ['Ctrl-C', 'xterm', '\\003', 130],
    ['Ctrl-C', 'dumb', '\\003', 130],
    ['Ctrl-D', 'xterm', '\\004', 12],
    ['Ctrl-D', 'dumb', '\\004', 12],
  ])('ends at %s (TERM=%s; needs expect)', { tags: ['tool'] }, async (_key, term, send, code) => {
    expect((await atTerminal(term, [['Name of the profile', send]])).status).toBe(code);
    expect(statSync(config, { throwIfNoEntry: false })).toBeUndefined();
  });

  /** Runs `cops login` at a terminal of its own: waits for each text, then types. */
  function atTerminal(term: string, steps: readonly (readonly [wait: string, type: string])[]) {
    const script = [
      'set timeout 15',
      `spawn -noecho ${process.execPath} ${PROGRAM} login`,
      // A typed line that comes before the question is drawn would be dropped.
      ...steps.map(
        ([wait, type]) =>
          `expect {\n ${JSON.stringify(wait)} {}\n timeout {exit 99}\n eof {exit 98}\n}\nafter 250\nsend "${type}"`,
      ),
      'expect {\n eof {}\n timeout {exit 97}\n}',
      'exit [lindex [wait] 3]',
    ].join('\n');
    // Not spawnSync: the service that login calls runs in this process.
    return new Promise<{ status: number | null; output: string }>((resolve) => {
      const child = spawn('expect', ['-c', script], {
        env: { ...home.env, TERM: term },
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', (status) => resolve({ status, output }));
    });
  }
});
