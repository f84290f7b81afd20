import type { RunLimits } from '../account/journal/journal-lines.js';
import { CopsError, type ErrorKind } from '../base/errors/errors.js';
import { cops, joinedTexts, say } from '../base/text/command-line.js';
import type { RunSummary } from './engine.js';
import { limitWords } from './report-rows.js';

const KIND_OF_CODE: Readonly<Record<number, ErrorKind>> = {
  9: 'outcome_unknown',
  10: 'incomplete',
  130: 'interrupted',
  143: 'interrupted',
};

const STOPPED = {
  interrupted: 'interrupted',
  failures: 'stopped after too many failures (rows in flight were finished)',
  fraud: 'stopped because fraud was detected',
  unreachable: 'stopped because the service cannot be reached',
  key_refused: 'stopped because the key was refused',
  repeat: 'stopped because the same write is open elsewhere',
  policy: 'stopped by the policy of this machine',
  journal: 'stopped because it cannot be recorded',
} as const;

export const GONE = 'The service does not know the ids of the refused rows: correct them and run those rows again.';

/**
 * The error that a run ends with, and the commands that continue from there; undefined when every row is done.
 * @param interruptedCode 130 or 143, by the signal that came
 * @param limits those of the run: going on has the same
 */
export function errorOf(
  summary: RunSummary,
  interruptedCode: number,
  journal: string,
  limits: RunLimits = {},
): CopsError | undefined {
  const exitCode = exitCodeOf(summary, interruptedCode);
  if (exitCode === 0) return undefined;
  const { counts, gone, stopped, error, leftOut } = summary;
  const numbers = [
    `${counts.done + counts.resolved_done} done`,
    ...Object.entries({
      refused: counts.refused,
      'payment failed': counts.payment_failed,
      'held by the gateway': counts.held,
      fraud: counts.fraud_detected,
      unknown: counts.unknown + counts.open,
      'not sent': counts.not_sent + counts.rate_limited,
      'not started': counts.not_started,
      skipped: counts.skipped,
    }).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])),
  ].join(', ');
  const isHeld = stopped === 'repeat' || stopped === 'policy' || stopped === 'journal';
  const unknown = counts.unknown + counts.open > 0;
  const failed = counts.refused + counts.payment_failed + counts.resolved_not_done;
  const left = counts.not_started + counts.not_sent + counts.rate_limited + counts.open > 0;
  const hints = [
    ...(unknown ? [say`To look up the unknown rows: ${cops`bulk reconcile ${journal}`}`] : []),
    ...(isHeld && error?.facts.hint ? [error.facts.hint] : []),
    ...(leftOut > 0
      ? [
          say`Left out, because the history shows the same write as done since the run began: ${leftOut}; to send them anyway: ${cops`bulk resume ${journal} --again`}`,
        ]
      : []),
    ...(left
      ? [say`${isHeld ? 'Then continue' : 'Continue'} with: ${cops`bulk resume ${journal} ${limitWords(limits)}`}`]
      : []),
    ...(failed > gone
      ? [
          say`${counts.refused > gone ? 'A refused row is refused again until it or its item has changed, such as one that is cancelled already. ' : ''}To send the failed rows again, as new intentions: ${cops`bulk retry-failed ${journal} ${limitWords(limits)}`}`,
        ]
      : []),
    ...(counts.held > 0
      ? [
          say`What the gateway holds may still settle and is not sent again. Once you know that it will not: ${cops`bulk retry-failed ${journal} --again ${limitWords(limits)}`}`,
        ]
      : []),
    ...(failed > 0 && failed === gone ? [GONE] : []),
    say`All rows: ${cops`bulk report ${journal}`}`,
  ];
  const kind = KIND_OF_CODE[exitCode] ?? error?.kind ?? 'incomplete';
  // "Nothing was done" applies to the one row, not to the run.
  const own = error?.facts.failure ?? error?.message;
  const cause = own && exitCode !== 130 && exitCode !== 143 ? `: ${own}` : '';
  return new CopsError(kind, `${stopped ? `${STOPPED[stopped]}; ` : ''}${numbers}${cause}`, {
    exitCode,
    moreIsSaid: true,
    hint: joinedTexts(hints, '\n'),
    more: { journal, ...counts },
  });
}

/**
 * The exit code of a run (command-line.md#exit-codes): 9 before 10 before 130. A run that did nothing, always for the
 * same reason, has that reason's code.
 */
export function exitCodeOf(summary: RunSummary, interruptedCode = 130): number {
  const { counts, stopped, codes } = summary;
  if (counts.unknown > 0 || counts.open > 0) return 9;
  // Entries that a team's ledger lacks are stored here and delivered later: the run continues from there.
  if (stopped === 'journal') return summary.error?.kind === 'incomplete' ? 10 : 11;
  const done = counts.done + counts.resolved_done;
  const failed =
    counts.refused +
    counts.payment_failed +
    counts.held +
    counts.fraud_detected +
    counts.rate_limited +
    counts.resolved_not_done;
  const [only] = codes;
  if (done === 0 && codes.length === 1 && only !== undefined && stopped !== 'interrupted') return only;
  if (failed > 0 || counts.skipped > 0 || codes.length > 0) return 10;
  const left = counts.not_started + counts.not_sent;
  // A signal during the last rows prevented nothing: 130 would suggest running it again.
  if (left === 0) return 0;
  return stopped === 'interrupted' ? interruptedCode : 10;
}
