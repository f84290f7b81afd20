import { answerOverview, type OverviewOptions } from '../../../data/overview/answer-overview.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops overview`. */
export const run = async (context: Context, { options }: CommandInput<OverviewOptions>): Promise<Done> =>
  answerOverview(context, options);
