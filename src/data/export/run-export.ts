import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CopsError } from '../../base/errors/errors.js';
import { whileLocked } from '../../base/files/lock.js';
import { HOT_ONLY, SMALL_HEAP } from '../../base/world.js';
import type { Schema } from '../../items/schema/types.js';
import { atOnce } from '../../screen/notes.js';
import { type JournalEntry, readSettled, type Spent, writeSealed, writeSettled } from './export-journal.js';
import { digestOfRange, makeTargetFolder, onFile } from './files.js';
import { type Target, targetOf } from './formats.js';
import { IdSet } from './id-set.js';
import { buildManifest, mixedTimes } from './manifest.js';
import { PartFile, type Place } from './part.js';
import { checkPlace } from './place.js';
import { freshPlan, type Prepared, prepare } from './prepare.js';
import { readAndWrite } from './read-and-write.js';
import { placeOf, type Restored, type RunParts, type Sample } from './running.js';
import { hasColumns, remember, sampled, settle } from './settle.js';
import { FileSink } from './sinks/line-file.js';
import { BARE, makeSink, putInPlace } from './sinks/make.js';
import type { Sink } from './sinks/sink.js';
import type { ExportDeps, ExportInput, ExportReport, Manifest, WindowRecord } from './types.js';
import { Window } from './window.js';

/**
 * Runs one export to its end (command-line.md#exports). Throws `CopsError`: usage (2) for changed options, local (11)
 * for file errors and a target in use, the error of a service answer, or the reason of `deps.signal`. After any of
 * these, the same input continues where it stopped.
 */
export async function runExport(input: ExportInput, deps: ExportDeps): Promise<ExportReport> {
  const target = targetOf(input.out, input.label);
  if (target.kind === 'stdout') return toStdout(input, deps, target);
  await checkPlace(target);
  await makeTargetFolder(dirname(target.path));
  return whileLocked(target.work, { waitMs: 500, what: `The export to ${target.path}` }, async () => {
    const prepared = await prepare(input, deps, target);
    if ('manifest' in prepared)
      return { manifest: prepared, exitCode: prepared.complete ? 0 : 10, already: true, added: 0, requests: 0 };
    let stale: string | undefined;
    try {
      return await perform(input, deps, target, prepared);
    } catch (error) {
      // Columns that no item has: the corrected line would be refused as another export.
      if (!prepared.resumed && error instanceof CopsError && error.kind === 'usage') stale = target.work;
      throw error;
    } finally {
      await prepared.journal.close();
      if (stale !== undefined) await rm(stale, { recursive: true, force: true });
    }
  });
}

function reportOf(manifest: Manifest, spent: Spent, base?: Manifest, since?: number): ExportReport {
  return {
    manifest,
    exitCode: manifest.complete ? 0 : 10,
    already: false,
    added: manifest.items - (base?.items ?? 0),
    since: base && since,
    requests: spent.requests,
  };
}

async function perform(
  input: ExportInput,
  deps: ExportDeps,
  target: Target,
  prepared: Prepared,
): Promise<ExportReport> {
  const { plan, journal, entries, base } = prepared;
  const { work } = target;
  const restored = await restore(plan.windows, entries, work, input);
  const { records } = restored;
  const resumedAt = prepared.resumed ? deps.now() : undefined;
  if (resumedAt !== undefined) {
    atOnce(deps.notes).note(
      `Continuing the export started at ${plan.started}: ${records.size} of ${restored.windows.length} windows are done.`,
    );
  }
  const columns = await columnsOf(input, deps, work, base, records);
  deps.tuneEngine?.(...SMALL_HEAP, HOT_ONLY);
  let { spent } = restored;
  const sinkOf = async (sample?: Sample) => makeSink(input, target, plan, await columns(sample));
  const opened = async (sink: Sink) => {
    await sink.open(restored.position, [...records.values()]);
    return sink;
  };
  if (restored.finishing) {
    // After a stop between the last window and the rename, the file waiting for its rename is checked too.
    const sink = await sinkOf();
    if (sink instanceof FileSink && (await stat(sink.path).catch(() => undefined))) await (await opened(sink)).close();
  } else {
    const open = async (sample: Sample) => {
      if (records.size === 0 && base === undefined) await checkColumns(input, deps, sample);
      return opened(await sinkOf(sample));
    };
    const known = knownIds(prepared);
    const planned = plan.windows.length;
    spent = await readAndWrite({ input, deps, work, open, journal, restored, known, planned, least: base?.range?.to });
    await journal.append([{ t: 'finishing', spent }]);
  }
  const schema = await columns();
  const placed = await putInPlace(input, target, plan, base, records, schema);
  const mixed = mixedTimes(
    { windows: records.values(), started: plan.started, ended: new Date(deps.now()).toISOString() },
    resumedAt,
  );
  if (mixed !== undefined) deps.notes.warn(mixed);
  const manifest = buildManifest({ input, deps, plan, base, mixed, restored, spent, placed, schema });
  await writeSealed(target.manifest, manifest);
  await Promise.all([remember(input, deps, manifest), rm(work, { recursive: true, force: true })]);
  return reportOf(manifest, spent, base, plan.range?.from);
}

async function checkColumns(input: ExportInput, deps: ExportDeps, sample: Sample): Promise<void> {
  if (!input.columns || !deps.checkColumns) return;
  const found = await sampled(input, sample);
  const empty = deps.checkColumns(found);
  if (empty.length > 0)
    deps.notes.note(`None of the first ${found.count} items has ${empty.map((path) => `"${path}"`).join(', ')}.`);
}

/** The columns of one run: settled once, and stored in its folder before the first row is written. */
async function columnsOf(
  input: ExportInput,
  deps: ExportDeps,
  work: string,
  base: Manifest | undefined,
  records: ReadonlyMap<string, WindowRecord>,
) {
  const path = join(work, 'schema.json');
  let settled = hasColumns(input) ? await readSettled(path) : [];
  return async (sample: Sample = async () => []): Promise<Schema> => {
    const widened = [...records.values()].findLast(({ schema }) => schema !== undefined)?.schema;
    if (widened) return widened;
    if (!settled) {
      settled = await settle(input, deps, base, sample);
      await writeSettled(path, settled);
    }
    return settled;
  };
}

/** The part of the first windows that the target already holds, if the run continues from a manifest. */
function knownIds({ plan, base }: Prepared): RunParts['known'] {
  if (!base?.range || plan.range === null) return undefined;
  if (plan.replaced.length > 0) {
    const first = base.windows.find((window) => window.window === plan.replaced[0]);
    return { ids: IdSet.of(first?.left_out ?? []), until: plan.range.from };
  }
  if (base.layout === 'sqlite' || !base.edge) return undefined;
  return { ids: IdSet.of(base.edge.ids), until: base.range.to };
}

/** The plan with everything that the journal says about it. */
async function restore(
  planned: Prepared['plan']['windows'],
  entries: readonly JournalEntry[],
  work: string,
  input: ExportInput,
): Promise<Restored> {
  const { shard } = input;
  const list = input.operation.list;
  const rules = { paged: list?.style !== 'single', pageSize: input.pageSize, lastPage: list?.lastPage };
  const windows = planned
    .map((range, i) => new Window(String(i), range === null ? null : { from: range[0], to: range[1] }, rules))
    .filter((_, i) => shard === undefined || i % shard.count === shard.index - 1);
  const find = (key: string) => windows.findIndex((window) => window.key === key);
  const records = new Map<string, WindowRecord>();
  const lastIds = new IdSet();
  let position = 0;
  let edge: IdSet | undefined;
  let finishing = false;
  let end: number | undefined;
  let spent: Spent = { requests: 0, refused: 0 };
  for (const entry of entries) {
    if ('spent' in entry) spent = entry.spent;
    if (entry.t === 'split') {
      const parts = entry.ranges.map(([from, to], i) => new Window(`${entry.window}.${i}`, { from, to }, rules));
      windows.splice(find(entry.window), 1, ...parts);
    } else if (entry.t === 'end') {
      end = entry.to;
      const window = windows[find(entry.window)];
      if (window?.range) window.range = { from: window.range.from, to: entry.to };
    } else if (entry.t === 'done') {
      records.set(entry.record.window, entry.record);
      position = entry.position;
      if (entry.edge !== undefined) {
        edge = IdSet.from(Buffer.from(entry.edge, 'base64'));
        if (placeOf({ key: entry.record.window }) === planned.length - 1)
          for (const id of edge.values()) lastIds.add(id, 0, id.length);
      }
      const window = windows[find(entry.record.window)];
      if (window) window.state = 'written';
    } else if (entry.t === 'finishing') finishing = true;
  }
  for (const entry of entries) {
    if (entry.t !== 'part' || records.has(entry.window)) continue;
    const window = windows[find(entry.window)];
    if (window) await takePart(window, entry, work);
  }
  return { windows, records, position, edge, lastIds, finishing, spent, end };
}

async function takePart(window: Window, entry: JournalEntry & { t: 'part' }, work: string): Promise<void> {
  const place = ([at, length]: readonly [number, number]): Place => ({ at, length });
  const path = join(work, entry.file);
  const found = await stat(path).catch(() => undefined);
  const [idsAt, idsLength] = entry.ids;
  const { serviceUnix, begunAt, doneAt, ...proof } = entry.facts;
  // If its file is missing, or an older version did not say when it read it, the window is simply read again.
  if (!found || found.size < idsAt + idsLength || begunAt === undefined) return;
  const part = await PartFile.reopen(path);
  if (entry.sha256 !== undefined && (await digestOfRange(part.file, 0, idsAt + idsLength)) !== entry.sha256) {
    await part.close();
    return;
  }
  window.part = part;
  window.blocks = entry.blocks.map(place);
  window.ids = IdSet.from(await window.part.read(place(entry.ids)));
  Object.assign(window, { serviceUnix, begunAt, doneAt, proof, durable: true, state: 'done' });
}

/** Standard output cannot be resumed, so there is no journal, only a folder for data that must wait. */
async function toStdout(input: ExportInput, deps: ExportDeps, target: Target): Promise<ExportReport> {
  const work = await onFile(tmpdir(), 'create a folder in', () => mkdtemp(join(tmpdir(), 'cops-export-')));
  let sink: Sink | undefined;
  try {
    const plan = freshPlan(input, deps);
    const restored = await restore(plan.windows, [], work, input);
    const columns = await columnsOf(input, deps, work, undefined, restored.records);
    const open = async (sample: Sample) => {
      await checkColumns(input, deps, sample);
      sink = await makeSink(input, target, plan, await columns(sample), deps.stdout);
      await sink.open(0, []);
      return sink;
    };
    const spent = await readAndWrite({ input, deps, work, open, restored, planned: plan.windows.length });
    const schema = await columns();
    return reportOf(buildManifest({ input, deps, plan, restored, spent, placed: BARE, schema }), spent);
  } catch (error) {
    throw (await sink?.broken?.(error)) ?? error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
