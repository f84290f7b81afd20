import { spawn } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lock, osProcesses } from '../../../src/base/files/lock.js';
import { failure, folder, processTable } from '../safety/tools.js';

let home: string;
let at: string;
beforeEach(() => {
  home = folder();
  at = join(home, 'thing');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const everyone = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the lock', () => {
  it('is held by at most one of many that try at once', async () => {
    let holders = 0;
    let most = 0;
    await Promise.all(
      everyone(12).map(async (self) => {
        const held = await lock(at, { processes: processTable(self, everyone(12)), waitMs: 30_000 });
        most = Math.max(most, ++holders);
        await new Promise((resolve) => setImmediate(resolve));
        holders--;
        await held.release();
      }),
    );
    expect([most, readdirSync(home)]).toEqual([1, []]);
  });

  it('lets fifty wait their turn, however long the line is', { tags: ['thorough'] }, async () => {
    let holders = 0;
    let most = 0;
    const hold = async (self: number) => {
      const held = await lock(at, { processes: processTable(self, everyone(50)), waitMs: 2_000 });
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setTimeout(resolve, 60));
      holders--;
      await held.release();
    };
    await Promise.all(everyone(50).map(hold));
    expect([most, readdirSync(home)]).toEqual([1, []]);
  });

  it('does not wait behind the ticket of a process that is dead', async () => {
    const table = processTable(1, [1, 2, 3]);
    const first = await lock(at, { processes: table });
    const waiting = lock(at, { processes: { ...table, self: processTable(2).self }, waitMs: 60 });
    await failure(waiting);
    writeFileSync(join(home, `thing.wait-000000000000001_9-0-${table.self.host}-00000000`), '');
    await first.release();
    await (await lock(at, { processes: { ...table, self: processTable(3).self }, waitMs: 0 })).release();
    expect(readdirSync(home)).toEqual([]);
  });

  it('is taken over at once from a process that is dead, not from one that lives', async () => {
    const table = processTable(1, [1, 2]);
    await lock(at, { processes: table });
    const other = { ...table, self: processTable(2).self };
    const error = await failure(lock(at, { processes: other, waitMs: 0, what: 'The thing' }));
    expect(error).toMatchObject({
      ...{ exitCode: 11, message: 'The thing is in use by another process (1)' },
      facts: { more: { reason: 'locked', holder: 1 } },
    });
    expect(error.facts.hint).toContain(join(home, readdirSync(home)[0] ?? ''));
    table.kill(1);
    await (await lock(at, { processes: other, waitMs: 0 })).release();
    expect(readdirSync(home)).toEqual([]);
  });

  it('of a machine that nobody here can ask is never taken over: what to delete is named', async () => {
    const far = processTable(7);
    await lock(at, { processes: { ...far, self: { ...far.self, host: 'far' } } });
    const error = await failure(lock(at, { processes: processTable(1), waitMs: 0 }));
    expect(error.message).toContain('a process on another machine (7)');
    expect(error.facts.hint).toContain(join(home, readdirSync(home)[0] ?? ''));
  });

  it('tells a folder that cannot be written as a local fault', async () => {
    expect((await failure(lock(join(home, 'thing', '\0', 'x'), { waitMs: 0 }))).exitCode).toBe(11);
  });
});

describe('the operating system', () => {
  // Only Linux tells a process that has ended from one that runs before its parent has asked for the exit code.
  it('counts a killed process as gone before its parent has asked for its end', async () => {
    const parent = spawn('sh', ['-c', 'sleep 30 & echo $!; kill -9 $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      expect(pid).toBeGreaterThan(0);
      const { self } = osProcesses();
      writeFileSync(`${at}.lock-${pid}-0-${self.host}-00000000`, '');
      const taken = await lock(at, { waitMs: 5000 }).catch((error: Error) => error.message);
      const isLinux = process.platform === 'linux';
      expect(typeof taken === 'string' ? 'in use' : 'taken').toBe(isLinux ? 'taken' : 'in use');
      expect(osProcesses().state(self)).toBe('running');
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
