import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('an export to jsonl', () => {
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
});
