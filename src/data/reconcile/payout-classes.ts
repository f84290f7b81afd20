import { type Matching, matchPayouts, type OwnMovement } from './match-payouts.js';
import type { PayoutRow, UnreadRow } from './payout-file.js';

/** The outcome for a row of either side. */
export type PayoutClass =
  | 'matched'
  | 'amount differs'
  | 'fee differs'
  | 'wrong month'
  | 'only there'
  | 'only here'
  | 'other month'
  | 'unexplained';

/** One line of the answer: a row, a movement, or both. */
export interface ClassedLine {
  readonly class: PayoutClass;
  /** The rule that matched the two, `sum only`, or why nothing matches. */
  readonly by: string;
  readonly row?: PayoutRow | undefined;
  readonly own?: OwnMovement | undefined;
  /** The line number in the file, if the row cannot be read. */
  readonly line?: number;
}

interface Month {
  readonly begins: number;
  readonly ends: number;
}

/** Every row of the file and every movement of the month, each in one class. */
export function classedLines(
  rows: readonly PayoutRow[],
  unread: readonly UnreadRow[],
  movements: readonly OwnMovement[],
  month: Month,
  dayOf: (at: number) => string,
): ClassedLine[] {
  const matching: Matching = matchPayouts(rows, movements, dayOf);
  const isIn = ({ at }: { readonly at: number }): boolean => at >= month.begins && at < month.ends;
  const lines: ClassedLine[] = [];
  for (const { row, own, by } of matching.pairs) {
    const kind =
      !isIn(row) && !isIn(own) ? 'other month' : isIn(row) !== isIn(own) ? 'wrong month' : differing(row, own);
    lines.push({ class: kind, by, row, own });
  }
  for (const row of matching.onlyThere)
    lines.push({ class: isIn(row) ? 'only there' : 'other month', by: 'nothing here fits', row });
  for (const row of matching.unclearThere) lines.push({ class: 'unexplained', by: 'several fit', row });
  // Movements of other months matter only if the file has them.
  for (const own of matching.onlyHere) if (isIn(own)) lines.push({ class: 'only here', by: 'nothing there fits', own });
  for (const own of matching.unclearHere) if (isIn(own)) lines.push({ class: 'unexplained', by: 'several fit', own });
  for (const { line, why } of unread) lines.push({ class: 'unexplained', by: why, line });
  return lines;
}

function differing(row: PayoutRow, own: OwnMovement): PayoutClass {
  if (row.amount !== own.amount || row.currency !== own.currency) return 'amount differs';
  return row.fee !== undefined && own.fee !== undefined && row.fee !== own.fee ? 'fee differs' : 'matched';
}

/** Classes a file of sums only, compared with sums by day, currency and, if the file has it, gateway. */
export function classedSums(
  rows: readonly PayoutRow[],
  unread: readonly UnreadRow[],
  movements: readonly OwnMovement[],
  month: Month,
  dayOf: (at: number) => string,
): ClassedLine[] {
  const isByGateway = rows.length > 0 && rows.every(({ gateway }) => gateway !== '');
  const keyOf = ({ at, currency, gateway }: PayoutRow | OwnMovement): string =>
    JSON.stringify([dayOf(at), currency, isByGateway ? gateway.toLowerCase() : '']);
  const [there, here] = [summed(rows, keyOf), summed(movements, keyOf)];
  const lines: ClassedLine[] = unread.map(({ line, why }) => ({ class: 'unexplained', by: why, line }));
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [row, own] = [there.get(key), here.get(key)];
    const at = row?.at ?? own?.at ?? 0;
    const isIn = at >= month.begins && at < month.ends;
    if (!isIn && !row) continue;
    // A bank reports what arrives: the sum of the day less its fees, to the cent.
    const isNet = row && own?.fee && row.fee === undefined && row.amount === own.amount - own.fee;
    const kind = !isIn
      ? 'other month'
      : !own
        ? 'only there'
        : !row
          ? 'only here'
          : isNet && row.currency === own.currency
            ? 'matched'
            : differing(row, own);
    lines.push({ class: kind, by: isNet ? 'sum only, less fees' : 'sum only', row, own });
  }
  return lines;
}

function summed<T extends PayoutRow | OwnMovement>(items: readonly T[], keyOf: (item: T) => string): Map<string, T> {
  const sums = new Map<string, T>();
  for (const item of items) {
    const sum = sums.get(keyOf(item));
    const fee = sum?.fee === undefined || item.fee === undefined ? (sum ? undefined : item.fee) : sum.fee + item.fee;
    sums.set(keyOf(item), sum ? { ...sum, amount: sum.amount + item.amount, fee } : item);
  }
  return sums;
}

/** The sums of each side by class and currency. */
export interface SideSums {
  readonly class: PayoutClass;
  readonly currency: string;
  readonly there: bigint;
  readonly here: bigint;
  readonly rows: number;
  readonly movements: number;
}

/** The sums by class; each row and each movement is in exactly one. */
export function sumsOf(lines: readonly ClassedLine[]): SideSums[] {
  const sums = new Map<string, { -readonly [Name in keyof SideSums]: SideSums[Name] }>();
  for (const { class: kind, row, own } of lines) {
    for (const currency of new Set([row?.currency, own?.currency])) {
      if (currency === undefined) continue;
      const key = `${currency} ${kind}`;
      const sum = sums.get(key) ?? { class: kind, currency, there: 0n, here: 0n, rows: 0, movements: 0 };
      if (row?.currency === currency) Object.assign(sum, { there: sum.there + row.amount, rows: sum.rows + 1 });
      if (own?.currency === currency) Object.assign(sum, { here: sum.here + own.amount, movements: sum.movements + 1 });
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort((a, b) => a.currency.localeCompare(b.currency));
}
