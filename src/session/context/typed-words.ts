import { profileIfAny } from '../../account/profiles/faults.js';
import { usage, wrongOption } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { type Zone, zoneOf } from '../../base/time/zones.js';
import { FAMILY_INDEX, type FamilyIndexEntry, familyByCommand } from '../../catalogue/index.js';
import type { Context } from './context.js';

/** A whole number from the command line within bounds, or undefined if not given; otherwise throws a usage error. */
export function wholeNumber(
  text: string | undefined,
  option: string,
  low: number,
  high = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) {
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} up` : `${low} to ${high}`;
    throw wrongOption(option, `"${text}" is not a whole number from ${range}.`);
  }
  return value;
}

/** @throws CopsError usage (2), with the family that the word usually means */
export async function familyOfWord(word: string): Promise<FamilyIndexEntry> {
  const entry = familyByCommand(word);
  if (entry) return entry;
  const meant = await meantFamily(word);
  throw usage(
    `There is no family "${word}".`,
    meant === undefined ? say`${cops`--help`} lists them.` : `Did you mean ${meant}?`,
  );
}

/** The family meant by a word that names none: a term of the trade, or a misspelling. */
export async function meantFamily(word: string): Promise<string | undefined> {
  const [{ synonymOf }, { nearest }] = await Promise.all([
    import('../../catalogue/synonyms.js'),
    import('../../base/errors/nearest.js'),
  ]);
  const spoken = familyByCommand(synonymOf('command', word)?.means ?? '')?.command;
  const names = FAMILY_INDEX.map(({ command }) => command);
  return spoken ?? nearest(word, names)[0];
}

/** The time zone from the line or the profile; this machine's if there is no profile. */
export async function zoneInUse(context: Context): Promise<Zone> {
  const { tz } = (await profileIfAny(context)) ?? {};
  if (tz !== undefined) return zoneOf(tz.value, tz.source);
  const { options, world } = context;
  const named = options.tz === undefined ? world.env.COPS_TZ?.trim() : undefined;
  return named ? zoneOf(named, 'COPS_TZ') : zoneOf(options.tz ?? world.zone, '--tz');
}
