import { CopsError, usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import type { ExportOptions } from '../../../data/export/options.js';
import { absoluteTarget } from '../../../data/export/target.js';
import type { Context, Done } from '../../../session/context/context.js';
import { listOf, one } from '../../../session/context/run.js';

/** `cops export status <out>...`: what is known of targets, offline. */
async function exportStatus(context: Context, outs: readonly string[]): Promise<Done> {
  const { statusOf } = await import('../../../data/export/offline.js');
  const found = await Promise.all(targets(context, outs).map((out) => statusOf(out)));
  return { result: listOf(found, ['out', 'state', 'family', 'items', 'windows_done', 'windows', 'from', 'to']) };
}

/** `cops export verify <out>...`: reads targets whole and holds them against their manifests, offline. */
async function exportVerify(context: Context, outs: readonly string[]): Promise<Done> {
  const [{ verifyExport }, { verifiedFacts }] = await Promise.all([
    import('../../../data/export/offline.js'),
    import('./verified.js'),
  ]);
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
        return new CopsError('local', `${faulty} of ${rows.length} exports do not agree with their manifests.`, {
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
  const { mergeShards } = await import('../../../data/export/merge.js');
  const merged = await mergeShards(targets(context, outs));
  return {
    result: one(merged),
    finish: () => {
      const { faults, unproven } = merged;
      const [first, ...more] = [...faults, ...unproven];
      if (first === undefined) return undefined;
      const what = `${first}${more.length > 0 ? `, and ${more.length} more` : ''}`;
      return new CopsError('incomplete', `The shards are no whole export: ${what}.`, { more: { faults, unproven } });
    },
  };
}

function targets(context: Context, outs: readonly string[]): string[] {
  if (outs.length === 0) throw usage('Name the target of an export.');
  return outs.map((out) => absoluteTarget(out, context.world.cwd));
}

/** What looks at files that are there makes no other one. */
export function refuseTarget(command: string, options: ExportOptions): void {
  for (const name of ['out', 'format'] as const) {
    if (options[name] === undefined) continue;
    throw usage(
      `cops export ${command} writes no file of its own: leave out --${name}.`,
      say`It takes the files: ${cops`export ${command.split(' ')} <out>`}...`,
    );
  }
}

export const OFFLINE = { status: exportStatus, verify: exportVerify, merge: exportMerge };
