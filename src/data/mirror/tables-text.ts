import { wrapWords } from '../../items/text/width.js';
import type { TableColumn } from './describe-mirror.js';

/** Room of a column's name in front of its meaning. */
const NAME = 32;

/** Tables with their columns below them, for people: names are whole, so that they can be copied, and meanings wrapped. */
export function tablesText(rows: readonly TableColumn[], columns: number): string {
  const lines: string[] = [];
  let last: string | undefined;
  const width = Math.min(NAME, Math.max(0, ...rows.map(({ column }) => column.length)));
  const measure = { width: (text: string) => text.length };
  for (const { table, column, meaning } of rows) {
    if (table !== last) lines.push(...(last === undefined ? [] : ['']), table);
    last = table;
    const [first = '', ...rest] = wrapWords(meaning, Math.max(20, columns - width - 4), measure);
    const name = `  ${column.padEnd(width)}`;
    const isLong = column.length > width && meaning !== '';
    const below = ' '.repeat(width + 4);
    lines.push(...(isLong ? [name, `${below}${first}`] : [`${name}  ${first}`]), ...rest.map((part) => below + part));
  }
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
