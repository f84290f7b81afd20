import { cops } from '../../base/text/command-line.js';
import { loadFamily } from '../../catalogue/index.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { labelOf } from '../names/natural-keys.js';
import type { Look } from './ask.js';
import { parcelSaid } from './charges.js';
import { type Known, namedBy, readNamed } from './one.js';
import { commandOf, type Section, textAt } from './sheet.js';

/** Requests reserved to read the items of a number: hits show neither amount nor state. */
export const FOR_HITS = 2;

/** All texts of an item. */
export function textsIn(value: Lossless, numbers = true): string[] {
  const inner = value instanceof Map ? [...value.values()] : value;
  if (Array.isArray(inner)) return inner.flatMap((one) => textsIn(one, numbers));
  return numbers || typeof value === 'string' ? [plain(value) ?? ''] : [];
}

/** How near a hit is to the word: 0 if one of its texts equals it, 1 if its number contains the word, otherwise 2. */
function closeness(raw: string, term: string): number {
  const wanted = term.toLowerCase();
  const texts = textsIn(parseLossless(raw)).map((text) => text.toLowerCase());
  if (texts.includes(wanted)) return 0;
  return /\d/.test(wanted) && texts.some((text) => text.split(/[^\p{L}\d]+/u).includes(wanted)) ? 1 : 2;
}

/**
 * The hits, nearest first: exact names, then numbers that contain the word, then the rest in its order, people first.
 * For a number, reads the few nearest whole, because hits show neither amount nor state. `labels`: what the nearest
 * are, in a few words. `orders`: the lines that show the orders of which they are a part.
 */
export async function nearestFirst(look: Look, term: string, answers: readonly Section[]) {
  const ranked = answers
    .filter(({ items }) => items.length > 0)
    .map((answer) => {
      const near = new Map(answer.items.map((raw) => [raw, closeness(raw, term)]));
      const items = answer.items.toSorted((a, b) => (near.get(a) ?? 0) - (near.get(b) ?? 0));
      return { section: { ...answer, items }, rank: near.get(items[0] ?? '') ?? 2, near };
    })
    .toSorted(
      (a, b) => Number(b.section.word === 'cardholders') - Number(a.section.word === 'cardholders') || a.rank - b.rank,
    );
  const [first, ...others] = ranked;
  const wanted = first?.section.items.filter((raw) => (first.near.get(raw) ?? 2) < 2) ?? [];
  const isFew = wanted.length > 0 && wanted.length <= Math.min(FOR_HITS, look.left);
  const isNumber = /\d/.test(term) && !looksLikeId(term);
  const family = first && first.section.word !== 'cardholders' ? await loadFamily(first.section.word) : undefined;
  if (!first || !family || !isNumber || !isFew || family.nature !== 'event')
    return { sections: ranked.map(({ section }) => section), labels: [], orders: [] };
  const { name, columns } = family;
  const named = wanted.map((raw) => ({ family: name, id: textAt(parseLossless(raw), 'id') }));
  const read = new Map((await readNamed(look, named)).map((known) => [known.id, known]));
  const orders = name === 'sales' ? new Map<string, Known>() : await ordersOf(look, [...read.values()]);
  const parcels = name === 'sales' ? await parcelsOf(look, [...read.values()]) : [];
  const whole = (raw: string) => read.get(textAt(parseLossless(raw), 'id'))?.raw ?? raw;
  return {
    sections: [
      { ...first.section, items: first.section.items.map(whole), columns },
      ...others.map(({ section }) => section),
      ...(parcels.length > 0 && ranked.every(({ section }) => section.word !== 'shipping')
        ? [await parcelSection(parcels)]
        : []),
    ],
    labels: [
      ...[...read.values()].map(({ id, item }) => {
        const order = orders.get(id);
        const number = order && (textAt(order.item, 'internal_id') || order.id);
        return `${commandOf(name)} ${id}${number ? ` of the order ${number}` : ''}: ${labelOf(item)}`;
      }),
      ...[...(name === 'shipping' ? read.values() : parcels)].map(parcelSaid),
    ],
    orders: [...new Set([...orders.values()].map(({ id }) => id))].map((id) => cops`sales get ${id}`),
  };
}

/** The parcels of orders, as far as requests are left: whoever gives the number of an order often asks where it is. */
async function parcelsOf(look: Look, orders: readonly Known[]): Promise<Known[]> {
  const named = (await Promise.all(orders.map(namedBy))).flat().filter(({ family }) => family === 'shipping');
  return readNamed(look, named);
}

async function parcelSection(parcels: readonly Known[]): Promise<Section> {
  const [items, { columns }] = [parcels.map(({ raw }) => raw), await loadFamily('shipping')];
  return { word: 'shipping', columns, items, total: items.length, command: cops`shipping get ${parcels[0]?.id ?? ''}` };
}

/** The order of which each item is a part, by the id of the item, as far as requests are left: people know its number. */
async function ordersOf(look: Look, items: readonly Known[]): Promise<Map<string, Known>> {
  const parts = await Promise.all(
    items.map(async (known) => {
      const order = (await namedBy(known)).find(({ family }) => family === 'sales');
      const [sale] = order && (look.left > 0 || look.hasRead('sales', order.id)) ? await readNamed(look, [order]) : [];
      return sale ? [[known.id, sale] as const] : [];
    }),
  );
  return new Map(parts.flat());
}
