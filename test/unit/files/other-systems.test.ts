/** What other systems do to files, by the answers of their file systems and process tables. */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPrivate } from '../../../src/account/profiles/store.js';
import { lock, osProcesses } from '../../../src/base/files/lock.js';
import { onceFree, onceFreeSync, replaceFile } from '../../../src/base/files/replace-file.js';
import { startedAt } from '../../../src/base/files/started-at.js';
import { failure, folder } from '../safety/tools.js';

const refusals = vi.hoisted(() => ({ left: 0, system: 'linux' }));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  platform: () => refusals.system,
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const rename: typeof real.rename = async (from, to) => {
    if (refusals.left-- > 0) throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' });
    return real.rename(from, to);
  };
  return { ...real, rename };
});

let home = '';
beforeEach(() => {
  home = folder();
  Object.assign(refusals, { left: 0, system: 'linux' });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const refused = (code: string) => Object.assign(new Error(code), { code });

describe('a file that another program has open', () => {
  it('is replaced on Windows once it is free, and is as it was where it never is', async () => {
    const file = join(home, 'file');
    writeFileSync(file, 'old');
    Object.assign(refusals, { left: 3, system: 'win32' });
    await replaceFile(file, 'new');
    expect(readdirSync(home)).toEqual(['file']);
    refusals.left = 100;
    expect(await failure(() => replaceFile(file, 'newer'))).toMatchObject({
      message: expect.stringContaining('EPERM'),
    });
    expect(readdirSync(home)).toEqual(['file']);
  });

  it('is no reason elsewhere: the error is final', async () => {
    refusals.left = 1;
    expect(await failure(() => replaceFile(join(home, 'file'), 'new'))).toBeDefined();
    expect(refusals.left).toBe(0);
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is waited for without a turn of the event loop too (%s)', (code) => {
    let tries = 0;
    const deed = () => {
      if (++tries < 3) throw refused(code);
      return tries;
    };
    expect(onceFreeSync(deed, 'win32')).toBe(3);
  });

  it('is waited for by nothing else that fails', async () => {
    let tries = 0;
    const deed = () => {
      tries++;
      throw refused('ENOSPC');
    };
    expect(() => onceFreeSync(deed, 'win32')).toThrow('ENOSPC');
    await expect(onceFree(async () => deed(), 'win32')).rejects.toThrow('ENOSPC');
    expect(tries).toBe(2);
  });
});

describe('a process of a system that gives no start mark', () => {
  const without = { mark: '', ended: false };
  const began = Math.round(performance.timeOrigin);
  const asked: number[] = [];
  const processes = (start: number | undefined, system = 'win32') =>
    osProcesses({
      system,
      entryOf: () => without,
      startOf: (pid) => {
        asked.push(pid);
        return start;
      },
    });
  beforeEach(() => void asked.splice(0));

  it.each([
    ['is gone when another one has its number', began + 60_000, 'gone'],
    ['runs when the one of that number began with it', began - 900, 'running'],
    ['runs, as far as is known, when the system does not say', undefined, 'running'],
  ] as const)('%s', async (_, start, state) => {
    const table = processes(start);
    const flag = `thing.lock-${process.pid}-t${began}-${table.self.host}-00000000`;
    writeFileSync(join(home, flag), '');
    const taken = await lock(join(home, 'thing'), { processes: table, waitMs: 60 }).catch((error: Error) => error);
    expect(taken instanceof Error ? 'running' : 'gone').toBe(state);
    // A wait looks at the flag many times, and the system takes a moment to tell.
    expect(asked).toEqual([process.pid]);
    expect(readdirSync(home).includes(flag)).toBe(state === 'running');
  });

  it('says in its own flag when it began', async () => {
    const held = await lock(join(home, 'thing'), { processes: processes(undefined) });
    expect(readdirSync(home)).toEqual([expect.stringContaining(`.lock-${process.pid}-t${began}-`)]);
    await held.release();
    expect(asked).toEqual([]);
  });

  it('is asked for as the system tells it', async () => {
    const child = spawn('sleep', ['30'], { stdio: 'ignore' });
    try {
      await new Promise((started) => child.once('spawn', started));
      const start = startedAt(child.pid ?? 0, 'darwin') ?? 0;
      expect(Math.abs(start - Date.now())).toBeLessThan(60_000);
      expect(startedAt(2 ** 30, 'darwin')).toBeUndefined();
      expect(startedAt(child.pid ?? 0, 'linux')).toBeUndefined();
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('a folder of the configuration', () => {
  it.each([
    ['linux', '/srv/shared', true],
    ['win32', 'C:\\Users\\Ada\\AppData\\Roaming\\cops\\Config', true],
    ['win32', 'c:\\users\\ada\\cops', true],
    ['win32', 'C:\\Users\\Adam', false],
    ['win32', 'D:\\cops', false],
    ['win32', '\\\\server\\share\\cops', false],
  ])('on %s in %s is kept from others: %s', (system, place, kept) => {
    expect(isPrivate(place, { system, home: 'C:\\Users\\Ada' })).toBe(kept);
  });
});
