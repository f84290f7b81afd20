/** The container image that `npm run release` made: unpacked, and run as a host of containers runs it. Needs root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smoke } from '../../scripts/release/smoke.mjs';
import { hostProgram } from './minimal-root.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** What a host takes from `config.json` of an unpacked image. */
interface Runs {
  readonly process: {
    readonly user: { readonly uid: number; readonly gid: number };
    readonly args: readonly string[];
    readonly env: readonly string[];
    readonly cwd: string;
  };
}

// Not where other tests write: inside, memory and devices are mounted over that place.
let folder = '';
let root = '';
let runs: Runs;

beforeAll(() => {
  folder = mkdtempSync('/tmp/cops-image-');
  const layout = path.join(folder, 'layout');
  mkdirSync(layout);
  execFileSync('tar', ['-xf', path.join(ROOT, 'release/cops-oci-linux-x64.tar'), '-C', layout]);
  const bundle = path.join(folder, 'bundle');
  execFileSync('umoci', ['unpack', '--image', `${layout}:${version}`, bundle], { stdio: 'ignore' });
  root = path.join(bundle, 'rootfs');
  runs = JSON.parse(readFileSync(path.join(bundle, 'config.json'), 'utf8')) as Runs;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const host = (shared: string): string =>
  hostProgram(path.join(folder, 'host'), { root, ...runs.process, shared: [shared], own: ['/data'] });

describe('the container image', () => {
  it('has no user root, no shell, and one folder that is written to', () => {
    expect(runs.process).toMatchObject({ user: { uid: 65532, gid: 65532 }, args: ['/usr/bin/cops'], cwd: '/data' });
    expect(existsSync(path.join(root, 'bin/sh'))).toBe(false);
    expect(readdirSync(path.join(root, 'usr/bin'))).toEqual(['cops']);
    const loose = execFileSync('find', [root, '-not', '-type', 'l', '-perm', '/022'], { encoding: 'utf8' });
    expect(loose).toBe('');
    const own = execFileSync('find', [root, '-uid', '65532', '-printf', '/%P\n'], { encoding: 'utf8' });
    expect(own.trim().split('\n').sort()).toEqual(['/data', '/tmp']);
  });

  it('does everything, read-only and without a network', () => {
    const shared = path.join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    expect(smoke(host(shared), shared).filter(({ fault }) => fault !== undefined)).toEqual([]);
  });

  it('takes its key by its environment, and keeps its records in the folder of data', () => {
    const shared = path.join(folder, 'shared');
    const env = { PATH: process.env.PATH, COPS_API_KEY: 'key_of_the_environment_1', COPS_MODE: 'test' };
    const set = Object.fromEntries(runs.process.env.map((one) => one.split(/=(.*)/s, 2) as [string, string]));
    const { status, stdout, stderr } = spawnSync(host(shared), ['doctor', '-o', 'json'], {
      env: { ...set, ...env, COPS_BASE_URL: 'https://api.example.com/v2' },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('/data/records');
    expect(stdout).toContain('COPS_API_KEY=');
    expect(stdout).not.toContain(env.COPS_API_KEY);
  });
});
