import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopped } from '../../../src/base/errors/errors.js';
import type { Transport } from '../../../src/base/transport.js';
import { runExport } from '../../../src/data/export/run-export.js';
import { envelope, makeRows } from '../../fixtures/export-service/service.mjs';
import { depsFor, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

/** Answers at once, as the embedded service does: many answers in one turn of the event loop. */
function atOnce(
  answer: (query: Map<string, string>) => { status?: number; body: string },
): Transport & { sent: number } {
  const transport = {
    sent: 0,
    async send({ query }: Parameters<Transport['send']>[0]) {
      transport.sent++;
      const { status = 200, body } = answer(new Map(query));
      return { status, headers: {}, body: Buffer.from(body) };
    },
    async close() {},
  };
  return transport;
}

const rows = makeRows({ rows: 1000, from: FROM, to: TO });

function page(query: Map<string, string>): string {
  const [from, to, limit, number] = ['date_start', 'date_end', 'limit', 'page'].map((name) => Number(query.get(name)));
  const found = rows.filter((row) => row.unix >= (from as number) && row.unix <= (to as number)).map((row) => row.text);
  const [size, at] = [limit as number, number as number];
  return envelope(found.slice((at - 1) * size, at * size), at, size, found.length);
}

describe('a transport that answers at once', () => {
  it('gets every page into its own place', async () => {
    const transport = atOnce((query) => ({ body: page(query) }));
    const out = folder.path('a.jsonl');
    const report = await runExport(inputFor(out, { concurrency: 32 }), depsFor(transport));
    expect(report.manifest.windows.map((window) => window.readings)).not.toContain(2);
    expect(await readFile(out, 'utf8')).toBe(rows.map((row) => `${row.text}\n`).join(''));
  });

  it('stops before anything is written when an item contradicts the mode', async () => {
    const transport = atOnce((query) => ({ body: page(query).replaceAll('"live_mode":false', '"live_mode":true') }));
    const out = folder.path('a.jsonl');
    const observe = async (live: boolean) => {
      if (live) throw stopped('not the mode of the key');
    };
    const deps = { ...depsFor(transport), observe };
    await expect(runExport(inputFor(out, { concurrency: 2 }), deps)).rejects.toMatchObject({ kind: 'stopped' });
    expect(transport.sent).toBeLessThanOrEqual(2);
    await expect(readFile(out)).rejects.toThrow();
    expect((await readFile(`${out}.export/data`)).length).toBe(0);
  });

  it('asks again for an answer that is no list, then gives up', async () => {
    let bad = 3;
    const transport = atOnce((query) => (bad-- > 0 ? { body: page(query).slice(0, -20) } : { body: page(query) }));
    const report = await runExport(inputFor(folder.path('a.jsonl')), depsFor(transport));
    expect(report.manifest.items).toBe(rows.length);
    const never = atOnce(() => ({ body: '<html>' }));
    await expect(runExport(inputFor(folder.path('b.jsonl')), depsFor(never))).rejects.toMatchObject({
      kind: 'service_failed',
    });
  });

  it('tells progress also while it keeps us waiting', { tags: ['thorough'] }, async () => {
    let told = () => {};
    const shown = new Promise<void>((resolve) => {
      told = resolve;
    });
    const transport = atOnce((query) => ({ body: page(query) }));
    const waiting: Transport = {
      ...transport,
      send: async (request, options) => {
        await shown;
        return transport.send(request, options);
      },
    };
    const { notes } = depsFor(transport);
    const report = await runExport(
      inputFor(folder.path('a.jsonl')),
      depsFor(waiting, { notes: { ...notes, progress: () => told() } }),
    );
    expect(report.manifest.items).toBe(rows.length);
  });

  it('writes pretty-printed items as one line each', async () => {
    const pretty = rows.slice(0, 5).map((row) => JSON.stringify(JSON.parse(row.text), null, 2));
    const transport = atOnce((query) => ({
      body: query.get('date_start') === String(FROM) ? envelope(pretty, 1, 25, 5, true) : envelope([], 1, 25, 0),
    }));
    const out = folder.path('a.jsonl');
    await runExport(inputFor(out), depsFor(transport));
    expect(await readFile(out, 'utf8')).toBe(pretty.map((text) => `${JSON.stringify(JSON.parse(text))}\n`).join(''));
  });
});
