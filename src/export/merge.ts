import { usage } from '../errors/errors.js';
import { holes, verifyExport } from './offline.js';
import type { Manifest, WindowRecord } from './types.js';

export interface Merged {
  readonly family: string;
  readonly shards: number;
  readonly windows: number;
  readonly items: number;
  readonly from: string | null;
  readonly to: string | null;
  /** What does not agree; empty when the shards are one whole export. */
  readonly faults: readonly string[];
  readonly unproven: readonly string[];
}

const SAME: readonly (keyof Manifest)[] = [
  'family',
  'action',
  'path',
  'base_url',
  'mode',
  'format',
  'gzip',
  'csv_safe',
  'columns',
  'filters',
  'page_size',
  'planned',
  'layout',
];

/**
 * Joins the manifests of all shards of one export and verifies the whole: the same export and plan, every shard
 * once, every second covered, every file as its manifest says, and no item in two shards or left to one that does
 * not have it.
 */
export async function mergeShards(outs: readonly string[]): Promise<Merged> {
  const verified = await Promise.all(outs.map((out) => verifyExport(out)));
  const [first] = verified;
  if (!first) throw usage('Name the targets of all shards.');
  const faults = verified.flatMap(({ out, faults: found }) => found.map((fault) => `${out}: ${fault}`));
  const manifests = verified.map(({ manifest }) => manifest);
  const one = first.manifest;
  for (const { out, manifest } of verified) {
    for (const name of SAME) {
      if (JSON.stringify(manifest[name]) !== JSON.stringify(one[name])) {
        faults.push(`${out}: ${name} differs from that of ${first.out}`);
      }
    }
    if (JSON.stringify(manifest.schema ?? null) !== JSON.stringify(one.schema ?? null)) {
      faults.push(
        `${out}: its columns differ from those of ${first.out}; export it again with --schema <that manifest> --restart`,
      );
    }
    const { range } = manifest;
    if (range?.from !== one.range?.from || range?.to !== one.range?.to)
      faults.push(`${out}: its range differs from that of ${first.out}`);
  }
  const count = one.shard?.count ?? 1;
  for (let index = 1; index <= count; index++) {
    const found = manifests.filter((manifest) => (manifest.shard?.index ?? 1) === index).length;
    if (found !== 1)
      faults.push(
        found === 0 ? `shard ${index}/${count} is missing` : `shard ${index}/${count} is there ${found} times`,
      );
  }
  if (manifests.some((manifest) => (manifest.shard?.count ?? 1) !== count))
    faults.push('the shards are of different numbers of machines');
  const windows = manifests.flatMap((manifest) => manifest.windows);
  if (one.range && faults.length === 0) faults.push(...holes(windows, one.range.from, one.range.to));
  faults.push(...seams(windows));
  return {
    family: one.family,
    shards: verified.length,
    windows: windows.length,
    items: windows.reduce((sum, window) => sum + window.items, 0),
    from: one.range ? new Date(one.range.from * 1000).toISOString() : null,
    to: one.range ? new Date(one.range.to * 1000).toISOString() : null,
    faults,
    unproven: manifests.flatMap((manifest) => manifest.unproven),
  };
}

/** Items that a window left to its neighbour before, which that one does not have. */
function seams(windows: readonly WindowRecord[]): string[] {
  const sorted = windows
    .filter((window) => window.from !== null)
    .sort((a, b) => (a.from as number) - (b.from as number));
  const faults: string[] = [];
  for (const [i, window] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before?.kept) continue;
    const kept = new Set(before.kept);
    const lost = (window.left_out ?? []).filter((id) => !kept.has(id));
    if (lost.length > 0) {
      faults.push(
        `window ${window.window} left ${lost.join(', ')} to window ${before.window}, which does not have it: read both shards again`,
      );
    }
  }
  return faults;
}
