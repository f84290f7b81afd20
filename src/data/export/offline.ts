import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { local } from '../../base/errors/errors.js';
import { isoTime } from '../../base/time/units.js';
import { type JournalEntry, readJournal, readManifest, readPlan } from './export-journal.js';
import { digestOfRange, isUnchanged, onFile, openExported, readRange } from './files.js';
import { targetOf } from './formats.js';
import { IdSet } from './id-set.js';
import { PageReader } from './page.js';
import type { Manifest, WindowRecord } from './types.js';

/** What is known of a target without asking the service. */
export async function exportState(out: string) {
  const target = targetOf(out);
  const plan = await readPlan(join(target.work, 'plan.json'));
  if (plan) {
    const entries = readJournal(join(target.work, 'journal'));
    const done = entries.filter((entry): entry is JournalEntry & { t: 'done' } => entry.t === 'done');
    const splits = entries.reduce((sum, entry) => sum + (entry.t === 'split' ? entry.ranges.length - 1 : 0), 0);
    const [index = 1, count = 1] = plan.settings.shard?.split('/').map(Number) ?? [];
    const own = plan.windows.filter((_, i) => i % count === index - 1).length;
    return {
      out,
      state: 'unfinished',
      family: plan.settings.family,
      windows: own + splits,
      windows_done: done.length,
      items: done.reduce((sum, { record }) => sum + record.items, 0),
      from: time(plan.range?.from),
      to: time(plan.range?.to),
      since: plan.started,
      unproven: done.flatMap(({ record }) => (record.unproven ? [`${record.window}: ${record.unproven}`] : [])),
    };
  }
  const manifest = await readManifest(target.manifest);
  const windows = manifest?.windows.length ?? 0;
  return {
    out,
    state: manifest ? (manifest.complete ? 'complete' : 'unproven') : 'none',
    family: manifest?.family ?? null,
    windows,
    windows_done: windows,
    items: manifest?.items ?? 0,
    from: time(manifest?.range?.from),
    to: time(manifest?.range?.to),
    since: manifest?.ended ?? null,
    unproven: manifest?.unproven ?? [],
  };
}

/** `faults`: the contradictions to the manifest; empty if everything matches. */
export type Verified = Awaited<ReturnType<typeof verifyExport>>;

/** Reads a finished export completely and compares it with its manifest: bytes, checksums, counts, unique ids. */
export async function verifyExport(out: string) {
  const target = targetOf(out);
  const manifest = await readManifest(target.manifest);
  if (!manifest) {
    const begun = await readPlan(join(target.work, 'plan.json'));
    throw local(
      begun ? `${out} is not finished.` : `${out} has no manifest (${target.manifest}).`,
      begun ? 'Run its command again to continue.' : undefined,
    );
  }
  const { shard, range, windows } = manifest;
  // One shard's windows have gaps that other shards fill.
  const gaps = shard || range === null ? [] : holes(windows, range.from, range.to);
  return { out, manifest, faults: [...gaps, ...(await VERIFIERS[manifest.layout](target.path, manifest))] };
}

const VERIFIERS: Readonly<Record<Manifest['layout'], (path: string, manifest: Manifest) => Promise<string[]>>> = {
  lines: verifyLines,
  folder: verifyFolder,
  parquet: verifyWhole,
  xlsx: verifyWhole,
  sqlite: verifySqlite,
};

/** The windows of date-ranged lists, oldest first. */
export function byTime(windows: readonly WindowRecord[]): WindowRecord[] {
  return windows.filter(({ from }) => from !== null).sort((a, b) => (a.from as number) - (b.from as number));
}

/** Seconds of the range that no window covers; neighbours share a second. */
export function holes(windows: readonly WindowRecord[], from: number, to: number): string[] {
  const sorted = byTime(windows);
  const found: string[] = [];
  let covered: number | undefined;
  for (const window of sorted) {
    // The first window begins a second early if the service excludes the start of a range.
    if (covered === undefined ? (window.from as number) > from : (window.from as number) >= covered)
      found.push(`no window covers ${time(covered ?? from)} to ${time(window.from as number)}`);
    covered = Math.max(covered ?? 0, window.to as number);
  }
  if (covered === undefined || covered < to) found.push(`no window covers ${time(covered ?? from)} to ${time(to)}`);
  return found;
}

async function verifyLines(path: string, manifest: Manifest): Promise<string[]> {
  const file = await onFile(path, 'open', () => openExported(path));
  const faults: string[] = [];
  try {
    const { size } = await file.stat();
    if (size !== manifest.file?.bytes) return [`${path} has ${size} bytes, the manifest says ${manifest.file?.bytes}`];
    let at = 0;
    if (manifest.header) {
      if ((await digestOfRange(file, at, manifest.header.bytes)) !== manifest.header.sha256)
        faults.push('the header was changed');
      at += manifest.header.bytes;
    }
    const readable = manifest.format === 'jsonl' && !manifest.gzip;
    for (const window of manifest.windows) {
      if ((await digestOfRange(file, at, window.bytes)) !== window.sha256) {
        faults.push(`window ${window.window} was changed (bytes ${at} to ${at + window.bytes})`);
      } else if (readable && window.bytes < 1 << 28) {
        const unique = uniqueItems(await readRange(file, at, window.bytes), manifest.id_field);
        if (unique !== window.items)
          faults.push(`window ${window.window} holds ${unique} items, the manifest says ${window.items}`);
      }
      at += window.bytes;
    }
    if (at !== size) faults.push(`${size - at} bytes belong to no window`);
  } finally {
    await file.close();
  }
  return faults;
}

async function verifyFolder(path: string, manifest: Manifest): Promise<string[]> {
  const faults: string[] = [];
  const known = new Set<string>();
  for (const window of manifest.windows) {
    if (window.file === undefined) continue;
    known.add(window.file);
    const full = join(path, window.file);
    const file = await openExported(full).catch(() => undefined);
    if (!file) faults.push(`${full} is missing`);
    else if (!(await isUnchanged(file, window))) faults.push(`${full} was changed`);
  }
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    const name = join(entry.parentPath, entry.name).slice(path.length + 1);
    if (entry.isFile() && entry.name.startsWith(`${manifest.family}-`) && !known.has(name))
      faults.push(`${join(path, name)} belongs to no window`);
  }
  return faults;
}

/** One Parquet file or workbook: its bytes, and the row count that a Parquet file itself states. */
async function verifyWhole(path: string, manifest: Manifest): Promise<string[]> {
  const file = await onFile(path, 'open', () => openExported(path));
  if (!(await isUnchanged(file, manifest.file))) return [`${path} was changed`];
  if (manifest.layout === 'xlsx') return [];
  const { asyncBufferFromFile, parquetMetadataAsync } = await import('hyparquet');
  const { num_rows } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  return Number(num_rows) === manifest.items
    ? []
    : [`${path} has ${num_rows} rows, the manifest says ${manifest.items}`];
}

async function verifySqlite(path: string, manifest: Manifest): Promise<string[]> {
  if (!(await stat(path).catch(() => undefined))) return [`${path} is missing`];
  const { checkFile, countRows } = await import('./sinks/sqlite.js');
  const check = await checkFile(path);
  if (check !== 'ok') return [`${path} is damaged: ${check}`];
  const rows = await countRows(path, manifest.family);
  return rows === manifest.items
    ? []
    : [`the table ${manifest.family} has ${rows} rows, the manifest says ${manifest.items}`];
}

function uniqueItems(lines: Buffer, idField: string): number {
  const reader = new PageReader(idField);
  reader.readLines(lines);
  const ids = new IdSet();
  for (let i = 0; i < reader.count; i++) ids.add(lines, reader.idStarts[i] as number, reader.idEnds[i] as number);
  return ids.size;
}

function time(unix: number | undefined): string | null {
  return unix === undefined ? null : isoTime(unix);
}
