import type { Database } from '../../base/database/types.js';
import { wrongOption } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { MIRROR_VIEWS, viewColumns } from '../mirror/views.js';
import { DIMENSIONS } from './dimensions.js';
import { type FactAsked, factSource, factsWhere, isSplit } from './fact-source.js';
import { addedUp, type Figures, inexactRows, rowsOf } from './figures.js';
import type { ReportColumn, ReportQuestion, ReportStatement } from './report-question.js';
import type { GroupedReport } from './types.js';

/** SQL for the order number of a row's sale, for a view that says which payment a row belongs to. */
const ORDER = { column: 'order_number', sql: '(SELECT s.internal_id FROM raw_sales AS s WHERE s.id = v.paid_by)' };

/**
 * The query for `--rows`: the rows behind the figures, in order of time.
 * @param isThere whether a table exists; a lock holds no customers or sales
 */
export function rowsStatement(
  report: GroupedReport,
  question: ReportQuestion,
  isThere: (table: string) => boolean = () => true,
): ReportStatement {
  const { period, currency, where, by } = question;
  const asked: FactAsked = { period, currency, where, groups: by, texts: [], isRows: true };
  const { columns: known = [], needs = {} } = MIRROR_VIEWS.find(({ name }) => name === report.view) ?? {};
  const told = known.filter(([name]) => name !== report.at && !/_unix$/.test(name));
  const shares: (readonly [string, string])[] = isSplit(report, asked)
    ? [
        ['gateway', 'the gateway'],
        ['card_brand', 'the brand of the card'],
      ]
    : [];
  const { called } = DIMENSIONS.customer ?? {};
  const hasName = called !== undefined && told.some(([name]) => name === 'customer_id');
  // A refund names the item that was paid back, not the order.
  const hasOrder = 'raw_sales' in needs && told.some(([name]) => name === 'payment_id');
  const names = [
    ...(hasName ? [[called.column, "the customer's name"] as const] : []),
    ...(hasOrder ? [[ORDER.column, 'the order number of a sale'] as const] : []),
  ];
  const added = new Map([
    [called?.column, isThere('raw_customers') ? called?.sql : 'NULL'],
    [ORDER.column, isThere('raw_sales') ? ORDER.sql : 'NULL'],
  ]);
  const texts = [...told.filter(([name]) => !name.endsWith('_minor')), ...shares, ...names];
  const sums = told.filter(([name]) => name.endsWith('_minor'));
  const columns: ReportColumn[] = [
    { name: 'at', unit: 'moment', about: 'when it counts, UTC' },
    ...texts.map(([name, about]): ReportColumn => ({ name, unit: 'text', about })),
    ...sums.map(
      ([name, about]): ReportColumn => ({
        name: name.slice(0, -'_minor'.length),
        unit: 'money',
        about: about.replace(', minor units', ''),
      }),
    ),
  ];
  const cells = [
    `strftime('%Y-%m-%dT%H:%M:%SZ', v.${report.at}, 'unixepoch') AS at`,
    ...[...texts, ...sums].map(([name]) => `${added.get(name) ?? `v.${name}`} AS ${name}`),
  ];
  const sql = [
    'SELECT',
    cells.map((cell) => `  ${cell}`).join(',\n'),
    `FROM ${factSource(report, asked)}`,
    `WHERE ${factsWhere(report, asked)}`,
    `ORDER BY ${orderOf(columns, question.rowOrder)}v.${report.at}, v.id`,
  ].join('\n');
  return { sql, columns, keys: texts.length + 1 };
}

/** Amounts come largest first within each currency; anything else ascending, with a dash descending. */
function orderOf(columns: readonly ReportColumn[], typed: string | undefined): string {
  if (typed === undefined) return '';
  const word = typed.trim().replace(/^[-+]/, '').toLowerCase();
  const column = columns.find(({ name }) => name === (/^(?:date|day|created)$/.test(word) ? 'at' : word));
  if (column === undefined) {
    const names = columns.map(({ name }) => name);
    throw wrongOption(
      '--sort',
      `The rows have no "${word}".${didYouMean(word, names)}`,
      `They have: ${names.join(', ')}.`,
    );
  }
  if (column.unit === 'money') return `v.currency, v.${column.name}_minor DESC, `;
  return `${column.name}${/^\s*-/.test(typed) ? ' DESC' : ''}, `;
}

/** The rows behind the figures of a report. */
export function rowsFigures(database: Database, report: GroupedReport, question: ReportQuestion): Figures {
  const isThere = (table: string): boolean => viewColumns(database, table).length > 0;
  const statement = rowsStatement(report, question, isThere);
  const rows = rowsOf(database, statement);
  const sums = statement.columns.flatMap(({ name, unit }) => (unit === 'money' ? [name] : []));
  return {
    statement,
    rows,
    ...addedUp(rows, [], sums),
    differences: [],
    proofs: 0,
    inexact: inexactRows(database, report, question),
  };
}
