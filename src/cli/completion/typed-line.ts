/** A line of bash up to the cursor, as completion needs it. */
export interface BashLine {
  /** Whole words before the cursor, the program's name first, without their quotes. */
  readonly words: readonly string[];
  /** The word at the cursor without its quotes; empty after a space. */
  readonly current: string;
  /** The quote that is open at the cursor. */
  readonly quote: '' | '"' | "'";
  /** The beginning of `current` that bash leaves alone: it replaces only what follows its last word break. */
  readonly settled: string;
  /** True behind `<` or `>`: a file stands there, and it is no word of the program. */
  readonly redirect: boolean;
}

/** Reads a line as bash does: quotes, backslashes, and the characters of `COMP_WORDBREAKS` at the cursor. */
export function readBashLine(line: string, breaks: string): BashLine {
  let words: string[] = [];
  let word: string | undefined;
  let settled = '';
  let quote: BashLine['quote'] = '';
  let redirect = false;
  const end = (): void => {
    if (word !== undefined && !redirect) words.push(word);
    if (word !== undefined) redirect = false;
    word = undefined;
    settled = '';
  };
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (quote !== '') {
      if (sign === quote) {
        quote = '';
        settled = word ?? '';
      } else if (sign === '\\' && quote === '"' && /["\\$`]/.test(line[at + 1] ?? '')) {
        word = `${word ?? ''}${line[++at]}`;
      } else {
        word = `${word ?? ''}${sign}`;
      }
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
      settled = word;
    } else if (sign === '\\') {
      word = `${word ?? ''}${line[++at] ?? ''}`;
    } else if (/\s/.test(sign)) {
      end();
    } else if (/[|&;]/.test(sign)) {
      end();
      words = [];
    } else if (sign === '<' || sign === '>') {
      // The number of a stream (`2>`) is no word.
      if (/^\d$/.test(word ?? '')) word = undefined;
      end();
      redirect = true;
    } else {
      const before = word ?? '';
      word = `${before}${sign}`;
      // At `@` and `$` bash begins a new word as well, and leaves the sign with it.
      if (breaks.includes(sign)) settled = sign === '@' || sign === '$' ? before : word;
    }
  }
  return { words, current: word ?? '', quote, settled, redirect };
}

/** A word of a line that may still have an open quote, without its quotes; for shells that hand it over as typed. */
export function unquoted(word: string): string {
  return word.replace(/^(["'])(.*?)\1?$/s, '$2').replace(/\\(.)/gs, '$1');
}
