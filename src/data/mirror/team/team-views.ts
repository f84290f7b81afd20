import type { PostgresSession } from '../../../base/database/postgres.js';
import { sqlStateOf } from '../../../base/database/postgres-faults.js';
import type { Database } from '../../../base/database/types.js';
import { rawName, sqlName } from '../layout.js';
import { viewColumns } from '../views.js';
import { inSchema, storedName, type TeamColumn } from './team-layout.js';

const UNIX = /_unix$/;

/** Creates a view of each family with the column names and order of the SQLite mirror: listed items, as last read. */
export async function makeTeamViews(
  session: PostgresSession,
  schema: string,
  database: Database,
  families: ReadonlyMap<string, ReadonlyMap<string, TeamColumn>>,
): Promise<void> {
  for (const [family, columns] of families) {
    const names = viewColumns(database, rawName(family)).filter((name) => !name.startsWith('_'));
    const view = inSchema(schema, family);
    const query = `SELECT ${shownColumns(names, columns).join(', ')} FROM ${inSchema(schema, rawName(family))} WHERE gone_at IS NULL`;
    await putView(session, view, query);
  }
}

/** Changed columns need a new view. If something depends on the old one, it stays as it is. */
const OTHER_COLUMNS = '42P16';
const HANGS_ON_IT = '2BP01';

async function putView(session: PostgresSession, view: string, query: string): Promise<void> {
  await session.query('SAVEPOINT one_view');
  try {
    await session.query(`CREATE OR REPLACE VIEW ${view} AS ${query}`);
  } catch (error) {
    if (sqlStateOf(error) !== OTHER_COLUMNS) throw error;
    await session.query('ROLLBACK TO SAVEPOINT one_view');
    try {
      await session.query(`DROP VIEW ${view}; CREATE VIEW ${view} AS ${query}`);
    } catch (second) {
      if (sqlStateOf(second) !== HANGS_ON_IT) throw second;
      await session.query('ROLLBACK TO SAVEPOINT one_view');
    }
  }
  await session.query('RELEASE SAVEPOINT one_view');
}

function shownColumns(names: readonly string[], columns: ReadonlyMap<string, TeamColumn>): string[] {
  const taken = new Set(names);
  return names.flatMap((name) => {
    const column = columns.get(name);
    const twin = name.replace(UNIX, '');
    const isTwinned = UNIX.test(name) && !taken.has(twin);
    if (name === 'id') return ['id'];
    const as = sqlName(storedName(name));
    const asTwin = sqlName(storedName(twin));
    const stored = column === undefined ? 'NULL::text' : sqlName(column.stored);
    if (!UNIX.test(name) || column?.type !== 'timestamptz')
      return [`${stored} AS ${as}`, ...(isTwinned ? [`NULL::timestamptz AS ${asTwin}`] : [])];
    return [`extract(epoch FROM ${stored})::bigint AS ${as}`, ...(isTwinned ? [`${stored} AS ${asTwin}`] : [])];
  });
}
