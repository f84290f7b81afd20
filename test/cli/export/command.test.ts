import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Runs } from './runs.js';

const FROM = Date.UTC(2025, 0, 10) / 1000;
const TO = Date.UTC(2025, 3, 20) / 1000;
let runs: Runs;
beforeAll(async () => {
  runs = await Runs.against({ rows: 900, from: FROM, to: TO });
});
afterAll(() => runs.close());

const cops = (...args: string[]) => runs.run(args);
const range = ['--from', String(FROM), '--to', String(TO)];
const whole = () => runs.service.state.rows.map((row) => `${row.text}\n`);

describe('cops export', () => {
  it('writes a file, its manifest, and one line about it', async () => {
    const { code, out } = await cops('export', 'subscription-renewals', ...range, '--out', 'a.jsonl');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ out: 'a.jsonl', items: 900, complete: true });
    expect(await readFile(runs.path('a.jsonl'), 'utf8')).toBe(whole().join(''));
    const status = await cops('export', 'status', 'a.jsonl');
    expect(JSON.parse(status.out)).toMatchObject([{ state: 'complete', items: 900 }]);
    expect((await cops('export', 'verify', 'a.jsonl')).code).toBe(0);
  });

  it('says of a verified file what it is, what was proven, what was checked, and what that does not prove', async () => {
    expect((await cops('export', 'subscription-renewals', ...range, '--out', 'v.jsonl')).code).toBe(0);
    const [row] = JSON.parse((await cops('export', 'verify', 'v.jsonl')).out);
    expect(row).toMatchObject({ state: 'verified', items: 900, family: 'subscription_renewals', filters: 'none' });
    const {
      range: asked,
      ended,
      windows,
      mode,
      profile,
    } = JSON.parse(await readFile(runs.path('v.jsonl.manifest.json'), 'utf8'));
    expect(row).toMatchObject({ made: ended, windows: windows.length, mode, profile });
    expect([Date.parse(row.from) / 1000, Date.parse(row.to) / 1000]).toEqual([asked.from, asked.to]);
    expect(row.proven_when_made).toContain(`${windows.length} of ${windows.length} windows`);
    expect(row.checked_now).toContain('SHA-256');
    expect(row.not_proven[0]).toContain(`deleted in the service after ${ended}`);
    const shown = (await cops('export', 'verify', 'v.jsonl', '-o', 'table')).out;
    for (const said of [row.from, row.to, ended, 'SHA-256', 'deleted in the service']) expect(shown).toContain(said);
    expect(shown.trim().split('\n').length).toBeLessThan(36);
  });

  it('streams to standard output, and nothing else goes there', async () => {
    const { code, out } = await cops('export', 'subscription_renewal', ...range, '--out', '-');
    expect(code).toBe(0);
    expect(out).toBe(whole().join(''));
  });

  it('sends filters, and refuses unknown ones', async () => {
    const id = 'c'.repeat(20);
    runs.service.state.requests.length = 0;
    expect((await cops('export', 'subscription-renewals', ...range, '--out', 'f.jsonl', '--campaign', id)).code).toBe(
      0,
    );
    expect(runs.service.state.requests.every((query) => query.includes(`campaign_filter=${id}`))).toBe(true);
    const wrong = await cops('export', 'subscription-renewals', ...range, '--out', 'g.jsonl', '--campain', id);
    expect(wrong.code).toBe(2);
    expect(wrong.said).toContain('--campaign');
  });

  it('takes a family by the names that lists take', async () => {
    runs.service.state.requests.length = 0;
    expect((await cops('export', 'orders', ...range, '--out', 'orders.jsonl')).code).toBe(0);
    expect(runs.service.state.requests.length).toBeGreaterThan(0);
  });

  it.each([
    [['all'], 'cops sync x/'],
    [['sales', 'customers'], 'cops sync x/ sales customers'],
    [['sales', 'orders'], 'takes no id'],
  ])('says of %j what takes it', async (words, hint) => {
    const { code, said } = await cops('export', ...words, '--out', 'x/');
    expect(code).toBe(2);
    expect(said).toContain(hint);
  });

  it.each([
    [['--format', 'xml', '--out', 'x.jsonl']],
    [['--out', 'x.unknown']],
    [['--out', '-', '--format', 'parquet']],
    [['--out', 'x.jsonl', '--shard', '4/3']],
    [['--out', 'x.jsonl', '--refresh', '5d']],
    [['--out', 'x.jsonl', '--columns', 'id']],
    [['--out', 'x.jsonl', '--shard', '1/2', '--since-last']],
    [['--out', '-', '--since-last']],
    [['--out', 'x.parquet', '--gzip']],
    [['--out', 'x/', '--format', 'sqlite']],
    [[]],
  ])('refuses %j', async (args) => {
    expect((await cops('export', 'subscription-renewals', ...range, ...args)).code).toBe(2);
  });
});
