import { constants } from 'node:fs';
import { copyFile, open, realpath, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findEngine } from '../../../base/database/engines.js';
import { closing, local } from '../../../base/errors/errors.js';
import { makeFolder, onceFree, syncFolder } from '../../../base/files/replace-file.js';
import { randomBytes } from '../../../base/random.js';
import type { Schema } from '../../../items/schema/types.js';
import type { Plan } from '../export-journal.js';
import { exportFault, onFile, openOwn, readRange, writeAll } from '../files.js';
import type { Target } from '../formats.js';
import type { LateField } from '../late-fields.js';
import type { ExportInput, Manifest, Segment, WindowRecord } from '../types.js';
import { emptyGzip, FileSink, headerBytes, segmentOf } from './line-file.js';
import { type Encoder, JSONL, type Lines, type Sink } from './sink.js';

/** What the manifest records about the finished target. */
export interface Placed {
  readonly layout: Manifest['layout'];
  readonly header: Segment | null;
  readonly file: Manifest['file'];
  /** Items in the target if they differ from the sum of the windows: rows of a table. */
  readonly items: number | null;
  /** Fields of the whole file that are in `_other`. */
  readonly late: readonly LateField[];
  /** The columns, if the run added any. */
  readonly schema?: Schema;
}

/** A target with nothing to record except its layout. */
export const BARE: Placed = { layout: 'lines', header: null, file: null, items: null, late: [] };

/** The sink of a run. Folders and files are created in the work folder, and get their names at the end. */
export async function makeSink(
  input: ExportInput,
  target: Target,
  plan: Plan,
  schema: Schema,
  stdout?: NodeJS.WritableStream,
): Promise<Sink> {
  const encoder = await encoderOf(input, schema);
  if (target.kind === 'stdout') {
    const { StdoutSink } = await import('./stdout.js');
    return new StdoutSink(stdout as NodeJS.WritableStream, encoder, input.gzip);
  }
  // Without an engine, ask the service for nothing.
  if (input.format === 'sqlite') await findEngine();
  if (target.kind === 'folder') {
    const { FolderSink } = await import('./folder.js');
    return new FolderSink({
      path: join(target.work, 'files'),
      family: input.family,
      schema,
      encoder: input.format === 'parquet' ? undefined : (wider) => encoderOf(input, wider),
      gzip: input.gzip,
      ending: `.${input.format}${input.gzip ? '.gz' : ''}`,
      round: plan.round > 1 ? `-r${plan.round}` : '',
    });
  }
  // Data appended to a file goes after its header.
  const own = plan.base_bytes > 0 ? { ...encoder, header: () => undefined } : encoder;
  return new FileSink(join(target.work, 'data'), own, input.gzip);
}

/** Parquet, xlsx and SQLite files are made from JSON lines once all of them are there. */
async function encoderOf(input: ExportInput, schema: Schema): Promise<Encoder> {
  const { format } = input;
  if (format !== 'csv' && format !== 'tsv') return JSONL;
  const { delimited } = await import('./delimited.js');
  return delimited(input, schema, format);
}

/** Gives the finished data its name. May be called again after a stop in the middle. */
export async function putInPlace(
  input: ExportInput,
  target: Target,
  plan: Plan,
  base: Manifest | undefined,
  records: ReadonlyMap<string, WindowRecord>,
  schema: Schema,
): Promise<Placed> {
  if (target.kind === 'folder') {
    await placeFiles(target, plan, records);
    return { ...BARE, layout: 'folder' };
  }
  const data = join(target.work, 'data');
  // The target of a link, so that the file is replaced and not the link.
  const to = await realpath(target.path).catch(() => target.path);
  if (input.format === 'sqlite') {
    const { mergeSqlite, writeSqlite } = await import('./sqlite-file.js');
    const [made, waiting] = [join(target.work, 'sqlite'), join(target.work, 'rows')];
    // In an existing file, a row replaces the one with its id.
    const isThere = (await stat(to).catch(() => undefined)) !== undefined;
    const anew = plan.anew || plan.range === null;
    const file = isThere
      ? await mergeSqlite(to, waiting, () => linesOf(data), schema, input.family, anew)
      : await writeSqlite(made, () => linesOf(data), schema, input.family);
    if (!isThere) await moveFile(made, to, (await stat(made)).size);
    return { ...BARE, layout: 'sqlite', ...file };
  }
  if (input.format === 'parquet' || input.format === 'xlsx') {
    const made = join(target.work, input.format);
    const { late = [], ...file } = await fromLines(input, made, linesOf(data), schema);
    await moveFile(made, to, file.bytes);
    return { ...BARE, layout: input.format, file, late };
  }
  let bytes = 0;
  for (const record of records.values()) bytes += record.bytes;
  if (plan.base_bytes > 0) {
    await appendFile(data, target.path, plan.base_bytes, bytes);
    const header = base?.header ?? null;
    return { ...BARE, layout: 'lines', header, file: { bytes: plan.base_bytes + bytes, sha256: null } };
  }
  let head = await headerBytes(await encoderOf(input, schema), input.gzip);
  if (input.gzip && head.length + bytes === 0) {
    head = await emptyGzip();
    // Already gone if a stop came after the rename.
    if (await stat(data).catch(() => undefined)) await writeFile(data, head);
  }
  bytes += head.length;
  await moveFile(data, to, bytes);
  const header = head.length > 0 ? segmentOf(head) : null;
  return { ...BARE, layout: 'lines', header, file: { bytes, sha256: null } };
}

async function fromLines(input: ExportInput, path: string, lines: Lines, schema: Schema) {
  if (input.format === 'xlsx') return (await import('./xlsx.js')).writeXlsx(path, lines, schema, input);
  return (await import('./parquet.js')).writeParquet(path, lines, schema);
}

async function moveFile(from: string, to: string, bytes: number): Promise<void> {
  try {
    await onceFree(() => rename(from, to)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      return copyOver(from, to);
    });
    await syncFolder(dirname(to));
  } catch (error) {
    // After a stop following the rename, the target already exists.
    const found =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? await stat(to).catch(() => undefined) : undefined;
    if (found?.size !== bytes) throw exportFault(error, to, 'write');
  }
}

/** A move to another file system: a mounted folder, or the target of a link. */
async function copyOver(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    await closing(await openOwn(temporary, 'r+'), (file) => file.sync());
    await onceFree(() => rename(temporary, to));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await rm(from);
}

/** Appends the data after the first `base` bytes of the target. */
async function appendFile(data: string, path: string, base: number, bytes: number): Promise<void> {
  const found = await onFile(path, 'open', () => stat(path));
  if (found.size < base)
    throw local(`${path} is shorter than its manifest says.`, 'It was changed since; start over with --restart.');
  await onFile(path, 'write', async () => {
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
  });
}

/** Moves the windows' files to their places and deletes those they replace. */
async function placeFiles(target: Target, plan: Plan, records: ReadonlyMap<string, WindowRecord>): Promise<void> {
  const staged = join(target.work, 'files');
  const kept = new Set<string>();
  await onFile(target.path, 'write', async () => {
    makeFolder(target.path);
    for (const { file, bytes } of records.values()) {
      if (file === undefined) continue;
      kept.add(file);
      makeFolder(dirname(join(target.path, file)));
      await moveFile(join(staged, file), join(target.path, file), bytes);
    }
    for (const file of plan.remove) if (!kept.has(file)) await rm(join(target.path, file), { force: true });
    await syncFolder(target.path);
  });
}

/** The lines of a file, about a megabyte at a time; each group is valid only until the next one is requested. */
export async function* linesOf(path: string): AsyncGenerator<Buffer[]> {
  const file = await onFile(path, 'open', () => open(path, 'r'));
  try {
    let buffer = Buffer.allocUnsafe(1 << 20);
    let used = 0;
    for (let at = 0; ; ) {
      if (used === buffer.length) buffer = Buffer.concat([buffer], 2 * used);
      const { bytesRead } = await file.read(buffer, used, buffer.length - used, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      used += bytesRead;
      const end = buffer.lastIndexOf(0x0a, used - 1) + 1;
      if (end === 0) continue;
      yield [buffer.subarray(0, end)];
      buffer.copyWithin(0, end, used);
      used -= end;
    }
  } catch (error) {
    throw exportFault(error, path, 'read');
  } finally {
    await file.close();
  }
}
