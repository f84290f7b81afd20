import type { DimensionName } from './dimensions.js';
import type { GroupedReport, ReportMeasure } from './types.js';

type Usual = 'kind' | 'at' | 'range' | 'relations';

/** A report over one view, by month unless it says otherwise. */
export const groupedReport = (report: Omit<GroupedReport, Usual> & Partial<GroupedReport>): GroupedReport => ({
  kind: 'grouped',
  at: 'at_unix',
  range: 'month',
  relations: [],
  ...report,
});

/** Dimensions that every fact has a path to. */
export const PLACE_WORDS: readonly DimensionName[] = ['campaign', 'country', 'state', 'customer'];
/** Dimensions of how a payment was made. */
export const CARD_WORDS: readonly DimensionName[] = ['gateway', 'card.brand'];
/** A sum of money; without `sql`, the sum of the column with its name. */
export const moneySum = (name: string, about: string, sql = `sum(v.${name}_minor)`): ReportMeasure => ({
  name,
  unit: 'money',
  sql,
  about,
});
/** A count; without `sql`, the sum of the column with its name. */
export const count = (name: string, about: string, sql = `sum(v.${name})`): ReportMeasure => ({
  name,
  unit: 'count',
  sql,
  about,
});
/** A share in percent. */
export const percent = (name: string, part: string, whole: string, about: string): ReportMeasure => ({
  name,
  unit: 'percent',
  sql: `round(100.0 * ${part} / nullif(${whole}, 0), 2)`,
  about,
});

/** True if the rows' figures add up to that of the whole. */
export const isAdditive = ({ unit, sql }: ReportMeasure): boolean => unit !== 'percent' && !/\/|DISTINCT/.test(sql);

/** The amounts paid in the period, from the families' own tables: an expression over each. */
export const paidIn = (column: string): string => `
SELECT iso_currency AS currency, sum(${column}) AS value FROM (
  SELECT iso_currency, ${column}, created_date_unix AS at FROM raw_sales
  UNION ALL SELECT iso_currency, ${column}, created_date_unix FROM raw_subscription_renewals
  UNION ALL SELECT iso_currency, ${column}, coalesce(expiration_date_unix, created_date_unix) FROM raw_trials
) WHERE :in(at) AND ${column} <> 0 GROUP BY iso_currency`;

/** The sum of a table's column over the period. */
export const tableSum = (table: string, column: string): string =>
  `SELECT iso_currency AS currency, sum(${column}) AS value FROM ${table} WHERE :in(created_date_unix) GROUP BY iso_currency`;
