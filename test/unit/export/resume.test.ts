/** @module-tag sweep */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Transport } from '../../../src/base/transport.js';
import { mergeShards } from '../../../src/data/export/merge.js';
import { exportState, verifyExport } from '../../../src/data/export/offline.js';
import type { ExportDeps, ExportInput } from '../../../src/data/export/types.js';
import { makeRows, type Service, startService } from '../../fixtures/export-service/service.mjs';
import { connect, depsFor, exportFrom, FROM, familyWith, inputFor, TO, temporary } from './harness.js';

const ROWS = 750;
const DAY = 86_400;
let folder: Awaited<ReturnType<typeof temporary>>;
let service: Service;
let broken = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  service = await startService({
    rows: ROWS,
    from: FROM,
    to: TO,
    onRequest: (state) => (state.requests.length > broken ? { status: 500, body: '{"code":0}' } : undefined),
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await temporary();
  broken = Number.POSITIVE_INFINITY;
  service.state.requests.length = 0;
});
afterEach(() => folder.remove());

const whole = () => service.state.rows.map((row) => `${row.text}\n`).join('');

/** Stops an export in its middle by a service that fails after some requests. */
async function breakOff(input: ExportInput, after = 24, more: Partial<ExportDeps> = {}): Promise<void> {
  broken = service.state.requests.length + after;
  await expect(exportFrom(service.url, input, { maxRetries: 0, ...more })).rejects.toMatchObject({
    kind: 'service_failed',
  });
  broken = Number.POSITIVE_INFINITY;
}

describe('an export that was stopped', () => {
  it.each(['jsonl', 'csv', 'tsv', 'parquet'] as const)('goes on with the same %s bytes', async (format) => {
    await exportFrom(service.url, inputFor(folder.path('whole'), { format }));
    await breakOff(inputFor(folder.path('broken'), { format }));
    expect(await exportState(folder.path('broken'))).toMatchObject({
      state: 'unfinished',
      family: 'subscription_renewals',
    });
    await exportFrom(service.url, inputFor(folder.path('broken'), { format, concurrency: 3 }));
    expect((await readFile(folder.path('broken'))).equals(await readFile(folder.path('whole')))).toBe(true);
    expect((await verifyExport(folder.path('broken'))).faults).toEqual([]);
  });

  it('says from when to when its rows were read', async () => {
    const said: string[] = [];
    const begun = Date.parse('2026-03-01T10:00:00Z');
    const at = (hours: number): Partial<ExportDeps> => ({
      now: () => begun + hours * 3_600_000,
      frozen: TO * 1000,
      notes: { ...depsFor({} as Transport).notes, warn: (text) => said.push(String(text)) },
    });
    const out = folder.path('a.jsonl');
    await breakOff(inputFor(out), 24, at(0));
    const { manifest } = await exportFrom(service.url, inputFor(out), at(5));
    expect(said).toEqual([expect.stringMatching(/^Read from 2026-03-01T10:00:00Z to 2026-03-01T15:00:00Z: /)]);
    expect(manifest.notes).toContain(said[0]);
    const times = new Set(manifest.windows.map(({ read_from }) => read_from));
    expect(times).toEqual(new Set([begun / 1000, begun / 1000 + 18_000]));
    await exportFrom(service.url, inputFor(folder.path('whole.jsonl')), at(0));
    expect(said).toHaveLength(1);
    const clock = { ms: begun };
    const slow = { ...at(0), now: () => (clock.ms += 900_000) };
    await exportFrom(service.url, inputFor(folder.path('slow.jsonl')), slow);
    expect(said[1]).toMatch(/^Read from /);
  });

  it('leaves the target alone until it is whole', async () => {
    await breakOff(inputFor(folder.path('a.jsonl')));
    await expect(stat(folder.path('a.jsonl'))).rejects.toThrow();
  });

  it('keeps its range when the words for it have moved on', async () => {
    const at = (unix: number) => ({ from: { unix: FROM, text: 'x' }, to: { unix, text: 'now' } });
    await breakOff(inputFor(folder.path('a.jsonl'), at(TO)));
    const report = await exportFrom(service.url, inputFor(folder.path('a.jsonl'), at(TO + 3600)));
    expect(report.manifest.range?.to).toBe(TO);
    expect(await readFile(folder.path('a.jsonl'), 'utf8')).toBe(whole());
  });

  it.each([
    ['--columns', { columns: ['id'] }],
    ['the filters', { filters: [['campaign_filter', 'x']] as const }],
    ['--gzip', { gzip: true }],
    ['--to', { to: { unix: TO - DAY, text: '2025-06-19' } }],
    ['--page-size', { pageSize: 10 }],
    ['--csv-safe', { csvSafe: true }],
  ])('refuses to go on when %s changed', async (name, change) => {
    const out = folder.path('a.csv');
    await breakOff(inputFor(out, { format: 'csv' }));
    const input = inputFor(out, { format: 'csv', ...change });
    await expect(exportFrom(service.url, input)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(name),
    });
    await exportFrom(service.url, { ...input, restart: true });
    expect((await verifyExport(out)).faults).toEqual([]);
  });

  it('refuses to go on with another key or service', async () => {
    const out = folder.path('a.jsonl');
    await breakOff(inputFor(out));
    const profile = { name: 'acme', baseUrl: 'http://127.0.0.1', mode: 'test' } as const;
    await expect(
      exportFrom(service.url, inputFor(out), { profile: { ...profile, fingerprint: 'f2' } }),
    ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('key') });
    await expect(
      exportFrom(service.url, inputFor(out), { profile: { ...profile, baseUrl: 'http://other', fingerprint: 'f1' } }),
    ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('base URL') });
  });

  it('notices a plan that was changed by hand', async () => {
    const out = folder.path('a.jsonl');
    await breakOff(inputFor(out));
    const plan = folder.path('a.jsonl.export/plan.json');
    await writeFile(plan, (await readFile(plan, 'utf8')).replace('"page_size": 25', '"page_size": 24'));
    await expect(exportFrom(service.url, inputFor(out))).rejects.toMatchObject({ kind: 'local' });
  });

  it('survives a journal that was cut in the middle of a line', async () => {
    const out = folder.path('a.jsonl');
    await breakOff(inputFor(out));
    const journal = folder.path('a.jsonl.export/journal');
    await truncate(journal, (await stat(journal)).size - 5);
    await exportFrom(service.url, inputFor(out));
    expect(await readFile(out, 'utf8')).toBe(whole());
  });

  it('goes on with the journal of an older version, which does not say when a part was read', async () => {
    const out = folder.path('a.jsonl');
    const journal = folder.path('a.jsonl.export/journal');
    const written = async () => (await readFile(journal, 'utf8').catch(() => '')).includes('"t":"part"');
    const quick = await connect(service.url);
    let asked = 0;
    // The first window is held until another is kept as a part; then everything fails.
    const send: Transport['send'] = async (...of) => {
      const first = asked++ === 0;
      while (first && !(await written())) await new Promise((resolve) => setTimeout(resolve, 10));
      if (first) broken = service.state.requests.length;
      return quick.send(...of);
    };
    const transport: Transport = Object.create(quick, { send: { value: send } });
    await breakOff(inputFor(out, { concurrency: 4 }), Number.POSITIVE_INFINITY, { transport });
    await quick.close();
    const lines = (await readFile(journal, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.some(({ t }) => t === 'part')).toBe(true);
    const older = lines.map(({ sum: _, ...entry }) => {
      for (const name of ['begunAt', 'doneAt']) delete entry.facts?.[name];
      const sum = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16);
      return `${JSON.stringify({ ...entry, sum })}\n`;
    });
    await writeFile(journal, older.join(''));
    const { manifest } = await exportFrom(service.url, inputFor(out));
    expect(await readFile(out, 'utf8')).toBe(whole());
    expect(manifest.windows.every(({ read_from }) => Number.isInteger(read_from))).toBe(true);
  });
});

describe('one target', () => {
  it('takes one export at a time', async () => {
    const out = folder.path('a.jsonl');
    const results = await Promise.allSettled([
      exportFrom(service.url, inputFor(out)),
      exportFrom(service.url, inputFor(out)),
    ]);
    // The one that came second is refused, or comes when the other has just ended: nothing is asked for twice.
    expect(results).toContainEqual(expect.objectContaining({ status: 'fulfilled' }));
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'local' });
    expect(new Set(service.state.requests).size).toBe(service.state.requests.length);
    await exportFrom(service.url, inputFor(out));
    expect(await readFile(out, 'utf8')).toBe(whole());
  });

  it('is not exported twice for the same range, and never silently for another', async () => {
    const out = folder.path('a.jsonl');
    await exportFrom(service.url, inputFor(out));
    service.state.requests.length = 0;
    expect((await exportFrom(service.url, inputFor(out))).already).toBe(true);
    expect(service.state.requests).toEqual([]);
    const later = inputFor(out, { to: { unix: TO + DAY, text: 'now' } });
    await expect(exportFrom(service.url, later)).rejects.toMatchObject({
      kind: 'usage',
      facts: { hint: expect.stringContaining('--since-last') },
    });
  });
});

describe('--since-last', () => {
  const moving = (rows: number) => {
    const from = Math.floor(Date.now() / 1000) - 20 * DAY;
    return { from, all: makeRows({ rows, from, to: from + 20 * DAY - 10 }) };
  };

  it.each(['jsonl', 'csv'] as const)('adds what is new to %s, each item once', async (format) => {
    const { from, all } = moving(300);
    const cut = from + 10 * DAY;
    const live = await startService({ dates: [] });
    live.state.rows = all.filter((row) => row.unix <= cut);
    const out = folder.path(`a.${format}`);
    const base = {
      format,
      from: { unix: from, text: 'a' },
      to: { unix: cut, text: 'b' },
      columns: format === 'csv' ? ['id'] : undefined,
    };
    const input = inputFor(out, base as Partial<ExportInput>);
    await exportFrom(live.url, input);
    // A row that came late into the last stretch, and all the newer ones.
    const late = { ...(all[0] as (typeof all)[0]), id: 'late', unix: cut - 5, text: '{"id":"late","amount":1}' };
    live.state.rows = [...all, late].sort((a, b) => a.unix - b.unix);
    const report = await exportFrom(live.url, { ...input, sinceLast: true });
    await live.close();
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    const ids = format === 'csv' ? lines.slice(1) : lines.map((line) => JSON.parse(line).id);
    expect([...ids].sort()).toEqual([...all.map((row) => row.id), 'late'].sort());
    expect(report.added).toBe(all.filter((row) => row.unix > cut).length + 1);
    expect((await verifyExport(out)).faults).toEqual([]);
  });

  it('goes on after a stop between the data and the manifest', async () => {
    const { from, all } = moving(200);
    const cut = from + 10 * DAY;
    const out = folder.path('a.jsonl');
    const manifest = `${out}.manifest.json`;
    let spoils = false;
    const live = await startService({
      dates: [],
      onRequest: () => {
        if (!spoils) return undefined;
        spoils = false;
        renameSync(manifest, `${manifest}.kept`);
        mkdirSync(manifest);
        return undefined;
      },
    });
    live.state.rows = all;
    const input = inputFor(out, { from: { unix: from, text: 'a' }, to: { unix: cut, text: 'b' } });
    await exportFrom(live.url, input);
    // The data is appended, then the manifest cannot be written.
    spoils = true;
    await expect(exportFrom(live.url, { ...input, sinceLast: true })).rejects.toMatchObject({ kind: 'local' });
    expect((await readFile(out, 'utf8')).trimEnd().split('\n')).toHaveLength(all.length);
    await rm(manifest, { recursive: true });
    renameSync(`${manifest}.kept`, manifest);
    live.state.requests.length = 0;
    await exportFrom(live.url, { ...input, sinceLast: true });
    await live.close();
    expect(live.state.requests).toEqual([]);
    expect(await readFile(out, 'utf8')).toBe(all.map((row) => `${row.text}\n`).join(''));
    expect((await verifyExport(out)).faults).toEqual([]);
  });

  it('replaces the files of a folder and the rows of SQLite with --refresh', async () => {
    const { from, all } = moving(300);
    const live = await startService({ dates: [] });
    const cut = from + 15 * DAY;
    live.state.rows = all.filter((row) => row.unix <= cut);
    const base = { from: { unix: from, text: 'a' }, to: { unix: cut, text: 'b' } };
    const lake = inputFor(`${folder.path('lake')}/`, base);
    const table = inputFor(folder.path('a.sqlite'), { ...base, format: 'sqlite' });
    await exportFrom(live.url, lake);
    await exportFrom(live.url, table);
    live.state.rows = all.map((row, i) =>
      i % 3 ? row : { ...row, text: row.text.replace('"amount_refunded":0.00', '"amount_refunded":7.00') },
    );
    const more = { sinceLast: true, refresh: 30 * DAY };
    await exportFrom(live.url, { ...lake, ...more });
    await exportFrom(live.url, { ...table, ...more });
    const names = (await readdir(lake.out, { recursive: true })).filter((name) => name.endsWith('.jsonl')).sort();
    const texts = await Promise.all(names.map((name) => readFile(`${lake.out}${name}`, 'utf8')));
    expect(texts.join('').trimEnd().split('\n').sort()).toEqual(live.state.rows.map((row) => row.text).sort());
    expect((await verifyExport(lake.out)).faults).toEqual([]);
    const { default: Libsql } = await import('libsql');
    const database = new Libsql(table.out);
    const rows = database.prepare('SELECT _json FROM subscription_renewals').all() as { _json: string }[];
    database.close();
    await live.close();
    expect(rows.map((row) => row._json).sort()).toEqual(live.state.rows.map((row) => row.text).sort());
  });

  it('is refused where the format cannot, and with a changed manifest', async () => {
    await exportFrom(service.url, inputFor(folder.path('a.parquet'), { format: 'parquet' }));
    const one = inputFor(folder.path('a.parquet'), { format: 'parquet', sinceLast: true });
    await expect(exportFrom(service.url, one)).rejects.toMatchObject({ kind: 'usage' });
    const out = folder.path('a.jsonl');
    await exportFrom(service.url, inputFor(out));
    await expect(exportFrom(service.url, inputFor(out, { sinceLast: true, refresh: DAY }))).rejects.toMatchObject({
      kind: 'usage',
    });
    const manifest = `${out}.manifest.json`;
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"complete": true', '"complete": false'));
    await expect(exportFrom(service.url, inputFor(out, { sinceLast: true }))).rejects.toMatchObject({
      kind: 'local',
      message: expect.stringContaining('changed'),
    });
  });
});

describe('shards', () => {
  it.each([true, false])('are disjoint and together complete (range ends in: %s)', async (ends) => {
    // Rows on every boundary second that any plan could have.
    const dates = Array.from({ length: 1200 }, (_, i) => FROM + i * 900);
    const to = FROM + 1200 * 900;
    const many = await startService({ dates, startIn: ends, endIn: ends });
    const outs = [1, 2, 3].map((i) => folder.path(`s${i}.jsonl`));
    const base = { from: { unix: FROM - 1, text: 'a' }, to: { unix: to, text: 'b' } };
    await Promise.all(
      outs.map((out, i) =>
        exportFrom(many.url, inputFor(out, { ...base, concurrency: 2, shard: { index: i + 1, count: 3 } })),
      ),
    );
    const texts = await Promise.all(outs.map((out) => readFile(out, 'utf8')));
    expect(texts.join('').trimEnd().split('\n').sort()).toEqual(many.state.rows.map((row) => row.text).sort());
    expect(Math.min(...texts.map((text) => text.length))).toBeGreaterThan(0);
    expect(await mergeShards(outs)).toMatchObject({ items: 1200, shards: 3, faults: [], unproven: [] });
    expect((await mergeShards(outs.slice(1))).faults).toContain('shard 1/3 is missing');
    await many.close();
  });
});

describe('verify', () => {
  it('finds a changed byte and a missing file', async () => {
    const out = folder.path('a.jsonl');
    await exportFrom(service.url, inputFor(out));
    const bytes = await readFile(out);
    bytes[5000] = (bytes[5000] as number) ^ 1;
    await writeFile(out, bytes);
    expect((await verifyExport(out)).faults).toHaveLength(1);
    const lake = `${folder.path('lake')}/`;
    await exportFrom(service.url, inputFor(lake));
    await rm(`${lake}date=2025-03`, { recursive: true });
    expect((await verifyExport(lake)).faults[0]).toContain('missing');
  });
});

describe('lists of other kinds', () => {
  it('reads paged and single lists whole', async () => {
    const paged = await startService({ rows: 130, from: FROM, to: TO, paged: true });
    const family = familyWith({ style: 'paged' });
    const { from: _from, to: _to, ...input } = inputFor(folder.path('a.jsonl'), { family });
    const report = await exportFrom(paged.url, input);
    expect(report.manifest).toMatchObject({ items: 130, complete: true, range: null });
    const capped = familyWith({ style: 'paged', lastPage: 2 });
    const { from: _f, to: _t, ...small } = inputFor(folder.path('b.jsonl'), { family: capped });
    expect((await exportFrom(paged.url, small)).exitCode).toBe(10);
    await paged.close();
  });
});
