import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { local } from '../base/errors/errors.js';
import type { OutputSink } from './output-formats.js';

/** A document that must be complete before it is shown goes to a temporary file beyond this many characters. */
export const SPOOL_LIMIT = 32 * 1024 * 1024;

/** Holds text until it is complete. Its file is private and, where the system allows, has no name while in use. */
export class Spool {
  #parts: string[] = [];
  #length = 0;
  #file: { handle: FileHandle; remove: () => Promise<void> } | undefined;

  constructor(readonly limit = SPOOL_LIMIT) {}

  /** Takes text; returns a promise when the text goes to the file. */
  add(text: string): Promise<void> | undefined {
    this.#parts.push(text);
    this.#length += text.length;
    return this.#length > this.limit || (this.#file && this.#length > 1 << 20) ? this.#spill() : undefined;
  }

  /** Passes everything to the sink, in order. */
  async emit(sink: OutputSink): Promise<void> {
    if (this.#file) {
      const chunk = Buffer.allocUnsafe(1 << 16);
      for (let at = 0; ; ) {
        const { bytesRead } = await this.#file.handle.read(chunk, 0, chunk.length, at).catch(fail);
        if (bytesRead === 0) break;
        await sink.bytes(Buffer.from(chunk.subarray(0, bytesRead)));
        at += bytesRead;
      }
    }
    for (const part of this.#parts) await sink.write(part);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#parts = [];
    await file?.handle.close().catch(() => undefined);
    await file?.remove();
  }

  async #spill(): Promise<void> {
    try {
      this.#file ??= await openUnnamed();
      const text = this.#parts.join('');
      this.#parts = [];
      this.#length = 0;
      await this.#file.handle.appendFile(text);
    } catch (error) {
      fail(error as Error);
    }
  }
}

async function openUnnamed(): Promise<{ handle: FileHandle; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cops-output-'));
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const handle = await open(join(folder, 'spool'), 'wx+', 0o600);
  if (platform() !== 'win32') await remove();
  return { handle, remove };
}

function fail(error: NodeJS.ErrnoException): never {
  throw local(
    `A temporary file for the output could not be used: ${error.message}.`,
    'Make room, point TMPDIR elsewhere, or use -o jsonl, which needs no temporary file.',
    error,
  );
}
