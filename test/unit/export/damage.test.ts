/** @module-tag thorough */
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

/** Runs an export that the service breaks off after `requests` answers. */
async function brokenOff(out: string, requests: number) {
  let asked = 0;
  let broken = true;
  const service = await startService({
    rows: 900,
    from: FROM,
    to: TO,
    onRequest: () => (broken && ++asked > requests ? { status: 401, body: '{"code":0}' } : undefined),
  });
  await expect(
    exportFrom(service.url, inputFor(out, { concurrency: 1, format: out.endsWith('.sqlite') ? 'sqlite' : 'jsonl' })),
  ).rejects.toThrow();
  broken = false;
  return service;
}

/** The folder in which an unfinished export works. */
async function workFolder(out: string): Promise<string> {
  const names = await readdir(path.dirname(out));
  const name = names.find(
    (one) => one.startsWith(`${path.basename(out)}.`) || one.startsWith(`.${path.basename(out)}`),
  );
  return path.join(path.dirname(out), name ?? 'none');
}

async function damage(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

describe('an export that goes on', () => {
  it.each([
    ['flipped', Buffer.from('9')],
    ['zeroed', Buffer.alloc(64)],
  ])('refuses data with %s bytes', async (_name, bytes) => {
    const out = folder.path('a.jsonl');
    const service = await brokenOff(out, 30);
    const work = await workFolder(out);
    const data = path.join(work, 'data');
    expect((await readFile(data)).length).toBeGreaterThan(1000);
    await damage(data, 20, bytes);
    await expect(exportFrom(service.url, inputFor(out))).rejects.toMatchObject({
      kind: 'local',
      message: expect.stringContaining('was changed'),
    });
    const anew = await exportFrom(service.url, inputFor(out, { restart: true })).finally(() => service.close());
    expect(anew.exitCode).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(service.state.rows.map((row) => `${row.text}\n`).join(''));
  });

  it('reads anew what a damaged line of its journal tells', async () => {
    const out = folder.path('a.jsonl');
    const service = await brokenOff(out, 30);
    const journal = path.join(await workFolder(out), 'journal');
    const text = await readFile(journal, 'utf8');
    await writeFile(journal, text.replace(/"unique":(\d)/, '"unique":9$1'));
    const report = await exportFrom(service.url, inputFor(out)).finally(() => service.close());
    expect(report.exitCode).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(service.state.rows.map((row) => `${row.text}\n`).join(''));
  });
});

it('an export into a SQLite file that is there changes it once everything is there', async () => {
  const out = folder.path('a.sqlite');
  await writeFile(out, '');
  const service = await brokenOff(out, 30);
  expect((await readFile(out)).length).toBe(0);
  const report = await exportFrom(service.url, inputFor(out, { format: 'sqlite' })).finally(() => service.close());
  expect(report.exitCode).toBe(0);
  const { verifyExport } = await import('../../../src/data/export/offline.js');
  expect((await verifyExport(out)).faults).toEqual([]);
});

it('an empty export is a gzip file that holds nothing', async () => {
  const out = folder.path('a.jsonl.gz');
  const service = await startService({ rows: 0, from: FROM, to: TO });
  await exportFrom(service.url, inputFor(out, { gzip: true }));
  const bytes = await readFile(out);
  expect(gunzipSync(bytes).length).toBe(0);
  expect(bytes.length).toBeGreaterThan(0);
  const { verifyExport } = await import('../../../src/data/export/offline.js');
  expect((await verifyExport(out)).faults).toEqual([]);
  await service.close();
});

it('a new SQLite file keeps the later of two items with one id, as a file that is there does', async () => {
  const { writeSqlite } = await import('../../../src/data/export/sinks/sqlite-file.js');
  const { learnItem } = await import('../../../src/items/schema/learn.js');
  const { openDatabase } = await import('../../../src/base/database/open.js');
  const out = folder.path('twice.sqlite');
  const items = [1, 2, 1].map((id, n) => `{"id":"${id}","n":${n}}`);
  const lines = async function* () {
    yield [Buffer.from(`${items.join('\n')}\n`)];
  };
  const made = await writeSqlite(out, lines, learnItem(items[0] as string), { name: 'things', idField: 'id' });
  expect(made.items).toBe(2);
  const database = await openDatabase({ file: out, what: 'The file', readonly: true });
  const rows = database.prepare('SELECT id, n FROM things ORDER BY id').all();
  database.close();
  expect(rows).toEqual([
    ['1', 2],
    ['2', 1],
  ]);
});
