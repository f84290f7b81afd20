import { type Matching, matchPayouts, type OwnMovement } from './match-payouts.js';
import type { PayoutRow, UnreadRow } from './payout-file.js';

/** The outcome for a row of either side. */
export type PayoutClass =
  | 'matched'
  | 'amount differs'
  | 'fee differs'
  | 'wrong month'
  | 'doubled line'
  | 'only there'
  | 'only here'
  | 'refund'
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

/** A file and the movements it is compared with. */
interface Payouts {
  readonly rows: readonly PayoutRow[];
  readonly unread: readonly UnreadRow[];
  readonly movements: readonly OwnMovement[];
  readonly month: { readonly begins: number; readonly ends: number };
  readonly dayOf: (at: number) => string;
}

/** Every row of the file and every movement of the month, each in one class. */
export function classedLines({ rows, unread, movements, month, dayOf }: Payouts): ClassedLine[] {
  const doubles = doublesOf(rows, dayOf);
  const matching: Matching = matchPayouts(
    rows.filter((row) => !doubles.has(row)),
    movements,
    dayOf,
  );
  const isIn = ({ at }: { readonly at: number }): boolean => at >= month.begins && at < month.ends;
  const lines: ClassedLine[] = [];
  for (const { row, own, by } of matching.pairs) {
    const kind =
      !isIn(row) && !isIn(own) ? 'other month' : isIn(row) !== isIn(own) ? 'wrong month' : differing(row, own);
    lines.push({ class: kind, by: row.currency === own.currency ? by : `${by}, in ${own.currency} here`, row, own });
  }
  for (const row of matching.onlyThere)
    lines.push({ class: isIn(row) ? 'only there' : 'other month', by: 'nothing here fits', row });
  for (const row of matching.unclearThere) lines.push({ class: 'unexplained', by: 'several fit', row });
  const firsts = new Map(lines.map((line) => [line.row, line]));
  for (const [row, first] of doubles) {
    const { class: kind = 'unexplained', by = '', own } = firsts.get(first) ?? {};
    const doubled: PayoutClass = isIn(row) ? 'doubled line' : 'other month';
    lines.push(own ? { class: doubled, by: `as line ${first.line}`, row } : { class: kind, by, row });
  }
  // Movements of other months matter only if the file has them.
  const isSalesOnly = rows.every(({ amount }) => amount >= 0n);
  const isLeft = ({ amount }: OwnMovement): boolean => isSalesOnly && amount < 0n;
  const here = matching.onlyHere.filter(isIn);
  for (const own of here) if (!isLeft(own)) lines.push({ class: 'only here', by: 'nothing there fits', own });
  for (const own of matching.unclearHere) if (isIn(own)) lines.push({ class: 'unexplained', by: 'several fit', own });
  for (const own of here) if (isLeft(own)) lines.push({ class: 'refund', by: 'the file has none', own });
  for (const { line, why } of unread) lines.push({ class: 'unexplained', by: why, line });
  return lines;
}

/** Repeated lines of a file, each with the line it repeats. Lines without an id must also have the same day. */
function doublesOf(rows: readonly PayoutRow[], dayOf: (at: number) => string): Map<PayoutRow, PayoutRow> {
  const firsts = new Map<string, PayoutRow>();
  const doubles = new Map<PayoutRow, PayoutRow>();
  for (const row of rows) {
    const { id, auth, last4, refs, amount, currency } = row;
    const key = JSON.stringify([id || dayOf(row.at), id !== '', auth, last4, refs, String(amount), currency]);
    const first = firsts.get(key);
    if (first) doubles.set(row, first);
    else firsts.set(key, row);
  }
  return doubles;
}

function differing(row: PayoutRow, own: OwnMovement): PayoutClass {
  if (row.amount !== own.amount || row.currency !== own.currency) return 'amount differs';
  return row.fee !== undefined && own.fee !== undefined && row.fee !== own.fee ? 'fee differs' : 'matched';
}

/** How many days after the payments a sum may arrive. */
export const MOST_LAG = 4;

/**
 * Classifies a file of sums only, by comparing them with sums by day, currency and, if the file has it, gateway. If the
 * money arrives later, each day's sums are compared with those some days later, by the lag with which most agree. A sum
 * may cover several days: on a Monday, the weekend.
 */
export function classedSums({ rows, unread, movements, month, dayOf }: Payouts): ClassedLine[] {
  const isByGateway = rows.length > 0 && rows.every(({ gateway }) => gateway !== '');
  const keyOf = (day: string, { currency, gateway }: PayoutRow | OwnMovement): string =>
    JSON.stringify([day, currency, isByGateway ? gateway.toLowerCase() : '']);
  const there = summed(rows, (row) => keyOf(dayOf(row.at), row));
  // A refund has no fee of its own.
  const booked = movements.map((own) => (own.amount < 0n ? { ...own, fee: own.fee ?? 0n } : own));
  const { here, lag } = bestLag(there, (days) => summed(booked, (own) => keyOf(dayAfter(dayOf(own.at), days), own)));
  const joined = joinDays(there, here);
  const lines: ClassedLine[] = unread.map(({ line, why }) => ({ class: 'unexplained', by: why, line }));
  for (const key of new Set([...there.keys(), ...here.keys()])) {
    const [row, own] = [there.get(key), here.get(key)];
    const at = (lag > 0 ? own?.at : undefined) ?? row?.at ?? own?.at ?? 0;
    const isIn = at >= month.begins && at < month.ends;
    if (!isIn && !row) continue;
    // A bank reports what arrives: the day's sum less its fees, to the cent.
    const isNet = isNetOf(row, own);
    const kind = !isIn
      ? 'other month'
      : !own
        ? 'only there'
        : !row
          ? 'only here'
          : isNet && row.currency === own.currency
            ? 'matched'
            : differing(row, own);
    const of = joined.get(key);
    const days = of === undefined ? '' : of === 1 ? ' of an earlier day' : ` of ${of} days`;
    const by = `sum only${days}${isNet ? ', less fees' : ''}${lag > 0 ? `, ${lag} ${lag === 1 ? 'day' : 'days'} later` : ''}`;
    lines.push({ class: kind, by, row, own });
  }
  return lines;
}

/** How many preceding days, for which the file has no sum, one sum may also cover. */
const MOST_JOINED = 3;

/**
 * Adds the days without a sum in the file to the next day that has one, if the two sides then agree.
 * @returns how many days each of these sums covers
 */
function joinDays(there: ReadonlyMap<string, PayoutRow>, here: Map<string, OwnMovement>): Map<string, number> {
  const days = new Map<string, number>();
  for (const [key, row] of there) {
    if (agrees(row, here.get(key))) continue;
    const [day, ...of] = JSON.parse(key) as [string, string, string];
    const joined: string[] = [];
    let sum = here.get(key);
    for (let back = 1; back <= MOST_JOINED && !agrees(row, sum); back++) {
      const before = JSON.stringify([dayAfter(day, -back), ...of]);
      const own = here.get(before);
      if (there.has(before)) break;
      if (own === undefined) continue;
      joined.push(before);
      sum = sum ? plus(sum, own) : own;
    }
    if (sum === undefined || !agrees(row, sum)) continue;
    days.set(key, joined.length + (here.has(key) ? 1 : 0));
    here.set(key, sum);
    for (const before of joined) here.delete(before);
  }
  return days;
}

const agrees = (row: PayoutRow, own: OwnMovement | undefined): boolean =>
  own !== undefined && (row.amount === own.amount || isNetOf(row, own));

/** Whether a bank's sum is the day's sum less its fees. */
const isNetOf = (row: PayoutRow | undefined, own: OwnMovement | undefined): boolean =>
  row !== undefined &&
  own?.fee !== undefined &&
  own.fee !== 0n &&
  row.fee === undefined &&
  row.amount === own.amount - own.fee;

/** The account's sums moved by the lag with which most of the file's sums agree; none if no lag stands out. */
function bestLag(
  there: ReadonlyMap<string, PayoutRow>,
  sumsAfter: (days: number) => Map<string, OwnMovement>,
): { readonly here: Map<string, OwnMovement>; readonly lag: number } {
  const agreeing = (here: ReadonlyMap<string, OwnMovement>): number =>
    [...there].filter(([key, row]) => agrees(row, here.get(key))).length;
  let best = { here: sumsAfter(0), lag: 0 };
  let most = agreeing(best.here);
  for (let lag = 1; lag <= MOST_LAG; lag++) {
    const here = sumsAfter(lag);
    const count = agreeing(here);
    // Two sums can be equal by chance; a bank's lag applies to most.
    if (count < Math.max(3, 2 * most) || count < there.size / 2) continue;
    best = { here, lag };
    most = count;
  }
  return best;
}

/** A day in digits, some days later. */
const dayAfter = (day: string, days: number): string =>
  days === 0 ? day : new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

function summed<T extends PayoutRow | OwnMovement>(items: readonly T[], keyOf: (item: T) => string): Map<string, T> {
  const sums = new Map<string, T>();
  for (const item of items) {
    const sum = sums.get(keyOf(item));
    sums.set(keyOf(item), sum ? plus(sum, item) : item);
  }
  return sums;
}

/** Adds two sums; the fee is known only if both are. */
const plus = <T extends PayoutRow | OwnMovement>(sum: T, { amount, fee }: T): T => ({
  ...sum,
  amount: sum.amount + amount,
  fee: sum.fee === undefined || fee === undefined ? undefined : sum.fee + fee,
});

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
