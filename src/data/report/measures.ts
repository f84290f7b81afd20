import type { DimensionName } from './dimensions.js';
import type { ReportMeasure } from './types.js';

/** What every fact has a path to. */
export const PLACE_WORDS: readonly DimensionName[] = ['campaign', 'country', 'state', 'customer'];
/** Of what it is paid by. */
export const CARD_WORDS: readonly DimensionName[] = ['gateway', 'card.brand'];
/** A sum of money; without `sql` that of the column of its name. */
export const moneySum = (name: string, about: string, sql = `sum(v.${name}_minor)`): ReportMeasure => ({
  name,
  unit: 'money',
  sql,
  about,
});
/** How many; without `sql` the sum of the column of its name. */
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

/** What was paid in the period, by the families themselves: an expression over each. */
export const paidIn = (column: string): string => `
SELECT iso_currency AS currency, sum(${column}) AS value FROM (
  SELECT iso_currency, ${column}, created_date_unix AS at FROM raw_sales
  UNION ALL SELECT iso_currency, ${column}, created_date_unix FROM raw_subscription_renewals
  UNION ALL SELECT iso_currency, ${column}, coalesce(expiration_date_unix, created_date_unix) FROM raw_trials
) WHERE :in(at) AND ${column} <> 0 GROUP BY iso_currency`;

/** What a table holds in the period. */
export const tableSum = (table: string, column: string): string =>
  `SELECT iso_currency AS currency, sum(${column}) AS value FROM ${table} WHERE :in(created_date_unix) GROUP BY iso_currency`;
