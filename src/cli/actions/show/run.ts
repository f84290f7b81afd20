import { CopsError } from '../../../base/errors/errors.js';
import { cops, joinedTexts, say } from '../../../base/text/command-line.js';
import { type LookedOptions, openKeptAsker } from '../../../data/mirror/mirror-asker.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { type LookingOptions, openLook, present } from '../../../session/lookup/look.js';
import { findPerson, personSheet } from '../../../session/lookup/person.js';
import { furtherIn } from '../../../session/names/line-names.js';

/** `cops customers show <who>`: the whole customer, in at most twelve requests. */
export async function run(
  context: Context,
  { words: [who = ''], options }: CommandInput<LookingOptions & Pick<LookedOptions, 'maxAge'>>,
): Promise<Done> {
  const asker = await openKeptAsker(context, options);
  try {
    return await show(context, who, { ...options, asker });
  } finally {
    await asker?.close();
  }
}

async function show(context: Context, who: string, options: LookingOptions): Promise<Done> {
  const look = await openLook(context, options);
  const customer = await findPerson(
    look,
    who,
    (text) => context.notes.warn(text),
    furtherIn(context, look.asker),
  ).catch(async (error: unknown) => {
    throw await withOtherMode(context, error, who);
  });
  return present(context, await personSheet(look, customer), options);
}

/**
 * The error for a customer who is not found, with the line for the other mode: each mode has its own customers, and
 * only this line's key is used.
 */
async function withOtherMode(context: Context, error: unknown, who: string): Promise<unknown> {
  // Several people of that name are no reason to search elsewhere.
  const isNobody = error instanceof CopsError && (error.kind === 'not_found' || error.facts.isUnknown === true);
  if (!isNobody) return error;
  const { mode } = await context.profile();
  const [here, there] = mode.value === 'live' ? (['live', 'test'] as const) : (['test', 'live'] as const);
  const line = cops`customers show ${who}`.in(context.options.profile, there);
  const hint = say`Only ${here} mode was searched; for ${there} mode: ${line}`;
  return new CopsError(error.kind, error.message, {
    ...error.facts,
    hint: joinedTexts([hint, error.facts.hint], '\n'),
  });
}
