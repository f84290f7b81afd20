import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../../fixtures/service/service.js';
import { Home, type Ran } from '../program.js';

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

describe('config', () => {
  it('sets, gets and unsets settings and aliases', async () => {
    await run('profiles add a --base-url https://a.example --test-key env:A');
    expect((await run('config path')).stdout.trim()).toBe(config);
    expect((await run('config set wallet-word paywally')).code).toBe(0);
    expect((await run('config get wallet_word')).stdout).toBe('paywally\n');
    expect((await run('config unset wallet_word')).code).toBe(0);
    expect((await run('config get wallet_word')).stdout).toBe('wallet\n');
    expect((await home.run(['config', 'set', 'alias.mine', 'profiles show a'])).code).toBe(0);
    expect(json(await run('mine')).profile).toBe('a');
    expect((await home.run(['config', 'set', 'alias.sales', 'customers list'])).code).toBe(2);
    const list = json(await run('config list'));
    expect(list).toContainEqual({ name: 'alias.mine', value: 'profiles show a', from: 'file' });
    for (const line of ['config set tz Mars', 'config set colour red', 'config set test_key x', 'config set mode prod'])
      expect((await run(line)).code).toBe(2);
  });
});

it('shows every setting with the profile, id_cache too', async () => {
  await run('profiles add one --base-url https://a.example --test-key env:A');
  const shown = async () => JSON.parse((await run('profiles show one -o json')).stdout) as Record<string, unknown>;
  expect(await shown()).toMatchObject({ id_cache: true });
  const listed = JSON.parse((await run('config list -p one -o json')).stdout) as { name: string; from: string }[];
  const settings = listed.filter(({ from }) => from !== 'file').map(({ name }) => name);
  expect(Object.keys(await shown())).toEqual(expect.arrayContaining(settings));
  await run('config set id_cache false -p one');
  expect(await shown()).toMatchObject({ id_cache: false });
});

describe('aliases', () => {
  const ways = [
    ['--yes$2', ['']],
    ['--$2', ['yes']],
    ['-$2', ['y']],
    ['-q$2', ['y']],
    ['$2$3', ['--', 'yes']],
    ['--mode-unproven', []],
    ['--send-key-to=a.example', []],
    ['--ye$2', ['s']],
  ] as const;

  it.each(ways)('never make a yes that nobody sees: %s', async (template, words) => {
    const body = `subscriptions cancel $1 ${template}`;
    // A file that was edited by hand holds what `config set` refuses.
    mkdirSync(join(home.folder, 'config'), { recursive: true });
    writeFileSync(config, JSON.stringify({ aliases: { off: body } }));
    const ran = await home.run(['off', 'AAAAAAAAAAAAAAAAAAA1', ...words, '-p', 'sandbox', '--live']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/alias "off"/);
    if (template.startsWith('-')) expect((await home.run(['config', 'set', 'alias.no', body])).code).toBe(2);
  });

  it('take values where an option is written out, and what is typed whole', async () => {
    await run('profiles add one --base-url https://a.example --test-key env:A');
    expect((await home.run(['config', 'set', 'alias.see', 'profiles show $1 --columns=$2'])).code).toBe(0);
    expect(JSON.parse((await run('see one profile -o json')).stdout)).toEqual({ profile: 'one' });
    expect((await home.run(['config', 'set', 'alias.drop', 'profiles remove $1 $2'])).code).toBe(0);
    expect((await run('drop one --yes')).code).toBe(0);
  });

  it('take the words that follow in their places, and say how many they want', async () => {
    await run('profiles add one --base-url https://a.example --test-key env:A');
    expect((await home.run(['config', 'set', 'alias.choose', 'profiles show $1 --columns $2'])).code).toBe(0);
    const ran = await run('-o json choose one profile,mode');
    expect(JSON.parse(ran.stdout)).toEqual({ profile: 'one', mode: 'test' });
    expect(JSON.parse((await run('choose one profile -o json')).stdout)).toEqual({ profile: 'one' });
    const short = await run('choose one');
    expect(short).toMatchObject({ code: 2, stdout: '' });
    expect(short.stderr).toMatch(/needs 2 words[\s\S]*profiles show \$1/);
    expect((await run('choose --help')).stdout).toContain('Usage: cops profiles show');
  });
});

describe('doctor', () => {
  const rows = (ran: Ran) =>
    Object.fromEntries(
      (JSON.parse(ran.stdout) as { check: string; status: string }[]).map((row) => [row.check, row.status]),
    );

  it('works with a damaged configuration and reports it (exit code 1)', async () => {
    mkdirSync(join(home.folder, 'config'));
    writeFileSync(config, 'not json');
    const ran = await run('doctor');
    expect(ran.code).toBe(1);
    expect(rows(ran)).toMatchObject({ node: 'ok', configuration: 'fail', 'data folder': 'ok' });
    expect(readFileSync(config, 'utf8')).toBe('not json');
  });

  it('calls nobody unless asked, then proves each key', async () => {
    const service = await startService({
      key: LIVE_KEY,
      handler: () => ({ status: 200, headers: {}, body: '{"code":1,"results":[{"live_mode":true}]}' }),
    });
    const env = { T: 'wrong-key-0001', L: LIVE_KEY };
    await home.run(
      ['profiles', 'add', 'a', '--base-url', service.baseUrl, '--test-key', 'env:T', '--live-key', 'env:L'],
      { env },
    );
    const offline = await run('doctor', { env });
    expect(offline.code).toBe(0);
    expect(service.requests).toHaveLength(0);
    const online = await run('doctor --online', { env });
    expect(rows(online)).toMatchObject({ 'profile a, test key': 'fail', 'profile a, live key': 'ok' });
    expect(online.code).toBe(1);
    const narrowed = await run('doctor --online -p sandbox', { env });
    expect([narrowed.code, Object.keys(rows(narrowed)).filter((name) => /^profile /.test(name))]).toEqual([0, []]);
    expect(rows(await run('doctor -p nobody', { env }))).toMatchObject({ 'profile nobody': 'fail' });
    await service.close();
  });

  it('proves the key of the environment where it would go', async () => {
    const service = await startService({
      key: LIVE_KEY,
      handler: () => ({ status: 200, headers: {}, body: '{"code":1,"results":[{"live_mode":true}]}' }),
    });
    const env = { COPS_API_KEY: LIVE_KEY, COPS_BASE_URL: service.baseUrl };
    const check = 'key of COPS_API_KEY';
    expect(rows(await run('doctor --online', { env }))).toMatchObject({ [check]: 'ok' });
    const mislabelled = await run('doctor --online', { env: { ...env, COPS_MODE: 'test' } });
    expect(rows(mislabelled)).toMatchObject({ [check]: 'fail' });
    expect(mislabelled.stdout).toContain('COPS_MODE=live');
    const wrong = await run('doctor --online', { env: { ...env, COPS_API_KEY: 'wrong-key-0001' } });
    expect(rows(wrong)).toMatchObject({ [check]: 'fail' });
    expect(wrong.stdout).not.toContain('wrong-key-0001');
    await service.close();
  });

  it('reports a file with keys that others can read', async () => {
    await run('profiles add a --base-url https://a.example --live-key -', { input: LIVE_KEY });
    chmodSync(config, 0o644);
    expect(rows(await run('doctor')).configuration).toBe('fail');
  });
});
