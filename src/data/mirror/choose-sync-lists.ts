import { usage } from '../../base/errors/errors.js';
import { FAMILY_INDEX, loadFamily, pathParameters } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import type { Context } from '../../session/context/context.js';
import { settledDates } from '../../session/context/settled-dates.js';
import { familyOfWord } from '../../session/context/typed-words.js';

/** The lists of a sync. */
export interface ChosenLists {
  readonly lists: FamilyOperation[];
  /** Lists that are read only by name, as command words. */
  readonly left: string[];
}

/** The lists without an id in their path: those of the named families, or all except those read only by name. */
export async function listsOfSync(names: readonly string[], all: boolean): Promise<ChosenLists> {
  if (all && names.length > 0) throw usage('--all syncs all lists: name families, or use --all, not both.');
  const chosen: ChosenLists = { lists: [], left: [] };
  const families =
    names.length > 0
      ? await Promise.all(names.map(async (word) => (await familyOfWord(word)).name))
      : FAMILY_INDEX.map((entry) => entry.name);
  for (const name of new Set(families)) {
    const list = await ownList(name);
    if (list === undefined) {
      if (names.length > 0) throw usage(`${name.replaceAll('_', '-')} has no list of its own.`);
    } else if (names.length === 0 && list.family.onlyNamed && !all) chosen.left.push(name.replaceAll('_', '-'));
    else chosen.lists.push(list);
  }
  return chosen;
}

/** These families' lists, if any, with the way the service takes their dates. */
export async function listsToSync(context: Context, families: readonly string[]): Promise<ChosenLists> {
  const lists: FamilyOperation[] = [];
  for (const name of families) {
    const list = await ownList(name);
    if (list) lists.push({ family: list.family, operation: await settledDates(context, list.operation) });
  }
  return { lists, left: [] };
}

async function ownList(name: string): Promise<FamilyOperation | undefined> {
  const family = await loadFamily(name);
  const operation = family.operations.find(({ action }) => action === 'list');
  const isOwn = operation?.list && operation.list.style !== 'search' && pathParameters(operation).length === 0;
  return isOwn && operation ? { family, operation } : undefined;
}
