import type { Postgres, PostgresSession } from '../../base/database/postgres.js';
import { sqlStateOf } from '../../base/database/postgres-faults.js';
import { CopsError, local, stopped, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { inLedger, LEDGER_VERSION, ledgerSql, migrationSql, quotedName, ROLES, WRITER_VERSION } from './team-schema.js';
import type { LedgerFacts } from './types.js';

/** The schema of a ledger whose address names none. */
export const LEDGER_SCHEMA = 'cops_ledger';

/** @throws CopsError usage (2) for an invalid schema name */
export function ledgerSchema(named: string | undefined): string {
  const schema = named ?? LEDGER_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw usage('The schema of a ledger takes at most 41 lower-case letters, digits and underscores.');
  return schema;
}

/** What a ledger belongs to. */
export type LedgerOf = Pick<LedgerFacts, 'baseUrl' | 'mode' | 'items'>;

/**
 * Makes a ledger in a schema that is not there yet, and the roles where they are missing.
 * @throws CopsError stopped (12) for a server that does not wait for its disk; usage (2) where there is a ledger already;
 *   not_authorised (3) for a user that may not make schema or roles
 */
export async function makeLedger(connection: Postgres, schema: string, of: LedgerOf): Promise<void> {
  await refuseForgetful(connection);
  await connection.transaction(
    async (session) => {
      // Two processes that create one at once take turns.
      await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cops init ${schema}`]);
      await refuseTaken(session, connection.address.text, schema);
      await makeRoles(session).catch(noAdministrator);
      await session.query(`CREATE SCHEMA ${quotedName(schema)} AUTHORIZATION cops_owner`).catch(noAdministrator);
      await session.query('SET LOCAL ROLE cops_owner');
      await session.query(ledgerSql(schema));
      const sql = inLedger(
        'INSERT INTO $.ledger (base_url, mode, items, version, least_writer) VALUES ($1, $2, $3, $4, $5)',
        schema,
      );
      await session.query(sql, [of.baseUrl, of.mode, JSON.stringify(of.items), LEDGER_VERSION, WRITER_VERSION]);
    },
    { durable: true },
  );
}

/** Runs the checks of `makeLedger` but creates nothing. Throws the same errors. */
export async function checkNewLedger(connection: Postgres, schema: string): Promise<void> {
  await refuseForgetful(connection);
  await refuseTaken(connection, connection.address.text, schema);
}

/** @throws CopsError stopped (12) */
async function refuseForgetful(connection: Postgres): Promise<void> {
  const { rows } = await connection.query('SHOW fsync');
  if (rows[0]?.[0] !== 'off') return;
  throw stopped(
    `${connection.address.text} runs with fsync = off: recorded writes may be lost in a crash`,
    'Nothing was created. Set fsync = on, and reload the server settings.',
  );
}

async function refuseTaken(session: PostgresSession, address: string, schema: string): Promise<void> {
  const { rows } = await session.query('SELECT to_regclass($1) IS NOT NULL, to_regnamespace($2) IS NOT NULL', [
    `${quotedName(schema)}.ledger`,
    quotedName(schema),
  ]);
  const [hasLedger, isThere] = rows[0] ?? [];
  if (hasLedger === true) throw usage(`${address} has a ledger already.`, say`Use it: ${cops`team join ${address}`}`);
  if (isThere === true)
    throw usage(
      `${address} already has a schema ${schema}, which is not a ledger.`,
      'Name another one: ?schema=<name>',
    );
}

/** @throws CopsError the same error, with what to do if it is a missing right */
function noAdministrator(error: unknown): never {
  if (!(error instanceof CopsError) || sqlStateOf(error) !== '42501') throw error;
  const hint = 'Creating a ledger also creates roles of the server: use the address of its administrator (postgres).';
  throw new CopsError(error.kind, error.message, { ...error.facts, hint });
}

/** Roles belong to the whole server: existing ones stay unchanged. */
async function makeRoles(session: PostgresSession): Promise<void> {
  const { rows } = await session.query('SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1)', [[...ROLES]]);
  const known = new Set(rows.map(([name]) => name));
  for (const role of ROLES) if (!known.has(role)) await session.query(`CREATE ROLE ${role} NOLOGIN`);
  await session.query(`DO $$ BEGIN
    EXECUTE format('GRANT cops_owner, cops_member TO %I', session_user);
    EXECUTE format('GRANT CREATE ON DATABASE %I TO cops_owner', current_database());
  END $$`);
}

/**
 * Brings the schema to this program's version, except in a dry run. Programs that cannot write it are refused from then
 * on.
 * @returns the versions before and after
 */
export async function migrateLedger(
  connection: Postgres,
  schema: string,
  isDry: boolean,
): Promise<readonly [number, number]> {
  return connection.transaction(
    async (session) => {
      await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cops init ${schema}`]);
      const { rows } = await session.query(inLedger('SELECT version FROM $.ledger', schema)).catch((error: unknown) => {
        if (sqlStateOf(error) !== '42P01') throw error;
        throw local(`${connection.address.text} has no ledger (schema ${schema}).`);
      });
      const before = Number(rows[0]?.[0]);
      if (before > LEDGER_VERSION)
        throw stopped(
          `the ledger has version ${before}, but this program only knows ${LEDGER_VERSION}`,
          'Nothing was changed. Install the newest version of cops.',
        );
      if (before < LEDGER_VERSION && !isDry) {
        await session.query('SET LOCAL ROLE cops_owner');
        await session.query(migrationSql(schema, before));
        const sql = inLedger('UPDATE $.ledger SET version = $1, least_writer = $2', schema);
        await session.query(sql, [LEDGER_VERSION, WRITER_VERSION]);
      }
      return [before, LEDGER_VERSION] as const;
    },
    { durable: true },
  );
}
