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
