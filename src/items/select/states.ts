import type { Column } from '../../catalogue/types.js';
import type { Lossless } from '../json/lossless.js';
import { cellText, Picker } from '../json/pick-values.js';

type State = NonNullable<Column['state']>;

/** The values that determine each state. */
const PATHS: Readonly<Record<State, readonly string[]>> = {
  buyer: ['customer.first_name', 'customer.last_name'],
  renewal: ['is_overdue', 'amount_original_total', 'amount', 'amount_captured', 'amount_refunded', 'transactions'],
};

/** An item to filter by, including the values its table computes; `raw` is its text. */
export function withStates(item: Lossless, raw: string, columns: readonly Column[]): Lossless {
  if (!(item instanceof Map)) return item;
  for (const { state, title } of columns)
    if (state && title !== undefined && !item.has(title)) item.set(title, stateOf(state, raw));
  return item;
}

/** The state that an item's values imply together, although none of them shows it alone. */
export function stateOf(state: State, raw: string): string {
  const values = new Picker(PATHS[state]).pick(raw).map((text) => cellText(text));
  return state === 'renewal' ? renewalState(values) : values.filter(Boolean).join(' ');
}

/**
 * A renewal has no result field. An overdue one failed; one that neither took nor refunded anything failed if it was
 * tried, and is due if not (service.md#payments).
 */
function renewalState([
  overdue = '',
  original = '',
  amount = '',
  captured = '',
  refunded = '',
  tries = '',
]: readonly string[]): string {
  if (overdue === 'true') return 'failed';
  if (!isSome(original === '' ? amount : original) || captured === '') return 'paid';
  if (isSome(captured) || isSome(refunded)) return 'paid';
  return /^\[\s*\]$|^$/.test(tries) ? 'due' : 'failed';
}

/** True for an amount above zero. */
function isSome(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}
