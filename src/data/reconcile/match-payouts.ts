import { DAY } from '../../base/time/units.js';
import type { Movement, PayoutRow } from './payout-file.js';

/** One movement of the account. */
export interface OwnMovement extends Movement {
  readonly gatewayId: string;
  /** Its id at the gateway and its own, lower case. */
  readonly ids: readonly string[];
  /** What its order is called: order numbers and ids, lower case. */
  readonly refs: readonly string[];
}

/** The rule that matched two rows. */
export type MatchRule =
  | 'gateway id'
  | 'own id'
  | 'id in text'
  | 'order number'
  | 'authorisation code'
  | 'card and amount';

export interface MatchedPair {
  readonly row: PayoutRow;
  readonly own: OwnMovement;
  readonly by: MatchRule;
}

export interface Matching {
  readonly pairs: readonly MatchedPair[];
  /** Rows that match nothing on the other side. */
  readonly onlyThere: readonly PayoutRow[];
  readonly onlyHere: readonly OwnMovement[];
  /** Rows that match several on the other side, without any sign of which. */
  readonly unclearThere: readonly PayoutRow[];
  readonly unclearHere: readonly OwnMovement[];
}

/** How many days a card payment and its row may be apart. */
const DAYS_APART = 3;

/**
 * Finds each row's movement: by the gateway's id or our own, else by such an id in its text, else by an order number
 * there, else by authorisation code, amount and day, else by amount, last four digits and days. Each match is unique
 * both ways, and none is by amount alone.
 * @param dayOf the day of a moment, in the zone of the file
 */
export function matchPayouts(
  rows: readonly PayoutRow[],
  movements: readonly OwnMovement[],
  dayOf: (at: number) => string,
): Matching {
  const work = new Matcher(rows, movements);
  const sign = (amount: bigint): string => (amount < 0n ? '-' : '+');
  work.byKey(
    'gateway id',
    (row) => row.id && `${row.id} ${sign(row.amount)}`,
    (own) => own.gatewayId && `${own.gatewayId} ${sign(own.amount)}`,
  );
  work.byKey(
    'own id',
    (row) => row.id,
    (one) => one.id.toLowerCase(),
  );
  work.byWords('id in text', ({ ids }) => ids);
  // Once the two sides share ids, different ids mean different payments, whatever else is alike.
  const isShared = work.pairs.length > 0;
  const [row, own] = [
    (one: PayoutRow) => isShared && one.id !== '',
    (one: OwnMovement) => isShared && one.gatewayId !== '',
  ];
  const apart = (a: PayoutRow, b: OwnMovement): boolean => row(a) && own(b);
  work.byWords('order number', ({ refs }) => refs, apart);
  work.byKey(
    'authorisation code',
    (one) => one.auth && `${one.auth} ${one.amount} ${one.currency} ${dayOf(one.at)}`,
    (one) => one.auth && `${one.auth} ${one.amount} ${one.currency} ${dayOf(one.at)}`,
    apart,
  );
  work.byCard(apart);
  return work.matching();
}

class Matcher {
  readonly pairs: MatchedPair[] = [];
  readonly #rows: Set<PayoutRow>;
  readonly #own: Set<OwnMovement>;
  readonly #unclearRows = new Set<PayoutRow>();
  readonly #unclearOwn = new Set<OwnMovement>();

  constructor(rows: readonly PayoutRow[], own: readonly OwnMovement[]) {
    this.#rows = new Set(rows);
    this.#own = new Set(own);
  }

  /** Pairs rows whose key occurs once on each side; if it occurs more often, no later rule can tell them apart. */
  byKey(
    by: MatchRule,
    rowKey: (row: PayoutRow) => string,
    ownKey: (own: OwnMovement) => string,
    apart: (row: PayoutRow, own: OwnMovement) => boolean = () => false,
  ): void {
    const [there, here] = [grouped(this.#rows, rowKey), grouped(this.#own, ownKey)];
    for (const [key, rows] of there) {
      const own = (here.get(key) ?? []).filter((one) => !rows.some((row) => apart(row, one)));
      if (own.length === 0) continue;
      const [row, movement] = [rows[0], own[0]];
      if (rows.length === 1 && own.length === 1 && row && movement) this.#pair(row, movement, by);
      else this.#leave(rows, own);
    }
  }

  /** Pairs each row with the movement that its text names; if it names several, with the one of the same amount. */
  byWords(
    by: MatchRule,
    wordsOf: (own: OwnMovement) => readonly string[],
    apart: (row: PayoutRow, own: OwnMovement) => boolean = () => false,
  ): void {
    const here = new Map<string, OwnMovement[]>();
    for (const own of this.#own)
      for (const word of new Set(wordsOf(own))) here.set(word, [...(here.get(word) ?? []), own]);
    const meant = new Map<PayoutRow, readonly OwnMovement[]>();
    const named = new Map<OwnMovement, number>();
    for (const row of this.#rows) {
      const all = [...new Set(row.refs.flatMap((ref) => here.get(ref) ?? []))];
      const alike = all.filter(
        (own) => own.currency === row.currency && own.amount < 0n === row.amount < 0n && !apart(row, own),
      );
      const same = alike.filter((own) => own.amount === row.amount);
      const found = same.length > 0 ? same : alike;
      if (found.length === 0) continue;
      meant.set(row, found);
      for (const own of found) named.set(own, (named.get(own) ?? 0) + 1);
    }
    for (const [row, found] of meant) {
      const [only] = found;
      if (found.length === 1 && only && named.get(only) === 1) this.#pair(row, only, by);
      else this.#leave([row], found);
    }
  }

  byCard(apart: (row: PayoutRow, own: OwnMovement) => boolean): void {
    const keyOf = ({ amount, currency, last4 }: PayoutRow | OwnMovement): string =>
      last4 === '' ? '' : `${amount} ${currency} ${last4}`;
    const [there, here] = [grouped(this.#rows, keyOf), grouped(this.#own, keyOf)];
    for (const [key, rows] of there) {
      const own = here.get(key) ?? [];
      const isNear = (row: PayoutRow, one: OwnMovement): boolean =>
        Math.abs(row.at - one.at) <= DAYS_APART * DAY && !apart(row, one);
      for (const row of rows) {
        const near = own.filter((one) => isNear(row, one));
        const [only] = near;
        if (!only) continue;
        const others = rows.filter((other) => isNear(other, only));
        if (near.length === 1 && others.length === 1) this.#pair(row, only, 'card and amount');
        else this.#leave([row], near);
      }
    }
  }

  matching(): Matching {
    return {
      pairs: this.pairs,
      onlyThere: [...this.#rows].filter((row) => !this.#unclearRows.has(row)),
      onlyHere: [...this.#own].filter((own) => !this.#unclearOwn.has(own)),
      unclearThere: [...this.#unclearRows].filter((row) => this.#rows.has(row)),
      unclearHere: [...this.#unclearOwn].filter((own) => this.#own.has(own)),
    };
  }

  #pair(row: PayoutRow, own: OwnMovement, by: MatchRule): void {
    this.pairs.push({ row, own, by });
    this.#rows.delete(row);
    this.#own.delete(own);
  }

  #leave(rows: readonly PayoutRow[], own: readonly OwnMovement[]): void {
    for (const row of rows) this.#unclearRows.add(row);
    for (const one of own) this.#unclearOwn.add(one);
  }
}

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === '') continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
