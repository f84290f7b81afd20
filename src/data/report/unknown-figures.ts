import type { Database } from '../../base/database/types.js';
import { isoDay } from '../../base/time/units.js';
import { DEFAULTS } from '../../session/context/spec.js';
import type { Figures } from './figures.js';
import type { ReportQuestion } from './report-question.js';

/** Notes on why subscription figures are empty or rows have no product; none if all are known. */
export function unknownNotes(
  database: Database,
  { rows, statement }: Figures,
  { overdueDays, withTrials }: Pick<ReportQuestion, 'overdueDays' | 'withTrials'>,
): string[] {
  const sumOf = (...names: string[]): number =>
    rows.reduce((sum, row) => sum + names.reduce((own, name) => own + Number(row[name] ?? 0), 0), 0);
  const notes: string[] = [];
  if (rows.some(({ product }) => product === null))
    notes.push(
      'rows without a product hold what belongs to no product line: tax and shipping of sales, what of them was refunded, and chargebacks of sales',
    );
  if (rows.some(({ method }) => method === 'rebuilt')) {
    const assumed = sumOf('assumed');
    notes.push(
      'rebuilt months go by what was paid: a subscription ends on the last day paid, for the service shows no day of cancellation' +
        (assumed > 0 ? `; ${assumed} periods rest on the amount or the schedule of today` : ''),
    );
    const idle = [
      ...(withTrials ? ['--with-trials'] : []),
      ...(overdueDays === DEFAULTS.overdueDays ? [] : ['--overdue-days']),
    ];
    if (idle.length > 0)
      notes.push(
        `${idle.join(' and ')} ${idle.length === 1 ? 'is' : 'are'} of observed months alone: rebuilt ones count what was paid, from the day it was paid for`,
      );
  }
  const observed = rows.find(({ method }) => method === 'observed')?.month;
  if (observed !== undefined && rows.some(({ method }) => method === 'rebuilt'))
    notes.push(
      `months before ${observed} are rebuilt, from ${observed} on they are observed: at that seam customers may differ by the method alone, and nobody of them has churned by it`,
    );
  if (sumOf('unknown_at_start', 'unknown_at_end') > 0) {
    const since = followedSince(database);
    const rest = statement.columns.some(({ name }) => name === 'gone_customers')
      ? '; ended and gone_customers need no history'
      : '';
    notes.push(
      `the mirror follows subscriptions since ${since === undefined ? 'its first sync' : isoDay(since)}: ` +
        `what was changed before is not known as it was, and figures that need it are empty${rest}`,
    );
  }
  const amounts = sumOf('unknown_amounts');
  if (amounts > 0) notes.push('of some subscriptions it is not known what they bring in a month: figures are empty');
  return notes;
}

/** When the mirror first saw a subscription, unix seconds. */
function followedSince(database: Database): number | undefined {
  const sql =
    "SELECT min(at) FROM (SELECT min(_seen_at) AS at FROM raw_subscriptions UNION ALL SELECT min(seen_at) FROM _history WHERE family = 'subscriptions')";
  const [at] = database.query(sql).get() ?? [];
  return typeof at === 'number' ? at : undefined;
}
