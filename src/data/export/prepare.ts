import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { local, usage } from '../../base/errors/errors.js';
import { unlessAbsent } from '../../base/files/read-file.js';
import { isoTime } from '../../base/time/units.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { planWindows, requestedRange } from '../../service/lists/windows.js';
import { ExportJournal, type JournalEntry, type Plan, readManifest, readPlan, writeSealed } from './export-journal.js';
import { makeTargetFolder, onFile } from './files.js';
import type { Target } from './formats.js';
import { checkFinished } from './place.js';
import { differences, type Settings, settingsFrom, settingsOf } from './resumed-settings.js';
import { hasColumns } from './settle.js';
import type { ExportDeps, ExportInput, Manifest, Range, WindowRecord } from './types.js';

export interface Prepared {
  readonly plan: Plan;
  readonly journal: ExportJournal;
  readonly entries: readonly JournalEntry[];
  /** The manifest that this run continues from. */
  readonly base: Manifest | undefined;
  readonly resumed: boolean;
}

const DEFAULT_SPAN_DAYS = 90;
/** The files in the folder of a running export. */
const OWN_FILES =
  /^(plan\.json(\.[0-9a-f]{8}\.tmp)?|journal|data|files|parquet|xlsx|sqlite(-journal|-rows)?|rows|schema\.json(\.[0-9a-f]{8}\.tmp)?|part-[\d.]+)$/;

/**
 * Decides what a run does: start, continue a stopped export, continue from a finished one, or nothing. The caller must
 * hold the target's lock. Throws a usage error if the target belongs to other options.
 */
export async function prepare(input: ExportInput, deps: ExportDeps, target: Target): Promise<Prepared | Manifest> {
  const settings = settingsOf(input, deps.profile);
  if (input.restart) await clearWork(target.work);
  const planPath = join(target.work, 'plan.json');
  const plan = input.restart ? undefined : await readPlan(planPath);
  // When starting over, a damaged manifest does not matter; an intact one says which files to delete.
  const manifest = await readManifest(target.manifest).catch((error) => {
    if (!input.restart) throw error;
    return undefined;
  });
  if (plan) {
    refuseChange(differences(plan.settings, settings), `${target.path} was started with other options`);
    if (plan.base !== null && plan.base !== (manifest as { digest?: string } | undefined)?.digest) {
      throw local(
        `The manifest that this export continues from was changed or removed (${target.manifest}).`,
        'Put it back, or start over with --restart.',
      );
    }
    const { journal, entries } = await ExportJournal.open(join(target.work, 'journal'));
    return { plan, journal, entries, base: plan.base === null ? undefined : manifest, resumed: true };
  }
  if (manifest && !input.restart) {
    const done = input.sinceLast ? undefined : finished(manifest, settings, input, target);
    // A list without dates is read completely each time, whatever exists.
    if (done || manifest.range) await checkFinished(target, manifest);
    if (done) return done;
  }
  if (input.sinceLast && !manifest) deps.notes.detail('There is no manifest to continue from: everything is read.');
  if (!manifest && !input.restart) await refuseForeign(input, target);
  const begun = begin(input, deps, settings, manifest);
  await clearWork(target.work);
  await makeTargetFolder(target.work);
  await writeSealed(planPath, begun);
  const { journal, entries } = await ExportJournal.open(join(target.work, 'journal'));
  return { plan: begun, journal, entries, base: begun.base === null ? undefined : manifest, resumed: false };
}

/** Removes the folder of an export that starts over, but never one with foreign files. */
async function clearWork(work: string): Promise<void> {
  const names = await onFile(work, 'read', () => readdir(work).catch(unlessAbsent));
  const foreign = names?.find((name) => !OWN_FILES.test(name));
  if (foreign !== undefined)
    throw usage(`${work} contains ${foreign}, which no export created.`, 'Move it away, or name another target.');
  await rm(work, { recursive: true, force: true });
}

function refuseChange(changes: readonly string[], lead: string): void {
  if (changes.length === 0) return;
  throw usage(`${lead}: ${changes.join('; ')}.`, 'Use the same options to continue, or --restart to start over.');
}

/** A finished export: nothing to do for the same range, refused for another. */
function finished(manifest: Manifest, settings: Settings, input: ExportInput, target: Target): Manifest {
  const before = settingsFrom(manifest, settings);
  refuseChange(differences(before, settings), `${target.path} is a finished export with other options`);
  const { range } = manifest;
  const same = range !== null && input.from?.unix === range.from && input.to?.unix === range.asked_to;
  if (same) return manifest;
  throw usage(
    range === null
      ? `${target.path} is a finished export of ${manifest.ended}.`
      : `${target.path} is a finished export up to ${isoTime(range.to)}; the requested range ends at ${isoTime(input.to?.unix ?? 0)}.`,
    'Use --since-last to continue from there, or --restart to start over.',
  );
}

async function refuseForeign(input: ExportInput, target: Target): Promise<void> {
  if (input.format === 'sqlite' && target.kind === 'file') return;
  const found = await stat(target.path).catch(() => undefined);
  if (!found) return;
  if (target.kind === 'folder' && (await readdir(target.path)).length === 0) return;
  throw usage(
    `${target.path} already exists and has no export manifest.`,
    'Name another target, or overwrite it with --restart.',
  );
}

/** The plan of a run that starts from nothing. */
export function freshPlan(input: ExportInput, deps: ExportDeps): Plan {
  return begin(input, deps, settingsOf(input, deps.profile), undefined);
}

function begin(
  input: ExportInput,
  deps: ExportDeps,
  settings: Settings,
  manifest: (Manifest & { digest: string }) | undefined,
): Plan {
  const nowUnix = Math.floor((deps.frozen ?? deps.now()) / 1000) - SETTLED_S;
  const started = new Date(deps.now()).toISOString();
  const plain = {
    plan: 1 as const,
    settings,
    started,
    base_bytes: 0,
    base: null,
    replaced: [],
    remove: filesOf(manifest?.windows),
    round: 1,
    anew: input.restart,
  };
  if (input.operation.list?.style !== 'windowed' || (!input.from && !manifest?.range))
    return { ...plain, range: null, windows: [null] };
  if (manifest?.range && input.sinceLast && !input.restart) return goOn(input, settings, manifest, nowUnix, plain);
  const { from, to } = input as Required<Pick<ExportInput, 'from' | 'to'>>;
  if (input.shard && to.unix > nowUnix) {
    throw usage(
      '--shard needs an end in the past, the same on every machine.',
      'Give --to a moment in the past, for example 2026-01-31.',
    );
  }
  const range: Range = { from: from.unix, to: Math.min(to.unix, nowUnix) };
  if (range.from > range.to) throw usage('The range lies in the future.', 'Check --from.');
  return {
    ...plain,
    range: { ...range, asked_to: to.unix, from_text: from.text, to_text: to.text },
    windows: windowsOf(range, input),
  };
}

function goOn(
  input: ExportInput,
  settings: Settings,
  manifest: Manifest & { digest: string },
  nowUnix: number,
  plain: Omit<Plan, 'range' | 'windows'>,
): Plan {
  const old = manifest.range as NonNullable<Manifest['range']>;
  const before = settingsFrom(manifest, settings);
  refuseChange(differences(before, settings), 'The export to continue from has other options');
  if (manifest.layout === 'parquet' || manifest.layout === 'xlsx') {
    throw usage(
      `One ${manifest.layout === 'xlsx' ? 'xlsx' : 'Parquet'} file cannot be added to.`,
      'Export to a folder (--out name/) to use --since-last.',
    );
  }
  if (manifest.layout === 'lines' && hasColumns(input) && !manifest.schema) {
    throw usage(
      `The manifest of ${input.out} comes from an older version that did not record the columns, so no rows can be added.`,
      'Start over with --restart, or name another target.',
    );
  }
  if (input.refresh !== undefined && manifest.layout === 'lines') {
    throw usage(
      `--refresh cannot replace rows inside one ${manifest.format} file.`,
      'Export to a folder or to SQLite, or start over with --restart.',
    );
  }
  const edge = manifest.edge?.from ?? old.from;
  let start = edge;
  let replaced: readonly WindowRecord[] = [];
  if (input.refresh !== undefined) {
    start = Math.max(old.from, Math.min(edge, old.to - input.refresh));
    if (manifest.layout === 'folder') {
      const again = manifest.windows.filter((window) => (window.to ?? 0) > start);
      start = Math.min(start, ...again.map((window) => window.from ?? start));
      replaced = again;
    }
  }
  const range: Range = { from: start, to: Math.max(nowUnix, old.to) };
  return {
    ...plain,
    base: manifest.digest,
    base_bytes: manifest.layout === 'lines' ? (manifest.file?.bytes ?? 0) : 0,
    replaced: replaced.map((window) => window.window),
    remove: filesOf(replaced),
    round: roundOf(manifest) + 1,
    range: { ...range, asked_to: range.to, from_text: 'since last', to_text: 'now' },
    windows: windowsOf(range, input),
  };
}

/** The number of runs in a manifest. */
function roundOf(manifest: Manifest): number {
  return manifest.windows.reduce((most, { window }) => Math.max(most, Number(/^r(\d+)\//.exec(window)?.[1] ?? 1)), 1);
}

function filesOf(windows: readonly WindowRecord[] | undefined): string[] {
  return (windows ?? []).flatMap(({ file }) => (file === undefined ? [] : [file]));
}

function windowsOf(range: Range, input: ExportInput): Plan['windows'] {
  const windows = planWindows(requestedRange(range, input.rangeEnds ?? 'in'), {
    spanDays: input.operation.list?.spanDays ?? DEFAULT_SPAN_DAYS,
    shards: input.shard?.count ?? 1,
  });
  return windows.map(({ from, to }) => [from, to] as const);
}
