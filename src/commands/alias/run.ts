import type { Context } from '../../command/context.js';
import { bySubcommand, type Done } from '../../command/run.js';
import { isReserved } from '../config/reserved.js';
import { setConfig, unsetConfig } from '../config/run.js';
import { several, storeOf } from '../profiles/input.js';

/** `cops alias`: what the words of one's own stand for. */
async function list(context: Context): Promise<Done> {
  const rows = Object.entries(storeOf(context).read().aliases).map(([word, line]) => ({ word, line: `cops ${line}` }));
  if (rows.length === 0)
    context.notes.note('No aliases. For example: cops alias set late "subscriptions list --last 90d"');
  return { result: several(rows, 'word', ['word', 'line']) };
}

export const run = bySubcommand({
  '': list,
  list,
  set: async (context, { words: [word = '', value] }) => ({
    result: await setConfig(context, { name: `alias.${word}`, value, reserved: isReserved }),
  }),
  unset: async (context, { words: [word = ''] }) => ({ result: await unsetConfig(context, { name: `alias.${word}` }) }),
});
