import { parseLossless } from '../json/lossless.js';
import type { Look } from './ask.js';
import { idsAt } from './item.js';
import { readNamed } from './one.js';
import { isOpen } from './open-now.js';

/** A customer's amounts that are still to collect. */
export interface ToCollect {
  /** Exact texts of the items. */
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
 */
export async function toCollectOf(look: Look, raws: readonly string[], isAll: boolean): Promise<ToCollect> {
  const ids = named(raws);
  const read = await readNamed(look, asNamed(ids));
  return { items: read.filter(isOpen).map(({ raw }) => raw), isWhole: isAll && read.length === ids.length };
}
