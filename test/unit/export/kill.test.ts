import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FROM } from '../../fixtures/export-service/runner-input.js';
import { type Service, startService } from '../../fixtures/export-service/service.mjs';
import { temporary } from '../../unit/export/harness.js';

const DAY = 86_400;
const ROWS = 20_000;
const SPAN_DAYS = 2;
const RANGE = { from: FROM, to: FROM + 90 * DAY };
const KILLS = process.env.COPS_LONG === '1' ? 200 : 6;

let folder: Awaited<ReturnType<typeof temporary>>;
let service: Service;
let runner: string;
let undisturbed: Buffer;
/** Requests of an undisturbed run. */
let needed: number;
/** Who meets which signal after how many more requests, and who is told. */
let victim: ChildProcess | undefined;
let before = 0;
let deed: NodeJS.Signals = 'SIGKILL';
let done = () => {};

beforeAll(async () => {
  folder = await temporary();
  runner = join(import.meta.dirname, `../../../node_modules/.cache/export-runner-${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, '../../fixtures/export-service/runner.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['undici', 'undici/*', 'libsql', 'hyparquet', 'hyparquet-writer'],
    outfile: runner,
    logLevel: 'error',
  });
  service = await startService({
    rows: ROWS,
    ...RANGE,
    latency: 2,
    onRequest: () => {
      if (--before === 0) {
        victim?.kill(deed);
        done();
      }
      return undefined;
    },
  });
  const { code } = await start('whole.jsonl').ended;
  expect(code).toBe(0);
  needed = service.state.requests.length;
  undisturbed = await readFile(folder.path('whole.jsonl'));
  expect(undisturbed.toString().trimEnd().split('\n')).toHaveLength(ROWS);
}, 60_000);

afterAll(async () => {
  await service.close();
  await folder.remove();
  await rm(runner, { force: true });
});

function start(name: string, more: object = {}, kilobytes?: number) {
  const input = {
    out: folder.path(name),
    list: { style: 'windowed', spanDays: SPAN_DAYS },
    from: { unix: RANGE.from, text: 'a' },
    to: { unix: RANGE.to, text: 'b' },
    concurrency: 8,
    ...more,
  };
  const args = [runner, JSON.stringify({ url: service.url, input })];
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
  const child =
    kilobytes === undefined
      ? spawn(process.execPath, args, { stdio })
      : spawn('bash', ['-c', `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, ...args], {
          stdio,
        });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  );
  return { child, ended };
}

/** Sends a signal after so many requests, however fast they come; resolves when it was sent. */
function meet(child: ChildProcess, signal: NodeJS.Signals, requests: number): Promise<void> {
  victim = child;
  deed = signal;
  before = Math.floor(requests);
  return new Promise((resolve) => {
    done = resolve;
  });
}

/** Like Math.random, the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

describe('an export that is killed', () => {
  it('ends with the same bytes, however often and whenever it was killed', { timeout: 3_600_000 }, async () => {
    const random = seeded(7);
    let kills = 0;
    let inTheMiddle = 0;
    for (let round = 0; kills < KILLS; round++) {
      const name = `killed-${round}.jsonl`;
      for (let attempt = 0; ; attempt++) {
        const { child, ended } = start(name);
        if (attempt >= 4 || kills >= KILLS) {
          const { code, said } = await ended;
          expect(said).not.toContain('Error');
          expect(code).toBe(0);
          break;
        }
        // By requests, not by time: a busy machine must not move the kills out of the runs.
        victim = child;
        deed = 'SIGKILL';
        before = Math.ceil(needed * (attempt === 0 ? 0.1 + random() * 0.8 : 0.02 + random() * 0.2));
        const { code } = await ended;
        victim = undefined;
        if (code === 0) break;
        kills++;
        const journal = await stat(join(folder.path(`${name}.export`), 'journal')).catch(() => undefined);
        if (journal && journal.size > 0) inTheMiddle++;
      }
      const bytes = await readFile(folder.path(name));
      expect(bytes.equals(undisturbed)).toBe(true);
      await rm(folder.path(name));
    }
    expect(inTheMiddle).toBeGreaterThanOrEqual(kills * (KILLS > 100 ? 0.9 : 0.5));
  });

  it('asks again only for windows that were not finished', { timeout: 60_000 }, async () => {
    service.state.requests.length = 0;
    const { child, ended } = start('again.jsonl');
    meet(child, 'SIGKILL', needed * 0.6);
    const { code } = await ended;
    if (code === 0) throw new Error('it ended before it was killed');
    const journal = (await readFile(join(folder.path('again.jsonl.export'), 'journal'), 'utf8')).split('\n');
    const finished = new Set(
      journal.flatMap((line) => {
        if (!line.startsWith('{"t":"done"') || !line.endsWith('}')) return [];
        const { record } = JSON.parse(line);
        return [`date_start=${record.from}&date_end=${record.to}&`];
      }),
    );
    expect(finished.size).toBeGreaterThan(0);
    service.state.requests.length = 0;
    expect((await start('again.jsonl').ended).code).toBe(0);
    const again = service.state.requests.filter((query) => finished.has(query.slice(1, query.indexOf('limit='))));
    expect(again).toEqual([]);
    expect((await readFile(folder.path('again.jsonl'))).equals(undisturbed)).toBe(true);
  });

  it('leaves a SQLite file with the same dump', { timeout: 120_000 }, async () => {
    const dump = (path: string) => {
      const database = new Libsql(path);
      const rows = database.prepare('SELECT rowid, * FROM subscription_renewals ORDER BY rowid').raw().all();
      database.close();
      return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
    };
    const more = { format: 'sqlite', to: { unix: RANGE.from + 20 * DAY, text: 'b' } };
    const began = performance.now();
    expect((await start('whole.sqlite', more).ended).code).toBe(0);
    const time = performance.now() - began;
    for (let attempt = 1; ; attempt++) {
      const { child, ended } = start('killed.sqlite', more);
      const timer = setTimeout(() => child.kill('SIGKILL'), attempt < 4 ? time * (0.3 + attempt / 10) : 60_000);
      const { code } = await ended;
      clearTimeout(timer);
      if (code === 0) break;
    }
    expect(dump(folder.path('killed.sqlite'))).toBe(dump(folder.path('whole.sqlite')));
  });

  it('goes on after Ctrl-C', { timeout: 60_000 }, async () => {
    const { child, ended } = start('stopped.jsonl');
    meet(child, 'SIGINT', needed / 2);
    expect((await ended).code).toBe(130);
    expect((await start('stopped.jsonl').ended).code).toBe(0);
    expect((await readFile(folder.path('stopped.jsonl'))).equals(undisturbed)).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('goes on after the disk was full', { timeout: 60_000 }, async () => {
    // A limit on the size of files stands for the end of the disk: the write fails in its middle.
    const limited = start('full.jsonl', {}, Math.floor(undisturbed.length / 1024 / 3));
    const { code, said } = await limited.ended;
    expect(code).toBe(11);
    expect(said).toContain('full.jsonl');
    expect((await start('full.jsonl').ended).code).toBe(0);
    expect((await readFile(folder.path('full.jsonl'))).equals(undisturbed)).toBe(true);
  });

  it('is refused while another process exports into the target', { timeout: 60_000 }, async () => {
    const first = start('locked.jsonl');
    await meet(first.child, 'SIGSTOP', needed / 2);
    const { code, said } = await start('locked.jsonl').ended;
    first.child.kill('SIGCONT');
    expect(code).toBe(11);
    expect(said).toContain('in use');
    expect((await first.ended).code).toBe(0);
    expect((await readFile(folder.path('locked.jsonl'))).equals(undisturbed)).toBe(true);
  });
});
