import { answerOverview, type OverviewOptions } from '../../../data/overview/answer-overview.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops overview`. */
export async function run(context: Context, { options }: CommandInput<OverviewOptions>): Promise<Done> {
  return answerOverview(context, options);
}
