import type { FamilyOperation } from '../../catalogue/types.js';
import type { Item } from '../../items/json/item-json.js';
import { isMoney, vocabularyOf } from '../../items/select/names.js';
import type { Context } from '../context/context.js';

/** Functions that combine or compare figures. */
const COMPUTES = /\b(?:sum|avg|max|min|max_by|min_by|sort_by)\s*\(|[<>]/;

/** A query takes amounts as plain numbers: says so if they have several currencies. */
export function withCurrencies(
  { options: { query = '' }, notes }: Context,
  items: AsyncIterable<Item>,
  { family, operation }: FamilyOperation,
) {
  const vocabulary = vocabularyOf(family, operation);
  const amount = COMPUTES.test(query)
    ? query.match(/[A-Za-z_]+/g)?.find((word) => isMoney(vocabulary, word))
    : undefined;
  if (amount === undefined || /currency/.test(query)) return { items, say: () => undefined };
  const found = new Set<string>();
  const watched = (async function* (): AsyncGenerator<Item> {
    for await (const item of items) {
      const code = /"iso_currency":\s*"([A-Z]{3})"/.exec(item.raw)?.[1];
      if (code !== undefined) found.add(code);
      yield item;
    }
  })();
  const say = (): void => {
    if (found.size < 2) return;
    const codes = [...found].sort();
    notes.warn(
      `The query ignores that ${amount} is in ${codes.join(', ')}: use --where iso_currency=${codes[0]} for one currency, or --sum ${amount} to add up each separately.`,
    );
  };
  return { items: watched, say };
}
