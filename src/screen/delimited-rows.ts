import { cellText } from '../items/json/pick-values.js';

export type Delimited = 'csv' | 'tsv';

/**
 * What a spreadsheet would run or misread: a formula's first character, in full width too, a character that hides it,
 * or blanks of any width in front of it, which some programs take away.
 */
const FORMULA =
  /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b])/u;

/** Whether a spreadsheet program could take a text for a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/**
 * One row. Csv as RFC 4180 quotes it, with line feeds between rows; tsv with `\t`, `\n`, `\r` and `\\` for the
 * characters that would break a row.
 */
export function row(cells: readonly string[], format: Delimited, separator: ',' | ';' = ','): string {
  if (format === 'tsv') return `${cells.map(tsvCell).join('\t')}\n`;
  const quoted = separator === ';' ? /[";\r\n]/ : /[",\r\n]/;
  return `${cells.map((text) => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(separator)}\n`;
}

/**
 * The text of a cell. With `safe`, text that a spreadsheet would take for a formula gets a `'` in front; numbers
 * of the service (`-5.00`) are no text and stay.
 */
export function cell(raw: string | undefined, safe: boolean): string {
  const text = cellText(raw);
  return safe && raw?.charCodeAt(0) === 0x22 && isFormula(text) ? `'${text}` : text;
}

const TSV: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function tsvCell(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => TSV[found] ?? found) : text;
}
