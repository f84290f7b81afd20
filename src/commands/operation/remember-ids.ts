import type { Family } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { Mode, Profile } from '../../profiles/types.js';

/** The first items of a run, as they were read, for the ids that completion offers. */
export interface Seen {
  add(raw: string): void;
  readonly items: readonly string[];
}

const MOST_ITEMS = 300;
const MOST_CHARACTERS = 512 * 1024;

/** Holds on to the first items of a run, within bounds: a long list costs no more than a short one. */
export function newSeen(): Seen {
  const items: string[] = [];
  let characters = 0;
  return {
    items,
    add(raw) {
      if (items.length >= MOST_ITEMS || characters > MOST_CHARACTERS) return;
      characters += raw.length;
      items.push(raw);
    },
  };
}

/** Keeps the ids of what was shown, once it is out, unless the user wants none kept. Never fails. */
export async function keepIds(context: Context, profile: Profile, family: Family, seen: Seen): Promise<void> {
  if (seen.items.length === 0) return;
  const [{ idCacheWanted, rememberItems }, { glanceAt }] = await Promise.all([
    import('../../completion/ids.js'),
    import('../../profiles/glance.js'),
  ]);
  const name = profile.name.value;
  if (!idCacheWanted(context.world.env) || !glanceAt(context.configDir).of(name).idCache) return;
  rememberItems(
    { dataDir: context.dataDir, profile: name, mode: profile.mode.value },
    family.name,
    family.idField,
    seen.items,
  );
}

/** The same for a single item. */
export async function keepOne(context: Context, profile: Profile, family: Family, raw: string): Promise<void> {
  const seen = newSeen();
  seen.add(raw);
  await keepIds(context, profile, family, seen);
}

/**
 * Forgets the ids kept of a profile, in one mode or in both: what it read is nobody's any more. Never fails; what
 * could not be removed is said.
 */
export async function forgetSeen(context: Context, profile: string, mode?: Mode): Promise<void> {
  const { forgetIds } = await import('../../completion/ids.js');
  try {
    for (const one of mode === undefined ? (['test', 'live'] as const) : [mode])
      forgetIds(context.dataDir, { profile, mode: one });
  } catch (error) {
    context.notes.warn(`The ids kept for completion could not be removed: ${(error as Error).message}`);
  }
}
