import type { FamilyOperation } from '../../catalogue/types.js';
import type { Item } from '../../items/json/item-json.js';
import { isMoney, vocabularyOf } from '../../items/select/names.js';
import type { Context } from '../context/context.js';

/** What takes figures together, or holds them against one another. */
const COMPUTES = /\b(?:sum|avg|max|min|max_by|min_by|sort_by)\s*\(|[<>]/;

/** Items as they pass, and what is to be said at their end. */
interface Watched {
  readonly items: AsyncIterable<Item>;
  say(): void;
}

/** A query takes amounts for plain figures: where they are in several currencies, that is said. */
export function withCurrencies(
  { options: { query = '' }, notes }: Context,
  items: AsyncIterable<Item>,
  { family, operation }: FamilyOperation,
): Watched {
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
      `The query takes ${amount} by its figures, in ${codes.join(', ')} alike: --where iso_currency=${codes[0]} keeps to one, --sum ${amount} adds up each by itself.`,
    );
  };
  return { items: watched, say };
}
