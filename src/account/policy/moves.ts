import Big from 'big.js';
import type { Operation } from '../../catalogue/types.js';
import type { Values } from '../../items/json/lossless.js';
import { NumberText } from '../../items/json/tree.js';
import type { KnownRisk } from '../safety/decide.js';
import { refundAmounts } from '../safety/question.js';
import type { Moves } from './types.js';

/** Last words of operations that end something and move no amount at once. */
const ENDS = ['delete', 'cancel', 'disable'];

/** How an operation moves money: not at all, depending on its item, or in an unpredictable way. */
export function movesBy(operation: Operation, risk: KnownRisk): 'nothing' | 'item' | 'unknown' {
  if (risk === 'read' || risk === 'write') return 'nothing';
  if (risk === 'unknown') return 'unknown';
  if (operation.moves) return operation.moves;
  if (operation.preview?.refund) return 'item';
  const word = operation.action.split(' ').at(-1) ?? '';
  return risk === 'irreversible' && ENDS.includes(word) ? 'nothing' : 'unknown';
}

/**
 * What a write moves at most: the amount of its body, else all that its item has left, in the item's currency.
 * @param item the item as the service just gave it
 */
export function movesOf(
  operation: Operation,
  risk: KnownRisk,
  body: Readonly<Record<string, unknown>>,
  item: Values | undefined,
): Moves {
  const by = movesBy(operation, risk);
  if (by === 'nothing') return { kind: 'nothing' };
  if (by === 'unknown') return { kind: 'unknown', why: `${operation.action} tells no amount` };
  if (!item) return { kind: 'unknown', why: 'the item cannot be read' };
  const { currency, most } = refundAmounts(item);
  if (currency === undefined) return { kind: 'unknown', why: 'the item shows no currency' };
  const asked = Object.hasOwn(body, 'amount') ? textOf(body.amount) : most;
  if (asked === undefined || !/^\d{1,15}(\.\d{1,15})?$/.test(asked))
    return { kind: 'unknown', why: 'it shows no plain amount' };
  const amount = new Big(asked);
  // A service may treat an amount of zero as missing, which means all of it.
  if (amount.eq(0) && Object.hasOwn(body, 'amount'))
    return { kind: 'unknown', why: 'an amount of 0 may mean all of it' };
  return { kind: 'amount', amount, currency: currency.toUpperCase() };
}

function textOf(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.text;
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

/** What several operations of one write move together. */
export function together(all: readonly Moves[]): Moves {
  let sum: Extract<Moves, { kind: 'amount' }> | undefined;
  for (const one of all) {
    if (one.kind === 'unknown') return one;
    if (one.kind === 'nothing') continue;
    if (sum && sum.currency !== one.currency)
      return { kind: 'unknown', why: `it is in ${sum.currency} and ${one.currency}` };
    sum = { ...one, amount: sum ? sum.amount.plus(one.amount) : one.amount };
  }
  return sum ?? { kind: 'nothing' };
}
