import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { answerWhy, type WhyOptions } from '../../../session/lookup/why.js';

/** `cops why <id | who>`; for a customer, the newest failure. */
export const run = async (context: Context, { words: [word = ''], options }: CommandInput<WhyOptions>): Promise<Done> =>
  answerWhy(context, word, options);
