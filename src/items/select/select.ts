import { usage, wrongOption } from '../../base/errors/errors.js';
import { nearest } from '../../base/errors/nearest.js';
import type { Text } from '../../base/text/command-line.js';
import { neverShown } from '../../catalogue/field-words.js';
import { Item } from '../json/item-json.js';
import { get, type Lossless, leafPaths, parseLossless, plain } from '../json/lossless.js';
import { group } from '../text/width.js';
import { type Condition, comparisons, parseCondition, type ReadingClock } from './condition.js';
import { fulfils } from './fulfils.js';
import { type Grouping, Groups, Namesakes, rowVocabulary } from './groups.js';
import { brought, farPaths, type Joining, joined, type Kept as KeptOf } from './joined.js';
import {
  fieldPath,
  fieldsOfItems,
  isKnown,
  isMoney,
  knownNames,
  mayHave,
  spelledOut,
  type Vocabulary,
} from './names.js';
import { newestPer } from './newest-per.js';
import { compareKeys, keysOf, type SortKey, settledKeys } from './order.js';
import { REST, SeenValues } from './seen-values.js';
import { withStates } from './states.js';
import { Together } from './together.js';
import { type Scalar, scalarAt, valuesAt } from './values.js';

/** What to do with the items of a list, in this order: filter, take the newest, sort or group, cut. */
export interface Selection {
  /** All of these must hold. */
  readonly where: readonly Condition[];
  /** At least one condition of each group must hold. */
  readonly anyOf: readonly (readonly Condition[])[];
  readonly sort: readonly SortKey[];
  readonly grouping: Grouping | undefined;
  /** `--count` alone: the bare number. */
  readonly bare?: boolean | undefined;
  /** Paths: only the newest of the items with the same values there is taken. */
  readonly newestPer?: readonly string[] | undefined;
  /** Conditions on these newest items. */
  readonly ofNewest?: readonly Condition[];
  /** Conditions on grouped rows, as typed. */
  readonly having: readonly string[];
  readonly beside?: readonly OtherMeant[];
  /** Columns that are looked for on the items themselves. */
  readonly shown: readonly string[];
  /** Most items (or rows) to return; undefined for all. */
  readonly limit: number | undefined;
  /** An explicit limit may stop the reading. A terminal's limit may not, since its note gives the total. */
  readonly stops: boolean;
}

/**
 * Items that a condition leaves out although people use its word for them too: somebody who asks for `declined` payments
 * may also mean those with an `error`.
 */
export interface OtherMeant {
  readonly of: Condition;
  readonly other: Condition;
  /** The note about them; it gives no number if `count` is undefined. */
  says(count: number | undefined): Text;
}

/** What is known about a selection after its last item. */
export class Selected {
  /** Number of items read. */
  read = 0;
  /** Number of items (or rows) that met every condition. */
  matched = 0;
  shown = 0;
  /** True when reading stopped at the limit: more may match. */
  stopped = false;
  /** Number of items left out because it is unknown whether they match, by field path. */
  readonly unknown = new Map<string, number>();
  /** Ids of the first few of them. */
  readonly unknownIds = new Set<string>();
  /** By field path: the line that checks each row of an item that refers to several. */
  readonly instead = new Map<string, Text>();
  /** Number of returned items with an unknown value in a related row, by its path. */
  readonly lacking = new Map<string, number>();
  /** Remarks on the figures, one sentence each. */
  readonly remarks: string[] = [];
  /** Remarks that quote values from the items. */
  readonly quotes: string[] = [];
  /** How many items of each such kind were left out. */
  readonly beside = new Map<OtherMeant, number>();
  /** How a comma was read if it can be read in two ways, one sentence each. */
  readonly twoWays: string[] = [];
}

/**
 * Filters, sorts, groups and cuts items. Items leave as they came, with every digit; grouped rows are JSON objects.
 *
 * @throws CopsError `usage` for a field that no item has, or a value that cannot be compared or added
 */
export async function* select(
  items: AsyncIterable<Item>,
  selection: Selection,
  vocabulary: Vocabulary,
  moment: ReadingClock,
  selected: Selected,
  joining?: Joining,
): AsyncGenerator<Item> {
  const watch = new PathWatch(selection, vocabulary);
  const conditions = [...selection.where, ...selection.anyOf.flat()].flatMap(comparisons);
  const isFigure = selection.grouping !== undefined || selection.bare === true;
  const namesakes = new Namesakes(isFigure ? conditions : [], selection.grouping?.keys ?? []);
  const choosing: Choosing = { ...selection, selected, watch, joining, namesakes };
  const { grouping, sort, newestPer: per = [], ofNewest = [] } = selection;
  const taken = [...(grouping ? membersOf(grouping) : sort).map(({ path }) => path), ...per];
  const chosen = certain(related(keep(items, choosing), choosing), selected);
  const whole = holdBack(brought(chosen, taken, joining, selected.lacking), choosing);
  const kept = per.length > 0 ? certain(fitting(newestPer(whole, per, selected.remarks), ofNewest), selected) : whole;
  if (grouping) yield* grouped(kept, grouping, moment, choosing);
  else if (selection.sort.length > 0) yield* sorted(kept, choosing);
  else yield* cut(kept, choosing);
  watch.check(selected);
  selected.remarks.push(...namesakes.remarks());
}

/** A selection in progress. */
interface Choosing extends Selection {
  readonly selected: Selected;
  readonly watch: PathWatch;
  readonly joining: Joining | undefined;
  readonly namesakes: Namesakes;
}

type Kept = KeptOf<Item>;

/** The items that fulfil the conditions on themselves. */
async function* keep(items: AsyncIterable<Item>, choosing: Choosing): AsyncGenerator<Kept> {
  const { anyOf, beside = [], selected, watch } = choosing;
  const lists = [...farAndOwn(choosing).own.map((one) => [one]), ...anyOf];
  for await (const item of items) {
    selected.read++;
    const value = withStates(parseLossless(item.raw), item.raw, watch.vocabulary.columns);
    watch.saw(value);
    const doubts = doubtsOf(lists, value);
    if (doubts) yield { item, value, doubts };
    else
      for (const one of beside) {
        const rest = lists.filter((some) => !some.includes(one.of));
        if (fulfils(value, one.other) === true && doubtsOf(rest, value)?.size === 0)
          selected.beside.set(one, (selected.beside.get(one) ?? 0) + 1);
      }
  }
  // An unknown name costs no request for related rows.
  watch.refuseUnknown(selected);
}

function farAndOwn({ where, joining }: Choosing): { readonly far: Condition[]; readonly own: Condition[] } {
  const isFar = (one: Condition): boolean => joining !== undefined && farPaths(one, joining).length > 0;
  return { far: where.filter(isFar), own: where.filter((one) => !isFar(one)) };
}

/** The items that also fulfil the conditions on related rows. */
function related(kept: AsyncGenerator<Kept>, choosing: Choosing): AsyncGenerator<Kept> {
  const { joining, watch } = choosing;
  const { far } = farAndOwn(choosing);
  if (!joining || far.length + joining.sides.length === 0) return kept;
  return joined(kept, far, joining, (condition, value) => watch.sawRelated(condition, value));
}

/** The newest items that fulfil the conditions on them. */
async function* fitting(newest: AsyncIterable<Kept>, conditions: readonly Condition[]): AsyncGenerator<Kept> {
  const lists = conditions.map((condition) => [condition]);
  for await (const one of newest) {
    const doubts = doubtsOf(lists, one.value);
    if (doubts) yield { ...one, doubts };
  }
}

/** Most ids that an error lists. */
const MOST_TOLD = 5;

function addId(ids: Set<string>, item: Lossless): void {
  const id = scalarAt(item, 'id');
  if (typeof id === 'string') ids.add(id);
}

/** Leaves out and counts the items with an unknown result, which no other condition rejected. */
async function* certain(kept: AsyncIterable<Kept>, { unknown, unknownIds }: Selected): AsyncGenerator<Kept> {
  for await (const one of kept) {
    for (const path of one.doubts) unknown.set(path, (unknown.get(path) ?? 0) + 1);
    if (one.doubts.size === 0) yield one;
    else if (unknownIds.size < MOST_TOLD) addId(unknownIds, one.value);
  }
}

/**
 * The fields that leave it unknown whether an item fulfils one condition of each list, because a value does not have
 * its field's type; undefined where the item fails.
 */
function doubtsOf(lists: readonly (readonly Condition[])[], value: Lossless): Set<string> | undefined {
  const doubtful = new Set<string>();
  for (const some of lists) {
    const found = some.map((condition) => fulfils(value, condition));
    if (found.includes(true)) continue;
    if (!found.includes('unknown')) return undefined;
    for (const [at, { path }] of some.entries()) if (found[at] === 'unknown') doubtful.add(path);
  }
  return doubtful;
}

/** Returns nothing while the command line uses a name that neither the catalogue nor any item so far has. */
async function* holdBack(kept: AsyncIterable<Kept>, { watch }: Choosing): AsyncGenerator<Kept> {
  const held: Kept[] = [];
  for await (const one of kept) {
    held.push(one);
    if (watch.isDoubtful()) continue;
    yield* held;
    held.length = 0;
  }
  yield* held;
}

async function* cut(kept: AsyncIterable<Kept>, choosing: Choosing): AsyncGenerator<Item> {
  const { limit, stops, selected, namesakes } = choosing;
  for await (const { item, value } of kept) {
    selected.matched++;
    namesakes.saw(value);
    if (limit !== undefined && selected.shown >= limit) continue;
    selected.shown++;
    yield item;
    if (stops && limit !== undefined && selected.shown >= limit) {
      selected.stopped = true;
      return;
    }
  }
}

async function* sorted(kept: AsyncIterable<Kept>, choosing: Choosing): AsyncGenerator<Item> {
  const all: { readonly item: Item; readonly keys: Scalar[] }[] = [];
  for await (const { item, value } of kept) all.push({ item, keys: keysOf(value, choosing.sort) });
  for (const { item } of firstInOrder(all, choosing)) {
    choosing.selected.shown++;
    yield item;
  }
}

/**
 * Sorts rows by their keys and returns those within the limit. Notes how many of the others are equal to the last one.
 */
function firstInOrder<Row extends { readonly keys: readonly Scalar[] }>(
  rows: Row[],
  { sort, limit, selected }: Choosing,
): readonly Row[] {
  const by = settledKeys(
    sort,
    rows.map(({ keys }) => keys),
  );
  rows.sort((a, b) => compareKeys(a.keys, b.keys, by));
  const first = rows.slice(0, limit);
  selected.matched = rows.length;
  const last = first.at(-1);
  if (last === undefined || by.length === 0) return first;
  const more = rows.slice(first.length).filter(({ keys }) => compareKeys(last.keys, keys, by) === 0).length;
  const names = by.map(({ path }) => path).join(', ');
  if (more > 0)
    selected.remarks.push(`${more.toLocaleString('en-US')} more are equal to the last one shown in ${names}.`);
  return first;
}

async function* grouped(
  kept: AsyncIterable<Kept>,
  grouping: Grouping,
  moment: ReadingClock,
  choosing: Choosing,
): AsyncGenerator<Item> {
  const { sort, selected, namesakes } = choosing;
  const groups = new Groups(grouping, moment.zone);
  for await (const { value } of kept) {
    groups.add(value);
    namesakes.saw(value);
  }
  const all = groups.rows().map((raw) => ({ raw, value: parseLossless(raw) }));
  for (const { path } of sort) refuseNoMember(all, path, '--sort');
  const rows = havingOnly(all, grouping, moment, choosing);
  const first = firstInOrder(
    rows.map((row) => ({ ...row, keys: keysOf(row.value, sort) })),
    choosing,
  );
  const itemsHave = (count: number): string => (count === 1 ? '1 item has' : `${count} items have`);
  for (const [name, count] of groups.empty) selected.remarks.push(`${itemsHave(count)} nothing to add up for ${name}.`);
  for (const [name, count] of groups.several)
    selected.remarks.push(`${itemsHave(count)} more than one ${name}: each is in the group of its first.`);
  if (groups.rounded.size > 0)
    selected.remarks.push(`${[...groups.rounded].join(', ')}: rounded half up, amounts to their currency's digits.`);
  for (const { raw } of first) {
    selected.shown++;
    yield new Item(raw);
  }
}

/** The parts of an item that groups use. */
const membersOf = ({ keys, sums, different }: Grouping): readonly { readonly path: string }[] => [
  ...keys,
  ...sums,
  ...different,
];

interface Row {
  readonly raw: string;
  readonly value: Lossless;
}

/** The grouped rows that fulfil `--having`; remarks on amounts that are compared across currencies. */
function havingOnly(
  rows: readonly Row[],
  grouping: Grouping,
  moment: ReadingClock,
  { having, sort, selected }: Choosing,
): Row[] {
  const vocabulary = rowVocabulary(grouping);
  const conditions = having.map((text) => parseCondition(text, vocabulary, moment, '--having'));
  for (const { path } of conditions) refuseNoMember(rows, path, '--having');
  const { amounts, currency } = grouping;
  const compared = [...conditions.flatMap(comparisons), ...sort].find(({ path }) => amounts.includes(path));
  if (compared && currency !== undefined) {
    const only = conditions.filter(({ path }) => path === currency);
    const those = rows.filter(({ value }) => only.every((one) => fulfils(value, one) === true));
    const codes = new Set(those.flatMap(({ value }) => plain(get(value, currency)) ?? []));
    selected.remarks.push(...acrossCurrencies(compared.path, codes));
  }
  return rows.filter(({ value }) => conditions.every((condition) => fulfils(value, condition) === true));
}

/** Remarks that amounts are compared across currencies. */
function acrossCurrencies(name: string, currencies: ReadonlySet<string>): string[] {
  const codes = [...currencies].sort();
  return codes.length < 2
    ? []
    : [
        `${name} is compared by its number, whether in ${codes.join(' or ')}: --where iso_currency=${codes[0]} limits it to one currency.`,
      ];
}

function refuseNoMember(rows: readonly Row[], path: string, option: string): void {
  const [first] = rows;
  if (!first || rows.some(({ value }) => value instanceof Map && value.has(path))) return;
  const has = first.value instanceof Map ? [...first.value.keys()] : [];
  throw wrongOption(option, `grouped rows have no "${path}".`, `They have ${has.join(', ')}.`);
}

/** Tracks whether the items have the names used on the command line, and how many currencies their amounts use. */
class PathWatch {
  readonly #unseen: Set<string>;
  readonly #names = new Set<string>();
  readonly #values: SeenValues;
  /** The same for conditions on related rows. */
  readonly #related: ReadonlyMap<Condition, SeenValues>;
  readonly #together: Together;
  readonly #currencies = new Set<string>();
  readonly #inCurrency: readonly Condition[];
  /** The currencies of sums such as `amount>10 USD`, and how many items have another one. */
  readonly #ofSums: readonly Condition[];
  readonly #otherwise = new Map<string, number>();
  readonly #amounts: string | undefined;

  constructor(
    selection: Selection,
    readonly vocabulary: Vocabulary,
  ) {
    const { where, anyOf, sort, grouping, newestPer: per = [], shown } = selection;
    // Alternatives on a single path are values of it; over several paths it is unclear which one was meant.
    const onOnePath = anyOf.filter((some) => new Set(some.map(({ path }) => path)).size === 1);
    const isRelated = (one: Condition): boolean =>
      comparisons(one).some(({ path }) => vocabulary.related?.has(path) === true);
    this.#values = new SeenValues([...where.filter((one) => !isRelated(one)), ...onOnePath.flat()]);
    this.#related = new Map(where.filter(isRelated).map((one) => [one, new SeenValues([one], REST)]));
    this.#together = new Together(where);
    const together = where.flatMap((one) => (one.parts?.kind === 'all' ? one.parts.of : [one]));
    this.#inCurrency = together.filter(({ path }) => path === 'iso_currency');
    const sums = where.filter(({ text, parts }) => parts?.kind === 'all' && !/currency/i.test(text));
    this.#ofSums = sums.flatMap(({ parts }) => parts?.of.filter(({ path }) => path === 'iso_currency') ?? []);
    const single = where.flatMap(comparisons);
    const isOneCurrency = this.#inCurrency.some(({ operator, parts }) => operator === '=' && parts === undefined);
    const compared = single.filter(({ operator }) => /[<>]/.test(operator)).map(({ path }) => path);
    const ordered = grouping ? [] : sort.map(({ path }) => path);
    const ofGroups = grouping ? membersOf(grouping).map(({ path }) => path) : [];
    const columns = shown.map((name) => fieldPath(vocabulary, name, 'heading'));
    const named = [...single.map(({ path }) => path), ...ordered, ...ofGroups, ...per, ...columns];
    const right = single.flatMap(({ field }) => (field ? [field.path] : []));
    this.#unseen = new Set([...named, ...right].filter((path) => !vocabulary.related?.has(path)));
    this.#amounts = isOneCurrency ? undefined : [...compared, ...ordered].find((path) => isMoney(vocabulary, path));
  }

  saw(item: Lossless): void {
    this.#values.saw(item);
    this.#together.saw(item);
    for (const path of this.#unseen) if (valuesAt(item, path).length > 0) this.#unseen.delete(path);
    if (this.#unseen.size > 0 && this.#names.size < 200)
      for (const name of [...leafPaths(item), ...namesInLists(item)]) this.#names.add(name);
    if (this.#amounts === undefined && this.#ofSums.length === 0) return;
    const currency = scalarAt(item, 'iso_currency');
    if (typeof currency !== 'string') return;
    if (this.#ofSums.some((one) => fulfils(item, one) === false))
      this.#otherwise.set(currency, (this.#otherwise.get(currency) ?? 0) + 1);
    if (this.#amounts !== undefined && !this.#inCurrency.some((one) => fulfils(item, one) === false))
      this.#currencies.add(currency);
  }

  /** An item with the related values that a condition is about. */
  sawRelated(condition: Condition, item: Lossless): void {
    this.#related.get(condition)?.saw(item);
    this.#together.sawRelated(condition, item);
  }

  /** True while a name is in use that neither the catalogue nor an item has shown. */
  isDoubtful(): boolean {
    for (const path of this.#unseen) if (!isKnown(this.vocabulary, path)) return true;
    return false;
  }

  /** @throws CopsError of kind `usage` for a name that neither the catalogue nor any item knows */
  refuseUnknown({ read, remarks }: Selected): void {
    for (const path of this.#unseen) {
      if (read > 0 && !isKnown(this.vocabulary, path)) throw this.#unknown(path);
      // A nightly command eventually meets an empty day: then nobody can say whether items have the name.
      if (read === 0 && !mayHave(this.vocabulary, path)) remarks.push(`There is no item that could show "${path}".`);
    }
  }

  /** The error for an unknown name. Suggests names that items show before names that lead to other items. */
  #unknown(path: string): Error {
    const known = [...new Set([...knownNames(this.vocabulary), ...this.#names])];
    const away = this.vocabulary.many?.get(path);
    return away && namedThing(path, known) === undefined ? away : unknownName(path, known, this.vocabulary);
  }

  /** Adds the remarks on what was read. */
  check(selected: Selected): void {
    selected.remarks.push(...acrossCurrencies(this.#amounts ?? '', this.#currencies));
    if (this.#otherwise.size > 0) {
      const others = [...this.#otherwise].sort().map(([currency, count]) => `${group(count)} in ${currency}`);
      const kept = [...new Set(this.#ofSums.map(({ operand }) => operand.replaceAll(',', ' or ')))].join(' and ');
      selected.remarks.push(
        `Only amounts in ${kept} are compared, not those of the items in other currencies: ${others.join(', ')}.`,
      );
    }
    if (selected.read === 0 || selected.stopped) return;
    const related = [...this.#related.values()];
    const reasons = [
      () => this.#values.remarks(),
      () => this.#together.remarks(),
      () => related.flatMap((one) => one.remarks()),
    ];
    const unmet = selected.matched > 0 ? [] : (reasons.map((one) => one()).find((some) => some.length > 0) ?? []);
    selected.quotes.push(...[this.#values, ...related].flatMap((one) => one.listRemarks()), ...unmet);
    selected.twoWays.push(...[this.#values, ...related].flatMap((one) => one.twoWays()));
    for (const path of this.#unseen) selected.remarks.push(`No item has "${path}".`);
  }
}

/** `products.name`, for a list of objects with names. */
function namesInLists(item: Lossless): string[] {
  if (!(item instanceof Map)) return [];
  const hasNames = (member: Lossless): boolean =>
    Array.isArray(member) && member[0] instanceof Map && member[0].has('name');
  return [...item].flatMap(([name, member]) => (hasNames(member) ? [`${name}.name`] : []));
}

/** `products.name` for `product`. */
function namedThing(typed: string, known: readonly string[]): string | undefined {
  const named = [`${typed}.name`, `${typed}s.name`].map((name) => name.toLowerCase());
  return known.find((name) => named.includes(name.toLowerCase()));
}

/** Other languages write `^=`, `$=` and `*=` for parts of a text. */
const markAtEnd = (typed: string): string | undefined =>
  /\w[\^$*]$/.test(typed) ? `For a part of a text, anywhere in it: ${typed.slice(0, -1)}~<text>.` : undefined;

/** The error for an unknown field. */
export function unknownName(typed: string, known: readonly string[], { list }: Vocabulary): Error {
  const spelled = spelledOut(known, typed);
  const near = spelled ?? namedThing(typed, known) ?? nearest(typed, known)[0];
  return usage(
    `No item has a field "${typed}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    markAtEnd(typed) ?? (spelled ? undefined : neverShown(typed, known)) ?? fieldsOfItems(typed, known, list),
  );
}
