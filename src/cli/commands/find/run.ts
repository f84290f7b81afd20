import { CopsError } from '../../../base/errors/errors.js';
import { type LookedOptions, openKeptAsker } from '../../../data/mirror/mirror-asker.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { type FindCommandOptions, findAnything } from '../../../session/lookup/find-anything.js';

/** `cops find <anything>`. */
export async function run(
  context: Context,
  { words: [word = ''], options }: CommandInput<FindCommandOptions & LookedOptions>,
): Promise<Done> {
  const kept = await openKeptAsker(context, options);
  try {
    const done = await findAnything(context, word, options, kept);
    return {
      ...done,
      finish: async () => {
        const fault = await done.finish?.();
        if (kept === undefined || kept.unknown.size === 0) return fault;
        const names = [...kept.unknown].map((name) => name.replaceAll('_', ' '));
        return new CopsError('incomplete', `Not searched, because the mirror does not hold them: ${names.join(', ')}.`);
      },
    };
  } finally {
    await kept?.close();
  }
}
