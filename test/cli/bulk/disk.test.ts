/** @module-tag process */
/** A disk that gets full under a run: nothing leaves without its durable intent, and nothing is done twice. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { duplicateKey, id, ok } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';
import { type Home, PROGRAM } from '../program.js';

const ROWS = 240;
const IDS = Array.from({ length: ROWS }, (_, n) => id(`SUB${n + 1000}`));
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** A service that knows the keys that it saw, and how often each subscription was cancelled. */
async function setting() {
  const keys = new Set<string>();
  const times = new Map<string, number>();
  const { service, home } = await pair((request) => {
    const subscription = request.path.split('/')[2] ?? '';
    if (request.method === 'GET') return ok({ id: subscription, live_mode: false });
    const { idempotency_key: key } = request.json as { idempotency_key: string };
    if (keys.has(key)) return duplicateKey();
    keys.add(key);
    times.set(subscription, (times.get(subscription) ?? 0) + 1);
    return ok({ result: 'success' });
  });
  writeFileSync(path.join(home.folder, 'ids.txt'), IDS.join('\n'));
  const disk = path.join(home.folder, 'disk');
  mkdirSync(disk);
  return { service, home, disk, keys, times, ids: path.join(home.folder, 'ids.txt') };
}

describe.skipIf(!canMount)('a full disk', { timeout: 60_000 }, () => {
  it.each([
    ['of the journal', 'j', {}],
    ['of the history', '../j', { COPS_CONFIG_DIR: 'disk/config' }],
  ])('%s stops the run with 11; with room again resume finishes it', async (_, name, folders: object) => {
    const { home, disk, keys, times, ids } = await setting();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48k', 'tmpfs', disk]);
    try {
      const env = Object.fromEntries(Object.entries(folders).map(([key, to]) => [key, path.join(home.folder, to)]));
      const journal = path.join(disk, name);
      const run = await home.spawn(['bulk', 'subscriptions', 'cancel', '--ids', ids, '--journal', journal], { env });
      expect(run.code, run.stderr).toBe(11);
      expect(run.stderr).toMatch(/cannot write .*(no space left|the disk is full)/);
      expect(run.stderr).toContain('Free some space there');
      expect(run.stderr).toContain(`cops bulk resume ${journal}`);
      const text = readFileSync(journal, 'utf8');
      expect(keys.size).toBeGreaterThan(20);
      expect(keys.size).toBeLessThan(ROWS);
      for (const key of keys) expect(text).toContain(`"key":"${key}"`);
      const sent = keys.size;
      // Still full: nothing more is sent.
      const full = await home.spawn(['bulk', 'resume', journal], { env });
      // A row that was begun in the journal alone may be told as unknown already.
      expect([9, 11], full.stderr).toContain(full.code);
      expect(keys.size).toBe(sent);
      expect(full.stderr).toContain('Free some space there');
      execFileSync('mount', ['-o', 'remount,size=40m', disk]);
      const resumed = await home.spawn(['bulk', 'resume', journal, '-o', 'json'], { env });
      const status = JSON.parse(resumed.stdout) as { done: number; unknown: number };
      expect(status.done + status.unknown).toBe(ROWS);
      // Two runs met the full disk, each with four rows under way.
      expect(status.unknown).toBeLessThanOrEqual(8);
      expect(resumed.code).toBe(status.unknown > 0 ? 9 : 0);
      expect(times.size).toBeGreaterThanOrEqual(status.done);
      expect(Math.max(...times.values())).toBe(1);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a journal that may grow no further', () => {
  it('stops the run with 11; resume without the limit finishes it', { timeout: 60_000 }, async () => {
    const { home, keys, times, ids } = await setting();
    const journal = path.join(home.folder, 'j');
    const limited = await limitedTo(80, home, ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--journal', journal]);
    expect(limited.code, limited.stderr).toBe(11);
    expect(keys.size).toBeLessThan(ROWS);
    const text = readFileSync(journal, 'utf8');
    for (const key of keys) expect(text).toContain(`"key":"${key}"`);
    const resumed = await home.run(['bulk', 'resume', journal, '-o', 'json']);
    const { done, unknown } = JSON.parse(resumed.stdout) as { done: number; unknown: number };
    expect(done + unknown).toBe(ROWS);
    expect(unknown).toBeLessThanOrEqual(4);
    expect(times.size).toBeGreaterThanOrEqual(done);
    expect(Math.max(...times.values())).toBe(1);
  });
});

/** Runs the program where no file may grow beyond a number of blocks of 512 bytes. */
function limitedTo(blocks: number, home: Home, words: readonly string[]): Promise<{ code: number; stderr: string }> {
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', script, process.execPath, PROGRAM, ...words], { env: home.env }, (error, _out, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr });
    });
  });
}
