import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../base/files/read-file.js';
import { makeFolder, onceFreeSync } from '../../base/files/replace-file.js';
import type { World } from '../../base/world.js';
import type { Family } from '../../catalogue/types.js';
import type { Notes } from '../../screen/types.js';
import type { Mode, Profile } from '../profiles/types.js';

/** An id that was seen, with what tells a person which one it is. Nothing else of an item is stored. */
export interface SeenId {
  readonly id: string;
  /** Its own name, or that of its customer or product; empty if it has none. */
  readonly name: string;
  /** When it was created, unix seconds; 0 if unknown. */
  readonly made: number;
}

/** The ids of one profile and mode. */
export interface IdPlace {
  /** Folder of data. */
  readonly dataDir: string;
  readonly profile: string;
  readonly mode: string;
}

/** Ids stored for each family, and so the most that one run can add. */
export const MOST_IDS = 300;
const MOST_BYTES = 512 * 1024;
const LONGEST_NAME = 60;
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** True unless `COPS_ID_CACHE` is 0, false, no or off. */
export const idCacheWanted = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !/^(?:0|false|no|off)$/i.test(env.COPS_ID_CACHE?.trim() ?? '');

/** The part of a run that stores and forgets ids. */
interface Keeper {
  readonly world: Pick<World, 'env'>;
  readonly options: { readonly dryRun: boolean };
  readonly dataDir: string;
  readonly notes: Notes;
}

/**
 * Keeps the ids of shown items, once they are printed, unless the user wants none kept. Never fails.
 * @param items exact JSON texts as they were read
 */
export function keepIds(
  { world, dataDir, options }: Keeper,
  { name, mode, idCache }: Profile,
  family: Family,
  items: readonly string[],
): void {
  if (options.dryRun || items.length === 0 || !idCache.value || !idCacheWanted(world.env)) return;
  rememberItems({ dataDir, profile: name.value, mode: mode.value }, family.name, family.idField, items);
}

/**
 * Forgets a profile's stored ids, in one mode or both, because nobody needs them any more. Never fails; reports what
 * could not be removed.
 */
export function forgetSeen({ dataDir, notes, options }: Keeper, profile: string, mode?: Mode): void {
  if (options.dryRun) return;
  try {
    for (const one of mode === undefined ? ['test', 'live'] : [mode]) forgetIds(dataDir, { profile, mode: one });
  } catch (error) {
    notes.warn(`The ids stored for completion could not be removed: ${(error as Error).message}`);
  }
}

/** The ids seen of a family, most recent first; empty if there are none or the file is unreadable. */
export function readIds(place: IdPlace, family: string): SeenId[] {
  try {
    const file = fileOf(place, family);
    const rows = JSON.parse(readOwnFile(file, MOST_BYTES)?.toString('utf8') ?? '[]') as unknown;
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row: unknown): SeenId[] => {
      if (!Array.isArray(row)) return [];
      const [id, name, made] = row as unknown[];
      if (typeof id !== 'string' || !SAFE_ID.test(id)) return [];
      return [{ id, name: typeof name === 'string' ? name : '', made: typeof made === 'number' ? made : 0 }];
    });
  } catch {
    return [];
  }
}

const textOf = (ids: readonly SeenId[]): string => JSON.stringify(ids.map(({ id, name, made }) => [id, name, made]));

/**
 * Puts items at the head of a family's kept ids. Never throws: the cache is a convenience. The file is replaced whole,
 * so that a reader never sees half of it.
 * @param items exact JSON texts as they were read
 */
export function rememberItems(place: IdPlace, family: string, idField: string, items: readonly string[]): void {
  try {
    const seen = new Map<string, SeenId>();
    for (const text of items.slice(0, MOST_IDS)) {
      const one = seenOf(text, idField);
      if (one) seen.set(one.id, one);
    }
    if (seen.size === 0) return;
    const before = readIds(place, family);
    for (const one of before) if (!seen.has(one.id)) seen.set(one.id, one);
    const text = textOf([...seen.values()].slice(0, MOST_IDS));
    if (text === textOf(before)) return;
    if (before.length === 0) makeFolder(folderOf(place));
    const file = fileOf(place, family);
    const fresh = `${file}.${Math.random().toString(36).slice(2)}.new`;
    try {
      writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
      onceFreeSync(() => renameSync(fresh, file));
    } catch {
      rmSync(fresh, { force: true });
    }
  } catch {
    // A full disk or somebody else's folder: the list itself was shown.
  }
}

/**
 * Forgets the ids of a profile and mode, or of all; tells how many families there were.
 * @throws what the file system throws
 */
export function forgetIds(dataDir: string, of?: Omit<IdPlace, 'dataDir'>): number {
  const folder = of ? folderOf({ dataDir, ...of }) : join(dataDir, 'ids');
  let families = 0;
  try {
    families = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    ).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  rmSync(folder, { recursive: true, force: true });
  return families;
}

const folderOf = ({ dataDir, profile, mode }: IdPlace): string =>
  join(dataDir, 'ids', `${encodeURIComponent(profile)}-${encodeURIComponent(mode)}`);

const fileOf = (place: IdPlace, family: string): string => join(folderOf(place), `${family}.json`);

function seenOf(text: string, idField: string): SeenId | undefined {
  const item = fieldsOf(JSON.parse(text));
  const id = item[idField];
  if (typeof id !== 'string' || !SAFE_ID.test(id)) return undefined;
  const made = item.created_date_unix ?? item.start_date_unix;
  return { id, name: nameOf(item), made: typeof made === 'number' ? made : 0 };
}

type Fields = Readonly<Record<string, unknown>>;

/** The item's own name; for a sale or a subscription, its customer or product. Never an address. */
function nameOf(item: Fields): string {
  const own = item.name ?? item.title ?? item.label ?? item.subject;
  const found = [own, person(item), person(fieldsOf(item.customer)), fieldsOf(item.product).name].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  return [...(found?.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim() ?? '')].slice(0, LONGEST_NAME).join('');
}

const person = (fields: Fields): string =>
  [fields.first_name, fields.last_name].filter((part) => typeof part === 'string' && part !== '').join(' ');

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
