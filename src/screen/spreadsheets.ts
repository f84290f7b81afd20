import { orElse } from '../base/errors/errors.js';
import { cellText } from '../items/json/pick-values.js';

/** What a spreadsheet program expects of a text file in some locale. */
export interface Excel {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

/** The conventions of the locale in the environment (`LC_ALL`, `LC_NUMERIC`, `LANG`); English ones by default. */
export function excelOf(env: Readonly<Record<string, string | undefined>>): Excel {
  const words = [env.LC_ALL, env.LC_NUMERIC, env.LANG].find((word) => word !== undefined && word !== '') ?? '';
  const locale = words.replace(/[.@].*$/, '').replace('_', '-');
  const decimal = decimalOf(locale);
  return { decimal, separator: decimal === ',' ? ';' : ',' };
}

function decimalOf(locale: string): Excel['decimal'] {
  // `C`, `POSIX`, or no locale at all.
  return orElse(() => {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
    return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
  }, '.');
}

/** A number with the locale's decimal mark; anything else stays as it is. */
export function localNumber(text: string, { decimal }: Excel): string {
  return decimal === ',' && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

/** Zip codes, last digits and long ids, which would become other numbers, and codes that would become dates. */
const MISREAD =
  /^(0\d+|\d{16,}|\d+e\d+|\d{1,4}[-/]\d{1,4}([-/]\d{1,4})?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d{1,4})$/i;
/** Text that is a date where the decimal mark is a comma. */
const DOTTED_DAY = /^\d{1,2}\.\d{1,2}(\.\d{2,4})?$/;
const LONGEST_MISREAD = 60;

/** Whether a spreadsheet program would misread a value: `02113` as 2113, `12/28` as a date. */
export function isMisread(text: string, { decimal }: Excel): boolean {
  return text.length <= LONGEST_MISREAD && (MISREAD.test(text) || (decimal === ',' && DOTTED_DAY.test(text)));
}

/** Whether a number has more digits than a spreadsheet program keeps. */
export function isCutNumber(text: string): boolean {
  return /^-?\d{16,}$/.test(text);
}

export type Delimited = 'csv' | 'tsv';

/**
 * Whether a spreadsheet program would run or misread a value: it begins with a formula's first character (full-width
 * too), with one that hides it, or with invisible characters, which some programs strip.
 */
export function isFormula(text: string): boolean {
  // Built on first use, not when the module loads: Unicode classes cost a millisecond of every start.
  return /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b])/u.test(
    text,
  );
}

/**
 * One row. Csv is quoted as in RFC 4180, with line feeds between rows; tsv uses `\t`, `\n`, `\r` and `\\` for
 * characters that would break a row.
 */
export function row(cells: readonly string[], format: Delimited, separator: ',' | ';' = ','): string {
  if (format === 'tsv') return `${cells.map(tsvCell).join('\t')}\n`;
  return `${cells.map((text) => csvCell(text, separator)).join(separator)}\n`;
}

/** A cell of csv, quoted if it must be. */
export function csvCell(text: string, separator: ',' | ';'): string {
  const quoted = separator === ';' ? /[";\r\n]/ : /[",\r\n]/;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The text of a cell. With `safe`, text that a spreadsheet would take for a formula gets a leading `'`; numbers of the
 * service (`-5.00`) are not text and stay.
 */
export function cell(raw: string | undefined, safe: boolean): string {
  const text = cellText(raw);
  return safe && raw?.charCodeAt(0) === 0x22 && isFormula(text) ? `'${text}` : text;
}

const TSV: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A cell of tsv, escaped if it must be. */
export function tsvCell(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => TSV[found] ?? found) : text;
}
