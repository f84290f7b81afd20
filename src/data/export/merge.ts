import { checkTarget, writeGiven } from '../../account/given-target.js';
import { usage } from '../../base/errors/errors.js';
import { whileLocked } from '../../base/files/lock.js';
import { sameSchema, widenAll } from '../../items/schema/learn.js';
import type { Schema } from '../../items/schema/types.js';
import { seal } from './export-journal.js';
import { targetOf } from './formats.js';
import { byTime, holes, type Verified, verifyExport } from './offline.js';
import { FACTS } from './resumed-settings.js';
import type { Manifest, WindowRecord } from './types.js';

export interface Merged {
  readonly family: string;
  readonly shards: number;
  readonly windows: number;
  readonly items: number;
  readonly from: string | null;
  readonly to: string | null;
  /** SQLite files that got columns which they lacked and other shards had. */
  readonly widened: readonly string[];
  /** The contradictions; empty if the shards form one complete export. */
  readonly faults: readonly string[];
  readonly unproven: readonly string[];
}

const MERGE = 'export merge';

/** Each machine may have its own key. */
const SAME: readonly (keyof Manifest)[] = [...FACTS.filter((name) => name !== 'key'), 'planned', 'layout'];

/**
 * Joins the manifests of all shards of one export and verifies the whole: the same export and plan, every shard once,
 * every second covered, every file as its manifest says, no item in two shards, and no item left to a shard that lacks
 * it. Shards that have learnt different columns get the columns of all: tables directly; for other files the fault says
 * how. Files of a folder may differ, because they are read by name.
 */
export async function mergeShards(outs: readonly string[]): Promise<Merged> {
  // Columns may have to be added to these targets: anything but a file or folder is neither read nor waited for.
  for (const out of outs) {
    const { kind, path, manifest } = targetOf(out);
    await checkTarget({ path, typed: out, option: MERGE, own: undefined, isFolder: kind === 'folder' });
    await checkTarget({ path: manifest, typed: manifest, option: MERGE, own: undefined });
  }
  const verified = await Promise.all(outs.map((out) => verifyExport(out)));
  const [first] = verified;
  if (!first) throw usage('Name the target of every shard.');
  const faults = verified.flatMap(({ out, faults: found }) => found.map((fault) => `${out}: ${fault}`));
  const manifests = verified.map(({ manifest }) => manifest);
  const one = first.manifest;
  for (const { out, manifest } of verified) {
    for (const name of SAME) {
      if (JSON.stringify(manifest[name]) !== JSON.stringify(one[name]))
        faults.push(`${out}: ${name} differs from that of ${first.out}`);
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
    faults.push('the shards have different counts (--shard i/n)');
  const windows = manifests.flatMap((manifest) => manifest.windows);
  if (one.range && faults.length === 0) faults.push(...holes(windows, one.range.from, one.range.to));
  faults.push(...seams(windows));
  const columns = await alike(verified, faults.length === 0);
  faults.push(...columns.faults);
  return {
    family: one.family,
    shards: verified.length,
    windows: windows.length,
    items: windows.reduce((sum, window) => sum + window.items, 0),
    from: one.range ? new Date(one.range.from * 1000).toISOString() : null,
    to: one.range ? new Date(one.range.to * 1000).toISOString() : null,
    widened: columns.widened,
    faults,
    unproven: manifests.flatMap((manifest) => manifest.unproven),
  };
}

/** Gives shards with different columns the columns of all if possible (and if they are `sound`), else says why not. */
async function alike(verified: readonly Verified[], sound: boolean): Promise<Pick<Merged, 'widened' | 'faults'>> {
  const none = { widened: [], faults: [] };
  const known = verified.filter(({ manifest }) => manifest.schema);
  const [first] = known;
  if (!first || first.manifest.layout === 'folder') return none;
  const unknown = verified.filter(({ manifest }) => !manifest.schema).map(({ out }) => out);
  if (unknown.length > 0) {
    const faults = unknown.map((out) => `${out}: its manifest has no columns; export it again with --restart`);
    return { widened: [], faults };
  }
  const schemaOf = ({ manifest }: Verified) => manifest.schema as Schema;
  const wide = known.map(schemaOf).reduce(widenAll);
  const narrow = known.filter((one) => !sameSchema(schemaOf(one), wide));
  if (first.manifest.layout === 'sqlite') {
    if (!sound) return none;
    for (const shard of narrow) await widenShard(shard, wide);
    return { widened: narrow.map(({ out }) => out), faults: [] };
  }
  const widest = known.find((one) => sameSchema(schemaOf(one), wide));
  const words = (widest ? [widest] : known).map(({ out }) => `--schema ${targetOf(out).manifest}`).join(' ');
  const faults = narrow.map(
    ({ out }) =>
      `${out}: it lacks columns of other shards; export it again with the same options and ${words} --restart`,
  );
  return { widened: [], faults };
}

/** Adds empty columns to a table, because none of its items has those fields. */
async function widenShard({ out, manifest }: Verified, schema: Schema): Promise<void> {
  const target = targetOf(out);
  return whileLocked(target.work, { waitMs: 500, what: `The export to ${target.path}` }, async () => {
    const { widenTable } = await import('./sinks/sqlite-file.js');
    await widenTable(target.path, { name: manifest.family, idField: manifest.id_field }, schema);
    await writeGiven(
      { path: target.manifest, typed: target.manifest, option: MERGE, own: undefined },
      seal({ ...manifest, schema }),
    );
  });
}

/** Items that a window left to its earlier neighbour, but that neighbour lacks. */
function seams(windows: readonly WindowRecord[]): string[] {
  const sorted = byTime(windows);
  const faults: string[] = [];
  for (const [i, window] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before?.kept) continue;
    const kept = new Set(before.kept);
    const lost = (window.left_out ?? []).filter((id) => !kept.has(id));
    if (lost.length > 0) {
      faults.push(
        `window ${window.window} left ${lost.join(', ')} to window ${before.window}, which lacks it: export both shards again`,
      );
    }
  }
  return faults;
}
