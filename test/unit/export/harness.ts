import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '../../../src/base/transport.js';
import { runExport } from '../../../src/data/export/run-export.js';
import type { ExportDeps, ExportInput } from '../../../src/data/export/types.js';
import { openTransport } from '../../../src/service/http/client.js';

export { FROM, familyWith, inputFor, TO } from './input.js';

export function depsFor(transport: Transport, more: Partial<ExportDeps> = {}): ExportDeps {
  const silent = () => undefined;
  return {
    transport,
    pacer: { acquire: async () => undefined, throttled: silent, answered: silent },
    notes: { note: silent, warn: silent, detail: silent, progress: silent, progressDone: silent },
    now: () => Date.now(),
    sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5))),
    random: () => 0.5,
    timeoutMs: 10_000,
    maxRetries: 3,
    profile: { name: 'acme', baseUrl: 'http://127.0.0.1', mode: 'test', fingerprint: 'f1' },
    ...more,
  };
}

export function connect(url: string, connections = 8): Promise<Transport> {
  return openTransport({ baseUrl: url, key: 'test-key', env: {}, userAgent: 'test', connections });
}

/** Runs one export against a service and closes the connection. */
export async function exportFrom(url: string, input: ExportInput, more: Partial<ExportDeps> = {}) {
  const transport = await connect(url, input.concurrency);
  try {
    return await runExport(input, depsFor(transport, more));
  } finally {
    await transport.close();
  }
}

export async function temporary(): Promise<{ dir: string; path(name: string): string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'export-test-'));
  return { dir, path: (name) => join(dir, name), remove: () => rm(dir, { recursive: true, force: true }) };
}
