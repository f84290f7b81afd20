import { usage, wrongOption } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import type { Text } from '../../base/text/command-line.js';
import { minorDigits } from '../../items/schema/types.js';
import type { Figures } from './figures.js';
import type { ReportColumn } from './report-question.js';
import type { AnyReport } from './sectioned-report.js';
import type { FigureCondition, ReportRow } from './types.js';

/** The figures of a report. */
export const figuresIn = (report: AnyReport): readonly ReportColumn[] =>
  report.kind === 'grouped' ? report.measures : report.columns;

/** A word for the one share of a report, and the same after its subject: `rate`, `failure_rate`. */
const SHARE = /^(?:(\w+)_)?(?:rate|ratio|share)$/;

/** The figure of a report that a word means; undefined if it has none. */
export function figureMeant(report: AnyReport, typed: string): string | undefined {
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const figures = figuresIn(report);
  const [isShare, subject = ''] = SHARE.exec(word) ?? [];
  const isOwn = isShare !== undefined && report.name.startsWith(subject);
  const found = figures.find(({ name }) => name === word) ?? figures.find(({ unit }) => isOwn && unit === 'percent');
  return found?.name;
}

/**
 * @param elsewhere the line of another report that has it
 * @throws CopsError `usage` for a word that is no figure of the report
 */
export function figureOf(report: AnyReport, option: string, typed: string, elsewhere?: () => Text | undefined): string {
  const found = figureMeant(report, typed);
  if (found !== undefined) return found;
  const names = figuresIn(report).map(({ name }) => name);
  throw wrongOption(
    option,
    `cops report ${report.name} has no figure "${typed}".${didYouMean(typed, names)}`,
    elsewhere?.() ?? `It has: ${names.join(', ')}.`,
  );
}

const FORM = /^\s*([\w.-]+?)\s*(>=|<=|!=|==?|>|<)\s*(-?)(\d{1,12})(?:\.(\d{1,4}))?\s*%?\s*$/;

/** @throws CopsError `usage` */
export function figureCondition(report: AnyReport, typed: string): FigureCondition {
  const [, word = '', sign = '', minus = '', whole = '', decimals = ''] =
    FORM.exec(typed) ??
    fail(typed, "Write a figure of the rows, one of = != > < >= <=, and a number: --having 'amount>1000'");
  const [, name = word, suffix = ''] = /^(.+?)(_before|_change|_change_percent)?$/.exec(word) ?? [];
  const figure = `${figureOf(report, '--having', name)}${suffix}`;
  const operator = sign === '==' ? '=' : sign;
  return { figure, operator, digits: BigInt(`${minus}${whole}${decimals}`), decimals: decimals.length };
}

function fail(typed: string, hint: string): never {
  throw usage(`--having "${typed}" is not a condition.`, hint);
}

/** How a figure compares with the number of a condition; undefined if it is unknown. */
function compared(row: ReportRow, column: ReportColumn, { digits, decimals }: FigureCondition): number | undefined {
  const value = row[column.name] ?? null;
  if (value === null || typeof value === 'string') return undefined;
  if (typeof value === 'number') return value - Number(digits) / 10 ** decimals;
  const places = column.unit === 'money' ? (minorDigits(String(row.currency ?? '')) ?? 0) : 0;
  return Number(value * 10n ** BigInt(decimals) - digits * 10n ** BigInt(places));
}

const HOLDS: Readonly<Record<string, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '!=': (difference) => difference !== 0,
  '>': (difference) => difference > 0,
  '<': (difference) => difference < 0,
  '>=': (difference) => difference >= 0,
  '<=': (difference) => difference <= 0,
};

/** The rows whose figures meet all conditions, and what is said of the others. */
export function rowsHaving(
  figures: Figures,
  having: readonly FigureCondition[] = [],
): { figures: Figures; notes: string[] } {
  if (having.length === 0) return { figures, notes: [] };
  const { columns } = figures.statement;
  let unknown = 0;
  const rows = figures.rows.filter((row) =>
    having.every((condition) => {
      const column = columns.find(({ name }) => name === condition.figure);
      const difference = column && compared(row, column, condition);
      if (difference === undefined) unknown += 1;
      return difference !== undefined && HOLDS[condition.operator]?.(difference) === true;
    }),
  );
  const notes = [
    `${rows.length} of ${figures.rows.length} rows meet --having; totals are of all`,
    ...(unknown === 0 ? [] : [`${unknown} rows have no such figure and are left out`]),
  ];
  return { figures: { ...figures, rows }, notes };
}

/** Rows in order of one figure, largest first, within what comes before: the month, and the currency. */
export function sortedBy(figures: Figures, figure: string | undefined): Figures {
  if (figure === undefined) return figures;
  const groupOf = ({ month, method, currency }: ReportRow): string => JSON.stringify([month, method, currency]);
  const places = [...new Set(figures.rows.map(groupOf))];
  const size = (row: ReportRow): number => Number(row[figure] ?? Number.NEGATIVE_INFINITY);
  const rows = places.flatMap((place) =>
    figures.rows.filter((row) => groupOf(row) === place).sort((a, b) => size(b) - size(a)),
  );
  return { ...figures, rows };
}
