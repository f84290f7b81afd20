import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { configFolder, dataFolder, madeWithoutHome } from '../../../src/account/profiles/glance.js';
import { readFromKeychain, storeInKeychain } from '../../../src/account/profiles/keychain.js';
import { describeReference, fingerprint, maskKey, readKey, readReference } from '../../../src/account/profiles/keys.js';
import { CopsError } from '../../../src/base/errors/errors.js';

const folder = mkdtempSync(join(tmpdir(), 'cops-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string, stdin = '') =>
  readReference(text, '--test-key', { cwd: folder, readStdin: async () => stdin });

async function failure(work: Promise<unknown>): Promise<CopsError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CopsError);
  return error as CopsError;
}

describe('masking', () => {
  it('shows the last four characters, and none of a short key', () => {
    expect(maskKey('abcdefgh1234')).toBe('****1234');
    expect(maskKey('abc1234')).toBe('****');
    expect(maskKey('')).toBe('****');
  });

  it('and fingerprints never hold more of a key', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{8,60}$/), (key) => {
        expect(maskKey(key)).toHaveLength(8);
        expect(fingerprint(key)).toBe(createHash('sha256').update(`cops key\n${key}`).digest('hex').slice(0, 32));
        expect(fingerprint(key)).not.toBe(fingerprint(`${key}x`));
      }),
    );
  });
});

describe('a key reference', () => {
  it('env:, @file and cmd: are stored as they are, - as what it gives', async () => {
    writeFileSync(join(folder, 'key'), '\uFEFFfile-key-0001\r\n');
    expect(await read('env:MY_KEY')).toEqual({ kind: 'env', name: 'MY_KEY' });
    expect(await read('cmd: pass show x ')).toEqual({ kind: 'command', command: 'pass show x' });
    expect(await read('@key')).toEqual({ kind: 'file', path: join(folder, 'key') });
    expect(await readKey(await read('@key'), 'the key', { env: {} })).toBe('file-key-0001');
    expect(await failure(readKey({ kind: 'file', path: join(folder, 'gone') }, 'the key', { env: {} }))).toMatchObject({
      exitCode: 3,
    });
    expect(await read('-', 'stdin-key-0002\n')).toEqual({ kind: 'stored', key: 'stdin-key-0002' });
  });

  it('that is a literal is refused with the reason and without repeating it', async () => {
    const error = await failure(read('sk_live_0123456789'));
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain('history');
    expect(error.facts.hint).toContain('env:NAME');
    expect(error.message + error.facts.hint).not.toContain('sk_live');
  });

  it.each(['', 'env:', 'env:9x', 'env:a-b', 'cmd:', 'cmd:  ', '@', '@missing', '@.'])('%j is refused', async (text) => {
    expect([2, 11]).toContain((await failure(read(text))).exitCode);
  });

  it.each(['', ' \n', 'two words', 'one\ntwo', 'nul\0l', 'esc\u001b[31m', 'schlüssel-12345', 'x'.repeat(5000)])(
    'with the key %j from standard input is refused',
    async (key) => {
      const error = await failure(read('-', key));
      expect(error.exitCode).toBe(2);
      if (key.trim().length > 3) expect(error.message).not.toContain(key.trim());
    },
  );

  it('to a huge or binary file is refused without reading it whole', async () => {
    writeFileSync(join(folder, 'huge'), Buffer.alloc(3_000_000, 'x'));
    writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42, 0x00]));
    expect((await failure(read('@huge'))).exitCode).toBe(2);
    expect((await failure(read('@binary'))).exitCode).toBe(2);
    expect((await failure(read('@/dev/zero'))).exitCode).toBe(2);
  });

  it('is described without the key, and of a command only the program', () => {
    expect(describeReference({ kind: 'stored', key: 'abcdefgh1234' })).toBe('stored ****1234');
    expect(describeReference({ kind: 'env', name: 'K' })).toBe('env:K');
    expect(describeReference({ kind: 'command', command: 'echo sk_live_1' })).toBe('cmd:echo …');
    expect(describeReference({ kind: 'command', command: 'K=sk_live_1 run' })).not.toContain('sk_live');
    expect(describeReference({ kind: 'command', command: 'sk_live_1' })).not.toContain('sk_live');
  });
});

describe('reading a key', () => {
  const env = { PATH: process.env.PATH, MY_KEY: ' env-key-0003 ' };
  const run = (command: string, more = {}) =>
    readKey({ kind: 'command', command }, 'the test key of profile a', { env, ...more });

  it('takes a variable, trimmed; one that is not set is no key (exit code 3)', async () => {
    expect(await readKey({ kind: 'env', name: 'MY_KEY' }, 'it', { env })).toBe('env-key-0003');
    const error = await failure(readKey({ kind: 'env', name: 'OTHER' }, 'it', { env }));
    expect(error.exitCode).toBe(3);
    expect(error.message).toContain('OTHER');
  });

  it('runs a command through the shell and trims what it prints', async () => {
    expect(await run("printf '  cmd-key-%s\\n\\n' 0004 | cat")).toBe('cmd-key-0004');
  });

  it.each(['half-a-key', 'key: aGFsZi1hLWtleQ=='])(
    'repeats nothing of what a failing command wrote: %s',
    async (text) => {
      const error = await failure(run(`printf 'half-a-key'; printf '${text}' >&2; exit 7`));
      expect(error.exitCode).toBe(3);
      expect(error.message).toContain('exit code 7');
      expect(error.message + (error.facts.hint ?? '')).not.toContain(text);
    },
  );

  it.each(['true', 'echo; echo', 'printf "two lines\\nhere"', 'head -c 200000 /dev/zero'])(
    'refuses %j',
    async (command) => {
      expect((await failure(run(command))).exitCode).toBe(3);
    },
  );

  it('stops a command that takes too long, its children included in the wait', async () => {
    const began = performance.now();
    const error = await failure(run('sleep 30 | sleep 30', { commandTimeoutMs: 200 }));
    expect(error.message).toContain('0.2 seconds');
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('stops at Ctrl-C with its reason', async () => {
    const control = new AbortController();
    const reason = new CopsError('interrupted', 'Interrupted.');
    setTimeout(() => control.abort(reason), 50);
    expect(await failure(run('sleep 30', { signal: control.signal }))).toBe(reason);
  });

  it('gives a command no standard input', async () => {
    expect((await failure(run('cat'))).exitCode).toBe(3);
  });
});

describe('the keychain', () => {
  const library =
    (kept: Map<string, string>, wait = false) =>
    async () => ({
      AsyncEntry: class {
        constructor(
          readonly service: string,
          readonly account: string,
        ) {}
        async setPassword(password: string) {
          if (wait) await new Promise(() => {});
          kept.set(this.account, password);
        }
        async getPassword() {
          return kept.get(this.account) ?? null;
        }
        async deletePassword() {
          return kept.delete(this.account);
        }
      },
    });

  it('keeps a key and gives it back', async () => {
    const kept = new Map<string, string>();
    const reference = await storeInKeychain('test_key 1', 'key-0005', library(kept));
    expect(reference).toEqual({ kind: 'keychain', account: 'test_key 1' });
    expect(JSON.stringify(reference)).not.toContain('key-0005');
    expect(await readFromKeychain('test_key 1', library(kept))).toBe('key-0005');
    expect((await failure(readFromKeychain('other', library(kept)))).exitCode).toBe(3);
  });

  it('that is missing, slow or forgetful is an error, never another place', async () => {
    const missing = () => Promise.reject(new Error("Cannot find module '@napi-rs/keyring'"));
    expect((await failure(storeInKeychain('a', 'key-0006', missing))).message).toContain('@napi-rs/keyring');
    expect((await failure(storeInKeychain('a', 'key-0006', library(new Map(), true), 50))).message).toContain(
      '0.05 seconds',
    );
    const forgetful = new Map<string, string>();
    forgetful.set = () => forgetful;
    expect((await failure(storeInKeychain('a', 'key-0006', library(forgetful)))).exitCode).toBe(11);
  });
});

describe('folders', () => {
  const facts = { cwd: '/here', home: '/home/u' };

  it.each([
    ['linux', {}, '/home/u/.config/cops', '/home/u/.local/share/cops'],
    ['freebsd', {}, '/home/u/.config/cops', '/home/u/.local/share/cops'],
    ['linux', { XDG_CONFIG_HOME: '/x/c', XDG_DATA_HOME: '/x/d' }, '/x/c/cops', '/x/d/cops'],
    ['linux', { XDG_CONFIG_HOME: '', XDG_DATA_HOME: 'relative' }, '/home/u/.config/cops', '/home/u/.local/share/cops'],
    [
      'darwin',
      { XDG_CONFIG_HOME: '/x/c' },
      '/home/u/Library/Preferences/cops',
      '/home/u/Library/Application Support/cops',
    ],
    ['win32', { APPDATA: '/r', LOCALAPPDATA: '/l' }, '/r/cops/Config', '/l/cops/Data'],
    ['linux', { COPS_CONFIG_DIR: '/c', COPS_DATA_DIR: 'd/e' }, '/c', '/here/d/e'],
    ['linux', { COPS_CONFIG_DIR: '', COPS_DATA_DIR: '' }, '/home/u/.config/cops', '/home/u/.local/share/cops'],
  ])('on %s with %o', (platform, env, config, data) => {
    expect(configFolder({ ...facts, platform, env })).toBe(config);
    expect(dataFolder({ ...facts, platform, env })).toBe(data);
  });

  it('are named once they are made where no HOME says so', () => {
    const said = (env: Record<string, string>): string | undefined => {
      const bare = { cwd: '/', home: mkdtempSync(join(folder, 'home-')), platform: 'linux', env };
      const made = madeWithoutHome(bare);
      expect(made()).toBeUndefined();
      mkdirSync(configFolder(bare), { recursive: true });
      expect(madeWithoutHome(bare)()).toBeUndefined();
      return made()?.replace(bare.home, '~');
    };
    expect(said({})).toContain('HOME is not set: ~/.config/cops was made.');
    expect(said({ HOME: '/home/u' })).toBeUndefined();
    expect(said({ COPS_CONFIG_DIR: mkdtempSync(join(folder, 'own-')) })).toBeUndefined();
  });

  it('without a home are where nothing can be made', () => {
    const nowhere = { cwd: '/', home: '', platform: 'linux', env: {} };
    for (const folder of [configFolder(nowhere), dataFolder(nowhere)])
      expect(() => mkdirSync(folder)).toThrow('ENOENT');
  });
});
