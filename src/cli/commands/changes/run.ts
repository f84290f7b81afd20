import { answerChanges, type ChangesOptions } from '../../../data/changes/answer-changes.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops changes [<item>] [family]`. */
export const run = async (context: Context, { words, options }: CommandInput<ChangesOptions>): Promise<Done> =>
  answerChanges(context, words, options);
