import { join } from 'node:path';
import type { Database } from '../../base/database/types.js';
import { inTemporaryFolder } from '../../base/files/temporary-folder.js';
import { loadFamily } from '../../catalogue/index.js';
import { openToSync } from './mirror.js';
import { RawTable } from './mirror-table.js';
import { MIRROR_VIEWS, makeViews } from './views.js';

/** Works, in one transaction, on an empty mirror with tables for these families; deletes the mirror afterwards. */
export function inScratch<T>(
  families: readonly string[],
  mode: 'test' | 'live',
  work: (database: Database, tables: ReadonlyMap<string, RawTable>) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder('mirror', async (folder, discard) => {
    const database = await openToSync(join(folder, 'm.sqlite'), { service: '', account: '', mode }, '');
    try {
      database.exec('BEGIN');
      const tables = new Map<string, RawTable>();
      for (const name of families) tables.set(name, new RawTable(database, await loadFamily(name), MIRROR_VIEWS));
      makeViews(database);
      return await work(database, tables);
    } finally {
      database.close();
      await discard();
    }
  });
}
