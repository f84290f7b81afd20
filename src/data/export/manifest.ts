import { CLOCK_TRUST_S, isoTime } from '../../base/time/units.js';
import type { Schema } from '../../items/schema/types.js';
import { endsDoubt } from '../../service/lists/windows.js';
import type { Plan, Spent } from './export-journal.js';
import { joinLate, type LateField } from './late-fields.js';
import { factsOf, timesOf } from './resumed-settings.js';
import type { Restored } from './running.js';
import { hasColumns } from './settle.js';
import type { Placed } from './sinks/make.js';
import type { ExportDeps, ExportInput, Manifest, Range, WindowRecord } from './types.js';

/** A run that reads for longer than this sees a service that keeps changing, seconds. */
const LONG_READ_S = 3600;

export interface ManifestParts {
  readonly input: ExportInput;
  readonly deps: ExportDeps;
  readonly plan: Plan;
  readonly base?: Manifest | undefined;
  /** The note from `mixedTimes`. */
  readonly mixed?: string | undefined;
  /** An export whose windows are all written. */
  readonly restored: Restored;
  readonly spent: Spent;
  readonly placed: Placed;
  /** The columns at the end. */
  readonly schema: Schema;
}

export function buildManifest(parts: ManifestParts): Manifest {
  const { input, deps, base, restored, spent } = parts;
  const plan = endedAt(parts.plan, restored.end);
  const { items, late: placedLate, schema, ...placed } = parts.placed;
  const records = restored.windows.map((window) => restored.records.get(window.key) as WindowRecord);
  const round = base ? `r${plan.round}/` : '';
  const now = records.map(({ schema: _, ...record }) => ({ ...record, window: `${round}${record.window}` }));
  const windows = [...windowsBefore(base, plan), ...now];
  const unproven = windows.filter((window) => window.unproven).map((window) => `${nameOf(window)}: ${window.unproven}`);
  const behind = records.find(
    ({ service_unix, to, unproven }) =>
      service_unix !== null && to !== null && service_unix < to - CLOCK_TRUST_S && unproven === undefined,
  );
  if (behind) {
    unproven.push(
      `The service's clock (${isoTime(behind.service_unix as number)}) is behind the end of ${nameOf(behind)}: more rows may still appear in it.`,
    );
  }
  const late = joinLate([...windows.map((window) => window.late), placedLate]);
  const range = plan.range;
  return {
    manifest: 1,
    tool: 'cops',
    ...factsOf(input, deps.profile),
    id_field: input.family.idField,
    profile: deps.profile.name,
    schema: hasColumns(input) ? (schema ?? parts.schema) : null,
    late,
    shard: input.shard ?? null,
    range: rangeOf(plan, base),
    started: base?.started ?? plan.started,
    ended: new Date(deps.now()).toISOString(),
    complete: unproven.length === 0,
    unproven,
    items: items ?? windows.reduce((sum, window) => sum + window.items, 0),
    requests: (base?.requests ?? 0) + spent.requests,
    refused_429: (base?.refused_429 ?? 0) + spent.refused,
    windows,
    planned: plan.windows.length,
    ...placed,
    edge:
      range === null || input.shard
        ? null
        : { from: plan.windows.at(-1)?.[0] ?? range.from, ids: [...restored.lastIds.values()].map(String) },
    notes: [
      ...(parts.mixed === undefined ? [] : [parts.mixed]),
      ...notesOf(input, placed),
      ...windows.flatMap(({ end_left_out: at }) => (at === undefined ? [] : [String(endsDoubt({ from: at }))])),
      ...lateNotes(input, late, placed),
    ],
  };
}

type Read = Pick<Manifest, 'started' | 'ended'> & { readonly windows: Iterable<WindowRecord> };

/** When the windows were read, unix seconds; for windows read by an older version, the time of the whole run. */
export function readSpan({ windows, started, ended }: Read): Range {
  const records = [...windows];
  return {
    from: Math.min(...records.map(({ read_from = Math.floor(Date.parse(started) / 1000) }) => read_from)),
    to: Math.max(...records.map(({ read_to = Math.ceil(Date.parse(ended) / 1000) }) => read_to)),
  };
}

/** The note on an export that took long, or was partly read before it resumed at `resumedAt` (milliseconds). */
export function mixedTimes(read: Read, resumedAt: number | undefined): string | undefined {
  const { from, to } = readSpan(read);
  if (to - from <= LONG_READ_S && (resumedAt === undefined || from >= Math.floor(resumedAt / 1000))) return undefined;
  return (
    `Read from ${isoTime(from)} to ${isoTime(to)}: an item that changed in between is as it was when its window was ` +
    'read, and one that moved to another window may be in both or in neither. --restart reads everything again.'
  );
}

function endedAt(plan: Plan, to: number | undefined): Plan {
  return to === undefined || plan.range === null ? plan : { ...plan, range: { ...plan.range, to } };
}

/** The whole range in the target: what earlier runs read, and what this run has read. */
function rangeOf({ range }: Plan, base: Manifest | undefined): Manifest['range'] {
  if (range === null) return null;
  const { from, to, asked_to, from_text, to_text } = range;
  return base?.range ? { ...base.range, to, asked_to, to_text } : { from, to, asked_to, from_text, to_text };
}

/** The windows of earlier runs that stay. This run's own windows decide whether periods read again are proven. */
function windowsBefore(base: Manifest | undefined, plan: Plan): WindowRecord[] {
  const again = plan.range?.from ?? Number.POSITIVE_INFINITY;
  return (base?.windows ?? [])
    .filter((window) => !plan.replaced.includes(window.window))
    .map((window) => {
      if (window.from === null || window.from < again) return window;
      const { unproven: _, ...read } = window;
      return read;
    });
}

function notesOf(input: ExportInput, placed: Pick<Placed, 'layout'>): string[] {
  if (input.operation.list?.style !== 'windowed') return [];
  const name = input.family.name.replaceAll('_', '-');
  return [
    'The service does not say which date of an item its range means: later changes to an item are not seen by ' +
      `--since-last${canRefresh(placed) ? ' unless --refresh <span> reads that span again' : '; this format cannot replace rows, SQLite and folders can (--refresh)'}. ` +
      `cops sync ${name} and then cops changes ${name} show such changes.`,
  ];
}

/** Whether the target supports replacing rows (`--refresh`). */
export function canRefresh({ layout }: Pick<Placed, 'layout'>): boolean {
  return layout === 'sqlite' || layout === 'folder';
}

/** Names the fields in `_other`, and the command that rewrites the file with columns for them. */
function lateNotes(input: ExportInput, late: readonly LateField[], { layout }: Pick<Placed, 'layout'>): string[] {
  if (late.length === 0) return [];
  const named = late.map(({ path, items }) => `${path} (${items})`).join(', ');
  return [
    `In _other, because they appeared after the columns were settled or do not fit theirs: ${named}. ` +
      `To write ${layout === 'lines' ? 'the file' : 'it'} again with columns for them: ${remake(input)}`,
  ];
}

function remake(input: ExportInput): string {
  const words = ['cops', 'export', input.family.name.replaceAll('_', '-')];
  if (input.operation.action !== 'list') words.push(...input.operation.action.replace(/ ?list$/, '').split(' '));
  words.push(...Object.values(input.params));
  if (input.from) words.push('--from', input.from.text);
  if (input.to) words.push('--to', input.to.text);
  words.push('--out', input.out, '--format', input.format);
  for (const [name, value] of input.filters)
    words.push(`--${name.replace(/_filter$/, '').replaceAll('_', '-')}`, value);
  if (input.shard) words.push('--shard', `${input.shard.index}/${input.shard.count}`);
  if (input.gzip && !/\.gz$/i.test(input.out)) words.push('--gzip');
  if (input.csvSafe) words.push('--csv-safe');
  if (input.excel) words.push('--excel');
  if (timesOf(input) === 'unix') words.push('--times', 'unix');
  words.push('--restart');
  return words
    .filter((word) => word !== '')
    .map((word) => (/^[\w./:@+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function nameOf(window: WindowRecord): string {
  if (window.from === null || window.to === null) return 'the list';
  return `window ${isoTime(window.from)} to ${isoTime(window.to)}`;
}
