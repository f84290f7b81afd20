import { CopsError, usage } from '../../base/errors/errors.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { get, idsAt, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { asMeant, foldedWords } from '../../items/text/typed-value.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Candidate, Fits } from './candidates.js';
import { canName, mayBeNumber } from './natural-keys.js';
import type { ListAsker } from './people.js';

/**
 * The number or the id of an order, and which of its parts is meant: `O-264`, `O-264 Ceramic Mug`. `product`: a
 * product's name, or ''.
 */
type OrderPart = NonNullable<ReturnType<typeof orderPartIn>>;

/** The part of an order that a word may name in a family; undefined if its items are not parts of orders. */
export function orderPartIn(family: Family, word: string) {
  const [, number = '', product = ''] = /^(\S{1,300})(?:\s+(.+))?$/s.exec(word.trim()) ?? [];
  const isPart =
    family.name !== 'sales' &&
    (family.item?.sales ?? family.assumed?.sales) !== undefined &&
    asksOne(family) !== undefined;
  const isNumber = /^#?[A-Za-z]{0,4}-?\d+$/.test(number) && mayBeNumber(number);
  // An id alone is one of the family's own.
  return isPart && (isNumber || (product !== '' && looksLikeId(number)))
    ? { number: asMeant(number), product: asMeant(product) }
    : undefined;
}

/** True for a word that may name an item of the family: its name, or its order's number. */
export const mayName = (family: Family, word: string): boolean =>
  canName(family, word) || orderPartIn(family, word) !== undefined;

const asksOne = ({ operations }: Family): Operation | undefined =>
  operations.find(({ action, method }) => action === 'get' && method === 'GET');

/** Parts of an order, by their names. */
export interface OrderParts {
  readonly candidates: readonly Candidate[];
  /** Those whose product is not exactly the named one. */
  readonly loose: readonly Candidate[];
  /** The order's other parts. */
  readonly near: readonly Candidate[];
}

/** The items of a family that orders name as their parts, read one by one. */
export async function partsOfOrders(
  family: Family,
  orders: readonly string[],
  { product }: OrderPart,
  { asker, sales, fits }: { readonly asker: ListAsker; readonly sales: Family; readonly fits?: Fits | undefined },
): Promise<OrderParts> {
  const itemOf = async (of: Family, id: string): Promise<[Lossless, string]> => {
    const raw = stripEnvelope(await asker.answer(planRequest(of, asksOne(of) as Operation, { ids: [id] })));
    return [parseLossless(raw), raw];
  };
  const { candidateOf } = await import('./candidates.js');
  const parts: Record<keyof OrderParts, Candidate[]> = { candidates: [], loose: [], near: [] };
  for (const order of orders) {
    const [sale] = await itemOf(sales, order).catch((error: unknown) => {
      if (!(error instanceof CopsError) || error.kind !== 'not_found') throw error;
      throw usage(`${order} is no order, and only one part of an order is told by its product: nothing was sent.`);
    });
    for (const id of idsAt(sale, family.name)) {
      const [item, raw] = await itemOf(family, id);
      const name = plain(get(item, 'product.name')) ?? '';
      const isIt = product === '' || name === product;
      const isNearly = foldedWords(product).every((one) => foldedWords(name).includes(one));
      parts[isIt ? 'candidates' : isNearly ? 'loose' : 'near'].push(candidateOf(family, id, item, raw, fits));
    }
  }
  return parts;
}
