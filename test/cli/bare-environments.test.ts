/**
 * A user without HOME, without an entry in the user database, on a read-only disk, or with a home below /proc: what only reads
 * works, what must keep something says the true reason and the variable that mends it, and nothing spins.
 * @module-tag process tool
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok, wrote } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { A, errorOf, home, json, KEY, service } from './helpers.js';
import { PROGRAM, type Ran } from './program.js';

/** No user has this number. */
const NOBODY = '54321';

/** How a bare environment is made: the words that run a program in it, and its variables. */
const BARE = {
  'no passwd entry': (_home: string) => ({
    words: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
    env: {},
    why: 'there is no such file or folder',
  }),
  'a home below /proc': (_home: string) => ({
    words: ['env'],
    env: { HOME: '/proc/1/nowhere' },
    why: 'there is no such file or folder',
  }),
  'a read-only disk': (made: string) => ({
    words: [
      'unshare',
      '-rm',
      'sh',
      '-c',
      'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"',
      'sh',
    ],
    env: { HOME: made },
    why: 'the file system is read-only',
  }),
} as const;
const isRoot = process.getuid?.() === 0;
const kinds = (Object.keys(BARE) as (keyof typeof BARE)[]).filter((kind) => isRoot || kind !== 'no passwd entry');

function runBare(kind: keyof typeof BARE, args: readonly string[], variables: Record<string, string>): Promise<Ran> {
  const folder = path.join(home().folder, 'user');
  mkdirSync(folder);
  const { words, env } = BARE[kind](folder);
  const [file = '', ...rest] = [...words, process.execPath, PROGRAM, ...args];
  const whole = { PATH: process.env.PATH ?? '', ...env, ...variables };
  return new Promise((resolve) => {
    execFile(file, rest, { env: whole, cwd: '/', timeout: 20_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve({ code: error ? ((error.code as unknown as number) ?? null) : 0, signal: null, stdout, stderr } as Ran),
    );
  });
}

const keyed = (baseUrl: string) => ({ COPS_API_KEY: KEY, COPS_BASE_URL: baseUrl, COPS_MODE: 'test' });

describe.each(kinds)('with %s', (kind) => {
  const { why } = BARE[kind]('');

  it('a key of the environment reads', async () => {
    const served = await service({ handler: () => ok({ id: A, live_mode: false }) });
    const ran = await runBare(kind, ['customers', 'get', A, '-o', 'json'], keyed(served.baseUrl));
    expect(ran.code, ran.stderr).toBe(0);
    expect(json(ran)).toMatchObject({ id: A });
  });

  it('a write that cannot be recorded is not sent', async () => {
    const served = await service({ handler: () => wrote('customer', A) });
    const ran = await runBare(
      kind,
      ['customers', 'disable', A, '--yes', '--mode-unproven', '-o', 'json'],
      keyed(served.baseUrl),
    );
    expect(ran.code, ran.stderr).toBe(11);
    expect(errorOf(ran).message).toContain(why);
    expect(served.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('what must keep something names the reason and the variable', async () => {
    for (const words of [['customers', 'list', '--limit', '1'], ['sandbox', 'reset'], ['sync']]) {
      const ran = await runBare(kind, ['-p', 'sandbox', '-o', 'json', ...words], {});
      expect(ran.code, ran.stderr).toBe(11);
      expect(errorOf(ran)).toMatchObject({
        message: expect.stringContaining(why) as string,
        hint: expect.stringContaining('COPS_DATA_DIR') as string,
      });
    }
    const ran = await runBare(kind, ['alias', 'set', 'x', 'customers list', '-o', 'json'], {});
    expect(errorOf(ran)).toMatchObject({
      kind: 'local',
      hint: expect.stringContaining('COPS_CONFIG_DIR') as string,
    });
  });

  it('works with folders that are named', async () => {
    // Beside the temporary folder of the tests, which lets in its owner only.
    const made = mkdtempSync('/tmp/cops-bare-');
    closeAfterTest({ close: () => rmSync(made, { recursive: true }) });
    chmodSync(made, 0o777);
    const folders = { COPS_DATA_DIR: path.join(made, 'd'), COPS_CONFIG_DIR: path.join(made, 'c') };
    const ran = await runBare(kind, ['-p', 'sandbox', 'customers', 'list', '--limit', '1', '-o', 'json'], folders);
    expect(ran.code, ran.stderr).toBe(0);
  });
});
