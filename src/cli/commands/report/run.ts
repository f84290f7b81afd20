import { answerReport } from '../../../data/report/answer-report.js';
import type { ReportOptions } from '../../../data/report/report-options.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';

/** `cops report [name]`. */
export async function run(context: Context, { words: [name], options }: CommandInput<ReportOptions>): Promise<Done> {
  return answerReport(context, name, options);
}
