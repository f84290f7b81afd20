/** What a spreadsheet program of one locale expects in a text file. */
export interface Excel {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

/** The habits of the locale that the environment names (`LC_ALL`, `LC_NUMERIC`, `LANG`); those of English otherwise. */
export function excelOf(env: Readonly<Record<string, string | undefined>>): Excel {
  const words = [env.LC_ALL, env.LC_NUMERIC, env.LANG].find((word) => word !== undefined && word !== '') ?? '';
  const locale = words.replace(/[.@].*$/, '').replace('_', '-');
  const decimal = decimalOf(locale);
  return { decimal, separator: decimal === ',' ? ';' : ',' };
}

function decimalOf(locale: string): Excel['decimal'] {
  try {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
    return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
  } catch {
    // `C`, `POSIX`, or no locale at all.
    return '.';
  }
}

/** A number with the locale's decimal mark; what is no plain number stays. */
export function localNumber(text: string, { decimal }: Excel): string {
  return decimal === ',' && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

/** Zip codes, last digits and long ids, which become other numbers, and codes that become days of a year. */
const MISREAD =
  /^(0\d+|\d{16,}|\d+e\d+|\d{1,4}[-/]\d{1,4}([-/]\d{1,4})?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]?\d{1,4})$/i;
/** What is a day where the decimal mark is a comma. */
const DOTTED_DAY = /^\d{1,2}\.\d{1,2}(\.\d{2,4})?$/;
const LONGEST_MISREAD = 60;

/** Whether a spreadsheet program would read something else than stands there: `02113` as 2113, `12/28` as a day. */
export function isMisread(text: string, { decimal }: Excel): boolean {
  return text.length <= LONGEST_MISREAD && (MISREAD.test(text) || (decimal === ',' && DOTTED_DAY.test(text)));
}

/** Whether it is a number of more digits than a spreadsheet program keeps. */
export function isCutNumber(text: string): boolean {
  return /^-?\d{16,}$/.test(text);
}
