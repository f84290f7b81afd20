import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutputSink } from '../../../src/screen/output-formats.js';
import { Spool } from '../../../src/screen/spool.js';
import { Memory } from './helpers.js';

let folder = '';
const before = process.env.TMPDIR;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-test-'));
  process.env.TMPDIR = folder;
});

afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(folder, { recursive: true, force: true });
});

async function through(limit: number, parts: readonly string[]): Promise<string> {
  const stdout = new Memory();
  const sink = new OutputSink(stdout);
  const spool = new Spool(limit);
  try {
    for (const part of parts) await spool.add(part);
    if (limit < 100 && process.platform !== 'win32') expect(readdirSync(folder)).toEqual([]);
    await spool.emit(sink);
    await sink.flush();
  } finally {
    await spool.close();
  }
  return stdout.text;
}

test.each([[10], [1_000_000_000]])('gives everything back in order beyond and within %d characters', async (limit) => {
  const parts = Array.from({ length: 3000 }, (_, i) => `${i} é日👩 ${'x'.repeat(i % 700)}\n`);
  expect(await through(limit, parts)).toBe(parts.join(''));
  expect(readdirSync(folder)).toEqual([]);
});

test('a place that cannot be written is a local fault that names a way out', async () => {
  process.env.TMPDIR = join(folder, 'missing');
  await expect(through(10, ['x'.repeat(50)])).rejects.toMatchObject({
    kind: 'local',
    facts: { hint: expect.stringContaining('-o jsonl') },
  });
});
