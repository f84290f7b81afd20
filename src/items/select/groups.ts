import { usage, wrongOption } from '../../base/errors/errors.js';
import { say, type Text } from '../../base/text/command-line.js';
import { type CalendarUnit, periodName, UNITS } from '../../base/time/periods.js';
import { wallTime, type Zone } from '../../base/time/zones.js';
import { LEAF_TYPES, type LeafType } from '../../catalogue/leaf-types.js';
import { Digits, type Lossless, textOf } from '../json/lossless.js';
import { learntType, learntTypeOfAll } from '../schema/leaf-type.js';
import { minorDigits } from '../schema/types.js';
import { someOf } from '../text/numbered.js';
import { foldedWord, monthIn, rankOf, secondsOf } from './compare.js';
import { type Condition, leftNames } from './condition.js';
import { addNumbers, isNumber, plainNumber } from './decimals.js';
import { type Added, type GroupMember, groupFigure, isRounded, takeEnd, toldOf } from './group-figures.js';
import { asSaid, fieldAt, fieldPath, isKnown, isMoney, nameOf, typeAt, type Vocabulary } from './names.js';
import { compareScalars, splitNames } from './order.js';
import { type Scalar, scalarAt, UNKNOWN, valuesAt } from './values.js';

/** One grouping key; `name` is as typed, and names the row's member. */
interface GroupKey {
  readonly name: string;
  readonly path: string;
  /** For a moment: the calendar period to group by, in the zone in use. */
  readonly period: CalendarUnit | undefined;
  /** As the catalogue defines it. */
  readonly type: LeafType | undefined;
}

/**
 * How to count and add up items. `different`: the other figures: counts of distinct values (`customers`), smallest and
 * largest values, ids. `byCurrency`: true when a sum is of money: items of different currencies never share a row.
 * `amounts`: the members that are money; `currency`: the one that says of which.
 */
export type Grouping = ReturnType<typeof parseGrouping>;

/** The names in the resulting rows, with the types of their values. */
export function rowVocabulary({ keys, sums, different }: Grouping): Vocabulary {
  const typed: readonly (readonly [string, LeafType | undefined])[] = [
    ...keys.map(({ name, period, type }) => [name, period ? undefined : type] as const),
    ['count', 'count'],
    ...sums.map(({ name, type }) => [name, type === 'text' ? undefined : type] as const),
    ...different.map(({ name, tells, type }) => [name, tells === 'count' ? 'count' : type] as const),
  ];
  return {
    columns: [],
    fields: {},
    related: new Map(typed.map(([name, type]) => [name, { path: name, field: undefined, type }])),
  };
}

/** The places where a line names members of grouped rows. */
interface RowNames {
  readonly groupBy?: readonly string[] | undefined;
  readonly sum?: readonly string[] | undefined;
  readonly having?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly columns?: readonly string[] | undefined;
}

const rowNames = ({ having = [], sort = [], columns = [] }: RowNames): (readonly [option: string, name: string])[] => [
  ...having.flatMap(leftNames).map((name) => ['--having', name] as const),
  ...splitNames(sort, '--sort').map((name) => ['--sort', name.replace(/^[-+]/, '')] as const),
  ...columns.map((name) => ['--columns', name] as const),
];

const LEFT_NAME = /((?:^|,|\b(?:and|or)\s)\s*)([\w.]+)(?=\s*[<>=!~])/gi;

/** In rows of groups a field that is added up is its sum: `--sum amount --having 'amount>500' --sort -amount`. */
export function sumsByField<Names extends RowNames>(names: Names): Names {
  const { groupBy = [], sum = [], having, sort } = names;
  const keys = splitNames(groupBy, '--group-by');
  const summed = splitNames(sum, '--sum').filter((name) => !keys.includes(name));
  const meant = (name: string): string => (summed.includes(name) ? `sum_${name}` : name);
  return {
    ...names,
    ...(having && { having: having.map((text) => text.replace(LEFT_NAME, (_, lead, name) => lead + meant(name))) }),
    ...(sort && {
      sort: splitNames(sort, '--sort').map((name) =>
        name.replace(/^([-+]?)(.*)$/s, (_, sign, rest) => sign + meant(rest)),
      ),
    }),
  };
}

/** The names that a line uses of rows of groups, and that are neither keys nor figures of theirs. */
export function namesBeyondRows(names: RowNames): string[] {
  const { groupBy = [], sum = [] } = names;
  const keys = splitNames(groupBy, '--group-by');
  const sums = splitNames(sum, '--sum').map((name) => `sum_${name}`);
  const known = new Set([...keys, ...keys.map((name) => `created:${name}`), ...sums, 'count', CURRENCY]);
  return [...new Set(rowNames(names).map(([, name]) => name))].filter((name) => !known.has(name));
}

/**
 * @param instead lines whose rows have such a name, by the option that uses it
 * @throws CopsError `usage` for a name that grouped rows will not have
 */
export function refuseNoMembers(
  { keys, sums, different }: Grouping,
  names: RowNames,
  instead: (option: string) => Text | undefined = () => undefined,
): void {
  const members = [
    ...keys.map(({ name }) => name),
    CURRENCY,
    'count',
    ...[...sums, ...different].map(({ name }) => name),
  ];
  const headed = new Set(members.flatMap((name) => [name, name.split(':').at(-1) ?? '', nameOf(name)].map(asSaid)));
  for (const [option, name] of rowNames(names)) {
    const isKnown =
      option === '--columns' ? headed.has(asSaid(name)) || asSaid(name) === 'currency' : members.includes(name);
    if (isKnown) continue;
    const lines = instead(option);
    throw wrongOption(
      option,
      `grouped rows have no "${name}".`,
      say`They have ${members.filter((one) => one !== CURRENCY).join(', ')}; <field>.count counts the distinct values of a field, max(<field>), min(<field>) and avg(<field>) are its largest, smallest and average value, ids those of the items.${lines ? say` ${lines}` : ''}`,
    );
  }
}

/**
 * Parses `--group-by currency,created:month` and `--sum amount`.
 *
 * @throws CopsError `usage`
 */
export function parseGrouping(
  by: readonly string[],
  sum: readonly string[],
  vocabulary: Vocabulary,
  counted: ReadonlyMap<string, string> = new Map(),
) {
  const keys = splitNames(by, '--group-by').map((name) => groupKey(name, vocabulary));
  const sums = splitNames(sum, '--sum').map((name): GroupMember => {
    const path = fieldPath(vocabulary, name, 'heading');
    return { name: `sum_${name}`, path, type: typeAt(vocabulary, path) };
  });
  const different = [...counted].map((one) => groupFigure(one, vocabulary));
  for (const { path, type } of sums) {
    if (type !== undefined && type !== 'text' && !LEAF_TYPES[type].sums)
      throw wrongOption(
        '--sum',
        `${path} holds ${LEAF_TYPES[type].takes.replace(/[:,].*/, '')}, which cannot be added up.`,
      );
  }
  // An amount means nothing without its currency.
  const amounts = [
    ...[...sums, ...keys.filter(({ period }) => period === undefined)].filter(({ path }) => isMoney(vocabulary, path)),
    ...different.filter((one) => one.isMoney),
  ].map(({ name }) => name);
  const key = keys.find(({ path }) => path === CURRENCY);
  const currency = key?.name ?? (isKnown(vocabulary, CURRENCY) && amounts.length > 0 ? CURRENCY : undefined);
  return { keys, sums, different, amounts, currency, byCurrency: amounts.length > 0 && !key };
}

/** The paths of `--latest-per`. @throws CopsError `usage` for a calendar period, which is no field */
export function pathsToTell(names: readonly string[], vocabulary: Vocabulary): string[] {
  const { keys } = parseGrouping(names, [], vocabulary);
  const period = keys.find((key) => key.period);
  if (period) throw wrongOption('--latest-per', `"${period.name}" is a period, not a field.`);
  return keys.map(({ path }) => path);
}

/** The field that holds the currency of an amount. */
export const CURRENCY = 'iso_currency';
/** The field that a list's range applies to. */
export const CREATED = 'created_date_unix';

function groupKey(name: string, vocabulary: Vocabulary): GroupKey {
  const [, field = name, word] = /^(.*):(\w+)$/.exec(name) ?? [];
  // A calendar word alone refers to the creation day.
  if (word === undefined && periodWord(name) && !isKnown(vocabulary, name) && isKnown(vocabulary, CREATED))
    return { name: `created:${name.toLowerCase()}`, path: CREATED, period: periodWord(name), type: 'instant' };
  const typed = word === undefined ? name : field;
  // An object counts as itself, whatever a table shows for it: two customers may share an e-mail address.
  const isObject = fieldAt(vocabulary, typed)?.fields?.id !== undefined;
  const path = isObject ? typed : fieldPath(vocabulary, typed, 'heading');
  const type = typeAt(vocabulary, path);
  if (word === undefined) return { name, path, period: undefined, type };
  const period = periodWord(word);
  if (!period) throw usage(`--group-by ${name}: "${word}" is not one of ${UNITS.join(', ')}.`);
  if (type === undefined || !MOMENTS.has(type)) throw usage(`--group-by ${name}: ${path} holds no moments.`);
  if (type === 'month' && (period === 'day' || period === 'week'))
    throw usage(`--group-by ${name}: ${path} holds months, not ${period}s.`);
  return { name, path, period, type };
}

const MOMENTS: ReadonlySet<LeafType> = new Set(['instant', 'day', 'month']);

const periodWord = (word: string): CalendarUnit | undefined => UNITS.find((known) => known === word.toLowerCase());

interface Group {
  readonly keys: readonly Scalar[];
  /** The ids of keys that are objects. */
  readonly ids: readonly (string | undefined)[];
  readonly currency: Scalar;
  count: number;
  readonly sums: (string | undefined)[];
  /** The distinct values of each counted field, as JSON. */
  readonly different: readonly Set<string>[];
  /** The smallest or largest value of each field with such a figure. */
  readonly ends: Scalar[];
  /** The sum and number of values of each field with an average. */
  readonly averages: Added[];
}

/** Groups of items with their counts and exact sums. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  #currencies = false;
  /** The number of items with nothing to add, by the name of the sum. */
  readonly empty = new Map<string, number>();
  /** The number of items with several values for a key, by the key's name: each is in the group of its first value. */
  readonly several = new Map<string, number>();
  /** The names of the averages that were rounded. */
  readonly rounded = new Set<string>();

  constructor(
    readonly grouping: Grouping,
    readonly zone: Zone,
  ) {}

  /** @throws CopsError `usage` for a sum over something that is not a number */
  add(item: Lossless): void {
    const { keys, sums, different, byCurrency } = this.grouping;
    const values = keys.map((key) => this.#keyOf(item, key));
    const currency = byCurrency ? scalarAt(item, CURRENCY) : null;
    if (currency !== null) this.#currencies = true;
    const ids = keys.map(({ path }) => idAt(item, path));
    const same = values.map((value, at) => (ids[at] === undefined ? sameOf(value, keys[at]) : { id: ids[at] }));
    const name = JSON.stringify([...same, currency]);
    const group = this.#groups.get(name) ?? {
      ...{ keys: values, ids, currency, count: 0, sums: sums.map(() => undefined) },
      different: different.map(() => new Set<string>()),
      ends: [],
      averages: [],
    };
    this.#groups.set(name, group);
    group.count++;
    for (const [index, one] of different.entries()) {
      if (one.tells === 'avg')
        for (const text of valuesAt(item, one.path).flatMap((value) => numberText(value, one.path))) {
          const { sum = '0', count = 0 } = group.averages[index] ?? {};
          group.averages[index] = { sum: addNumbers(sum, text), count: count + 1 };
        }
      else if (one.tells === 'min' || one.tells === 'max') takeEnd(group.ends, index, item, one);
      else for (const value of differentAt(item, one)) group.different[index]?.add(value);
    }
    for (const [index, sum] of sums.entries()) {
      const texts = valuesAt(item, sum.path).flatMap((value) => numberText(value, sum.path));
      if (texts.length === 0) this.empty.set(sum.name, (this.empty.get(sum.name) ?? 0) + 1);
      for (const text of texts) group.sums[index] = addNumbers(group.sums[index] ?? '0', text);
    }
  }

  /** The rows as JSON texts, in group order. */
  rows(): string[] {
    const { byCurrency } = this.grouping;
    const types = this.grouping.keys.map((key, at) => typeOfKeys(key, [...this.#groups.values()], at));
    const groups = [...this.#groups.values()].sort((a, b) =>
      compareLists([...a.keys, a.currency], [...b.keys, b.currency], types),
    );
    const twins = this.grouping.keys.map((_, at) => sharedNames(groups, at));
    return groups.map(({ keys, ids, currency, count, sums, different, ends, averages }) => {
      const members: [string, string][] = this.grouping.keys.map((key, index) => {
        const value = keys[index] ?? null;
        const isShared = typeof value === 'string' && twins[index]?.has(value) === true;
        return [key.name, textOf(isShared ? `${value} (${ids[index] ?? 'no id'})` : value)];
      });
      if (this.#currencies) members.push([CURRENCY, textOf(currency)]);
      members.push(['count', String(count)]);
      for (const [index, sum] of this.grouping.sums.entries()) members.push([sum.name, sums[index] ?? '0']);
      const code = byCurrency ? currency : keys[this.grouping.keys.findIndex(({ path }) => path === CURRENCY)];
      for (const [index, one] of this.grouping.different.entries()) {
        const digits = one.isMoney && typeof code === 'string' ? minorDigits(code) : undefined;
        const told = toldOf(one, different[index], ends[index], averages[index], digits);
        if (one.tells === 'avg' && isRounded(told, averages[index])) this.rounded.add(one.name);
        members.push([one.name, told]);
      }
      return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
    });
  }

  #keyOf(item: Lossless, { name, path, period, type }: GroupKey): Scalar {
    const value = scalarAt(item, path);
    // Unknown values form a group of their own, apart from missing ones.
    if (valuesAt(item, path).includes(UNKNOWN)) return 'unknown';
    if (valuesAt(item, path).length > 1) this.several.set(name, (this.several.get(name) ?? 0) + 1);
    return period === undefined ? value : periodOf(value, type, period, this.zone);
  }
}

/** The fields that name a row to people: several rows may share a name. */
const NAMING = new Set(['email', 'name', 'key', 'code']);

const isNaming = (path: string): boolean => path.includes('.') && NAMING.has(path.split('.').at(-1) ?? '');

/** The object that a path goes through: `customer` in `customer.email`. */
const ownerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

/**
 * Watches for several owners behind one name. A figure adds up their rows, although two customers may share an e-mail
 * address.
 */
export class Namesakes {
  readonly #paths: readonly string[];
  /** The group keys that are names. */
  readonly #names: readonly string[];
  /** By path, name and group, ignoring case and accents. */
  readonly #owners = new Map<string, { readonly path: string; readonly name: string; readonly ids: Set<string> }>();

  constructor(conditions: readonly Condition[], keys: Grouping['keys']) {
    const apart = new Set(keys.map(({ path }) => path));
    const asked = [...keys, ...conditions.filter(({ operator, field }) => operator === '=' && !field)];
    const paths = asked.filter(({ path }) => isNaming(path)).map(({ path }) => path);
    this.#names = keys.map(({ path }) => path).filter(isNaming);
    this.#paths = [...new Set(paths)].filter((path) => !apart.has(ownerOf(path)) && !apart.has(`${ownerOf(path)}.id`));
  }

  saw(item: Lossless): void {
    if (this.#paths.length === 0) return;
    const group = this.#names.map((path) => foldedWord(String(scalarAt(item, path)))).join('\n');
    for (const path of this.#paths) {
      const [id, name] = [scalarAt(item, `${ownerOf(path)}.id`), scalarAt(item, path)];
      if (typeof id !== 'string' || id === '' || typeof name !== 'string') continue;
      const key = `${path} ${foldedWord(name)} ${group}`;
      const known = this.#owners.get(key) ?? { path, name, ids: new Set<string>() };
      this.#owners.set(key, known);
      known.ids.add(id);
    }
  }

  /** One sentence for each field in which several owners share a name. */
  remarks(): string[] {
    const shared = [...this.#owners.values()].filter(({ ids }) => ids.size > 1);
    return [...new Set(shared.map(({ path }) => path))].map((path) => {
      const word = ownerOf(path);
      const own = shared.filter((one) => one.path === path);
      const told = new Set(own.map(({ name, ids }) => `${name} (${someOf([...ids], MOST_NAMED)})`));
      const names = someOf([...told], MOST_NAMED);
      return `More than one ${word} has the same ${nameOf(path)}, and they are counted together: ${names}. Each apart: --group-by ${word}; one alone: --where ${word}.id=<id>.`;
    });
  }
}

const MOST_NAMED = 5;

/** The values at a path in a form that is the same for equal ones: an object by its id, nothing for an empty value. */
const differentAt = (item: Lossless, { name, path, type }: GroupMember): string[] =>
  valuesAt(item, path).flatMap((value) => {
    if (value === null || value === '' || value === UNKNOWN || Array.isArray(value)) return [];
    if (value instanceof Map) return JSON.stringify(value.get('id') ?? textOf(value));
    return JSON.stringify(sameOf(value, { name, path, period: undefined, type }));
  });

/** Distinguishes an object from others of the same name. */
function idAt(item: Lossless, path: string): string | undefined {
  const [first] = valuesAt(item, path);
  const id = first instanceof Map ? first.get('id') : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Names that several objects share. */
function sharedNames(groups: readonly Group[], at: number): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { keys, ids } of groups) {
    const [name, id] = [keys[at], ids[at]];
    if (typeof name === 'string' && id !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(id));
  }
  return new Set([...owners].filter(([, ids]) => ids.size > 1).map(([name]) => name));
}

function numberText(value: Lossless, path: string): string[] {
  if (value === null || value === '' || value === UNKNOWN) return [];
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value : undefined;
  if (text === undefined || !isNumber(text))
    throw wrongOption('--sum', `${path} holds ${text === undefined ? 'values' : `"${text}"`} that cannot be added up.`);
  return [text];
}

/**
 * A canonical value for grouping: `10` and `10.00`, `12/28` and `12/2028`, `US` and `USA`, `Ann@x.com` and `ann@x.com`
 * are each one group, as they are equal in a condition.
 */
function sameOf(value: Scalar, key: GroupKey | undefined): unknown {
  if (value === null || typeof value === 'boolean' || key?.period !== undefined) return value;
  const text = value instanceof Digits ? value.text : value;
  const type = key?.type ?? learntType(nameOf(key?.path ?? ''), value);
  const rank = type === 'text' || type === 'id' ? undefined : rankOf(type, text);
  if (rank === undefined) return value instanceof Digits ? [text] : type === 'id' ? text : foldedWord(text);
  return [type, isNumber(rank) ? plainNumber(rank) : rank];
}

/** The type to sort groups by: period names sort alphabetically. */
function typeOfKeys({ path, period, type }: GroupKey, groups: readonly Group[], at: number): LeafType | undefined {
  if (period !== undefined) return 'id';
  return (
    type ??
    learntTypeOfAll(
      nameOf(path),
      groups.map(({ keys }) => keys[at] ?? null),
    )
  );
}

/** `2026-07-31`, `2026-W31`, `2026-07`, `2026-Q3` or `2026`; null for anything but a moment. */
function periodOf(value: Scalar, type: LeafType | undefined, period: CalendarUnit, zone: Zone): string | null {
  const text = value instanceof Digits ? value.text : typeof value === 'string' ? value : '';
  const month = type === 'month' ? monthIn(text) : undefined;
  if (month) return periodName(period, { ...month, day: 1, hour: 0, minute: 0, second: 0 });
  const unix = secondsOf(text);
  return unix === undefined ? null : periodName(period, wallTime(unix * 1000, zone));
}

function compareLists(a: readonly Scalar[], b: readonly Scalar[], types: readonly (LeafType | undefined)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    if (left === right) continue;
    const order = compareScalars(left, right, types[index]);
    if (order !== 0) return order;
  }
  return 0;
}
