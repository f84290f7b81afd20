import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../base/database/types.js';
import { usage } from '../../base/errors/errors.js';
import { lock } from '../../base/files/lock.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { loadFamily } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import type { SyncOptions } from '../../cli/commands/sync/spec.js';
import { planRequest } from '../../service/request/plan.js';
import type { Context } from '../../session/context/context.js';
import { zoneInUse } from '../../session/context/zone.js';
import { type Beginning, beginningOf, firstDayOf } from '../../session/read/first-day.js';
import { openReader, pager } from '../../session/read/reading.js';
import { SETTLING_SECONDS, syncFamily } from './family.js';
import { rawName } from './layout.js';
import { openToSync, writeFact } from './mirror.js';
import { ownerOf } from './own-mirror.js';
import { RawTable } from './table.js';
import { MIRROR_VIEWS, makeViews } from './views.js';

/** What became of one list. */
export interface Row {
  readonly family: string;
  readonly state: 'synced' | 'unproven' | 'not allowed' | 'not there' | 'failed' | 'not read';
  readonly added: number;
  /** Null where it is not looked at: a folder keeps what was read, a mirror follows it. */
  readonly changed: number | null;
  readonly gone: number | null;
  readonly items: number;
  readonly requests: number;
  /** Every row was read since this moment, ISO 8601; null for a folder. */
  readonly seen_since: string | null;
  readonly why: string | null;
}

/** What a sync into a mirror hands to the loop over the lists. */
export interface MirrorSync {
  read(list: FamilyOperation): Promise<Row>;
  /** Makes the views anew and lets go of the file; `isWhole` when all lists were gone through. */
  end(isWhole: boolean): Promise<void>;
}

/** Opens the mirror at `file` for the profile in use and tells how each list is read into it. */
export async function openMirrorSync(
  context: Context,
  file: string,
  options: SyncOptions,
  concurrency: number,
): Promise<MirrorSync> {
  for (const name of ['format', 'gzip', 'refresh'] as const) {
    if (options[name] !== undefined) throw usage(`--${name} is for folders: a mirror is one SQLite file.`);
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const held = await lock(file, { waitMs: 500, what: `The sync into ${file}` });
  try {
    const owner = await ownerOf(context);
    const isNew = !existsSync(file);
    const database = await openToSync(file, owner, context.world.version);
    try {
      context.notes.note(`Mirror ${file}: ${owner.service}, ${owner.mode} mode.`);
      const began = Math.floor((await context.now()) / 1000);
      await layViews(database);
      const beginning = await beginningFor(context, options);
      context.notes.note(`Everything from ${beginning.told}.`);
      const reader = await openReader(context);
      return {
        async read({ family, operation }) {
          const { list } = operation;
          if (!list) throw new Error(`${family.name} has no list`);
          context.notes.progress(family.name.replaceAll('_', ' '));
          const { added, changed, gone, items, requests, seenSince, unproven } = await syncFamily({
            database,
            family,
            list,
            fetch: pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField),
            now: began,
            from: beginningOf(family.nature, beginning.from),
            full: options.full === true || options.restart === true,
            concurrency,
          });
          return {
            family: family.name,
            state: unproven.length === 0 ? 'synced' : 'unproven',
            added,
            changed,
            gone,
            items,
            requests,
            seen_since: seenSince === undefined ? null : isoTime(seenSince),
            why: unproven[0] ?? null,
          };
        },
        async end(isWhole) {
          try {
            context.notes.progressDone();
            database.transaction(() => {
              makeViews(database);
              writeFact(database, 'first_day', beginning.from);
              if (isWhole) writeFact(database, 'as_of', began - SETTLING_SECONDS);
            });
          } finally {
            database.close();
            await held.release();
          }
        },
      };
    } catch (error) {
      database.close();
      // Before the first list a new mirror holds nothing, and would be taken for one of an account without data.
      if (isNew) for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
      throw error;
    }
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** The views are there from the first moment, over empty tables where a list was not read yet. */
async function layViews(database: Database): Promise<void> {
  const needed = new Set(MIRROR_VIEWS.flatMap(({ needs }) => Object.keys(needs)));
  const families = await Promise.all([...needed].map((table) => loadFamily(table.slice(rawName('').length))));
  database.transaction(() => {
    for (const family of families) new RawTable(database, family, MIRROR_VIEWS);
    makeViews(database);
  });
}

async function beginningFor(context: Context, options: SyncOptions): Promise<Beginning> {
  if (options.from === undefined) return firstDayOf(context, options.firstDay);
  if (options.firstDay !== undefined) throw usage('--from and --first-day cannot be combined.');
  const zone = await zoneInUse(context);
  const from = parseWhen(options.from, { now: await context.now(), zone, edge: 'start', option: '--from' });
  return { from, told: `${isoTime(from)} (--from): what is older is not in the mirror` };
}
