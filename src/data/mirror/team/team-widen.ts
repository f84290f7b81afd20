import type { PostgresSession } from '../../../base/database/postgres.js';
import { sqlStateOf } from '../../../base/database/postgres-faults.js';
import type { Database } from '../../../base/database/types.js';
import { rawName, sqlName } from '../layout.js';
import { copyText, inSchema, literal, type TeamColumn } from './team-layout.js';

/** Somebody else's object depends on a column. */
const HANGS_ON_IT = '2BP01';

/**
 * Replaces a column that does not fit its values with a text column, filled from the replica. The views over it are
 * dropped and must be made again.
 * @returns false if a view of somebody else depends on it: nothing is changed
 */
export async function widenColumn(
  session: PostgresSession,
  schema: string,
  database: Database,
  family: string,
  { name, stored }: TeamColumn,
): Promise<boolean> {
  const table = inSchema(schema, rawName(family));
  const [old, wide] = [sqlName(stored), sqlName('_wide')];
  await session.query('SAVEPOINT widen');
  try {
    await session.query(
      `DROP VIEW IF EXISTS ${inSchema(schema, family)}; ALTER TABLE ${table} ADD COLUMN ${wide} text; ` +
        'DROP TABLE IF EXISTS pg_temp.cops_wide; CREATE TEMPORARY TABLE cops_wide (id text, value text) ON COMMIT DROP',
    );
    await session.copyIn('COPY pg_temp.cops_wide FROM STDIN', valuesOf(database, family, name));
    await session.query(
      // Rows that are gone are not in the replica.
      `UPDATE ${table} SET ${wide} = ${old}::text WHERE gone_at IS NOT NULL; ` +
        `UPDATE ${table} AS t SET ${wide} = s.value FROM pg_temp.cops_wide AS s WHERE s.id = t.id; ` +
        `ALTER TABLE ${table} DROP COLUMN ${old}; ALTER TABLE ${table} RENAME COLUMN ${wide} TO ${old}; ` +
        `UPDATE ${inSchema(schema, '_fields')} SET type = 'text' WHERE family = ${literal(family)} AND name = ${literal(name)}; ` +
        `DELETE FROM ${inSchema(schema, '_unfit')} WHERE family = ${literal(family)} AND name = ${literal(name)}`,
    );
    await session.query('RELEASE SAVEPOINT widen');
    return true;
  } catch (error) {
    if (sqlStateOf(error) !== HANGS_ON_IT) throw error;
    await session.query('ROLLBACK TO SAVEPOINT widen');
    return false;
  }
}

function* valuesOf(database: Database, family: string, name: string): Generator<string> {
  const rows = database
    .prepare(
      `SELECT id, CAST(${sqlName(name)} AS TEXT) FROM ${sqlName(rawName(family))} WHERE ${sqlName(name)} IS NOT NULL`,
    )
    .iterate();
  for (const [id, value] of rows) yield `${copyText(String(id))}\t${copyText(String(value)) ?? '\\N'}\n`;
}
