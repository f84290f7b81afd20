const ASCII = /^[\x20-\x7e]*$/;
/** Characters certain to take one column (Latin, Greek, Cyrillic, common punctuation) or two (CJK, kana, hangul). */
const SIMPLE =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;
const FIRST_WIDE = 0x3041;

function simpleWidth(text: string): number {
  let width = text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= FIRST_WIDE) width++;
  return width;
}

function cutSimple(text: string, columns: number): string {
  let used = 0;
  let kept = 0;
  while (kept < text.length) {
    used += text.charCodeAt(kept) >= FIRST_WIDE ? 2 : 1;
    if (used > columns - 1) break;
    kept++;
  }
  return `${text.slice(0, kept)}…`;
}

/** Measures and cuts text by its width on a terminal. */
export type TextMeasure = Awaited<ReturnType<typeof openMeasure>>;

/**
 * Loads the table of character widths once. Plain text avoids it, because it is slow (microseconds per row of a long
 * table).
 */
export async function openMeasure() {
  const { default: stringWidth } = await import('string-width');
  let segmenter: Intl.Segmenter | undefined;
  const width = (text: string): number => {
    if (ASCII.test(text)) return text.length;
    return SIMPLE.test(text) ? simpleWidth(text) : stringWidth(text);
  };
  return {
    width,
    /** At most `columns` wide; cut text ends in `…`. */
    cut(text: string, columns: number) {
      if (width(text) <= columns) return text;
      if (columns <= 0) return '';
      if (SIMPLE.test(text)) return cutSimple(text, columns);
      segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
      let kept = '';
      let used = 0;
      for (const { segment } of segmenter.segment(text)) {
        const next = width(segment);
        if (used + next > columns - 1) break;
        kept += segment;
        used += next;
      }
      return `${kept}…`;
    },
  };
}

/** Text without the colours that its maker added. */
export const unpainted = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '');

/** Text without anything that colours a terminal or moves its cursor. */
export const unmoved = (text: string): string => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');

/** Fills lines with as many parts as fit; a part that is too long gets its own line, unbroken. */
export function filled(parts: readonly string[], between: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = lines.length === 0 ? undefined : `${lines.at(-1)}${between}${part}`;
    if (longer !== undefined && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Wraps text at its spaces to lines of at most `columns`; a longer word gets its own line, unbroken. */
export const wrapWords = (text: string, columns: number, measure: Pick<TextMeasure, 'width'>): string[] =>
  filled(text.split(' '), ' ', (line) => measure.width(line) <= columns);

/**
 * Joins parts with `; ` into lines of at most `columns`, broken between parts; inside a part only if it is too long.
 */
export function wrapParts(parts: readonly string[], columns: number, measure: Pick<TextMeasure, 'width'>): string[] {
  const lines: string[] = [];
  for (const [at, part] of parts.entries()) {
    const ended = at + 1 < parts.length ? `${part};` : part;
    const last = lines.at(-1);
    if (last !== undefined && measure.width(`${last} ${ended}`) <= columns)
      lines[lines.length - 1] = `${last} ${ended}`;
    else lines.push(...wrapWords(ended, columns, measure));
  }
  return lines;
}

/**
 * What people copy from prose as a unit: words in backticks, and a command up to where its sentence continues. A quoted
 * command ends with the quotes.
 */
const COPIED =
  /`[^`]+`|"cops [^"]*"|(?<=^|[^\w./-]|\u001b\[\d*m)cops (?:(?<=[ =])(?:"[^"]*"|'[^']*')|(?!\.? \(|\. [A-Z])[^;"`)\u001b])+/g;
/** Stands for a space within copied text while lines are wrapped. */
const KEPT_SPACE = '\u0000';

/** A suggested command line, within the line that suggests it. */
const MEANT = /^(.*)Did you mean "(cops [^"\n]*)"\? ?(.*)$/gm;

/**
 * Wraps prose at words, so that the terminal does not, and never within text to copy; a line laid out in columns stays.
 * A suggested command gets its own line if it does not fit.
 */
export function wrapProse(text: string, columns: number): string {
  const width = (part: string) => unpainted(part).length;
  const line = (one: string): string => {
    if (width(one) <= columns || /\S {2}/.test(one)) return one;
    // Text after a list marker is aligned with the words after it.
    const [sign = ''] = /^ *(?:(?:\u001b\[\d+m)*[!~+-] )?/.exec(one) ?? [];
    const indent = ' '.repeat(width(sign));
    const kept = one.slice(sign.length).replace(COPIED, (copied) => copied.replaceAll(' ', KEPT_SPACE));
    const lines = wrapWords(kept, Math.max(20, columns - indent.length), { width });
    return lines.map((part, at) => (at === 0 ? sign : indent) + part.replaceAll(KEPT_SPACE, ' ')).join('\n');
  };
  const apart = text.replace(MEANT, (whole: string, before: string, meant: string, after: string) =>
    width(whole) <= columns
      ? whole
      : [`${before}Did you mean:`, `  ${meant}`, ...(after === '' ? [] : [after])].join('\n'),
  );
  return apart.split('\n').map(line).join('\n');
}

/** Groups the digits of a whole number in threes. `Intl` would load its data first. */
export const group = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
