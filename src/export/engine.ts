import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lock } from '../files/lock.js';
import type { Schema } from '../schema/types.js';
import { digestOfRange, makeFolder, onFile } from './files.js';
import { IdSet } from './ids.js';
import type { Entry, Spent } from './journal.js';
import { buildManifest } from './manifest.js';
import { PartFile, type Place } from './part.js';
import { checkPlace } from './place.js';
import { freshPlan, type Prepared, prepare } from './prepare.js';
import { type Known, type Restored, readAndWrite, type Sample } from './read-and-write.js';
import { hasColumns, remember, settle } from './settle.js';
import { FileSink } from './sinks/file.js';
import { BARE, makeSink, putInPlace } from './sinks/make.js';
import { readSettled, writeSealed, writeSettled } from './state.js';
import { type Target, targetOf } from './target.js';
import type { ExportDeps, ExportInput, ExportReport, Manifest, WindowRecord } from './types.js';
import { Window } from './window.js';

/** The settled columns, in the folder of a running export. */
const SETTLED = 'schema.json';
/** The heap grows in small steps: left to itself V8 lets several times what is in use pile up before it clears. */
const SMALL_HEAP = ['--heap-growing-percent=30', '--max-semi-space-size=4', '--semi-space-growth-factor=1'];

/**
 * Runs one export to its end (command line, section 8). Throws `CopsError`: usage (2) for changed options, local
 * (11) for files and a target in use, what the service's answers mean, or the reason of `deps.signal`. After any
 * of them the same input goes on where it stopped.
 */
export async function runExport(input: ExportInput, deps: ExportDeps): Promise<ExportReport> {
  const target = targetOf(input.out, input.label);
  if (target.kind === 'stdout') return toStdout(input, deps, target);
  await checkPlace(target);
  await makeFolder(dirname(target.path));
  const held = await lock(target.work, { waitMs: 500, what: `The export to ${target.path}` });
  try {
    const prepared = await prepare(input, deps, target);
    if ('manifest' in prepared)
      return { manifest: prepared, exitCode: prepared.complete ? 0 : 10, already: true, added: 0, requests: 0 };
    const { journal } = prepared;
    try {
      const { manifest, spent } = await perform(input, deps, target, prepared);
      return reportOf(manifest, spent, prepared.base);
    } finally {
      await journal.close();
    }
  } finally {
    await held.release();
  }
}

function reportOf(manifest: Manifest, spent: Spent, base: Manifest | undefined): ExportReport {
  return {
    manifest,
    exitCode: manifest.complete ? 0 : 10,
    already: false,
    added: manifest.items - (base?.items ?? 0),
    requests: spent.requests,
  };
}

async function perform(
  input: ExportInput,
  deps: ExportDeps,
  target: Target,
  prepared: Prepared,
): Promise<{ manifest: Manifest; spent: Spent }> {
  const { plan, journal, entries, base } = prepared;
  const restored = await restore(plan.windows, entries, target.work, input.shard);
  const { records } = restored;
  if (prepared.resumed) {
    deps.notes.note(
      `Going on with the export begun at ${plan.started}: ${records.size} of ${restored.windows.length} windows are done.`,
    );
  }
  const columns = await Columns.of(input, deps, target.work, base, [...records.values()]);
  deps.tuneEngine?.(...SMALL_HEAP);
  let { spent } = restored;
  // A stop between the last window and the rename: what waits to be placed is checked as well.
  if (restored.finishing) {
    const sink = await makeSink(input, target, plan, await columns.settled(async () => []));
    if (sink instanceof FileSink && (await stat(sink.path).catch(() => undefined))) {
      await sink.open(restored.position, [...records.values()]);
      await sink.close();
    }
  }
  if (!restored.finishing) {
    const open = async (sample: Sample) => {
      const sink = await makeSink(input, target, plan, await columns.settled(sample));
      await sink.open(restored.position, [...records.values()]);
      return sink;
    };
    const known = knownIds(prepared);
    const planned = plan.windows.length;
    const least = base?.range?.to;
    spent = await readAndWrite({ input, deps, work: target.work, open, journal, restored, known, planned, least });
    await journal.append([{ t: 'finishing', spent }]);
  }
  const schema = await columns.last([...records.values()]);
  const placed = await putInPlace(input, target, plan, base, records, schema);
  const manifest = buildManifest({ input, deps, plan, base, restored, spent, placed, schema });
  await writeSealed(target.manifest, manifest);
  await Promise.all([remember(input, deps, manifest), rm(target.work, { recursive: true, force: true })]);
  return { manifest, spent };
}

/** The columns of one run: settled once, and kept in its folder before the first row is written. */
class Columns {
  private constructor(
    readonly input: ExportInput,
    readonly deps: ExportDeps,
    readonly work: string,
    readonly base: Manifest | undefined,
    private schema: Schema | undefined,
  ) {}

  static async of(
    input: ExportInput,
    deps: ExportDeps,
    work: string,
    base: Manifest | undefined,
    records: readonly WindowRecord[],
  ): Promise<Columns> {
    if (!hasColumns(input)) return new Columns(input, deps, work, base, []);
    const settled = await readSettled(join(work, SETTLED));
    const widened = records.findLast(({ schema }) => schema !== undefined)?.schema;
    return new Columns(input, deps, work, base, widened ?? settled);
  }

  async settled(sample: Sample): Promise<Schema> {
    if (!this.schema) {
      this.schema = await settle(this.input, this.deps, this.base, sample);
      await writeSettled(join(this.work, SETTLED), this.schema);
    }
    return this.schema;
  }

  /** The columns after all windows; undefined for formats without. */
  async last(records: readonly WindowRecord[]): Promise<Schema | undefined> {
    if (!hasColumns(this.input)) return undefined;
    return records.findLast(({ schema }) => schema !== undefined)?.schema ?? this.settled(async () => []);
  }
}

/** What the target already holds of the first windows of a run that goes on from a manifest. */
function knownIds({ plan, base }: Prepared): Known | undefined {
  if (!base?.range || plan.range === null) return undefined;
  if (plan.replaced.length > 0) {
    const first = base.windows.find((window) => window.window === plan.replaced[0]);
    return { ids: IdSet.of(first?.left_out ?? []), until: plan.range.from };
  }
  if (base.layout === 'sqlite' || !base.edge) return undefined;
  return { ids: IdSet.of(base.edge.ids), until: base.range.to };
}

/** The plan with everything that the journal tells of it. */
async function restore(
  planned: Prepared['plan']['windows'],
  entries: readonly Entry[],
  work: string,
  shard: ExportInput['shard'],
): Promise<Restored> {
  const windows = planned
    .map((range, i) => new Window(String(i), range === null ? null : { from: range[0], to: range[1] }))
    .filter((_, i) => shard === undefined || i % shard.count === shard.index - 1);
  const find = (key: string) => windows.findIndex((window) => window.key === key);
  const records = new Map<string, WindowRecord>();
  const lastIds = new IdSet();
  const lastBase = String(planned.length - 1);
  let position = 0;
  let edge: IdSet | undefined;
  let finishing = false;
  let end: number | undefined;
  let spent: Spent = { requests: 0, refused: 0 };
  for (const entry of entries) {
    if ('spent' in entry) spent = entry.spent;
    if (entry.t === 'split') {
      const parts = entry.ranges.map(([from, to], i) => new Window(`${entry.window}.${i}`, { from, to }));
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
        if (entry.record.window.split('.')[0] === lastBase)
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

async function takePart(window: Window, entry: Entry & { t: 'part' }, work: string): Promise<void> {
  const place = ([at, length]: readonly [number, number]): Place => ({ at, length });
  const path = join(work, entry.file);
  const found = await stat(path).catch(() => undefined);
  const [idsAt, idsLength] = entry.ids;
  // Without its file the window is simply read again.
  if (!found || found.size < idsAt + idsLength) return;
  const part = await PartFile.reopen(path);
  if (entry.sha256 !== undefined && (await digestOfRange(part.file, 0, idsAt + idsLength)) !== entry.sha256) {
    await part.close();
    return;
  }
  window.part = part;
  window.blocks = entry.blocks.map(place);
  window.ids = IdSet.from(await window.part.read(place(entry.ids)));
  const { facts } = entry;
  window.total = facts.total;
  window.readings = facts.readings;
  window.repeats = facts.repeats;
  window.serviceUnix = facts.serviceUnix;
  window.unproven = facts.unproven;
  window.durable = true;
  window.state = 'done';
}

/** Standard output: nothing can be taken up again, so there is no journal, only a folder for what must wait. */
async function toStdout(input: ExportInput, deps: ExportDeps, target: Target): Promise<ExportReport> {
  const work = await onFile(tmpdir(), 'create a folder in', () => mkdtemp(join(tmpdir(), 'cops-export-')));
  try {
    const plan = freshPlan(input, deps);
    const restored = await restore(plan.windows, [], work, input.shard);
    const columns = await Columns.of(input, deps, work, undefined, []);
    const open = async (sample: Sample) => {
      const sink = await makeSink(input, target, plan, await columns.settled(sample), deps.stdout);
      await sink.open(0, []);
      return sink;
    };
    const spent = await readAndWrite({ input, deps, work, open, restored, planned: plan.windows.length });
    const schema = await columns.last([]);
    return reportOf(buildManifest({ input, deps, plan, restored, spent, placed: BARE, schema }), spent, undefined);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
