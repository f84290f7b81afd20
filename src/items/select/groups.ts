import { usage } from '../../base/errors/errors.js';
import { periodName, UNITS, type Unit } from '../../base/time/periods.js';
import { wallTime, type Zone } from '../../base/time/zones.js';
import { Digits, type Lossless, textOf } from '../json/lossless.js';
import { addNumbers, isNumber } from './decimals.js';
import { isKnown, isMoney, isTime, pathOf, type Vocabulary } from './names.js';
import { compareScalars, names, type Scalar } from './order.js';
import { scalarAt, valuesAt } from './values.js';

/** One thing that items are grouped by; `name` is what was typed, and the name of the row's member. */
interface GroupKey {
  readonly name: string;
  readonly path: string;
  /** For a moment: the calendar period that it falls into, in the zone in use. */
  readonly period: Unit | undefined;
}

/** How items are counted and added up. */
export interface Grouping {
  readonly keys: readonly GroupKey[];
  readonly sums: readonly { readonly name: string; readonly path: string }[];
  /** A sum is of money: items of different currencies never come into one row. */
  readonly byCurrency: boolean;
}

/**
 * Reads `--group-by currency,created:month` and `--sum amount`.
 *
 * @throws CopsError of kind `usage`
 */
export function parseGrouping(by: readonly string[], sum: readonly string[], vocabulary: Vocabulary): Grouping {
  const keys = names(by, '--group-by').map((name) => groupKey(name, vocabulary));
  const sums = names(sum, '--sum').map((name) => ({
    name: `sum_${name}`,
    path: pathOf(vocabulary, name, 'heading'),
  }));
  const money = sums.some(({ path }) => isMoney(vocabulary, path));
  return { keys, sums, byCurrency: money && !keys.some(({ path }) => path === CURRENCY) };
}

const CURRENCY = 'iso_currency';
/** The field that a list's range goes by. */
export const CREATED = 'created_date_unix';

function groupKey(name: string, vocabulary: Vocabulary): GroupKey {
  const [, field = name, word] = /^(.*):(\w+)$/.exec(name) ?? [];
  // A calendar word by itself is that of the day on which items were made.
  if (word === undefined && periodWord(name) && !isKnown(vocabulary, name) && isKnown(vocabulary, CREATED))
    return { name: `created:${name.toLowerCase()}`, path: CREATED, period: periodWord(name) };
  if (word === undefined) return { name, path: pathOf(vocabulary, name, 'heading'), period: undefined };
  const period = periodWord(word);
  const path = pathOf(vocabulary, field, 'heading');
  if (!period) throw usage(`--group-by ${name}: "${word}" is none of ${UNITS.join(', ')}.`);
  if (!isTime(vocabulary, path)) throw usage(`--group-by ${name}: ${path} holds no moments.`);
  return { name, path, period };
}

function periodWord(word: string): Unit | undefined {
  return UNITS.find((known) => known === word.toLowerCase());
}

interface Group {
  readonly keys: readonly Scalar[];
  readonly currency: Scalar;
  count: number;
  readonly sums: (string | undefined)[];
}

/** Groups of items with their count and exact sums. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  #currencies = false;
  /** How many items had nothing to add, by the name of the sum. */
  readonly empty = new Map<string, number>();
  /** How many items had several values for a key, by the name of the key: they stand in the group of the first. */
  readonly several = new Map<string, number>();

  constructor(
    readonly grouping: Grouping,
    readonly zone: Zone,
  ) {}

  /** @throws CopsError of kind `usage` for a sum over what is no number */
  add(item: Lossless): void {
    const { keys, sums, byCurrency } = this.grouping;
    const values = keys.map((key) => this.#keyOf(item, key));
    const currency = byCurrency ? scalarAt(item, CURRENCY) : null;
    if (currency !== null) this.#currencies = true;
    const name = JSON.stringify([...values, currency].map((value) => (value instanceof Digits ? [value.text] : value)));
    const group = this.#groups.get(name) ?? { keys: values, currency, count: 0, sums: sums.map(() => undefined) };
    this.#groups.set(name, group);
    group.count++;
    for (const [index, sum] of sums.entries()) {
      const texts = valuesAt(item, sum.path).flatMap((value) => numberText(value, sum.path));
      if (texts.length === 0) this.empty.set(sum.name, (this.empty.get(sum.name) ?? 0) + 1);
      for (const text of texts) group.sums[index] = addNumbers(group.sums[index] ?? '0', text);
    }
  }

  /** The rows as JSON texts, in the order of their groups. */
  rows(): string[] {
    const groups = [...this.#groups.values()].sort((a, b) =>
      compareLists([...a.keys, a.currency], [...b.keys, b.currency]),
    );
    return groups.map(({ keys, currency, count, sums }) => {
      const members: [string, string][] = this.grouping.keys.map((key, index) => [
        key.name,
        textOf(keys[index] ?? null),
      ]);
      if (this.#currencies) members.push([CURRENCY, textOf(currency)]);
      members.push(['count', String(count)]);
      for (const [index, sum] of this.grouping.sums.entries()) members.push([sum.name, sums[index] ?? '0']);
      return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
    });
  }

  #keyOf(item: Lossless, { name, path, period }: GroupKey): Scalar {
    const value = scalarAt(item, path);
    if (valuesAt(item, path).length > 1) this.several.set(name, (this.several.get(name) ?? 0) + 1);
    return period === undefined ? value : periodOf(value, period, this.zone);
  }
}

function numberText(value: Lossless, path: string): string[] {
  if (value === null || value === '') return [];
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value : undefined;
  if (text === undefined || !isNumber(text))
    throw usage(`--sum: ${path} holds ${text === undefined ? 'values' : `"${text}"`} that cannot be added up.`);
  return [text];
}

/** `2026-07-31`, `2026-W31`, `2026-07`, `2026-Q3` or `2026`; null for what is no moment. */
function periodOf(value: Scalar, period: Unit, zone: Zone): string | null {
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value : '';
  const ms = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (!Number.isFinite(ms) || ms === 0) return null;
  return periodName(period, wallTime(ms, zone));
}

function compareLists(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order = compareScalars(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
