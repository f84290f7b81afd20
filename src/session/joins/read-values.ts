import { usage } from '../../base/errors/errors.js';
import type { Family } from '../../catalogue/types.js';
import { Digits, type Lossless } from '../../items/json/lossless.js';
import { fieldPath, fieldsNear, knownNames, mayHave } from '../../items/select/names.js';
import { carriesAt, UNKNOWN, valuesAt } from '../../items/select/values.js';
import type { Context } from '../context/context.js';
import type { Reader } from '../read/reading.js';
import { LineJoining } from './joining.js';
import { shownJoins } from './line-joins.js';
import { vocabularyOfRows } from './roads.js';

/** The single value at a path of an item, as text (`null` if empty), or why there is none. */
export type ItemValue = { readonly value: string | null } | { readonly fault: string };

/** An item that was read for its values. */
export interface ReadItem {
  readonly item: Lossless;
  /** By path, as typed. */
  readonly values: ReadonlyMap<string, ItemValue>;
}

/**
 * Reads each item once, and the references that the paths need. The value of an id that the service does not know is
 * undefined.
 * @throws CopsError `usage` for a path that neither the catalogue nor any of the items has
 */
export async function itemValues(
  context: Context,
  reader: Reader,
  family: Family,
  { ids, paths }: { readonly ids: Iterable<string>; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, ReadItem | undefined>> {
  const vocabulary = vocabularyOfRows(family);
  const { related, ...ways } = await shownJoins(family, vocabulary, paths, { sides: [], reaches: undefined });
  const joining = LineJoining.open(context, reader, ways);
  const places = paths.map((typed) => related.get(typed)?.path ?? fieldPath(vocabulary, typed, 'path'));
  const wanted = [...new Set(ids)];
  const rows = await joining.joiner.far.byIds(family, wanted);
  const items = wanted.flatMap((id) => rows.get(id) ?? []);
  for (const [at, path] of places.entries()) {
    const isFar = joining.isFar(path);
    if (isFar || items.length === 0 || mayHave(vocabulary, path)) continue;
    if (items.some((item) => carriesAt(item, path))) continue;
    const where = family.name.replaceAll('_', '-');
    throw usage(`No item of ${where} has "${paths[at]}".`, fieldsNear(path, knownNames(vocabulary)));
  }
  await joining.bring(items, places);
  return new Map(
    wanted.map((id) => {
      const item = rows.get(id);
      const values = new Map(paths.map((typed, at) => [typed, oneAt(item ?? null, places[at] ?? typed)]));
      return [id, item === undefined ? undefined : { item, values }];
    }),
  );
}

function oneAt(item: Lossless, path: string): ItemValue {
  const found = valuesAt(item, path);
  const [only = null] = found;
  if (found.includes(UNKNOWN)) return { fault: 'its value is unknown for this item' };
  if (found.length === 0) return { fault: 'this item has none' };
  if (found.length > 1) return { fault: `this item has ${found.length} of them` };
  if (only instanceof Map || Array.isArray(only)) return { fault: 'is not a single value: name one of its fields' };
  return { value: only === null ? null : only instanceof Digits ? only.text : String(only) };
}
