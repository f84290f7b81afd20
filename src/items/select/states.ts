import type { Column, Field } from '../../catalogue/types.js';
import type { Lossless } from '../json/lossless.js';
import { cellText, Picker } from '../json/pick-values.js';

type State = NonNullable<Column['state']>;

/** What each state is told by. */
const PATHS: Readonly<Record<State, readonly string[]>> = {
  renewal: ['is_overdue', 'amount_original_total', 'amount', 'amount_captured', 'amount_refunded', 'transactions'],
};

/** The words of each state. */
const WORDS: Readonly<Record<State, readonly string[]>> = { renewal: ['paid', 'failed', 'due'] };

/** The fields that tables compute, by what they are headed: a line may choose by them as if items had them. */
export function stateFields(columns: readonly Column[]): Readonly<Record<string, Field>> {
  const computed = columns.flatMap(({ state, title }): [string, Field][] =>
    state && title !== undefined ? [[title, { type: 'string', enum: WORDS[state] }]] : [],
  );
  return Object.fromEntries(computed);
}

/** An item to choose by, with what its table computes; `raw` is its text. */
export function withStates(item: Lossless, raw: string, columns: readonly Column[]): Lossless {
  if (!(item instanceof Map)) return item;
  for (const { state, title } of columns)
    if (state && title !== undefined && !item.has(title)) item.set(title, stateOf(state, raw));
  return item;
}

/** What an item's values together say that none of them says alone. */
export function stateOf(state: State, raw: string): string {
  return renewalState(new Picker(PATHS[state]).pick(raw).map((text) => cellText(text)));
}

/**
 * A renewal carries no result: one that is overdue failed; one that took nothing and paid nothing back failed as well
 * when it was tried, and is due when not (service.md#payments).
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

/** True for an amount above nought. */
function isSome(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
}
