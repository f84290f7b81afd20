import type { Database } from '../../base/database/types.js';
import { usage } from '../../base/errors/errors.js';
import { isCalendarUnit } from '../../base/time/periods.js';
import { DIMENSIONS, rowKey, sameText } from './dimensions.js';
import { type Figures, figuresOf, rowsOf } from './figures.js';
import { groupsTold } from './grouped-statement.js';
import { isSum } from './measures.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import { statementOf } from './statement.js';
import type { GroupedReport, ReportRow, ReportValue } from './types.js';

/** More columns than anyone can read. */
const MOST_COLUMNS = 100;
const TOTAL = 'total';

/** The dimension whose values become columns, and the figure in the cells. */
export interface AcrossAsked {
  readonly across: string;
  readonly figure: string;
}

/**
 * One figure of a report with the values of a dimension as columns. Each row ends with the figure for the whole row,
 * and each column with that for the whole column. Both are queried, not added up: percentages do not add up.
 * @throws CopsError `usage` for too many columns to read
 */
export function acrossFigures(
  database: Database,
  report: GroupedReport,
  question: ReportQuestion,
  { across, figure }: AcrossAsked,
): Figures {
  const by = groupsTold(report, question.by).filter((word) => word !== across);
  const long = figuresOf(database, report, { ...question, by: [...by, across] });
  const ask = (words: readonly string[]): ReportRow[] =>
    rowsOf(database, statementOf(report, { ...question, by: words.length === 0 ? ['currency'] : words }));
  const whole = by.length === 0 ? ask([]) : figuresOf(database, report, { ...question, by }).rows;
  const measure = report.measures.find(({ name }) => name === figure) as GroupedReport['measures'][number];
  const hidden = [across, DIMENSIONS[across]?.beside?.column, DIMENSIONS[across]?.called?.column];
  const keys = long.statement.columns.slice(0, long.statement.keys).filter(({ name }) => !hidden.includes(name));
  const label = labelOf(across, new Set([...keys.map(({ name }) => name), TOTAL]));
  const ofColumns = ask([across]);
  const isTime = isCalendarUnit(across);
  const found = [...new Map(ofColumns.map((row) => [sameText(label(row)), label(row)])).values()];
  const labels = isTime ? found.sort() : found;
  if (labels.length > MOST_COLUMNS)
    throw usage(
      `--across ${across} has ${labels.length} values, more than the limit of ${MOST_COLUMNS} columns.`,
      `Use rows instead (--by ${across} --top 20), or choose values with --where.`,
    );
  const nothing: ReportValue = isSum(measure) ? (measure.unit === 'money' ? 0n : 0) : null;
  const keyOf = (row: ReportRow, columns: readonly ReportColumn[]): string =>
    rowKey(
      row,
      columns.map(({ name }) => name),
    );
  const pivot = (parts: readonly ReportRow[], wholes: readonly ReportRow[], columns: readonly ReportColumn[]) => {
    const cells = new Map(parts.map((row) => [`${keyOf(row, columns)} ${sameText(label(row))}`, row[figure] ?? null]));
    return wholes.map((row): ReportRow => {
      const at = keyOf(row, columns);
      return Object.fromEntries([
        ...keys.map(({ name }): [string, ReportValue] => [
          name,
          columns.some((one) => one.name === name) ? (row[name] ?? null) : null,
        ]),
        ...labels.map((name): [string, ReportValue] => [name, cells.get(`${at} ${sameText(name)}`) ?? nothing]),
        [TOTAL, row[figure] ?? null],
      ]);
    });
  };
  const currency = keys.filter(({ name }) => name === 'currency');
  const rows = pivot(long.rows, whole, keys);
  const currencies = new Set(rows.map((row) => row.currency));
  const of = { unit: measure.unit, about: `${figure}: ${measure.about}` };
  return {
    statement: {
      sql: long.statement.sql,
      columns: [...keys, ...labels.map((name) => ({ name, ...of })), { name: TOTAL, ...of }],
      keys: keys.length,
    },
    rows,
    totals: currencies.size === rows.length ? undefined : pivot(ofColumns, ask([]), currency),
    differences: long.differences,
    proofs: long.proofs,
    inexact: long.inexact,
  };
}

/** The heading of a value's column; bracketed if another column already has that name. */
function labelOf(across: string, taken: ReadonlySet<string>): (row: ReportRow) => string {
  const beside = DIMENSIONS[across]?.beside;
  const parts = [across, ...(beside?.apart ? [beside.column] : [])];
  return (row) => {
    const text = parts.flatMap((name) => row[name] ?? []).join(' ') || '(none)';
    return taken.has(text) ? `(${text})` : text;
  };
}
