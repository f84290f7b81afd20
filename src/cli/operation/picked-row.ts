import type { Operation } from '../../catalogue/types.js';
import type { Context, Done } from '../../session/context/context.js';
import { openRow } from '../../session/lookup/open-row.js';
import { Names } from '../../session/names/line-names.js';
import { type OperationInput, rowRead, splitWords } from '../../session/operation/spec.js';
import { pickRow } from '../../session/read/pick-row.js';

/** A list with `--pick`: lets a person choose one of its rows, and shows that. */
export async function openPicked(
  context: Context,
  input: OperationInput,
  list: (asked: OperationInput) => Promise<Done>,
): Promise<Done> {
  const { family, operation } = input;
  let above: readonly string[] = [];
  const id = await pickRow(context, input, async (asked) => {
    const { ids } = await splitWords(context, asked);
    [above = []] = await new Names(context, family, operation).ids(ids);
    return list({ ...asked, words: above.length > 0 ? above : asked.words });
  });
  return openRow(context, family, rowRead(family, operation) as Operation, [...above, id]);
}
