import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { answerWhy, type WhyOptions } from '../../../session/lookup/why.js';

/** `cops why <id | who>`; for a customer, the newest failure. */
export async function run(context: Context, { words: [word = ''], options }: CommandInput<WhyOptions>): Promise<Done> {
  return answerWhy(context, word, options);
}
