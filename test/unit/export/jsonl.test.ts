import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PartFile } from '../../../src/data/export/part.js';
import { Window } from '../../../src/data/export/window.js';
import { type Service, type ServiceOptions, startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

async function withService<T>(options: ServiceOptions, run: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ rows: 2000, from: FROM, to: TO, ...options });
  try {
    return await run(service);
  } finally {
    await service.close();
  }
}

/** A month whose rows have so many bytes in all; the bytes that the export of it put into part files. */
async function partsOf(megabytes: number): Promise<number> {
  const rows = 1500;
  const append = vi.spyOn(PartFile.prototype, 'append');
  try {
    return await withService({ rows, from: FROM, to: FROM + 86_400 }, async (service) => {
      const note = 'x'.repeat((megabytes << 20) / rows);
      for (const row of service.state.rows) row.text = row.text.replace(/}$/, `,"note":"${note}"}`);
      const out = folder.path(`${megabytes}.jsonl`);
      const day = { unix: FROM + 86_400, text: 'a day' };
      expect((await exportFrom(service.url, inputFor(out, { to: day }))).exitCode).toBe(0);
      expect(await readFile(out, 'utf8')).toBe(service.state.rows.map((row) => `${row.text}\n`).join(''));
      return append.mock.calls.flatMap(([buffers]) => buffers).reduce((sum, { length }) => sum + length, 0);
    });
  } finally {
    append.mockRestore();
  }
}

describe('an export to jsonl', () => {
  it('puts no window of ordinary size anywhere but into its target', async () => {
    expect(await partsOf(8)).toBeLessThan(1 << 20);
  });

  it('takes a window aside that is larger than the memory it may use', async () => {
    expect(await partsOf(32)).toBeGreaterThan(1 << 20);
  });

  it('writes the bytes of every item once, oldest window first', async () => {
    await withService({}, async (service) => {
      const out = folder.path('a.jsonl');
      const report = await exportFrom(service.url, inputFor(out));
      expect(report.exitCode).toBe(0);
      const expected = service.state.rows.map((row) => `${row.text}\n`).join('');
      expect(await readFile(out, 'utf8')).toBe(expected);
      expect(report.manifest.items).toBe(2000);
      await expect(stat(`${out}.export`)).rejects.toThrow();
    });
  });

  it('makes one part file of a window, however many ask for it at once', async () => {
    const window = new Window('0', null, { paged: true, pageSize: 25 });
    const at = folder.path('0.part');
    const [one, other] = await Promise.all([window.openPart(at), window.openPart(at)]);
    expect(other).toBe(one);
    expect(window.part).toBe(one);
    await one?.close();
  });
});
