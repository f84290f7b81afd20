import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { someOf } from '../../items/text/numbered.js';
import type { AgreedRows } from '../mirror/agreed-rows.js';
import type { Figures } from './figures.js';
import type { ReportSource } from './report-document.js';

const MOST_NAMED = 5;

function movedTexts(reading: AgreedRows | undefined): string[] {
  if (reading === undefined || reading.moved.length === 0) return [];
  return [`rows still change after ${reading.passes} passes: ${someOf(reading.moved, MOST_NAMED)}`];
}

/** The defects of the figures, as the error that the report ends with. */
export function unproven(figures: Figures, ground: ReportSource): CopsError | undefined {
  const { differences, inexact } = figures;
  const faults = [
    ...differences.map(
      ({ says, figure, expected, currency, difference }) =>
        `${says}: ${figure} is not ${expected} ${currency}, the difference is ${difference}`,
    ),
    ...(inexact > 0
      ? [
          `${inexact} ${inexact === 1 ? 'row has' : 'rows have'} an amount that is missing, finer than its minor unit, or without a currency or time: the sums lack it`,
        ]
      : []),
    ...ground.incomplete,
    ...movedTexts(ground.reading),
  ];
  if (faults.length === 0) return undefined;
  const moves = (ground.reading?.moved.length ?? 0) > 0;
  return new CopsError('incomplete', `The figures are not proven: ${faults.join('; ')}.`, {
    // A sync does not change amounts that the service itself shows like this.
    hint:
      differences.length + ground.incomplete.length > 0
        ? say`Bring the mirror up to date (${cops`sync`}, or ${cops`sync --full`}), then run it again.`
        : moves
          ? 'Run it again when the account is quiet, or read the mirror as it is: --mirror.'
          : say`A gateway may charge fractions of a cent, such as a fee of 0.0125: rounded one by one, they would not add up to what it takes. To see the rows: ${cops`sql "select * from _inexact"`}. Book their sum from the gateway's statement, or set such fees in whole cents.`,
    more: { differences, inexact, incomplete: ground.incomplete, moved: ground.reading?.moved },
  });
}

/** A close with differences is shown, but the command fails. */
export function unlikePayments({ rows }: Figures): CopsError | undefined {
  const found = rows.filter(({ section }) => section === 'difference');
  if (found.length === 0) return undefined;
  const ids = found.map(({ id }) => String(id));
  return new CopsError(
    'incomplete',
    `What items say was paid and what payments say was taken differ: ${someOf(ids, MOST_NAMED)}.`,
    {
      hint: 'Bring the mirror up to date (cops sync), then run it again; remaining differences are at the service.',
      more: { differing: ids },
    },
  );
}
