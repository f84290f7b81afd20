import { cellText } from './document.js';
import type { Figures } from './figures.js';
import type { Column } from './statement.js';
import type { Row } from './types.js';

const BAR = 20;

/** How the text is to look. */
export interface Look {
  /** True on a terminal: a bar is drawn behind each row. */
  readonly drawn: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** False where a terminal cannot show block characters. */
  readonly blocks: boolean;
}

/** Rows as a table for people; a bar for the measure `measure` where there is room. */
export function tableText(
  { rows, totals = [], statement: { columns, keys } }: Figures,
  measure: string | undefined,
  look: Look,
): string {
  if (rows.length === 0) return 'Nothing in this period.\n';
  const shown = columns.filter(
    ({ name }, i) => i < keys || rows.some((row) => row[name] !== null && row[name] !== undefined),
  );
  const cells = [
    ...rows.map((row) => shown.map((column) => cellOf(row, column))),
    ...totals.map((row) => shown.map((column, i) => (i === 0 ? 'total' : i < keys - 1 ? '' : cellOf(row, column)))),
  ];
  const widths = shown.map(({ name }, i) => Math.max(name.length, ...cells.map((line) => (line[i] as string).length)));
  const left = shown.map(({ unit }) => unit === 'text');
  const lineOf = (line: readonly string[]): string =>
    line.map((cell, i) => (left[i] ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number))).join('  ');
  const heads = lineOf(shown.map(({ name }) => name));
  const bars =
    look.drawn && measure !== undefined && heads.length + 2 + BAR <= look.width
      ? barsOf(rows, measure, look.blocks)
      : [];
  const lines = cells.map((line, i) => `${lineOf(line)}${bars[i] ? `  ${bars[i]}` : ''}`.trimEnd());
  return `${[`${heads}${bars.length > 0 ? `  ${measure}` : ''}`.trimEnd(), ...lines].join('\n')}\n`;
}

function cellOf(row: Row, column: Column): string {
  const value = row[column.name] ?? null;
  const text = cellText(value, column.unit, row);
  if (value === null) return '-';
  return column.unit === 'money' ? grouped(text) : text;
}

/** Digits in groups of three: `12,345.60`. */
export function grouped(amount: string): string {
  const [whole = '', decimals] = amount.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? text : `${text}.${decimals}`;
}

/** A bar for each row, by the largest of its currency. */
function barsOf(rows: readonly Row[], measure: string, blocks: boolean): string[] {
  const most = new Map<string, number>();
  const sizes = rows.map((row) => Math.abs(Number(row[measure] ?? 0)));
  for (const [i, row] of rows.entries()) {
    const key = String(row.currency);
    most.set(key, Math.max(most.get(key) ?? 0, sizes[i] as number));
  }
  return rows.map((row, i) => {
    const top = most.get(String(row.currency)) ?? 0;
    const length = top === 0 ? 0 : Math.round(((sizes[i] as number) / top) * BAR);
    return (Number(row[measure] ?? 0) < 0 ? '-' : blocks ? '█' : '#').repeat(length);
  });
}
