import { idCacheWanted, readIds } from '../../account/seen-ids/ids.js';
import { wrongOption } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { FAMILY_INDEX, familyByCommand } from '../../catalogue/index.js';
import type { Context } from '../context/context.js';
import type { Look } from './ask.js';
import { itemOfAny, type Known, readableFamilies } from './one.js';

/** The family that this machine saw an id in, by what is kept for completion. */
export async function seenIn(context: Context, id: string): Promise<string | undefined> {
  if (!idCacheWanted(context.world.env)) return undefined;
  const profile = await context.profile();
  const place = { dataDir: context.dataDir, profile: profile.name.value, mode: profile.mode.value };
  return FAMILY_INDEX.find(({ name }) => readIds(place, name).some((seen) => seen.id === id))?.name;
}

/** The family that an option names. @throws CopsError `usage` with the nearest one */
export function familyNamed(word: string, option: string): string {
  const entry = familyByCommand(word);
  if (entry && readableFamilies().includes(entry.name)) return entry.name;
  const words = FAMILY_INDEX.map(({ command }) => command);
  throw wrongOption(option, `there is no family "${word}" to read from.${didYouMean(word, words)}`);
}

/** The item of an id: of the family that is named or was seen, else of one of `usual`. */
export async function knownItem(
  context: Context,
  look: Look,
  id: string,
  named: string | undefined,
  usual: readonly string[],
): Promise<Known> {
  if (named !== undefined) return itemOfAny(look, id, [familyNamed(named, '--family')]);
  const seen = await seenIn(context, id);
  return itemOfAny(look, id, seen === undefined ? usual : [seen]);
}
