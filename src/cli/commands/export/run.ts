import { exportList } from '../../../data/export/export-list.js';
import type { ExportOptions } from '../../../data/export/types.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { noDryRun } from '../../../session/context/run.js';

/** `cops export <family>`, and the commands for existing exports. */
export async function run(context: Context, { words, options }: CommandInput<ExportOptions>): Promise<Done> {
  const [first = '', ...outs] = words;
  if (first !== 'status' && first !== 'verify' && first !== 'merge') return exportList(context, words, options);
  if (first === 'merge' && context.options.dryRun) throw noDryRun('export merge');
  const { OFFLINE, refuseTarget } = await import('../../../data/export/verified.js');
  refuseTarget(first, options);
  return OFFLINE[first](context, outs);
}
