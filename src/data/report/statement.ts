import { usage } from '../../base/errors/errors.js';
import { type CalendarUnit, UNITS } from '../../base/time/periods.js';
import type { Zone } from '../../base/time/zones.js';
import { cutPeriod, type ReportPeriod } from './period.js';
import { bucketsSql } from './subscription-reports.js';
import type { GroupedReport, OwnReport, Report, ReportMeasure } from './types.js';

/** What a report is asked for. */
export interface ReportQuestion {
  readonly period: ReportPeriod;
  readonly zone: Zone;
  /** Words of `--by`, in their order. */
  readonly by: readonly string[];
  readonly currency: string | undefined;
  readonly overdueDays: number;
  /** Subscriptions count while their trial is not paid as well. */
  readonly withTrials?: boolean | undefined;
  /** `--as-of` was given. */
  readonly isPast?: boolean | undefined;
  /** What alone is shown of one group, which is then among the words of `by`. */
  readonly only?: Only | undefined;
}

/** One value of a group. */
export interface Only {
  readonly group: string;
  readonly value: string;
}

/** One column of the answer. */
export type ReportColumn = Omit<ReportMeasure, 'sql'>;

export interface ReportStatement {
  readonly sql: string;
  /** In the order of the rows' cells. */
  readonly columns: readonly ReportColumn[];
  /** How many of the columns say what a row is about; the rest are its figures. */
  readonly keys: number;
}

const TEXTS: Readonly<Record<string, string>> = {
  day: 'the day',
  week: 'the week from Monday on, ISO 8601',
  month: 'the month',
  quarter: 'the quarter',
  year: 'the year',
  cohort: 'month of the first payment, UTC',
  currency: 'ISO 4217 code',
};
const keyColumn = (name: string): ReportColumn => ({
  name,
  unit: 'text',
  about: TEXTS[name] ?? `the ${name.replaceAll('_', ' ')}`,
});

/**
 * The query that answers a question; whole and ready to be run by hand.
 * @throws CopsError `usage` for groups that the report does not have.
 */
export function statementOf(report: Report, question: ReportQuestion): ReportStatement {
  checkGroups(report, question.by);
  return report.kind === 'grouped' ? groupedStatement(report, question) : ownStatement(report, question);
}

/** The words of `--by` that a report takes. */
export function groupKeys(report: Report): string[] {
  const times = report.kind === 'grouped' ? UNITS : report.monthly ? (['month'] as const) : [];
  return [...Object.keys(report.groups), ...times];
}

function checkGroups(report: Report, by: readonly string[]): void {
  const allowed = groupKeys(report);
  const strange = by.find((word) => !allowed.includes(word) && !(report.kind === 'grouped' && word === 'currency'));
  if (strange !== undefined) {
    const can = allowed.length === 0 ? 'It has no groups.' : `It takes: ${allowed.join(', ')}.`;
    throw usage(`cops report ${report.name} cannot be told by ${strange}.`, can);
  }
  const several = by.filter((word) => (UNITS as readonly string[]).includes(word));
  if (several.length > 1) throw usage(`Give one of ${several.join(' and ')}.`);
}

export const withPeriod = (sql: string, { begins, ends }: ReportPeriod): string =>
  sql.replace(/:in\(([^()]*)\)/g, (_, column: string) => `(${column} >= ${begins} AND ${column} < ${ends})`);

function groupedStatement(report: GroupedReport, { period, zone, by, currency }: ReportQuestion): ReportStatement {
  // A row a currency is what there is without groups.
  const groups = by.length === 0 ? [...(report.always ?? [])] : [...new Set(by)].filter((word) => word !== 'currency');
  const time = groups.find((word): word is CalendarUnit => (UNITS as readonly string[]).includes(word));
  const keys = [...groups, 'currency'];
  const expressions = keys.map((key) =>
    key === time ? 'b.label' : key === 'currency' ? 'v.currency' : report.groups[key],
  );
  const figures = report.measures.map(
    ({ name, unit, sql }) => `${sql} AS ${unit === 'money' ? `${name}_minor` : name}`,
  );
  const lines = [
    time ? `WITH ${bucketsSql(cutPeriod(period, time, zone))}` : '',
    'SELECT',
    [...keys.map((key, i) => `  ${expressions[i]} AS ${key}`), ...figures.map((text) => `  ${text}`)].join(',\n'),
    `FROM ${report.view} AS v`,
    // In this order: the other way round the view would be computed for each piece of time.
    time ? `CROSS JOIN buckets AS b ON v.${report.at} >= b.begins AND v.${report.at} < b.ends` : '',
    `WHERE v.${report.at} >= ${period.begins} AND v.${report.at} < ${period.ends}${currency === undefined ? '' : ` AND v.currency = '${currency}'`}`,
    `GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`,
    `ORDER BY ${orderOf(report, keys, expressions as string[], time)}`,
  ];
  return {
    sql: lines.filter((line) => line !== '').join('\n'),
    columns: [...keys.map(keyColumn), ...report.measures.map(({ name, unit, about }) => ({ name, unit, about }))],
    keys: keys.length,
  };
}

/**
 * Time runs on; whatever else rows are told by comes in each currency by its sum, the largest first. Words in front of
 * the time keep their rows together: `--by product,month` is the months of one product after those of another.
 */
function orderOf(
  report: GroupedReport,
  keys: readonly string[],
  expressions: readonly string[],
  time?: CalendarUnit,
): string {
  const { sql = '', name = '' } = report.measures.find((one) => one.name === (report.ordered ?? report.drawn)) ?? {};
  const at = (key: string): string => String(keys.indexOf(key) + 1);
  const figure = report.measures.some((one) => one.name === name && one.unit === 'money') ? `${name}_minor` : name;
  const groups = keys.filter((key) => key !== 'currency');
  const split = time === undefined ? 0 : groups.indexOf(time);
  const [outer, inner] = [groups.slice(0, split), groups.slice(split).filter((key) => key !== time)];
  const parts = ['currency', ...outer].map((key) => expressions[keys.indexOf(key)]).join(', ');
  return [
    ...(outer.length === 0 ? [] : [at('currency'), `sum(${sql}) OVER (PARTITION BY ${parts}) DESC`, ...outer.map(at)]),
    ...(time === undefined ? [] : [at(time)]),
    ...(outer.length === 0 ? [at('currency')] : []),
    ...(inner.length === 0 ? [] : [`${figure} DESC`, ...inner.map(at)]),
  ].join(', ');
}

function ownStatement(report: OwnReport, question: ReportQuestion): ReportStatement {
  const { period, zone, by, currency, overdueDays, withTrials = false, isPast = false } = question;
  const buckets = report.monthly ? cutPeriod(period, 'month', zone) : [{ label: 'all', ...period }];
  const groups = by.filter((word) => word !== 'month');
  const leads = report.leads ?? [keyColumn(report.monthly ? 'month' : 'cohort')];
  const keys = [...leads, ...[...groups, 'currency'].map(keyColumn)];
  return {
    sql: report.query({ buckets, groups, currency, overdueDays, withTrials, isPast }),
    columns: [...keys, ...report.columns],
    keys: keys.length,
  };
}
