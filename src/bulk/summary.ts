import type { RunSummary } from './engine.js';

/**
 * The exit code of a run (command-line.md#exit-codes): 9 before 10 before 130. A run of which nothing was done, and
 * all for one reason, has that reason's code.
 */
export function exitCodeOf(summary: RunSummary, interruptedCode = 130): number {
  const { counts, stopped, codes } = summary;
  if (counts.unknown > 0 || counts.open > 0) return 9;
  if (stopped === 'journal') return 11;
  const done = counts.done + counts.resolved_done;
  const failed =
    counts.refused + counts.payment_failed + counts.fraud_detected + counts.rate_limited + counts.resolved_not_done;
  const [only] = codes;
  if (done === 0 && codes.length === 1 && only !== undefined && stopped !== 'interrupted') return only;
  if (failed > 0 || codes.length > 0) return 10;
  const left = counts.not_started + counts.not_sent;
  // A signal that came when the last rows were under way kept nothing from being done: 130 would ask for it again.
  if (left === 0) return 0;
  return stopped === 'interrupted' ? interruptedCode : 10;
}
