import { unless, usage } from '../../base/errors/errors.js';
import { findOperation, pathParameters } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { each, Item, stripEnvelope } from '../../items/json/item-json.js';
import type { Notes } from '../../screen/types.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import type { SharedLists } from '../joins/far-rows.js';
import { listedItems } from './list.js';
import type { WholeRangeOptions } from './range-of.js';
import type { Reader } from './reading.js';
import { chosenBy, type SelectOptions, sayRemarks, unknownError, viewOf } from './selection.js';

/** What selects rows of a list. */
type Choice = Pick<SelectOptions, 'where' | 'with' | 'without'>;

/** The operations that a selection needs. @throws CopsError usage for a family that has no list or no single reads */
function readsOf(family: Family) {
  const list = findOperation(family, 'list');
  const get = findOperation(family, 'get');
  if (list?.list && get && pathParameters(get).length === 1 && pathParameters(list).length === 0) return { list, get };
  throw usage(`${family.name.replaceAll('_', '-')} cannot be selected with --where or --with: use --ids or --input.`);
}

/** The ids of matching items, from a whole list in a range. @throws CopsError incomplete (10) if that is not proven */
export async function chosenIds(context: Context, reader: Reader, family: Family, options: Choice & WholeRangeOptions) {
  const { list } = readsOf(family);
  const { items, selected, incomplete } = await listedItems(
    context,
    { family, operation: list },
    { ...options },
    reader,
  );
  const ids: string[] = [];
  for await (const item of items) {
    const id = item.field(family.idField);
    if (typeof id !== 'string') throw usage(`An item of ${family.name} shows no ${family.idField}: nothing was sent.`);
    ids.push(id);
  }
  const fault = incomplete();
  if (fault) throw fault;
  // A write must not be ambiguous.
  const [twoWays] = selected?.twoWays ?? [];
  if (twoWays !== undefined) throw usage(twoWays, 'Quote each value separately, or the one value as a whole.');
  sayRemarks(context.notes, selected);
  return { ids: [...new Set(ids)], doubt: unknownError(selected) };
}

/** The context without notes and progress, for reading something again. */
export function silently(context: Context): Context {
  const silent: Notes = Object.create(context.notes, {
    note: { value: () => {} },
    atOnce: { value: undefined },
    progress: { value: () => {} },
  });
  return Object.create(context, { notes: { value: silent } });
}

/**
 * Tells why an item no longer matches, undefined if it does: reads it again with everything it refers to. A list that
 * must be read whole for this is at most a minute old.
 */
export async function fitCheck(
  context: Context,
  reader: Reader,
  family: Family,
  choice: Choice,
): Promise<(id: string) => Promise<string | undefined>> {
  const { list, get } = readsOf(family);
  const lists: SharedLists = { whole: new Map() };
  // What is to be said of the choice was said with its list.
  const quiet = silently(context);
  return async (id) => {
    const chosen = await chosenBy(quiet, family, list, { ...choice }, { limit: undefined, stops: false });
    const answer = await reader.answer(planRequest(family, get, { ids: [id] })).catch(unless('not_found'));
    if (answer === undefined) return 'it no longer exists';
    const { items, selected } = await viewOf(each([new Item(stripEnvelope(answer))]), chosen, {
      context: quiet,
      reader,
      lists,
    });
    for await (const _ of items) return undefined;
    return unknownError(selected) ? 'it is no longer known whether it matches' : 'it no longer matches';
  };
}
