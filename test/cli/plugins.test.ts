/** @module-tag process */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, home } from './helpers.js';
import type { Home } from './program.js';

/* cops-NAME on the PATH is cops NAME. */

/** A home with plugins, which are scripts of a shell. */
function withPlugins(plugins: Readonly<Record<string, string>>, extra: Readonly<Record<string, string>> = {}): Home {
  const made = home(extra);
  const folder = path.join(made.folder, 'bin');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(plugins)) {
    writeFileSync(path.join(folder, `cops-${name}`), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(folder, `cops-${name}`), 0o755);
  }
  made.env.PATH = `${folder}:${made.env.PATH}`;
  return made;
}

const SHOWS = { deploy: 'env; for word in "$@"; do echo "word $word"; done' };

const ADD_ACME = 'profiles add acme --base-url https://api.example.com/v2 --test-key env:ACME_KEY'.split(' ');

describe('a plugin', () => {
  it('gets the words after its name, and profile, mode and address from the environment', async () => {
    const made = withPlugins(SHOWS, { ACME_KEY: 'acme_key_of_tests_0001' });
    await made.run(ADD_ACME);
    const ran = await made.spawn(['-p', 'acme', '--live', 'deploy', 'a b', '--live', '-p', 'x', '--help']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('word a b\nword --live\nword -p\nword x\nword --help\n');
    for (const line of ['COPS_PROFILE=acme', 'COPS_MODE=live', 'COPS_BASE_URL=https://api.example.com/v2'])
      expect(ran.stdout.split('\n')).toContain(line);
  });

  it('gets no key and no password, unless it is trusted', async () => {
    const key = 'env_key_of_tests_0001';
    const secrets = {
      COPS_API_KEY: key,
      COPS_TEST_PASSWORD: 'geheim',
      COPY: key,
      COPS_BASE_URL: 'https://api.example.com/v2',
    };
    const made = withPlugins(SHOWS, secrets);
    const plain = await made.spawn(['deploy']);
    expect(plain.stdout).not.toContain(key);
    expect(plain.stdout).not.toContain('geheim');
    // The mode assumed for that key is not said of the profile whose own key the plugin would use.
    await made.run(ADD_ACME);
    const led = await made.spawn(['-p', 'acme', 'deploy']);
    expect(led.stdout).toContain('COPS_MODE=test');
    expect(led.stderr).toContain('not passed on to deploy');
    await made.run(['config', 'set', 'plugins.trusted', 'deploy']);
    expect((await made.run(['config', 'get', 'plugins.trusted'])).stdout.trim()).toBe('deploy');
    expect((await made.spawn(['deploy'])).stdout).toContain(`COPS_API_KEY=${key}`);
    await made.run(['config', 'unset', 'plugins.trusted']);
    expect((await made.spawn(['deploy'])).stdout).not.toContain(key);
  });

  it('without trust gets no stored key by way of the program either, and cannot trust itself', async () => {
    const key = 'acme_key_of_tests_0001';
    const asks = `exec ${process.execPath} ${path.resolve('bin/cops.js')} "$@"`;
    const made = withPlugins({ asks, nests: '' });
    await made.run(['profiles', 'add', 'acme', ...ADD_ACME.slice(3, -1), '-'], { input: key });
    const reads = ['--base-url', 'https://127.0.0.1:1/v2', '--send-key-to', '127.0.0.1', '--max-retries', '0'];
    const lines = [
      ['customers', 'list', '-p', 'acme', ...reads],
      ['events', 'secret', 'show', '-p', 'acme'],
      ['config', 'set', 'plugins.trusted', 'asks'],
    ];
    for (const line of lines) {
      const ran = await made.spawn(['asks', ...line]);
      expect(ran.code, `${line.join(' ')}: ${ran.stderr}`).toBe(12);
      expect(ran.stdout).not.toContain(key);
    }
    expect((await made.run(['config', 'get', 'plugins.trusted'])).stdout).toBe('');
    expect((await made.spawn(['asks', '-p', 'sandbox', 'sandbox', 'status'])).code).toBe(0);
    // A trusted plugin gets the key and calls the address, where nobody answers; started by an untrusted one, it does not.
    await made.run(['config', 'set', 'plugins.trusted', 'asks']);
    expect((await made.spawn(['asks', ...(lines[0] ?? [])])).code).toBe(8);
    const inner = `exec ${process.execPath} ${path.resolve('bin/cops.js')} asks "$@"`;
    writeFileSync(path.join(made.folder, 'bin/cops-nests'), `#!/bin/sh\n${inner}\n`);
    expect((await made.spawn(['nests', ...(lines[0] ?? [])])).code).toBe(12);
  });

  it('is trusted only by the name of one that there is', async () => {
    const made = withPlugins(SHOWS);
    const ran = await made.run(['config', 'set', 'plugins.trusted', 'deplyo', '-o', 'json']);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).hint).toContain('deploy');
    expect((await made.run(['config', 'get', 'plugins.trusted'])).stdout).toBe('');
  });

  it('ends the line with its exit code, or its signal', async () => {
    const made = withPlugins({ seven: 'exit 7', killed: 'kill -TERM $$' });
    expect((await made.spawn(['seven'])).code).toBe(7);
    expect((await made.spawn(['killed'])).code).toBe(143);
  });

  it('reads standard input, and is found by what the tool itself calls', async () => {
    const made = withPlugins({ upper: 'tr a-z A-Z' });
    const ran = await made.spawn(['upper'], { input: 'abc' });
    expect(ran.stdout).toBe('ABC');
  });

  it('is in help and completion', async () => {
    const made = withPlugins({ deploy: 'echo own help', customers: 'echo never' });
    const plugins = (text: string) => text.split('\n').filter((line) => line.includes('deploy'));
    expect(plugins((await made.run(['--help'])).stdout)).toHaveLength(1);
    expect(plugins((await made.run(['--help-all'])).stdout).join()).toContain(
      path.join(made.folder, 'bin/cops-deploy'),
    );
    expect((await made.run(['help', 'deploy'])).stdout).toContain('plugin');
    expect((await made.spawn(['deploy', '--help'])).stdout).toBe('own help\n');
    const typed = await made.run(['__complete', 'zsh', '1', 'cops', 'dep']);
    expect(typed.stdout).toContain('deploy');
  });

  it('never takes precedence over a family, a command or an alias', async () => {
    const made = withPlugins({ customers: 'echo never', whoami: 'echo never', late: 'echo never', help: 'echo never' });
    const set = await made.run(['alias', 'set', 'late', 'reference events']);
    expect(set.stderr).toContain(`hides the plugin ${path.join(made.folder, 'bin/cops-late')}`);
    for (const line of [['customers', '--help'], ['whoami'], ['late'], ['help'], ['customer', 'list', '--help']])
      expect((await made.spawn(line)).stdout).not.toContain('never');
  });

  it('has no dry run, and is not run from a folder that is not named in full', async () => {
    const made = withPlugins(SHOWS);
    expect((await made.spawn(['--dry-run', 'deploy'])).code).toBe(2);
    const folder = path.join(made.folder, 'bin');
    const ran = await made.spawn(['deploy', '-o', 'json'], { cwd: folder, env: { PATH: `.:${process.env.PATH}` } });
    expect(ran.code).toBe(2);
    expect(errorOf(ran).message).not.toBe('');
  });

  it('is refused in a scenario', async () => {
    const made = withPlugins(SHOWS);
    writeFileSync(path.join(made.folder, 'a.test.yaml'), 'version: 1\nsteps: [{ run: deploy }]\n');
    const ran = await made.spawn(['test', 'a.test.yaml'], { cwd: made.folder });
    expect(ran.code).toBe(2);
  });
});
