import type { Column, FamilyOperation } from '../../catalogue/types.js';
import { Item, withoutMembers } from '../../items/json/item-json.js';
import { parseLossless, textOf } from '../../items/json/lossless.js';
import { Picker } from '../../items/json/pick-values.js';
import { type RelatedField, vocabularyOf } from '../../items/select/names.js';
import { UNKNOWN, valuesAt } from '../../items/select/values.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import type { View } from '../read/selection.js';
import { LineJoining } from './joining.js';
import type { KeptRows } from './kept-rows.js';
import { relatedFields } from './roads.js';

/** Items whose named columns are filled from related rows. */
export interface FarColumns {
  readonly items: AsyncIterable<Item>;
  /** How a table displays them. */
  readonly columns: readonly Column[];
  /** Items that are shown without a value that nobody can tell, by the column. */
  readonly lacking: ReadonlyMap<string, number>;
  /** The columns that the catalogue names where they lead to. */
  readonly known: readonly string[];
}

/**
 * Fills columns that leave their items, as typed, from related rows; undefined where none does. Nothing waits where the
 * items carry all of it.
 */
export async function farColumns(
  context: Context,
  { family, operation }: FamilyOperation,
  names: readonly string[],
  {
    reader,
    view,
    reaches,
    kept,
  }: {
    readonly reader: Reader;
    readonly view: View;
    readonly reaches?: ReadonlySet<string> | undefined;
    readonly kept?: KeptRows | undefined;
  },
): Promise<FarColumns | undefined> {
  if (operation.columns) return undefined;
  const vocabulary = vocabularyOf(family, operation);
  const { related, roads } = await relatedFields(family, vocabulary, names, reaches);
  // People have a first and a last name: both are what a person calls the name.
  if (
    names.includes('name') &&
    !Object.hasOwn(vocabulary.fields, 'name') &&
    Object.hasOwn(vocabulary.fields, 'last_name')
  ) {
    const leaf: RelatedField = { path: 'name', field: { type: 'string' }, type: 'text' };
    related.set('name', leaf);
    roads.set('name', { path: 'name', own: ['name'], follow: undefined, leaf });
  }
  if (roads.size === 0) return undefined;
  const typed = new Map(
    names.flatMap((name): [string, RelatedField][] => {
      const field = related.get(name);
      return field ? [[name, field]] : [];
    }),
  );
  const joining = view.joining?.onRoads(roads) ?? LineJoining.open(context, reader, roads, [], { kept });
  const lacking = view.selected?.lacking ?? new Map<string, number>();
  const paths = new Map([...typed].map(([name, { path }]) => [name, path]));
  return {
    items: filled(view.items, paths, joining, lacking),
    columns: [...typed].map(([name, { type }]) => ({
      path: name,
      as: type === 'instant' ? 'time' : type === 'money' ? 'money' : type === 'flag' ? 'flag' : undefined,
    })),
    lacking,
    known: [...typed].filter(([, { field, type }]) => field || type).map(([name]) => name),
  };
}

async function* filled(
  items: AsyncIterable<Item>,
  columns: ReadonlyMap<string, string>,
  joining: LineJoining,
  lacking: Map<string, number>,
): AsyncGenerator<Item> {
  const typed = [...columns.keys()];
  const picker = new Picker(typed);
  const paths = [...columns.values()];
  const held: Read[] = [];
  const shown = (one: Read): Item => withValues(one, picker, columns, lacking);
  for await (const item of items) {
    const isWhole = held.length === 0 && picker.pick(item.raw).every((text) => text !== undefined);
    if (isWhole) {
      yield item;
      continue;
    }
    const one = { item, value: parseLossless(item.raw) };
    const isOwn = held.length === 0 && paths.every((path) => joining.bringOwn(one.value, path));
    if (isOwn) yield shown(one);
    else held.push(one);
  }
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

/** An item with what it does not show by itself behind it, each column under its name. */
function withValues(
  { item, value }: Read,
  picker: Picker,
  columns: ReadonlyMap<string, string>,
  lacking: Map<string, number>,
): Item {
  const texts = picker.pick(item.raw);
  const members = [...columns].flatMap(([name, path], at) => {
    if (texts[at] !== undefined) return [];
    const values = valuesAt(value, path);
    if (values.includes(UNKNOWN)) {
      lacking.set(name, (lacking.get(name) ?? 0) + 1);
      return [];
    }
    const told = values.length === 1 ? (values[0] ?? null) : values.length === 0 ? null : [...values];
    return [`${JSON.stringify(name)}:${textOf(told)}`];
  });
  if (members.length === 0) return item;
  const own = withoutMembers(item.raw, [...columns.keys()]);
  return new Item(own === '{}' ? `{${members.join(',')}}` : `${own.slice(0, -1)},${members.join(',')}}`);
}
