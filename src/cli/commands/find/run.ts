import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { type FindCommandOptions, findAnything } from '../../../session/lookup/find-anything.js';

/** `cops find <anything>`. */
export async function run(
  context: Context,
  { words: [word = ''], options }: CommandInput<FindCommandOptions>,
): Promise<Done> {
  return findAnything(context, word, options);
}
