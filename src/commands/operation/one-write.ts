import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { Item } from '../../json/item.js';
import { maskBodyText } from '../../secrets/mask-body.js';
import { dryRunResult } from './dry-run.js';
import type { Reader } from './reading.js';
import { answerText, guard, keyFor, type PreparedWrite, refuseReadOnly, requestOf, sendWrite } from './write.js';

/**
 * One write whose body was computed: shown, or asked for and sent, with the trail of every other write.
 * @param told what a person is told once it was done: in place of the answer on a terminal, beside it elsewhere
 */
export async function oneWrite(
  context: Context,
  reader: Reader,
  prepared: PreparedWrite,
  told: () => string,
): Promise<Done> {
  await refuseReadOnly(context, prepared.operation, prepared.risk);
  if (context.options.dryRun) {
    const request = requestOf(prepared, (await keyFor(context, prepared)).key);
    return dryRunResult(context, request, maskBodyText(prepared.operation, request.body ?? '{}'));
  }
  await guard(context, prepared, reader);
  const outcome = await sendWrite(context, prepared, reader);
  if (outcome.claim !== 'done') throw outcome.error;
  const person = (await context.settings()).format === 'table' && context.world.stdout.isTTY === true;
  if (person) return { result: { shape: 'text', text: `${told()}\n` }, wrote: true };
  context.notes.note(told());
  const item = new Item(answerText(outcome, reader.profile.walletWord.value));
  return {
    result: { shape: 'one', item, idField: prepared.operation.answerId ?? prepared.family.idField },
    wrote: true,
  };
}
