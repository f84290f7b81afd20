import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whileLocked } from '../../base/files/lock.js';
import { readOwnFile } from '../../base/files/read-file.js';
import type { SharedPace } from '../../service/http/pacer.js';
import type { SharedPaceOptions } from './types.js';

interface FileOptions extends SharedPaceOptions {
  readonly folder: string;
  /** Milliseconds. */
  now(): number;
}

/** The contents of the file; all times in milliseconds. */
interface Kept {
  /** The time it was written. */
  readonly at: number;
  /** When the next turn begins. */
  readonly next: number;
  /** The slowest rate among recent users, and the time until which it counts. */
  readonly rate: number;
  readonly until: number;
}

/** Turns taken at once reach no further than this: the most that is lost if a process dies. */
const AHEAD_MS = 50;
/** How long a process that takes no turns holds the others to its rate, milliseconds. */
const HOLDS_MS = 2000;

/**
 * Turns are in a file that is changed under a lock. A process that dies loses the turns it took, and nobody waits for
 * it. If a clock is set back, the next turn moves with it: only its distance at the time of writing counts.
 */
export function sharedPace({ folder, key, rate, now, onFault }: FileOptions): SharedPace {
  const file = join(folder, `${key.replace(/\W/g, '')}.pace`);
  let isFaulty = false;
  /** Changes the file exclusively; undefined if it cannot be stored. */
  const changed = async <T extends { readonly kept: Kept }>(
    change: (kept: Kept | undefined, moment: number) => T,
  ): Promise<(T & { readonly moment: number }) | undefined> => {
    if (isFaulty) return undefined;
    try {
      return await whileLocked(file, { what: `The pace of the key (${file})` }, async () => {
        const moment = now();
        const made = change(await readKept(file), moment);
        await writeFile(file, JSON.stringify(made.kept), { mode: 0o600 });
        return { ...made, moment };
      });
    } catch (error) {
      isFaulty = true;
      onFault((error as Error).message);
      return undefined;
    }
  };
  return {
    async reserve(wanted) {
      const made = await changed((kept, moment) => take(kept, { wanted, rate, now: moment }));
      return made ? made.turns.map((turn) => Math.max(0, turn - made.moment)) : [0];
    },
    async pause(ms) {
      await changed((kept, moment) => ({ kept: paused(kept, { ms, rate, now: moment }) }));
    },
  };
}

/** The state to store once nobody may take a turn for that long. Pure. */
function paused(kept: Kept | undefined, { ms, rate, now }: { ms: number; rate: number; now: number }): Kept {
  const back = kept && now < kept.at ? kept.at - now : 0;
  const next = Math.max(now + ms, (kept?.next ?? now) - back);
  return { at: now, next, rate: kept?.rate ?? rate, until: (kept?.until ?? now) - back };
}

interface Asked {
  readonly wanted: number;
  readonly rate: number;
  readonly now: number;
}

/** The next turns, and the state to store. Pure. */
export function take(kept: Kept | undefined, { wanted, rate, now }: Asked): { turns: number[]; kept: Kept } {
  // A later write has a later clock, unless the clock was set back.
  const back = kept && now < kept.at ? kept.at - now : 0;
  const until = (kept?.until ?? 0) - back;
  const slowest = kept && until > now ? Math.min(rate, kept.rate) : rate;
  const spacing = 1000 / slowest;
  const most = Math.max(1, Math.min(wanted, Math.floor(AHEAD_MS / spacing)));
  const first = Math.max(now, (kept?.next ?? now) - back);
  const turns = Array.from({ length: most }, (_, at) => first + at * spacing);
  const next = first + most * spacing;
  const holds = next + Math.max(HOLDS_MS, 2 * spacing);
  // A slower process that takes no more turns is forgotten; one that does is remembered again.
  const isSlowest = rate <= slowest;
  return { turns, kept: { at: now, next, rate: slowest, until: isSlowest ? holds : until } };
}

/** A file that is missing, or was truncated by a crash, counts as empty. */
async function readKept(file: string): Promise<Kept | undefined> {
  const text = readOwnFile(file)?.toString('utf8') ?? '';
  try {
    const kept = JSON.parse(text) as Partial<Kept>;
    const numbers = [kept.at, kept.next, kept.rate, kept.until];
    return numbers.every((one) => Number.isFinite(one)) && Number(kept.rate) > 0 ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}
