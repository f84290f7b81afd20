import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../base/database/types.js';
import { loadFamily } from '../../catalogue/index.js';
import { openToSync } from '../mirror/mirror.js';
import { RawTable } from '../mirror/mirror-table.js';
import { MIRROR_VIEWS, makeViews } from '../mirror/views.js';

/** A mirror for a single question, deleted afterwards. */
export interface Scratch {
  readonly database: Database;
  readonly tables: ReadonlyMap<string, RawTable>;
  remove(): Promise<void>;
}

/** An empty mirror with tables for these families, in a private folder; everything stays in one transaction. */
export async function openScratch(families: readonly string[], mode: 'test' | 'live'): Promise<Scratch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cops-overview-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const database = await openToSync(path.join(folder, 'm.sqlite'), { service: '', account: '', mode }, '');
    database.exec('BEGIN');
    const tables = new Map<string, RawTable>();
    for (const name of families) {
      tables.set(name, new RawTable(database, await loadFamily(name), MIRROR_VIEWS));
    }
    makeViews(database);
    return {
      database,
      tables,
      remove: async () => {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
