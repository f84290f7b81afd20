import type { Database } from '../../base/database/types.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { type RangeOptions, rangeWords } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { rawName, sqlName } from '../mirror/layout.js';
import { familiesOf } from '../mirror/views.js';
import type { ReportPeriod } from './period.js';
import type { Report } from './types.js';

/** The range of a line, with the moment of `--as-of` for a report that shows one moment. */
export function atMoment<T extends RangeOptions & { readonly asOf?: string }>(
  report: Pick<Report, 'name'> & { readonly isOfMoment?: true },
  options: T,
): T {
  if (!report.isOfMoment) return options;
  const [given] = rangeWords(options);
  if (given !== undefined)
    throw usage(
      `cops report ${report.name} is of one moment: leave out ${given}.`,
      say`A day of the past: ${cops`report ${report.name} --as-of 2026-10-31`}`,
    );
  return options.asOf === undefined ? options : { ...options, to: options.asOf };
}

/**
 * Refuses a past moment at which the mirror was not yet watching.
 * @throws CopsError `incomplete` if it first saw items later than that moment: with how many, and since when
 */
export function checkWatched(database: Database, views: readonly string[], { ends }: ReportPeriod): void {
  const moment = ends - 1;
  for (const family of familiesOf(views)) {
    const table = sqlName(rawName(family));
    const read = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
    if (read === undefined || moment >= Number(read[0])) continue;
    const seen = `SELECT id, created_date_unix AS created, _seen_at AS seen FROM ${table}
      UNION ALL SELECT id, json ->> '$.created_date_unix', seen_at FROM _history WHERE family = ?`;
    const late = database
      .prepare(
        `SELECT count(*), min(seen) FROM (SELECT id, min(created) AS created, min(seen) AS seen FROM (${seen}) GROUP BY id)
         WHERE created <= ? AND seen > ?`,
      )
      .get(family, moment, moment);
    if (Number(late?.[0] ?? 0) === 0) continue;
    throw new CopsError(
      'incomplete',
      `What was on ${isoTime(moment)} is not known: ${String(late?.[0])} of ${family} were there, and seen first on ${isoTime(Number(late?.[1]))} or later.`,
      { hint: 'The service shows what is now; only a mirror that was synced by then knows a past day.' },
    );
  }
}
