import type { Context, Done } from '../../command/context.js';
import { Item } from '../../json/item.js';
import { dryRunWrites } from './dry-run.js';
import type { PreparedWrite } from './prepared-write.js';
import type { Reader } from './reading.js';
import { guard, sendWrite } from './write.js';

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
  if (context.options.dryRun) return dryRunWrites(context, [prepared]);
  await guard(context, prepared, reader);
  const { text } = await sendWrite(context, prepared, reader);
  const person = (await context.settings()).format === 'table' && context.world.stdout.isTTY === true;
  if (person) return { result: { shape: 'text', text: `${told()}\n` }, wrote: true };
  context.notes.note(told());
  const idField = prepared.operation.answerId ?? prepared.family.idField;
  return { result: { shape: 'one', item: new Item(text), idField }, wrote: true };
}
