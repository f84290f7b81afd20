const ASCII = /^[\x20-\x7e]*$/;

/** Measures and cuts text by the columns that it takes on a terminal. */
export interface Measure {
  width(text: string): number;
  /** At most `columns` wide; what is cut ends in `…`. */
  cut(text: string, columns: number): string;
}

/** Loads the table of wide letters once; ASCII text never asks it. */
export async function openMeasure(): Promise<Measure> {
  const { default: stringWidth } = await import('string-width');
  let segmenter: Intl.Segmenter | undefined;
  const width = (text: string): number => (ASCII.test(text) ? text.length : stringWidth(text));
  return {
    width,
    cut(text, columns) {
      if (width(text) <= columns) return text;
      if (columns <= 0) return '';
      if (ASCII.test(text)) return `${text.slice(0, columns - 1)}…`;
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
