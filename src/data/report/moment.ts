import type { Database } from '../../base/database/types.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { type RangeOptions, rangeWords } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { rawName, sqlName } from '../mirror/layout.js';
import { familiesOf } from '../mirror/views.js';
import type { ReportPeriod } from './period.js';
import type { Report } from './types.js';

/** The range of a line, with `--as-of` as the moment for a report that shows one. */
export function atMoment<T extends RangeOptions & { readonly asOf?: string }>(
  report: Pick<Report, 'name'> & { readonly isOfMoment?: true },
  options: T,
): T {
  if (!report.isOfMoment) return options;
  const [given] = rangeWords(options);
  if (given !== undefined)
    throw usage(
      `cops report ${report.name} shows one moment: leave out ${given}.`,
      say`For a past day: ${cops`report ${report.name} --as-of 2026-10-31`}`,
    );
  return options.asOf === undefined ? options : { ...options, to: options.asOf };
}

/**
 * Refuses a past moment at which the mirror was not yet watching.
 * @throws CopsError `incomplete` if it first saw items later than that moment: with how many, and since when
 */
export function checkWatched(
  database: Database,
  report: string,
  views: readonly string[],
  { ends }: ReportPeriod,
): void {
  const moment = ends - 1;
  const late = familiesOf(views).flatMap((family) => {
    const found = seenLater(database, family, moment);
    return found ? [{ ...found, name: `${found.count} of ${family.replaceAll('_', '-')}` }] : [];
  });
  if (late.length === 0) return;
  const since = isoTime(Math.min(...late.map((one) => one.since)));
  throw new CopsError(
    'incomplete',
    `The state on ${isoTime(moment)} is unknown: ${late.map(({ name }) => name).join(', ')} existed but were first seen on ${since} or later.`,
    { hint: nearestMoment(database, report, views, moment) },
  );
}

/** How many items of a family existed at a moment but were seen later; undefined if all had been seen. */
function seenLater(
  database: Database,
  family: string,
  moment: number,
): { readonly count: number; readonly since: number } | undefined {
  const table = sqlName(rawName(family));
  const read = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
  if (read === undefined || moment >= Number(read[0])) return undefined;
  const seen = `SELECT id, created_date_unix AS created, _seen_at AS seen FROM ${table}
    UNION ALL SELECT id, json ->> '$.created_date_unix', seen_at FROM _history WHERE family = ?`;
  const late = database
    .prepare(
      `SELECT count(*), min(seen) FROM (SELECT id, min(created) AS created, min(seen) AS seen FROM (${seen}) GROUP BY id)
       WHERE created <= ? AND seen > ?`,
    )
    .get(family, moment, moment);
  const count = Number(late?.[0] ?? 0);
  return count === 0 ? undefined : { count, since: Number(late?.[1]) };
}

/** How many earlier looks may be tried for one that saw everything that existed then. */
const MOST_LOOKS = 12;

/** The lines that can be answered: now, and the last earlier look that had seen everything. */
function nearestMoment(database: Database, report: string, views: readonly string[], moment: number): Text {
  const families = familiesOf(views);
  const looks = new Set(
    families.flatMap((family) =>
      database
        .prepare(
          `SELECT DISTINCT _seen_at FROM ${sqlName(rawName(family))} WHERE _seen_at <= ? ORDER BY 1 DESC LIMIT ${MOST_LOOKS}`,
        )
        .all(moment)
        .map(([at]) => Number(at)),
    ),
  );
  const known = [...looks]
    .sort((one, other) => other - one)
    .slice(0, MOST_LOOKS)
    .find((look) => families.every((family) => seenLater(database, family, look) === undefined));
  const then =
    known === undefined
      ? ''
      : say`, and the last known moment before it: ${cops`report ${report} --as-of ${isoTime(known)}`}`;
  return say`Only days with a sync are known. What can be answered: ${cops`report ${report}`}${then}`;
}
