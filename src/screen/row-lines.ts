import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import { Picker } from '../items/json/pick-values.js';
import { openMeasure } from '../items/text/width.js';
import { CellTexts, guessAs, rowTexts } from './cells.js';

const GAP = '  ';

/**
 * Each item as one line, with cells aligned below each other. Leaves out what is the same in every row: a column with
 * one value, and the currency, which follows each amount.
 */
export async function rowLines(items: readonly Item[], columns: readonly Column[], tz: string): Promise<string[]> {
  const measure = await openMeasure();
  const laid = columns.map((column) => ({ ...column, as: column.as ?? guessAs(column.path) }));
  const picker = new Picker([...laid.map(({ path }) => path), 'iso_currency']);
  const cells = new CellTexts(tz, true);
  const rows = items.map(({ raw }) => rowTexts(raw, picker.pick(raw), laid, cells));
  const hasMoney = laid.some(({ as }) => as === 'money');
  const widths = laid.map(({ path }, at) => {
    const texts = new Set(rows.map((row) => row[at] ?? ''));
    const tellsNothing = (rows.length > 1 && texts.size === 1) || (hasMoney && path === 'iso_currency');
    return tellsNothing ? 0 : Math.max(0, ...[...texts].map((text) => measure.width(text)));
  });
  return rows.map((row) =>
    row
      .flatMap((text, at) => {
        const width = widths[at] ?? 0;
        return width === 0 ? [] : [text + ' '.repeat(width - measure.width(text))];
      })
      .join(GAP)
      .trimEnd(),
  );
}
