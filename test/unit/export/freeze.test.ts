import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, inputFor, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

it('ends a few seconds before it begins, so that its own calls and items under way do not move it', async () => {
  const now = Math.floor(Date.now() / 1000);
  const service = await startService({
    dates: [now - 3000, now - 2000, now - 1000],
    // Every request leaves a row of its own, as the list of calls has it.
    onRequest: (state) => {
      const unix = Math.floor(Date.now() / 1000);
      const number = state.rows.length;
      const text = `{"id":"own${String(number).padStart(17, '0')}","created_date_unix":${unix}}`;
      state.rows.push({ id: `own${number}`, unix, text });
      return undefined;
    },
  });
  const asked = { from: { unix: now - 4000, text: 'a' }, to: { unix: now + 100, text: 'now' } };
  const { manifest, exitCode } = await exportFrom(service.url, inputFor(folder.path('a.jsonl'), asked));
  await service.close();
  expect(exitCode).toBe(0);
  expect(manifest.items).toBe(3);
  expect(manifest.range?.asked_to).toBe(now + 100);
  expect(manifest.range?.to).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) - 5);
  expect(manifest.range?.to).toBeGreaterThanOrEqual(now - 5);
});
