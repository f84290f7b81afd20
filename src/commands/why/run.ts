import type { Context } from '../../command/context.js';
import type { CommandInput, Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import { WHY_FAMILIES, whySheet } from '../../lookup/why.js';
import { looksLikeId } from '../../resolve/keys.js';
import { knownItem } from '../looking/known.js';
import { dayOf, openLook, present, zoneFor } from '../looking/look.js';

interface WhyOptions {
  readonly family?: string;
  readonly all?: boolean;
}

/** `cops why <id>`. */
export async function run(context: Context, { words: [id = ''], options }: CommandInput<WhyOptions>): Promise<Done> {
  if (!looksLikeId(id))
    throw usage(`cops why: "${id}" is not an id (20 characters).`, `Find it with: cops find ${JSON.stringify(id)}`);
  const look = await openLook(context, { all: options.all });
  const zone = await zoneFor(context);
  const known = await knownItem(context, look, id, options.family, WHY_FAMILIES);
  return present(context, await whySheet(look, known, (unix) => dayOf(unix, zone)), options);
}
