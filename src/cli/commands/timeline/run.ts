import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { answerTimeline, type TimelineOptions } from '../../../session/lookup/answer-timeline.js';

/** `cops timeline <id | who>`. */
export const run = async (
  context: Context,
  { words: [word = ''], options }: CommandInput<TimelineOptions>,
): Promise<Done> => answerTimeline(context, word, options);
