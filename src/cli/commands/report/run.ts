import { answerReport } from '../../../data/report/answer-report.js';
import type { ReportOptions } from '../../../data/report/report-options.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops report [name]`. */
export const run = async (context: Context, { words: [name], options }: CommandInput<ReportOptions>): Promise<Done> =>
  answerReport(context, name, options);
