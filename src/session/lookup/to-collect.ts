import { parseLossless } from '../../items/json/lossless.js';
import type { Found, Look } from './ask.js';
import { idsAt, madeOf, textAt } from './item.js';
import { type Known, readNamed } from './one.js';

/** Hits of a search that are read one by one, at most. */
export const MOST_SINGLE = 20;

/** A customer's amounts that are still to collect. */
export interface ToCollect {
  /** Newest first. */
  readonly open: readonly Known[];
  /** Their exact texts. */
  readonly items: readonly string[];
  /** False where something that may name one was not read. */
  readonly isWhole: boolean;
}

const named = (raws: readonly string[]): string[] => [
  ...new Set(raws.flatMap((raw) => idsAt(parseLossless(raw), 'salvage_transactions'))),
];

const asNamed = (ids: readonly string[]) => ids.map((id) => ({ family: 'salvage_transactions', id }));

/** Reads what items name as still to collect, as far as requests are left: the rest is read later. */
export async function readFirst(look: Look, raws: readonly string[]): Promise<void> {
  await readNamed(look, asNamed(named(raws).slice(0, Math.max(0, look.left))));
}

/**
 * What is still to collect: there is no list of it by customer, so it is what subscriptions, orders, trials and payments
 * name.
 * @param raws all items that may name one
 * @param isAll false where not all of these items could be read
 * @param most requests at most
 */
export async function toCollectOf(
  look: Look,
  raws: readonly string[],
  isAll: boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<ToCollect> {
  const ids = named(raws);
  const read = await readNamed(look, asNamed(ids), most);
  const open = read.filter(isOpen).sort((a, b) => madeOf(b) - madeOf(a));
  return { open, items: open.map(({ raw }) => raw), isWhole: isAll && read.length === ids.length };
}

/** A hit of a search shows only when it was made: each is read, where requests are left for all. */
export async function readHits(look: Look, family: string, hits: Found, room = look.left): Promise<Found> {
  const ids = hits.items.map((raw) => textAt(parseLossless(raw), 'id'));
  const isRoom = ids.length <= Math.min(MOST_SINGLE, room);
  const read = isRoom
    ? await readNamed(
        look,
        ids.map((id) => ({ family, id })),
      )
    : [];
  return read.length === ids.length ? { ...hits, items: read.map(({ raw }) => raw) } : { ...hits, isWhole: false };
}

/** Whether an amount is still to collect. */
export function isOpen({ item }: Known): boolean {
  const state = textAt(item, 'status').toLowerCase();
  const isEnded = state === 'processed' || state === 'disabled' || textAt(item, 'enabled') === 'false';
  return !isEnded && Number(textAt(item, 'amount_remaining')) > 0;
}
