/** @module-tag thorough */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
let before: number;
beforeEach(async () => {
  folder = await temporary();
  before = process.umask(0);
});
afterEach(async () => {
  process.umask(before);
  await folder.remove();
});

/** Every file and folder below one, with its mode. */
async function modesBelow(root: string): Promise<[name: string, mode: string][]> {
  const names = (await readdir(root, { recursive: true })).sort();
  const modes = await Promise.all(names.map(async (name) => (await stat(path.join(root, name))).mode & 0o777));
  return names.map((name, at) => [name, (modes[at] as number).toString(8)]);
}

it.each(['a.jsonl', 'a.csv', 'a.jsonl.gz', 'a.parquet', 'a.sqlite', 'folder/'])(
  'leaves %s and all beside it to its owner only, whatever the umask',
  async (name) => {
    let asked = 0;
    let broken = true;
    const service = await startService({
      rows: 400,
      from: FROM,
      to: TO,
      onRequest: () => (broken && ++asked > 10 ? { status: 401, body: '{"code":0}' } : undefined),
    });
    const format = name === 'folder/' ? 'jsonl' : (/(jsonl|csv|parquet|sqlite)/.exec(name)?.[0] as 'jsonl');
    const input = inputFor(folder.path(name), { concurrency: 1, format, gzip: name.endsWith('.gz') });
    await expect(exportFrom(service.url, input)).rejects.toThrow();
    const half = await modesBelow(folder.dir);
    broken = false;
    await exportFrom(service.url, input).finally(() => service.close());
    for (const [file, mode] of [...half, ...(await modesBelow(folder.dir))]) {
      expect(['600', '700'], `${file} ${mode}`).toContain(mode);
    }
  },
);

it('follows no link that was planted where it writes a draft or works', async () => {
  const victim = folder.path('victim');
  await writeFile(victim, 'mine');
  const out = folder.path('a.jsonl');
  await symlink(victim, `${out}.manifest.json.tmp`);
  await mkdir(`${out}.export`);
  for (const name of ['data', 'journal']) await symlink(victim, path.join(`${out}.export`, name));
  const service = await startService({ rows: 50, from: FROM, to: TO });
  const report = await exportFrom(service.url, inputFor(out)).finally(() => service.close());
  expect(report.exitCode).toBe(0);
  expect(await readFile(victim, 'utf8')).toBe('mine');
  expect(existsSync(`${out}.manifest.json`)).toBe(true);
});
