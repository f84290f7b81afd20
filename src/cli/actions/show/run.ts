import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { type LookingOptions, openLook, present } from '../../../session/lookup/look.js';
import { findPerson, personSheet } from '../../../session/lookup/person.js';

/** `cops customers show <who>`: the whole customer, out of at most twelve requests. */
export async function run(
  context: Context,
  { words: [who = ''], options }: CommandInput<LookingOptions>,
): Promise<Done> {
  const look = await openLook(context, options);
  const customer = await findPerson(look, who, (text) => context.notes.warn(text));
  return present(context, await personSheet(look, customer), options);
}
