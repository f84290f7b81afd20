import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../fixtures/export-service/service.mjs';

const FROM = Date.UTC(2025, 0, 10) / 1000;
const TO = Date.UTC(2025, 3, 20) / 1000;
let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService({ rows: 900, from: FROM, to: TO });
  folder = await mkdtemp(join(tmpdir(), 'export-cli-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the built program; resolves with what it said and how it ended. */
function cops(...args: string[]): Promise<{ code: number | null; out: string; said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../bin/cops.js'), ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      COPS_API_KEY: 'test-key',
      COPS_BASE_URL: service.url,
      COPS_MODE: 'test',
      COPS_CONFIG_DIR: join(folder, 'config'),
      COPS_DATA_DIR: join(folder, 'data'),
    },
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, said })));
}

const range = ['--from', String(FROM), '--to', String(TO)];
const whole = () => service.state.rows.map((row) => `${row.text}\n`);

describe('cops export', () => {
  it('writes a file, its manifest, and one line about it', async () => {
    const { code, out } = await cops('export', 'subscription-renewals', ...range, '--out', 'a.jsonl');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ out: 'a.jsonl', items: 900, complete: true });
    expect(await readFile(join(folder, 'a.jsonl'), 'utf8')).toBe(whole().join(''));
    const status = await cops('export', 'status', 'a.jsonl');
    expect(JSON.parse(status.out)).toMatchObject([{ state: 'complete', items: 900 }]);
    expect((await cops('export', 'verify', 'a.jsonl')).code).toBe(0);
  });

  it('streams to standard output, and nothing else goes there', async () => {
    const { code, out } = await cops('export', 'subscription_renewal', ...range, '--out', '-');
    expect(code).toBe(0);
    expect(out).toBe(whole().join(''));
  });

  it('sends filters, and refuses unknown ones', async () => {
    const id = 'c'.repeat(20);
    service.state.requests.length = 0;
    expect((await cops('export', 'subscription-renewals', ...range, '--out', 'f.jsonl', '--campaign', id)).code).toBe(
      0,
    );
    expect(service.state.requests.every((query) => query.includes(`campaign_filter=${id}`))).toBe(true);
    const wrong = await cops('export', 'subscription-renewals', ...range, '--out', 'g.jsonl', '--campain', id);
    expect(wrong.code).toBe(2);
    expect(wrong.said).toContain('--campaign');
  });

  it('spreads over processes side by side', async () => {
    const outs = ['s1.jsonl', 's2.jsonl', 's3.jsonl'];
    const ended = await Promise.all(
      outs.map((out, i) =>
        cops('export', 'subscription-renewals', ...range, '--shard', `${i + 1}/3`, '--rate', '600', '--out', out),
      ),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const texts = await Promise.all(outs.map((out) => readFile(join(folder, out), 'utf8')));
    expect(texts.flatMap((text) => text.split(/(?<=\n)/)).sort()).toEqual(whole().sort());
    const merged = await cops('export', 'merge', ...outs);
    expect(merged.code).toBe(0);
    expect(JSON.parse(merged.out)).toMatchObject({ items: 900, shards: 3, faults: [] });
    expect((await cops('export', 'merge', ...outs.slice(1))).code).toBe(10);
  });

  it.each([
    [['--format', 'xml', '--out', 'x.jsonl']],
    [['--out', 'x.unknown']],
    [['--out', '-', '--format', 'parquet']],
    [['--out', 'x.jsonl', '--shard', '4/3']],
    [['--out', 'x.jsonl', '--refresh', '5d']],
    [['--out', 'x.jsonl', '--columns', 'id']],
    [[]],
  ])('refuses %j', async (args) => {
    expect((await cops('export', 'subscription-renewals', ...range, ...args)).code).toBe(2);
  });
});
