import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyExport } from '../../../src/data/export/offline.js';
import { startService } from '../../fixtures/export-service/service.mjs';
import { depsFor, exportFrom, inputFor, temporary } from './harness.js';

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

/** A list whose service's clock differs from ours by so many seconds; each request leaves it a row. */
async function exportBehind(seconds: number, more: Partial<Parameters<typeof inputFor>[1]> = {}) {
  const now = Math.floor(Date.now() / 1000);
  const clock = () => Math.floor(Date.now() / 1000) + seconds;
  const service = await startService({
    clock,
    dates: [now - 9000, now - 1000, now + seconds - 60],
    onRequest: (state) => {
      if (seconds < -900) return undefined;
      const id = `own${String(state.rows.length).padStart(17, '0')}`;
      const unix = clock();
      state.rows.push({ id, unix, text: `{"id":"${id}","created_date_unix":${unix}}` });
      return undefined;
    },
  });
  const told: string[] = [];
  const asked = { from: { unix: now - 10_000, text: 'a' }, to: { unix: now, text: 'now' }, ...more };
  const notes = { ...depsFor(undefined as never).notes, note: (text: string) => void told.push(text) };
  const { manifest, exitCode, requests } = await exportFrom(service.url, inputFor(folder.path('b.jsonl'), asked), {
    notes: { ...notes, warn: notes.note },
  });
  const lines = (await readFile(folder.path('b.jsonl'), 'utf8')).trim().split('\n');
  return { service, manifest, exitCode, requests, told: told.join('\n'), lines, now };
}

it('ends a few seconds before it begins by the clock of a service that is two minutes behind', async () => {
  const even = await exportBehind(0);
  await even.service.close();
  await rm(folder.path('b.jsonl.manifest.json'));
  await rm(folder.path('b.jsonl'));
  const { service, manifest, exitCode, requests, told, lines, now } = await exportBehind(-120);
  expect(exitCode).toBe(0);
  expect(requests).toBe(even.requests + 1);
  expect(lines).toHaveLength(3);
  const to = manifest.range?.to ?? 0;
  expect(Math.abs(to - (now - 125))).toBeLessThan(60);
  expect(to).toBeLessThanOrEqual((manifest.windows.at(-1)?.service_unix ?? 0) - 5);
  expect(manifest.windows.at(-1)?.to).toBe(to);
  expect(told).toContain('clock is behind');
  // Nothing that came meanwhile is lost: the next run has it.
  const again = inputFor(folder.path('b.jsonl'), { from: { unix: now - 10_000, text: 'a' }, sinceLast: true });
  const state = service.state;
  const came = state.rows.filter(({ unix }: { unix: number }) => unix > to).length;
  expect(came).toBeGreaterThan(0);
  const next = await exportFrom(service.url, again, { frozen: Date.now() + 60_000 });
  await service.close();
  expect(next.manifest.items).toBeGreaterThanOrEqual(3);
  const ids = (await readFile(folder.path('b.jsonl'), 'utf8')).trim().split('\n');
  expect(new Set(ids).size).toBe(ids.length);
});

it('does not believe a clock that is more than fifteen minutes behind, and says so', async () => {
  const { service, manifest, exitCode, told } = await exportBehind(-2000);
  await service.close();
  expect(exitCode).toBe(10);
  expect(manifest.unproven.join()).toMatch(/clock .* behind/);
  expect(told).toContain('more than 15 minutes behind');
});

it('still says that the clock is behind when the last window is read again', async () => {
  const now = Math.floor(Date.now() / 1000);
  let first = true;
  const service = await startService({
    clock: () => now - 2000,
    dates: [now - 9000, now - 300, now - 200],
    // One row goes while the first reading is under way: its counts do not agree.
    onRequest: (state, url) => {
      if (url.searchParams.get('page') === '2' && first) {
        first = false;
        state.rows.pop();
      }
      return undefined;
    },
  });
  const input = inputFor(folder.path('d.jsonl'), {
    from: { unix: now - 10_000, text: 'a' },
    to: { unix: now, text: 'now' },
    pageSize: 1,
  });
  const { manifest, exitCode } = await exportFrom(service.url, input);
  await service.close();
  expect(manifest.windows.at(-1)?.readings).toBeGreaterThan(1);
  expect(exitCode).toBe(10);
  expect(manifest.unproven.join()).toMatch(/clock .* behind/);
});

it('keeps the end that it moved when it is stopped and goes on', async () => {
  const now = Math.floor(Date.now() / 1000);
  let behind = 120;
  let fails = true;
  const service = await startService({
    clock: () => Math.floor(Date.now() / 1000) - behind,
    dates: [now - 9000, now - 1000, now - 180, now - 60],
    onRequest: (state) => (fails && state.requests.length > 2 ? { status: 500, body: '{"code":0}' } : undefined),
  });
  const input = inputFor(folder.path('c.jsonl'), {
    from: { unix: now - 10_000, text: 'a' },
    to: { unix: now, text: 'now' },
  });
  await expect(exportFrom(service.url, input, { maxRetries: 0 })).rejects.toMatchObject({ kind: 'service_failed' });
  fails = false;
  behind = 0;
  const { manifest, exitCode } = await exportFrom(service.url, input);
  await service.close();
  expect(exitCode).toBe(0);
  expect(manifest.range?.to).toBeLessThan(now - 60);
  expect(manifest.items).toBe(3);
  expect((await verifyExport(folder.path('c.jsonl'))).faults).toEqual([]);
});
