import type { FamilyOperation } from '../../catalogue/types.js';
import type { Item } from '../../items/json/item-json.js';
import { Picker } from '../../items/json/pick-values.js';
import { addNumbers, isNumber } from '../../items/select/decimals.js';
import { fieldPath, isMoney, vocabularyOf } from '../../items/select/names.js';
import { group } from '../../items/text/width.js';
import { titleOf } from '../../screen/table-columns.js';
import type { Context } from '../context/context.js';

/** Adds up the amounts that a table shows, by currency, for a line below it. */
export async function withTotals(
  context: Context,
  items: AsyncIterable<Item>,
  { family, operation }: FamilyOperation,
): Promise<{ readonly items: AsyncIterable<Item>; say(): void }> {
  const { query, raw, template, columns } = await context.settings();
  const vocabulary = vocabularyOf(family, operation);
  const known = operation.columns ?? family.columns;
  const shown = columns?.map((name) => fieldPath(vocabulary, name, 'heading')) ?? known.map(({ path }) => path);
  // The prices of the set-up are not money that came in or went out.
  const isSum = (path: string): boolean =>
    family.nature !== 'set-up' && !path.includes('.') && isMoney(vocabulary, path);
  const paths = shown.filter(isSum);
  if (query !== undefined || template !== undefined || raw || paths.length === 0)
    return { items, say: () => undefined };
  const picker = new Picker([...paths, 'iso_currency']);
  const sums = paths.map(() => new Map<string, string>());
  let rows = 0;
  const watched = (async function* (): AsyncGenerator<Item> {
    for await (const item of items) {
      rows++;
      const found = picker.pick(item.raw).map((text) => text?.replaceAll('"', '') ?? '');
      const currency = found.at(-1) ?? '';
      for (const [at, sum] of sums.entries())
        if (currency !== '' && isNumber(found[at] ?? ''))
          sum.set(currency, addNumbers(sum.get(currency) ?? '0', found[at] as string));
      yield item;
    }
  })();
  const say = (): void => {
    const told = paths.flatMap((path, at) => {
      const each = [...(sums[at] as Map<string, string>)].filter(([, sum]) => Number(sum) !== 0).sort();
      const title = known.find((column) => column.path === path)?.title ?? titleOf(path);
      return each.length === 0 ? [] : `${title} ${each.map(([code, sum]) => `${sum} ${code}`).join(', ')}`;
    });
    if (rows > 1 && told.length > 0)
      context.notes.note(`Total of the ${group(rows)} rows shown, whatever their state: ${told.join('; ')}.`);
  };
  return { items: watched, say };
}
