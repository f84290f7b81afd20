import type { RelationRule } from '../../catalogue/types.js';
import { Digits, type Lossless } from '../../items/json/lossless.js';
import { UNKNOWN } from '../../items/select/values.js';

/** The rows that belong to one. */
export interface Belonging {
  readonly rows: readonly Lossless[];
  /** False if more may belong to it than are known. */
  readonly isSure: boolean;
}

type Ruled = Lossless | undefined;

/** The row that a rule chooses among those of an item: none, one, or unknown. */
export function chosenByRule(name: RelationRule['name'], { rows, isSure }: Belonging): Ruled {
  if (!isSure) return UNKNOWN;
  return RULES[name](rows);
}

/** The possible rows if the rule leaves open which is meant: enabled cards without one default. */
export function openToRule(name: RelationRule['name'], { rows, isSure }: Belonging): readonly Lossless[] {
  if (!isSure || name !== 'default_card' || defaultCard(rows) !== UNKNOWN) return [];
  const isTold = rows.every((card) => typeof member(card, 'enabled') === 'boolean');
  return isTold ? rows.filter((card) => member(card, 'enabled') === true) : [];
}

const RULES: Readonly<Record<RelationRule['name'], (rows: readonly Lossless[]) => Ruled>> = {
  default_card: defaultCard,
  last_paid: lastPaid,
};

/** The enabled default card, or else the only enabled one. */
function defaultCard(cards: readonly Lossless[]): Ruled {
  if (cards.some((card) => typeof member(card, 'enabled') !== 'boolean')) return UNKNOWN;
  const enabled = cards.filter((card) => member(card, 'enabled') === true);
  const defaults = enabled.filter((card) => member(card, 'is_default') === true);
  if (defaults.length === 1) return defaults[0];
  return enabled.length > 1 ? UNKNOWN : enabled[0];
}

/** The newest approved one. */
function lastPaid(tries: readonly Lossless[]): Ruled {
  if (tries.some((one) => typeof member(one, 'approved') !== 'boolean' || unixOf(one) === undefined)) return UNKNOWN;
  const paid = tries.filter((one) => member(one, 'approved') === true);
  const newest = Math.max(...paid.map((one) => unixOf(one) ?? 0));
  const [last, other] = paid.filter((one) => unixOf(one) === newest);
  return other === undefined ? last : UNKNOWN;
}

/** Rows newest first, as in the service's lists; those without a time come last, in the order they had. */
export function inListOrder(rows: readonly Lossless[]): Lossless[] {
  const day = (row: Lossless): number => unixOf(row) ?? Number.NEGATIVE_INFINITY;
  return rows.toSorted((one, other) => day(other) - day(one) || 0);
}

const member = (row: Lossless, name: string): Lossless | undefined => (row instanceof Map ? row.get(name) : undefined);

function unixOf(row: Lossless): number | undefined {
  const made = member(row, 'created_date_unix');
  return made instanceof Digits ? Number(made.text) : undefined;
}
