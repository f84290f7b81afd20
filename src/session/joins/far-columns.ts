import { pathSteps } from '../../catalogue/leaf-types.js';
import type { Column, FamilyOperation } from '../../catalogue/types.js';
import { Item, withoutMembers } from '../../items/json/item-json.js';
import { parseLossless, textOf } from '../../items/json/lossless.js';
import { Picker } from '../../items/json/pick-values.js';
import {
  fieldAt,
  fieldPath,
  isKnown,
  knownNames,
  type RelatedField,
  typeAt,
  type Vocabulary,
  vocabularyOf,
} from '../../items/select/names.js';
import { unknownName } from '../../items/select/select.js';
import { withStates } from '../../items/select/states.js';
import { UNKNOWN, valuesAt } from '../../items/select/values.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import type { View } from '../read/selection.js';
import { LineJoining } from './joining.js';
import type { KeptRows } from './kept-rows.js';
import { shownJoins } from './line-joins.js';
import type { RelatedNames } from './roads.js';
import type { SideAsked } from './sides.js';

/** Items whose named columns are filled from related rows. */
export interface FarColumns {
  readonly items: AsyncIterable<Item>;
  /** How a table displays them. */
  readonly columns: readonly Column[];
  /** How many items are shown without a value that cannot be known, by column. */
  readonly lacking: ReadonlyMap<string, number>;
  /** The columns that the catalogue names at the other end. */
  readonly known: readonly string[];
}

/**
 * Fills typed columns that lead away from their items from related rows; undefined if there are none. Nothing waits if
 * the items contain all of it.
 */
export async function farColumns(
  context: Context,
  { family, operation }: FamilyOperation,
  names: readonly string[],
  {
    reader,
    view,
    sides = [],
    others = [],
    reaches,
    kept,
  }: {
    readonly reader: Reader;
    readonly view: View;
    /** The rows that the line requests with `--with`. */
    readonly sides?: readonly SideAsked[] | undefined;
    /** Columns that lead away from no item. */
    readonly others?: readonly string[] | undefined;
    readonly reaches?: ReadonlySet<string> | undefined;
    readonly kept?: KeptRows | undefined;
  },
): Promise<FarColumns | undefined> {
  if (operation.columns) return undefined;
  const vocabulary = vocabularyOf(family, operation);
  const found = await shownJoins(family, vocabulary, names, { sides, reaches });
  const { related, roads, tallies } = found;
  tellOtherRows(context, found, sides);
  for (const name of names) {
    const path = fieldPath(vocabulary, name, 'path');
    const isShownSo = related.has(name) || !isHidden(vocabulary, path);
    if (!isShownSo) related.set(name, { path, field: fieldAt(vocabulary, path), type: typeAt(vocabulary, path) });
  }
  // A person's name is the first and the last name.
  if (
    names.includes('name') &&
    !Object.hasOwn(vocabulary.fields, 'name') &&
    Object.hasOwn(vocabulary.fields, 'last_name')
  ) {
    const leaf: RelatedField = { path: 'name', field: { type: 'string' }, type: 'text' };
    related.set('name', leaf);
    roads.set('name', { path: 'name', own: ['name'], follow: undefined, leaf });
  }
  if (related.size === 0) return undefined;
  const typed = new Map(
    names.flatMap((name): [string, RelatedField][] => {
      const field = related.get(name);
      return field ? [[name, field]] : [];
    }),
  );
  const ways = { roads, tallies };
  const joining = view.joining?.onWays(ways) ?? LineJoining.open(context, reader, ways, { kept });
  const lacking = view.selected?.lacking ?? new Map<string, number>();
  const paths = new Map([...typed].map(([name, { path }]) => [name, path]));
  return {
    items: filled(view.items, {
      columns: paths,
      joining,
      lacking,
      vocabulary,
      names: unseen(vocabulary, others, found.many),
    }),
    columns: [...typed].map(([name, { type }]) => ({
      path: name,
      as: type === 'instant' ? 'time' : type === 'money' ? 'money' : type === 'flag' ? 'flag' : undefined,
    })),
    lacking,
    known: [...typed].filter(([, { field, type }]) => field || type).map(([name]) => name),
  };
}

/** Says of a column that the rows it shows need not be those which a `--with` of the same family chose. */
function tellOtherRows({ notes }: Context, { related, roads }: RelatedNames, sides: readonly SideAsked[]): void {
  for (const [name, { path }] of related) {
    const follow = roads.get(path)?.follow;
    const side = sides.find(
      ({ option, via, relation, conditions }) =>
        option === 'with' && via.length === 0 && conditions.length > 0 && relation.to === follow?.relation.to,
    );
    if (!side || !follow || follow.relation.word === side.relation.word) continue;
    const field = name.slice(name.indexOf('.') + 1);
    notes.warn(
      `${name} is of the ${follow.relation.word.replaceAll('_', ' ')}, which need not be a row of --with '${side.text}'. Of those rows: --columns ${side.text.split(' ')[0]}.${field}`,
    );
  }
}

/** True for a path that no format resolves itself: over a list, or to a value that only a table computes. */
export function isHidden(vocabulary: Vocabulary, path: string): boolean {
  if (vocabulary.columns.some(({ state, title }) => state !== undefined && title === path)) return true;
  const steps = pathSteps(path);
  const above = steps.slice(0, -1).map((_, at) => fieldAt(vocabulary, steps.slice(0, at + 1).join('.')));
  return above.some((field) => field === undefined || field.type === 'array');
}

/** Columns that only the items can confirm, each with its error. */
type UnseenNames = Map<string, () => Error>;

function unseen(vocabulary: Vocabulary, names: readonly string[], many: ReadonlyMap<string, Error>): UnseenNames {
  const isMeant = (name: string): boolean => isKnown(vocabulary, fieldPath(vocabulary, name, 'heading'));
  return new Map(
    names
      .filter((name) => !isMeant(name))
      .map((name) => [name, () => many.get(name) ?? unknownName(name, knownNames(vocabulary), vocabulary)]),
  );
}

interface Filling {
  readonly columns: ReadonlyMap<string, string>;
  readonly joining: LineJoining;
  readonly lacking: Map<string, number>;
  readonly vocabulary: Vocabulary;
  readonly names: UnseenNames;
}

async function* filled(items: AsyncIterable<Item>, filling: Filling): AsyncGenerator<Item> {
  const { columns, joining, vocabulary, names } = filling;
  const typed = [...columns.keys()];
  const picker = new Picker(typed);
  const paths = [...columns.values()];
  const held: Read[] = [];
  const shown = (one: Read): Item => withValues(one, picker, filling);
  for await (const item of items) {
    const isWhole = held.length === 0 && picker.pick(item.raw).every((text) => text !== undefined);
    if (isWhole && names.size === 0) {
      yield item;
      continue;
    }
    const one = { item, value: withStates(parseLossless(item.raw), item.raw, vocabulary.columns) };
    for (const name of names.keys()) if (valuesAt(one.value, name).length > 0) names.delete(name);
    const isOwn = held.length === 0 && paths.every((path) => !joining.isFar(path) || joining.bringOwn(one.value, path));
    if (isOwn) yield shown(one);
    else held.push(one);
  }
  // A wrong name costs no request for related rows.
  const [unknown] = held.length > 0 ? names.values() : [];
  if (unknown) throw unknown();
  await joining.bring(
    held.map(({ value }) => value),
    paths,
  );
  for (const one of held) yield shown(one);
}

interface Read {
  readonly item: Item;
  readonly value: ReturnType<typeof parseLossless>;
}

/** An item with the values it lacks added at the end, each under its column's name. */
function withValues({ item, value }: Read, picker: Picker, { columns, joining, lacking }: Filling): Item {
  const texts = picker.pick(item.raw);
  const members = [...columns].flatMap(([name, path], at) => {
    if (texts[at] !== undefined) return [];
    const values = valuesAt(value, path);
    if (values.includes(UNKNOWN)) {
      lacking.set(name, (lacking.get(name) ?? 0) + 1);
      return [];
    }
    if (values.length === 0 && !joining.isFar(path)) return [];
    const told = values.length === 1 ? (values[0] ?? null) : values.length === 0 ? null : [...values];
    return [`${JSON.stringify(name)}:${textOf(told)}`];
  });
  if (members.length === 0) return item;
  const own = withoutMembers(item.raw, [...columns.keys()]);
  return new Item(own === '{}' ? `{${members.join(',')}}` : `${own.slice(0, -1)},${members.join(',')}}`);
}
