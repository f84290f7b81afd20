import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { Item } from '../../json/item.js';
import { maskBodyText } from '../../secrets/mask-body.js';
import { dryRunResult } from './dry-run.js';
import type { Reader } from './reading.js';
import { answerText, guard, keyFor, type PreparedWrite, refuseReadOnly, requestOf, sendWrite } from './write.js';

/**
 * One write whose body was computed: shown, or asked for and sent, with the trail of every other write.
 * @param after told once it was done
 */
export async function oneWrite(
  context: Context,
  reader: Reader,
  prepared: PreparedWrite,
  after: () => void,
): Promise<Done> {
  await refuseReadOnly(context, prepared.operation, prepared.risk);
  if (context.options.dryRun) {
    const request = requestOf(prepared, (await keyFor(context, prepared)).key);
    return dryRunResult(context, request, maskBodyText(prepared.operation, request.body ?? '{}'));
  }
  await guard(context, prepared, reader);
  const outcome = await sendWrite(context, prepared, reader);
  if (outcome.claim !== 'done') throw outcome.error;
  after();
  const item = new Item(answerText(outcome, reader.profile.walletWord.value));
  return {
    result: { shape: 'one', item, idField: prepared.operation.answerId ?? prepared.family.idField },
    wrote: true,
  };
}
