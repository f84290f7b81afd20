import { isCalendarUnit } from '../../base/time/periods.js';
import { DAYS } from '../mirror/kept-facts.js';
import { DIMENSIONS, LOCAL } from './dimensions.js';
import { type FactAsked, factSource, factsWhere } from './fact-source.js';
import { isAdditive } from './measures.js';
import { cutPeriod } from './period.js';
import type { ReportColumn, ReportQuestion, ReportStatement } from './report-question.js';
import { bucketsSql } from './subscription-months.js';
import type { GroupedReport, ReportMeasure } from './types.js';

/** The name of the row for all other values. */
export const OTHERS = '(others)';

/** One column that identifies a row. */
interface Key {
  readonly name: string;
  readonly sql: string;
  /** False for a column that only accompanies a value and makes no rows. */
  readonly isGroup: boolean;
}

/** The groups in the question, or else the report's own. */
export function groupsTold({ always = [] }: GroupedReport, by: readonly string[]): readonly string[] {
  return by.length === 0 ? always : [...new Set(by)].filter((word) => word !== 'currency');
}

/** The group whose values `--top` ranks: the first that is not a time. */
export const rankedGroup = (groups: readonly string[]): string | undefined =>
  groups.find((word) => !isCalendarUnit(word));

/** The query for a report that groups the rows of a fact. */
export function groupedStatement(
  report: GroupedReport,
  question: ReportQuestion,
  keyColumn: (name: string) => ReportColumn,
): ReportStatement {
  const { period, zone, by, currency, where, top, hasDays } = question;
  const groups = groupsTold(report, by);
  const measures = [
    ...measuresOf(report, groups, question),
    ...(question.share ? [shareOf(report, question.sort)] : []),
  ];
  const time = groups.find(isCalendarUnit);
  const ranked = top === undefined ? undefined : rankedGroup(groups);
  const keys = keysOf(report, groups, ranked);
  const buckets = time ? cutPeriod(period, time, zone) : [{ label: '', ...period }];
  const asked: FactAsked = {
    period,
    cuts: hasDays ? buckets.flatMap(({ begins, ends }) => [begins, ends]) : undefined,
    currency,
    where,
    groups,
    texts: [...[...keys, ...measures].map(({ sql }) => sql), rankingMeasure(report, question.sort).sql],
  };
  const source = factSource(report, asked);
  if (hasDays && !source.includes(DAYS)) return groupedStatement(report, { ...question, hasDays: false }, keyColumn);
  const figures = measures.map(({ name, unit, sql }) => `${sql} AS ${unit === 'money' ? `${name}_minor` : name}`);
  const tables = [
    ...(time ? [bucketsSql(buckets)] : []),
    ...(ranked ? [bestSql(report, asked, ranked, question)] : []),
  ];
  const lines = [
    tables.length > 0 ? `WITH ${tables.join(',\n')}` : '',
    'SELECT',
    [...keys.map(({ name, sql }) => `  ${sql} AS ${quoted(name)}`), ...figures.map((text) => `  ${text}`)].join(',\n'),
    `FROM ${source}`,
    // In this order, because otherwise the view would be computed for each piece of time.
    time ? `CROSS JOIN buckets AS b ON v.${report.at} >= b.begins AND v.${report.at} < b.ends` : '',
    ranked ? `LEFT JOIN best AS t ON t.currency IS v.currency AND t.value IS ${report.groups[ranked]}` : '',
    `WHERE ${factsWhere(report, asked)}`,
    `GROUP BY ${keys.flatMap(({ isGroup }, i) => (isGroup ? [i + 1] : [])).join(', ')}`,
    `ORDER BY ${orderOf(report, keys, groups, { time: time ?? groups.find((word) => Object.hasOwn(LOCAL, word)), ranked, sort: question.sort })}`,
  ];
  return {
    sql: lines.filter((line) => line !== '').join('\n'),
    columns: [
      ...keys.map(({ name }) => keyColumn(name)),
      ...measures.map(({ name, unit, about }) => ({ name, unit, about })),
    ],
    keys: keys.length,
  };
}

/** Counts payments. A plain sum counts each once, unless a dimension splits payments; by product, the daily sums have their own count. */
function measuresOf({ measures }: GroupedReport, groups: readonly string[], { where, hasDays, top }: ReportQuestion) {
  if (where !== undefined || groups.some((word) => DIMENSIONS[word]?.splits)) return measures;
  const isByProduct = groups.includes('product');
  // A payment for several of the other products counts once in their row.
  if (isByProduct && (!hasDays || top !== undefined)) return measures;
  const counted = isByProduct ? 'sum(v.payments_of_product)' : 'sum(v.payments)';
  return measures.map((one) => ({ ...one, sql: one.sql.replaceAll('count(DISTINCT v.payment_id)', counted) }));
}

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`);

function keysOf(report: GroupedReport, groups: readonly string[], ranked: string | undefined): Key[] {
  const keys = groups.flatMap((name): Key[] => {
    if (isCalendarUnit(name)) return [{ name, sql: 'b.label', isGroup: true }];
    // After the join with `best`, a value without a rank is one of the others.
    const own = (sql: string, otherwise: string): string =>
      name === ranked ? `CASE WHEN t.rank IS NULL THEN ${otherwise} ELSE ${sql} END` : sql;
    const value = own(report.groups[name] as string, `'${OTHERS}'`);
    const { beside, called } = DIMENSIONS[name] ?? {};
    if (beside === undefined) return [{ name, sql: value, isGroup: true }];
    const more = `v.${beside.column}`;
    const names = called ? [{ name: called.column, sql: own(called.sql, 'NULL'), isGroup: false }] : [];
    return [
      { name, sql: value, isGroup: true },
      beside.apart
        ? { name: beside.column, sql: own(more, 'NULL'), isGroup: true }
        : { name: beside.column, sql: own(`max(${more})`, 'NULL'), isGroup: false },
      ...names,
    ];
  });
  return [...keys, { name: 'currency', sql: 'v.currency', isGroup: true }];
}

/** The values with the largest sums in each currency, as a table `best`. */
function bestSql(
  report: GroupedReport,
  asked: FactAsked,
  ranked: string,
  { top, sort }: Pick<ReportQuestion, 'top' | 'sort'>,
): string {
  const value = report.groups[ranked] as string;
  const { sql } = rankingMeasure(report, sort);
  const source = factSource(report, { ...asked, groups: [ranked], texts: [value, sql] });
  return [
    'best AS MATERIALIZED (',
    'SELECT * FROM (',
    `SELECT v.currency AS currency, ${value} AS value, row_number() OVER (PARTITION BY v.currency ORDER BY ${sql} DESC, ${value}) AS rank`,
    `FROM ${source}`,
    `WHERE ${factsWhere(report, asked)}`,
    'GROUP BY 1, 2',
    `) WHERE rank <= ${top}`,
    ')',
  ].join('\n');
}

/** Weeks begin on Monday. */
const weekdayPlace = (keys: readonly Key[]): string =>
  `instr('Monday Tuesday Wednesday Thursday Friday Saturday Sunday', ${keys.find(({ name }) => name === 'weekday')?.sql})`;

/** The name of the measure that orders the rows, largest first. */
export const rankingFigure = (report: GroupedReport, sort?: string): string => sort ?? report.ordered ?? report.drawn;

/** A row's part in the sum that orders the rows, of all rows in its currency. */
function shareOf(report: GroupedReport, sort?: string): ReportMeasure {
  const ranking = [sort, report.ordered, report.drawn].map((name) => report.measures.find((one) => one.name === name));
  const { name, sql } = ranking.find((measure) => measure && isAdditive(measure)) as ReportMeasure;
  return {
    name: `${name}_share`,
    unit: 'percent',
    sql: `round(100.0 * ${sql} / nullif(sum(${sql}) OVER (PARTITION BY v.currency), 0), 2)`,
    about: `${name} / the ${name} of all rows in that currency, percent`,
  };
}

function rankingMeasure(report: GroupedReport, sort?: string): { readonly sql: string; readonly column: string } {
  const found = report.measures.find(({ name }) => name === rankingFigure(report, sort));
  const { name = '', sql = '', unit } = found ?? {};
  return { sql, column: unit === 'money' ? `${name}_minor` : name };
}

/**
 * Time ascends. Within each currency other rows come by their sum, largest first, with the others last. Words before
 * the time keep their rows together: `--by product,month` lists the months product by product.
 */
function orderOf(
  report: GroupedReport,
  keys: readonly Key[],
  groups: readonly string[],
  {
    time,
    ranked,
    sort,
  }: {
    readonly time: string | undefined;
    readonly ranked: string | undefined;
    readonly sort: string | undefined;
  },
): string {
  const { sql, column } = rankingMeasure(report, sort);
  const at = (key: string): string => String(keys.findIndex(({ name }) => name === key) + 1);
  const split = time === undefined ? 0 : groups.indexOf(time);
  const [outer, inner] = [groups.slice(0, split), groups.slice(split).filter((key) => key !== time)];
  const parts = ['currency', ...outer].map((key) => keys.find(({ name }) => name === key)?.sql).join(', ');
  const last = (among: readonly string[]): string[] =>
    ranked !== undefined && among.includes(ranked) ? ['t.rank IS NULL'] : [];
  return [
    ...(outer.length === 0
      ? []
      : [at('currency'), ...last(outer), `sum(${sql}) OVER (PARTITION BY ${parts}) DESC`, ...outer.map(at)]),
    ...(time === undefined ? [] : [time === 'weekday' ? weekdayPlace(keys) : at(time)]),
    ...(outer.length === 0 ? [at('currency')] : []),
    ...(inner.length === 0 ? [] : [...last(inner), `${column} DESC`, ...inner.map(at)]),
  ].join(', ');
}
