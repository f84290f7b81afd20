import { open, rename, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { local } from '../../errors/errors.js';
import { fileFault, readRange, syncFolder, writeAll } from '../files.js';
import type { Plan } from '../state.js';
import type { Target } from '../target.js';
import type { ExportInput, Manifest, Segment, WindowRecord } from '../types.js';
import { FileSink, headerSegment } from './file.js';
import { type Encoder, JSONL, type Sink } from './sink.js';

/** What the manifest tells of the finished target. */
export interface Placed {
  readonly layout: Manifest['layout'];
  readonly header: Segment | null;
  readonly file: Manifest['file'];
}

export async function makeSink(
  input: ExportInput,
  target: Target,
  plan: Plan,
  base: Manifest | undefined,
  stdout?: NodeJS.WritableStream,
): Promise<Sink> {
  const encoder = await encoderOf(input);
  return new FileSink(join(target.work, 'data'), plan.base_bytes > 0 ? headless(encoder) : encoder, input.gzip);
}

async function encoderOf(input: ExportInput): Promise<Encoder> {
  return JSONL;
}

function headless(encoder: Encoder): Encoder {
  return { header: () => undefined, encode: (lines) => encoder.encode(lines) };
}

/** Gives the finished data its name. May be called again after a stop in its middle. */
export async function putInPlace(
  input: ExportInput,
  target: Target,
  plan: Plan,
  base: Manifest | undefined,
  records: ReadonlyMap<string, WindowRecord>,
): Promise<Placed> {
  const encoder = await encoderOf(input);
  const data = join(target.work, 'data');
  const fresh = await headerSegment(encoder, input.gzip);
  const header = plan.base_bytes > 0 ? (base?.header ?? null) : fresh;
  let bytes = plan.base_bytes > 0 ? 0 : (fresh?.bytes ?? 0);
  for (const record of records.values()) bytes += record.bytes;
  if (plan.base_bytes > 0) await appendFile(data, target.path, plan.base_bytes, bytes);
  else await moveFile(data, target.path, bytes);
  return { layout: 'lines', header, file: { bytes: plan.base_bytes + bytes, sha256: null } };
}

export async function moveFile(from: string, to: string, bytes: number): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    // A stop after the rename: the target is there already.
    const found =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? await stat(to).catch(() => undefined) : undefined;
    if (found?.size !== bytes) throw fileFault(error, to, 'write');
  }
}

/** Puts the data behind the first `base` bytes of the target. */
async function appendFile(data: string, path: string, base: number, bytes: number): Promise<void> {
  const found = await stat(path).catch((error) => {
    throw fileFault(error, path, 'open');
  });
  if (found.size < base) {
    throw local(`${path} is shorter than its manifest says.`, 'It was changed since; begin anew with --restart.');
  }
  try {
    await truncate(path, base);
    const from = await open(data, 'r');
    const to = await open(path, 'r+');
    try {
      for (let at = 0; at < bytes; ) {
        const chunk = await readRange(from, at, Math.min(1 << 20, bytes - at));
        at += await writeAll(to, [chunk], base + at);
      }
      await to.sync();
    } finally {
      await from.close();
      await to.close();
    }
  } catch (error) {
    throw fileFault(error, path, 'write');
  }
}
