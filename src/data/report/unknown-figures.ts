import type { Database } from '../../base/database/types.js';
import { isoDay } from '../../base/time/units.js';
import type { Figures } from './figures.js';
import type { ReportQuestion } from './report-question.js';

/** Notes on subscription figures that are empty, or based on less than what syncs saw; none if all are known. */
export function unknownNotes(
  database: Database,
  { rows, statement }: Figures,
  { withTrials }: Pick<ReportQuestion, 'withTrials'>,
): string[] {
  const sumOf = (...names: string[]): number =>
    rows.reduce((sum, row) => sum + names.reduce((own, name) => own + Number(row[name] ?? 0), 0), 0);
  const notes: string[] = [];
  const isRebuilt = rows.some(({ method }) => method === 'rebuilt');
  const assumed = isRebuilt ? sumOf('assumed') : 0;
  if (assumed > 0) notes.push(`${assumed} periods of rebuilt months are based on today's amount or schedule`);
  if (isRebuilt && withTrials)
    notes.push('--with-trials is only for observed months: rebuilt ones count payments, from the day they are for');
  if (rows.some(({ product }) => product === null))
    notes.push(
      'rows without a product hold what belongs to no product line: tax and shipping of sales, their refunds, and chargebacks of sales' +
        (rows.some(({ product, fees }) => product === null && Number(fees ?? 0) < 0)
          ? '; a negative fee there is what refunds have lowered the fee of a sale by, whose lines show their fees as before'
          : ''),
    );
  const observed = rows.find(({ method }) => method === 'observed')?.month;
  if (observed !== undefined && isRebuilt)
    notes.push(`months before ${observed} are rebuilt from payments, those from ${observed} on are observed by syncs`);
  if (sumOf('unknown_at_start', 'unknown_at_end') > 0) {
    const since = followedSince(database);
    const rest = statement.columns.some(({ name }) => name === 'gone_customers')
      ? '; ended and gone_customers need no history'
      : '';
    notes.push(
      `the mirror has followed subscriptions since ${since === undefined ? 'its first sync' : isoDay(since)}: ` +
        `earlier states are unknown, and figures that need them are empty${rest}`,
    );
  }
  const amounts = sumOf('unknown_amounts');
  if (amounts > 0) notes.push('the monthly revenue of some subscriptions is unknown: figures are empty');
  return notes;
}

/** When the mirror first saw a subscription, unix seconds. */
function followedSince(database: Database): number | undefined {
  const sql =
    "SELECT min(at) FROM (SELECT min(_seen_at) AS at FROM raw_subscriptions UNION ALL SELECT min(seen_at) FROM _history WHERE family = 'subscriptions')";
  const [at] = database.query(sql).get() ?? [];
  return typeof at === 'number' ? at : undefined;
}
