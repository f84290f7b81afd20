/** @module-tag thorough */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { envelope, startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

type Facts = Record<string, unknown>;

/** A service of 60 rows whose pages tell other counts than it has; `rows` replaces what a page holds. */
async function serviceOf(change: (facts: Facts, page: number) => Facts) {
  const service = await startService({
    rows: 60,
    from: FROM,
    to: TO,
    onRequest: (state, url) => {
      const page = Number(url.searchParams.get('page'));
      const limit = Number(url.searchParams.get('limit'));
      const [start, end] = ['date_start', 'date_end'].map((name) => Number(url.searchParams.get(name)));
      const inside = state.rows.filter((row) => row.unix >= (start ?? 0) && row.unix <= (end ?? 0));
      const items = inside.slice((page - 1) * limit, page * limit).map((row) => row.text);
      const facts = change(JSON.parse(envelope(items, page, limit, inside.length)) as Facts, page);
      return { status: 200, body: JSON.stringify(facts) };
    },
  });
  return service;
}

async function exported(change: (facts: Facts, page: number) => Facts) {
  const service = await serviceOf(change);
  const out = folder.path('a.jsonl');
  const report = await exportFrom(service.url, inputFor(out, { pageSize: 5 })).finally(() => service.close());
  return { report, lines: (await readFile(out, 'utf8')).split('\n').length - 1, asked: service.state.requests.length };
}

const without = (facts: Facts, ...names: string[]) =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)));

describe('counts that tell nothing', () => {
  it.each<[string, (facts: Facts) => Facts]>([
    ['no total_count', (facts) => without(facts, 'total_count')],
    ['neither count', (facts) => without(facts, 'total_count', 'total_pages')],
    ['null', (facts) => ({ ...facts, total_count: null, total_pages: null })],
    ['text', (facts) => ({ ...facts, total_count: '60', total_pages: '3' })],
    ['negative ones', (facts) => ({ ...facts, total_count: -1, total_pages: -1 })],
    ['nothing at all', (facts) => ({ ...facts, total_count: 0, total_pages: 0 })],
    ['fractions', (facts) => ({ ...facts, total_count: 24.5, total_pages: 0.5 })],
  ])('%s: every page is read, and it ends with 10', async (_name, change) => {
    const { report, lines } = await exported(change);
    expect(lines).toBe(60);
    expect(report.exitCode).toBe(10);
  });

  it.each<[string, (facts: Facts) => Facts]>([
    ['total_pages is missing', (facts) => without(facts, 'total_pages')],
    ['total_pages is too small', (facts) => ({ ...facts, total_pages: 1 })],
    ['total_pages is huge', (facts) => ({ ...facts, total_pages: 2_000_000_000 })],
  ])('%s: total_count proves it', async (_name, change) => {
    const { report, lines, asked } = await exported(change);
    expect(lines).toBe(60);
    expect(report.exitCode).toBe(0);
    expect(asked).toBeLessThan(20);
  });

  it('huge ones end soon, with 10', async () => {
    const { report, lines, asked } = await exported((facts) => ({ ...facts, total_count: 1e12, total_pages: 4e10 }));
    expect(lines).toBe(60);
    expect(report.exitCode).toBe(10);
    expect(asked).toBeLessThan(1_000);
  });

  it('a total_count of one page beside more pages does not hide them', async () => {
    const { report, lines } = await exported((facts) => ({
      ...facts,
      total_count: Math.min(5, Number(facts.total_count)),
    }));
    expect(lines).toBeGreaterThan(50);
    expect(report.exitCode).toBe(10);
  });

  it('the same page under every number is read a few times at most', { tags: ['thorough'] }, async () => {
    let first: unknown;
    const { report, asked } = await exported((facts, page) => {
      if (page === 1) first = facts.results;
      return { ...facts, results: first, total_count: 100_000_000, total_pages: 4_000_000 };
    });
    expect(report.exitCode).toBe(10);
    expect(asked).toBeLessThan(5_000);
  });
});

it.each([null, 5, 'text', true, [1]])('a row that is %j is no item that proves a window', async (row) => {
  const { report, lines } = await exported((facts, page) => ({
    ...facts,
    results: page === 1 ? [row, ...(facts.results as unknown[]).slice(1)] : facts.results,
  }));
  // Bare values have no id: equal ones of neighbouring windows pass for one.
  expect(lines).toBeGreaterThan(50);
  expect(report.exitCode).toBe(10);
});
