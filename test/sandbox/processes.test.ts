/** @module-tag process */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { countItems, openSandboxStore } from '../../src/sandbox/serve/index.js';
import { PROGRAM } from '../harness/process.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { call, LIVE_KEY, TEST_KEY } from './service.js';

/* The built program as processes of its own: `cops sandbox serve` on one database. */

const running: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await gone;
    }
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'processes-'));
  folders.push(made);
  return made;
}

/** A folder whose sandbox was filled before. */
async function filled(): Promise<string> {
  const dataDir = folder();
  await laySandbox(dataDir, Date.now(), FEW);
  return dataDir;
}

function start(dataDir: string, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, 'sandbox', ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      COPS_DATA_DIR: dataDir,
      COPS_CONFIG_DIR: join(dataDir, 'config'),
      HOME: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}

async function serve(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = start(dataDir, 'serve', '--port', '0');
  let out = '';
  const url = await new Promise<string>((done, fail) => {
    child.stdout?.on('data', (piece) => {
      out += piece;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
      if (found) done(found);
    });
    child.stderr?.on('data', (piece) => {
      out += piece;
    });
    child.on('exit', () => fail(new Error(out)));
  });
  expect(out).toContain(TEST_KEY);
  expect(out).toContain(LIVE_KEY);
  return { child, url };
}

const get = (url: string, path: string) => call(`${url}${path}`, { headers: { 'x-api-key': TEST_KEY } });
const post = (url: string, path: string, body: unknown) =>
  call(`${url}${path}`, { method: 'POST', headers: { 'x-api-key': TEST_KEY }, body: JSON.stringify(body) });
const total = async (url: string, path: string) =>
  (await get(url, `${path}?limit=1&page=1`)).body.total_count as number;

describe('processes on one database', () => {
  it('fill it once when they start at once', async () => {
    const dataDir = folder();
    const all = await Promise.all(Array.from({ length: 4 }, () => serve(dataDir)));
    for (const { url } of all) expect(await total(url, '/campaigns')).toBe(3);
  });

  it('write at once without losing anything', async () => {
    const dataDir = await filled();
    const [one, two] = await Promise.all([serve(dataDir), serve(dataDir)]);
    const before = await total(one.url, '/projects');
    const work = async (url: string) => {
      for (let turn = 0; turn < 25; turn++)
        expect((await post(url, '/projects', { name: `P${turn}` })).status).toBe(200);
    };
    await Promise.all([work(one.url), work(two.url), work(one.url), work(two.url)]);
    expect(await total(one.url, '/projects')).toBe(before + 100);
    expect(await total(two.url, '/projects')).toBe(before + 100);
  });

  it('lose nothing that was acknowledged when they are killed', async () => {
    const dataDir = await filled();
    const made: string[] = [];
    for (let round = 0; round < 2; round++) {
      const { child, url } = await serve(dataDir);
      const gone = new Promise((done) => child.once('exit', done));
      const work = async () => {
        for (let turn = 0; turn < 200; turn++) {
          const { body } = await post(url, '/projects', { name: 'kept' });
          made.push(body.project_id);
          if (made.length === (round + 1) * 20) child.kill('SIGKILL');
        }
      };
      await expect(Promise.all([work(), work()])).rejects.toThrow();
      await gone;
    }
    const { url } = await serve(dataDir);
    for (const id of made) expect((await get(url, `/projects/${id}`)).status).toBe(200);
    let listed = 0;
    for (let page = 1; ; page++) {
      const { body } = await get(url, `/projects?limit=25&page=${page}`);
      listed += body.current_count;
      if (page >= body.total_pages) {
        expect(listed).toBe(body.total_count);
        break;
      }
    }
  });

  it.each([
    ['SIGINT', 20_000],
    ['SIGKILL', 20_000],
    ['SIGINT', 60_000],
    ['SIGKILL', 60_000],
  ] as const)('leave the former data or say what to do: %s in a reset to %i', async (signal, size) => {
    const dataDir = await filled();
    const opened = () => openSandboxStore({ dataDir, now: Date.now });
    const facts = async () => {
      const { database, store } = await opened();
      const counted = countItems(store);
      database.close();
      return counted;
    };
    const before = await facts();
    const child = start(dataDir, 'reset', '--yes', '--size', String(size));
    const gone = new Promise((done) => child.once('exit', (code, by) => done(by ?? code)));
    // The first line of progress: much is there, and much is still to come.
    child.stderr?.once('data', () => child.kill(signal));
    expect([signal, 130]).toContain(await gone);
    // What is laid out in one transaction leaves nothing; what is committed in pieces can be known by its state.
    if (size < 50_000) expect(await facts()).toEqual(before);
    else await expect(opened()).rejects.toMatchObject({ kind: 'local', message: expect.stringContaining('cut short') });
    const again = start(dataDir, 'reset', '--yes', '--size', '100');
    expect(await new Promise((done) => again.once('exit', done))).toBe(0);
    expect((await facts()).items.subscription_renewals?.test).toBe(100);
  });

  it('stop when told to, with exit code 0', async () => {
    const { child } = await serve(await filled());
    const code = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('tell of a full disk, and begin anew when there is room', async () => {
    const dataDir = folder();
    const env = { PATH: process.env.PATH ?? '', COPS_DATA_DIR: dataDir, HOME: dataDir, COPS_CONFIG_DIR: dataDir };
    // No file may grow beyond a megabyte: writing fails as it does on a full disk.
    const full = spawnSync('bash', ['-c', `ulimit -f 1000; exec "${process.execPath}" "${PROGRAM}" sandbox reset`], {
      env,
    });
    expect(full.stderr.toString()).toMatch(/Cannot write .*sandbox.*: /);
    expect(full.status).toBe(11);
    const { url } = await serve(dataDir);
    expect(await total(url, '/campaigns')).toBe(3);
  });
});
