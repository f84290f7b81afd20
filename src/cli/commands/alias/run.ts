import { cops, say } from '../../../base/text/command-line.js';
import type { Result } from '../../../screen/types.js';
import type { Context } from '../../../session/context/context.js';
import { storeOf } from '../../../session/context/key-input.js';
import { bySubcommand, listOf, shownAs } from '../../../session/context/run.js';
import { setConfig, unsetConfig } from '../config/run.js';

/** `cops alias`: what the words of one's own stand for. */
async function listAliases(context: Context): Promise<Result> {
  const rows = Object.entries(storeOf(context).read().aliases).map(([word, line]) => ({ word, line: `cops ${line}` }));
  if (rows.length === 0)
    context.notes.note(say`No aliases. For example: ${cops`alias set late "subscriptions list --last 90d"`}`);
  return listOf(rows, ['word', 'line']);
}

export const run = bySubcommand({
  '': shownAs(listAliases),
  list: shownAs(listAliases),
  set: shownAs((context, { words: [word = '', value] }) => setConfig(context, `alias.${word}`, value)),
  unset: shownAs((context, { words: [word = ''] }) => unsetConfig(context, `alias.${word}`)),
});
