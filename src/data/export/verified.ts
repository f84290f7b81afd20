import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import type { Context, Done } from '../../session/context/context.js';
import { listOf, one } from '../../session/context/run.js';
import { absoluteTarget } from './formats.js';
import { readSpan } from './manifest.js';
import type { Verified } from './offline.js';
import type { ExportOptions, Manifest } from './types.js';

/** `cops export status <out>...`: describes targets, offline. */
async function exportStatus(context: Context, outs: readonly string[]): Promise<Done> {
  const { exportState } = await import('./offline.js');
  const found = await Promise.all(targets(context, outs).map((out) => exportState(out)));
  return { result: listOf(found, ['out', 'state', 'family', 'items', 'windows_done', 'windows', 'from', 'to']) };
}

/** `cops export verify <out>...`: reads targets completely and compares them with their manifests, offline. */
async function exportVerify(context: Context, outs: readonly string[]): Promise<Done> {
  const { verifyExport } = await import('./offline.js');
  const rows: ReturnType<typeof verifiedFacts>[] = [];
  let unproven = 0;
  let faulty = 0;
  for (const out of targets(context, outs)) {
    const verified = await verifyExport(out);
    if (verified.faults.length > 0) faulty++;
    if (!verified.manifest.complete) unproven++;
    rows.push(verifiedFacts(verified));
  }
  const { format, query, columns } = await context.settings();
  const [only, second] = rows;
  const isRead = format === 'table' && query === undefined && columns === undefined && !second;
  return {
    result:
      only && isRead
        ? one(only)
        : listOf(rows, ['out', 'state', 'items', 'windows', 'faults', 'from', 'to', 'made', 'mode', 'profile']),
    finish: () => {
      if (faulty > 0) {
        return new CopsError('local', `${faulty} of ${rows.length} exports do not match their manifests.`, {
          hint: 'Export them again with --restart.',
          more: { exports: rows },
        });
      }
      if (unproven === 0) return undefined;
      const told = `${unproven} of ${rows.length} exports could not be proven complete when they were made.`;
      return new CopsError('incomplete', told);
    },
  };
}

/** `cops export merge <out>...`: joins the manifests of all shards and verifies the whole, offline. */
async function exportMerge(context: Context, outs: readonly string[]): Promise<Done> {
  const { mergeShards } = await import('./merge.js');
  const merged = await mergeShards(targets(context, outs));
  return {
    result: one(merged),
    finish: () => {
      const { faults, unproven } = merged;
      const [first, ...more] = [...faults, ...unproven];
      if (first === undefined) return undefined;
      const what = `${first}${more.length > 0 ? `, and ${more.length} more` : ''}`;
      return new CopsError('incomplete', `The shards do not form a whole export: ${what}.`, {
        more: { faults, unproven },
      });
    },
  };
}

function targets(context: Context, outs: readonly string[]): string[] {
  if (outs.length === 0) throw usage('Name the target of an export.');
  return outs.map((out) => absoluteTarget(out, context.world));
}

/** A command that looks at existing files creates none. */
export function refuseTarget(command: string, options: ExportOptions): void {
  for (const name of ['out', 'format'] as const) {
    if (options[name] === undefined) continue;
    throw usage(
      `cops export ${command} writes no file: leave out --${name}.`,
      say`Give it the files: ${cops`export ${command.split(' ')} <out>`}...`,
    );
  }
}

/** What a look at the files checks against the manifest. */
const CHECKED: Readonly<Record<Manifest['layout'], string>> = {
  lines: 'its size, the SHA-256 checksum of each window',
  folder: 'size and SHA-256 checksum of each part, no extra part',
  parquet: 'size, SHA-256 checksum, number of rows',
  xlsx: 'size, SHA-256 checksum',
  sqlite: 'soundness of the file, number of rows (not their contents)',
};

/**
 * Describes a verified export for people who keep it as evidence: what it is, what proves it, and what remains
 * unproven.
 */
function verifiedFacts({ out, manifest, faults }: Verified) {
  const { items, windows, unproven, range, complete, shard, filters, ended } = manifest;
  const read = readSpan(manifest);
  const counted = windows.filter(({ total_count }) => total_count !== null).length;
  const isUnique = manifest.layout === 'lines' && manifest.format === 'jsonl' && !manifest.gzip;
  const agreed = `${counted} of ${windows.length} windows: as many unique items as the service counted`;
  const uncounted = windows.length - counted;
  return {
    out,
    state: faults.length > 0 ? 'changed' : complete ? 'verified' : 'unproven',
    items,
    windows: windows.length,
    faults,
    unproven,
    family: manifest.family,
    format: manifest.format,
    mode: manifest.mode,
    profile: manifest.profile,
    service: manifest.base_url,
    // Both ends are included.
    from: range && isoTime(range.from),
    to: range && isoTime(range.to),
    asked_for: range === null ? 'the whole list, which has no dates' : `${range.from_text} to ${range.to_text}`,
    filters: filters.length === 0 ? 'none' : filters.map(([name, value]) => `${name}=${value}`).join(', '),
    shard: shard === null ? null : `${shard.index}/${shard.count}`,
    made: ended,
    read: `from ${isoTime(read.from)} to ${isoTime(read.to)}`,
    proven_when_made: `${agreed}${uncounted > 0 ? `; ${uncounted} without a count of the service` : ''}`,
    checked_now: `${CHECKED[manifest.layout]}${isUnique ? ', the unique items of each' : ''}${range === null || shard ? '' : '; no gap between the windows'}`,
    not_proven: [
      `what was created, changed or deleted in the service after ${ended}: it was not asked again`,
      ...(shard ? [say`the other shards: ${cops`export merge`} takes them all`] : []),
      ...(filters.length > 0 ? ['what the filters left out'] : []),
      'that the manifest is the original: whoever can change the file can change the manifest too',
    ],
  };
}

/** The commands on existing files, by name. */
export const OFFLINE = { status: exportStatus, verify: exportVerify, merge: exportMerge };
