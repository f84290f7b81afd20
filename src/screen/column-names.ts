import { wrongOption } from '../base/errors/errors.js';
import { didYouMean } from '../base/errors/nearest.js';
import { neverShown } from '../catalogue/field-words.js';
import { pathSteps } from '../catalogue/leaf-types.js';
import type { Column } from '../catalogue/types.js';
import type { Item } from '../items/json/item-json.js';
import { leafPaths, parseLossless } from '../items/json/lossless.js';
import { Picker } from '../items/json/pick-values.js';
import { asSaid, fieldsOfItems } from '../items/select/names.js';
import type { Format } from './output-formats.js';
import { canStandIn, STAND_INS, titleOf } from './table-columns.js';

/**
 * The paths that `--columns` means: a table heading, in any case, stands for its path, and so does a time without its
 * unit (`created_date`). In machine formats a name that
 * is an object of the items (`customer`) stays that object.
 */
export function columnPaths(typed: readonly string[], known: readonly Column[], format: Format): readonly string[] {
  return typed.map((name) => {
    if (known.some(({ path }) => path === name)) return name;
    const isObject = known.some(({ path }) => pathSteps(path).length > 1 && pathSteps(path)[0] === name);
    if (isObject && format !== 'table') return name;
    // A computed column has a heading, but no value under that name.
    const named = known.filter(({ state }) => state === undefined);
    const meant =
      named.find((column) => asSaid(column.title ?? column.path) === asSaid(name)) ??
      named.find(({ path }) => path === `${name}_unix`);
    return meant?.path ?? name;
  });
}

/**
 * Resolves named columns that only an item can explain, as a table heads its stand-in columns: `last name` is
 * `customer.last_name` where that is the item's only such field, or the one a table would choose first. Others stay.
 */
export function learntPaths(typed: readonly string[], known: readonly string[], raw: string): readonly string[] {
  if (typed.every((name) => known.includes(name))) return typed;
  const leaves = leafPaths(parseLossless(raw));
  return typed.map((name) => {
    if (known.includes(name) || leaves.some((path) => path === name || path.startsWith(`${name}.`))) return name;
    const headed = [...new Set(leaves.filter((path) => asSaid(titleOf(path)) === asSaid(name) && canStandIn(path)))];
    const first = headed.find((path) => STAND_INS.includes(path));
    return first ?? (headed.length === 1 ? headed[0] : undefined) ?? name;
  });
}

/** How a list answers for unknown names: the error for one known elsewhere, and the command that lists its items. */
interface Listed {
  readonly faultOf?: ((name: string) => Promise<Error | undefined>) | undefined;
  readonly list?: string | undefined;
}

/** The error for named columns that no item has and nothing else knows. */
export async function unknownColumns(
  missing: readonly string[],
  known: readonly string[],
  listed: Listed,
): Promise<Error> {
  const [first = ''] = missing;
  const fault = await listed.faultOf?.(first);
  if (fault) return fault;
  const what = missing.map((name) => `"${name}"`).join(', ');
  return wrongOption(
    '--columns',
    `no item has ${what}, and no field of this list is called so.${missing.length === 1 ? didYouMean(first, known) : ''}`,
    missing.map((name) => neverShown(name, known)).find((said) => said !== undefined) ??
      fieldsOfItems(first, known, listed.list),
  );
}

/** Most items to hold back until one has the names on the line; after that, items are shown as they come. */
export const MOST_HELD = 10_000;

/**
 * The items, with the first ones held back until each path has been seen: a wrong name is an error before any row.
 * @throws CopsError `usage` where no item has a path
 */
export async function* heldBack(
  items: AsyncIterable<Item>,
  paths: readonly string[],
  names: readonly string[],
  listed: Listed,
): AsyncGenerator<Item> {
  const unseen = new Set(paths);
  const picker = new Picker(paths);
  let held: Item[] = [];
  for await (const item of items) {
    if (unseen.size === 0) {
      yield item;
      continue;
    }
    for (const [at, value] of picker.pick(item.raw).entries()) if (value !== undefined) unseen.delete(paths[at] ?? '');
    held.push(item);
    if (held.length >= MOST_HELD) unseen.clear();
    if (unseen.size > 0) continue;
    yield* held;
    held = [];
  }
  const [first] = held;
  const known = first ? [...new Set([...names, ...leafPaths(parseLossless(first.raw))])] : [];
  if (first) throw await unknownColumns([...unseen], known, listed);
}
