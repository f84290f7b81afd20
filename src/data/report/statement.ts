import { usage } from '../../base/errors/errors.js';
import { say, type Text } from '../../base/text/command-line.js';
import { isCalendarUnit, UNITS } from '../../base/time/periods.js';
import { DIMENSIONS, LOCAL, NOT_SHOWN } from './dimensions.js';
import { groupedStatement } from './grouped-statement.js';
import { cutPeriod, type ReportPeriod } from './period.js';
import type { ReportColumn, ReportQuestion, ReportStatement } from './report-question.js';
import type { OwnReport, Report } from './types.js';

const TEXTS: Readonly<Record<string, string>> = {
  day: 'the day',
  week: 'the ISO 8601 week, which starts on Monday',
  month: 'the month',
  quarter: 'the quarter',
  year: 'the year',
  cohort: 'month of the first payment, UTC',
  currency: 'ISO 4217 code',
};
const keyColumn = (name: string): ReportColumn => ({
  name,
  unit: 'text',
  about: TEXTS[name] ?? DIMENSIONS[name]?.about ?? LOCAL[name]?.about ?? `the ${name.replaceAll('_', ' ')}`,
});

/**
 * The query that answers a question, complete and ready to run by hand.
 * @throws CopsError `usage` for groups that the report does not have.
 */
export function statementOf(report: Report, question: ReportQuestion): ReportStatement {
  checkGroups(report, question.by);
  if (report.kind === 'own') return ownStatement(report, question);
  return groupedStatement(report, question, keyColumn);
}

/** What decides which words a report can be grouped by. */
interface ToldByWords extends Pick<Report, 'name' | 'groups' | 'refused'> {
  readonly kind: string;
  readonly monthly?: boolean;
}

/** The words for `--by` that a report takes. */
export function groupKeys(report: ToldByWords): string[] {
  const times =
    report.kind === 'grouped' || report.kind === 'ahead' ? UNITS : report.monthly ? (['month'] as const) : [];
  return [...Object.keys(report.groups), ...times];
}

/** @throws CopsError `usage` for groups that the report does not have */
export function checkGroups(
  report: ToldByWords,
  by: readonly string[],
  nearest: (word: string) => Text | undefined = () => undefined,
): void {
  const allowed = groupKeys(report);
  const strange = by.find((word) => !allowed.includes(word) && word !== 'currency');
  if (strange !== undefined) {
    const reason = report.refused?.[strange] ?? NOT_SHOWN[strange];
    if (reason !== undefined)
      throw usage(`cops report ${report.name} cannot be grouped by ${strange}: ${reason}.`, nearest(strange));
    const can = allowed.length === 0 ? 'It has no groups.' : `It takes: ${allowed.join(', ')}.`;
    const line = nearest(strange);
    throw usage(`cops report ${report.name} cannot be grouped by ${strange}.`, line ? say`${can} ${line}` : can);
  }
  const several = by.filter(isCalendarUnit);
  if (several.length > 1) throw usage(`Give one of ${several.join(' and ')}.`);
}

export const withPeriod = (sql: string, { begins, ends }: ReportPeriod): string =>
  sql
    .replace(/:in\(([^()]*)\)/g, '($1 >= :begins AND $1 < :ends)')
    .replaceAll(':begins', String(begins))
    .replaceAll(':ends', String(ends));

function ownStatement(report: OwnReport, question: ReportQuestion): ReportStatement {
  const { period, zone, by, currency, overdueDays, withTrials = false, isPast = false, ages, where } = question;
  const buckets = report.monthly ? cutPeriod(period, 'month', zone) : [{ label: 'all', ...period }];
  const groups = by.filter((word) => word !== 'month' && word !== 'currency');
  const leads = report.leads ?? [keyColumn(report.monthly ? 'month' : 'cohort')];
  const keys = [...leads, ...[...groups, 'currency'].map(keyColumn)];
  return {
    sql: report.query({ buckets, groups, currency, zone, overdueDays, withTrials, isPast, ages, where }),
    columns: [...keys, ...report.columns],
    keys: keys.length,
  };
}
