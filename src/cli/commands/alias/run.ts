import { cops, say } from '../../../base/text/command-line.js';
import type { Result } from '../../../screen/types.js';
import type { Context } from '../../../session/context/context.js';
import { storeOf } from '../../../session/context/key-input.js';
import { bySubcommand, listOf, record, shownAs } from '../../../session/context/run.js';
import { setAlias, unsetAlias } from '../../parser/alias-store.js';

/** `cops alias`: lists the user's aliases and the commands they stand for. */
async function listAliases(context: Context): Promise<Result> {
  const rows = Object.entries(storeOf(context).read().aliases).map(([word, line]) => ({ word, line: `cops ${line}` }));
  if (rows.length === 0)
    context.notes.note(say`No aliases. For example: ${cops`alias set late "subscriptions list --last 90d"`}`);
  return listOf(rows, ['word', 'line']);
}

export const run = bySubcommand({
  '': shownAs(listAliases),
  list: shownAs(listAliases),
  set: shownAs(async (context, { words: [word = '', line = ''] }) =>
    record({ name: `alias.${word}`, value: await setAlias(context, word, line) }),
  ),
  unset: shownAs(async (context, { words: [word = ''] }) => {
    await unsetAlias(context, word);
    return record({ name: `alias.${word}`, value: null });
  }),
});
