import { answerChanges, type ChangesOptions } from '../../../data/changes/answer-changes.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops changes [<item>] [family]`. */
export async function run(context: Context, { words, options }: CommandInput<ChangesOptions>): Promise<Done> {
  return answerChanges(context, words, options);
}
