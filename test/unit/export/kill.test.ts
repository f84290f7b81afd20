import { spawn } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
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
let lasted: number;

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
  service = await startService({ rows: ROWS, ...RANGE, latency: 2 });
  const began = performance.now();
  const { code } = await start('whole.jsonl').ended;
  expect(code).toBe(0);
  lasted = performance.now() - began;
  undisturbed = await readFile(folder.path('whole.jsonl'));
  expect(undisturbed.toString().trimEnd().split('\n')).toHaveLength(ROWS);
}, 60_000);

afterAll(async () => {
  await service.close();
  await folder.remove();
  await rm(runner, { force: true });
});

function start(name: string, more: object = {}) {
  const input = {
    out: folder.path(name),
    list: { style: 'windowed', spanDays: SPAN_DAYS },
    from: { unix: RANGE.from, text: 'a' },
    to: { unix: RANGE.to, text: 'b' },
    concurrency: 8,
    ...more,
  };
  const child = spawn(process.execPath, [runner, JSON.stringify({ url: service.url, input })], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, said })),
  );
  return { child, ended };
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
        const timer = setTimeout(() => child.kill('SIGKILL'), lasted * (0.15 + random() * 0.6));
        const { code } = await ended;
        clearTimeout(timer);
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
    setTimeout(() => child.kill('SIGKILL'), lasted * 0.6);
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
});
