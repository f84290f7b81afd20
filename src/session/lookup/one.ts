import { CopsError, unless } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Relation } from '../../catalogue/types.js';
import { idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import { ownerOf } from '../names/people.js';
import { FINAL, type Found, type Look } from './ask.js';
import { commandOf, textAt } from './sheet.js';

/** An item that was read. */
export interface Known {
  readonly family: string;
  readonly id: string;
  readonly raw: string;
  readonly item: Lossless;
}

/** The items that name an item, read or not. */
export type NamedItem = Pick<Known, 'family' | 'id'>;

export const keyOf = ({ family, id }: NamedItem): string => `${family}/${id}`;

/** Each item once. */
export const uniqueOf = <One extends NamedItem>(items: readonly One[]): One[] => [
  ...new Map(items.map((one) => [keyOf(one), one])).values(),
];

/**
 * The item of an id that no word says the family of: asked for in several families at once, an id being of one only.
 * @throws CopsError `not_found` with the families that were asked; `incomplete` if some of them could not be read
 */
export async function itemOfAny(look: Look, id: string, families: readonly string[]): Promise<Known> {
  const faults = new Map<string, CopsError>();
  const found = await Promise.all(
    families.map(async (family): Promise<Known | undefined> => {
      try {
        return { ...knownOf(family, await look.item(family, id)), id };
      } catch (error) {
        if (!(error instanceof CopsError) || FINAL.has(error.kind)) throw error;
        if (error.kind !== 'not_found') faults.set(family, error);
        return undefined;
      }
    }),
  );
  const known = found.find((one) => one !== undefined);
  if (known) return known;
  const [fault] = faults.values();
  if (fault && faults.size === families.length) throw fault;
  const asked = families.filter((family) => !faults.has(family)).map(commandOf);
  const unread = [...faults].map(([family, { message }]) => ` Not read: ${commandOf(family)} (${message}).`).join('');
  throw new CopsError(fault ? 'incomplete' : 'not_found', `No item of ${asked.join(', ')} has the id ${id}.${unread}`, {
    hint: say`Name its family with --family, or look everywhere: ${cops`find ${id} --all`}`,
  });
}

/** The ids that an item names in a relation. */
export const idsOf = (item: Lossless, { from }: Relation): string[] => [
  ...new Set(from.flatMap((path) => idsAt(item, path))),
];

/** What an item names in other families, by the catalogue's relations, without what is already known. */
export async function namedBy(known: Known): Promise<readonly NamedItem[]> {
  const family = await loadFamily(known.family);
  const relations = Object.values(family.operations.find(({ action }) => action === 'get')?.related ?? {});
  const named = relations.flatMap((relation) =>
    idsOf(known.item, relation).map((id) => ({ family: relation.family, id })),
  );
  return uniqueOf(named).filter((one) => keyOf(one) !== keyOf(known));
}

/** Parts of an order. */
export const PARTS: ReadonlySet<string> = new Set(['product_sales', 'tax', 'discounts']);

/** What a family's items are paid through besides their own list of payments, which may hold only the first. */
const PAID_THROUGH: Readonly<Record<string, readonly string[]>> = {
  subscriptions: ['subscription_renewals', 'salvage_transactions', 'trials'],
  sales: ['salvage_transactions', 'trials'],
  trials: ['salvage_transactions'],
  subscription_renewals: ['salvage_transactions'],
  salvage_transactions: ['subscription_renewals'],
};

/** The customer whose lists show what belongs to an item; undefined if the item itself names all of it. */
export const payerOf = ({ family, item }: Known): string | undefined =>
  family in PAID_THROUGH ? ownerOf(item) : undefined;

export function knownOf(family: string, raw: string): Known {
  const item = parseLossless(raw);
  return { family, id: textAt(item, 'id'), raw, item };
}

/** The customer's items that the given items name, and those that name these items or what they are paid through. */
export async function belonging(to: readonly Known[], listed: readonly Known[]): Promise<Known[]> {
  const named = await Promise.all(to.map(namedBy));
  const through = named.flatMap((all, at) =>
    all.filter(({ family }) => PAID_THROUGH[to[at]?.family ?? '']?.includes(family)),
  );
  const [own, direct] = [new Set([...to, ...through].map(keyOf)), new Set(named.flat().map(keyOf))];
  const names = await Promise.all(listed.map(namedBy));
  return listed.filter(
    (one, at) => direct.has(keyOf(one)) || [one, ...(names[at] ?? [])].some((name) => own.has(keyOf(name))),
  );
}

/** Reads items that another one names, as far as requests are left; reports the rest. */
export async function readNamed(
  look: Look,
  named: readonly { readonly family: string; readonly id: string }[],
  most = Number.POSITIVE_INFINITY,
): Promise<Known[]> {
  const room = Math.max(0, Math.min(look.left, most));
  const fresh = named.filter(({ family, id }) => !look.hasRead(family, id));
  const skipped = new Set(fresh.slice(room));
  const read = await Promise.all(
    named
      .filter((one) => !skipped.has(one))
      .map(async ({ family, id }): Promise<Known[]> => {
        const command = cops`${commandOf(family)} get ${id}`;
        const isRead = look.hasRead(family, id);
        const what = `${commandOf(family)} ${id}`;
        const run = async (): Promise<Found> => {
          const item = await look.item(family, id).catch(unless('not_found'));
          if (item === undefined) look.skip(what, 'the service has no such item', command);
          return { items: item === undefined ? [] : [item] };
        };
        const { items } = await look.read(what, command, run, isRead);
        return items.map((raw) => ({ family, id, raw, item: parseLossless(raw) }));
      }),
  );
  for (const [family, ids] of byFamily([...skipped])) look.skipItems(family, ids);
  return read.flat();
}

function byFamily(named: readonly { readonly family: string; readonly id: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { family, id } of named) groups.set(family, [...(groups.get(family) ?? []), id]);
  return groups;
}
