import type { Postgres, PostgresSession } from '../../../base/database/postgres.js';
import { sqlStateOf } from '../../../base/database/postgres-faults.js';
import { CopsError, local, stopped } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { sqlName } from '../layout.js';
import type { Owner } from '../mirror.js';
import { inSchema, TEAM_LAYOUT, teamTables } from './team-layout.js';

/** A connection to a team's mirror. */
export interface TeamPlace {
  readonly postgres: Postgres;
  readonly schema: string;
}

/** The description in a team's mirror. `tool`: version of the program that created it. */
export type TeamState = NonNullable<Awaited<ReturnType<typeof readTeamState>>>;

/** Reads the description of a mirror; undefined if there is none. @throws CopsError `local` for another layout */
export async function readTeamState(session: PostgresSession, { postgres, schema }: TeamPlace) {
  const table = inSchema(schema, '_state');
  const noRight = (error: unknown): never => {
    const [at, to] = [sqlName(schema), sqlName(postgres.address.user)];
    throw lacksRight(
      error,
      `GRANT USAGE ON SCHEMA ${at} TO ${to}; GRANT SELECT ON ALL TABLES IN SCHEMA ${at} TO ${to};`,
    );
  };
  const { rows: found } = await session.query('SELECT to_regclass($1) IS NOT NULL', [table]).catch(noRight);
  if (found[0]?.[0] !== true) return undefined;
  const { rows } = await session
    .query(`SELECT identity, change, service, mode, tool, first_day, as_of, layout FROM ${table}`)
    .catch(noRight);
  const [identity, change, service, mode, tool, firstDay, asOf, layout] = rows[0] ?? [];
  if (layout !== TEAM_LAYOUT) {
    throw local(
      `${postgres.address.text} is a mirror of another version of cops (${String(tool)}).`,
      Number(layout) > TEAM_LAYOUT ? say`Update cops: ${cops`update`}.` : 'Sync into a new schema.',
    );
  }
  const number = (cell: unknown) => (cell === null ? undefined : Number(cell));
  return {
    ...{ identity: String(identity), change: Number(change), service: String(service), mode: String(mode) },
    ...{ tool: String(tool), firstDay: number(firstDay), asOf: number(asOf) },
  };
}

/** @throws CopsError `stopped` (12) for a mirror of another service or mode */
export function checkTeamOwner(state: TeamState, owner: Owner, { postgres }: TeamPlace): void {
  const differences = [
    state.service === owner.service ? '' : `the service ${state.service}, not ${owner.service}`,
    state.mode === owner.mode ? '' : `${state.mode} mode, not ${owner.mode} mode`,
  ].filter((text) => text !== '');
  if (differences.length === 0) return;
  throw stopped(
    `stopped: the mirror ${postgres.address.text} belongs to ${differences.join(', and ')}`,
    'Nothing was read or written. Choose the profile and mode it belongs to (-p, --live, --test), or another schema.',
    { mirror_service: state.service, mirror_mode: state.mode },
  );
}

/** Creates a mirror's tables if they do not exist; if two processes try, only one does. */
export async function layTeamMirror(place: TeamPlace, owner: Owner, tool: string): Promise<TeamState> {
  const { postgres, schema } = place;
  return postgres.transaction(async (session) => {
    await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cops mirror ${schema}`]);
    const before = await readTeamState(session, place);
    if (before) return before;
    const { rows } = await session.query('SELECT oid FROM pg_namespace WHERE nspname = $1', [schema]);
    if (rows.length === 0)
      await session.query(`CREATE SCHEMA ${sqlName(schema)}`).catch((error: unknown) => {
        const { database, user } = postgres.address;
        throw lacksRight(error, `GRANT CREATE ON DATABASE ${sqlName(database)} TO ${sqlName(user)};`);
      });
    else {
      const { rows: others } = await session.query('SELECT relname FROM pg_class WHERE relnamespace = $1 LIMIT 1', [
        rows[0]?.[0],
      ]);
      if (others.length > 0) {
        throw local(
          `The schema ${schema} of ${postgres.address.text} holds other tables (${String(others[0]?.[0])}).`,
          'Use a separate schema: ?schema=<name>.',
        );
      }
    }
    await session.query(teamTables(schema));
    await session.query(
      `INSERT INTO ${inSchema(schema, '_state')} (layout, tool, service, mode) VALUES ($1, $2, $3, $4)`,
      [TEAM_LAYOUT, tool, owner.service, owner.mode],
    );
    await session.query(`INSERT INTO ${inSchema(schema, '_keys')} (fingerprint) VALUES ($1)`, [owner.account]);
    return (await readTeamState(session, place)) as TeamState;
  });
}

/** Whether a key is known to read a mirror's account. */
export async function isKnownKey(
  session: PostgresSession,
  { schema }: TeamPlace,
  fingerprint: string,
): Promise<boolean> {
  const { rows } = await session.query(`SELECT 1 FROM ${inSchema(schema, '_keys')} WHERE fingerprint = $1`, [
    fingerprint,
  ]);
  return rows.length > 0;
}

/** A refusal for a missing right, with the SQL that grants it; any other error unchanged. */
function lacksRight(error: unknown, sql: string): unknown {
  if (!(error instanceof CopsError) || sqlStateOf(error) !== '42501') return error;
  const hint = `The owner of the database or schema can grant it: ${sql}`;
  return new CopsError(error.kind, error.message, { ...error.facts, hint });
}

/** @throws CopsError not_authorised (3) for a role that may only read the mirror */
export async function checkMaySync({ postgres, schema }: TeamPlace): Promise<void> {
  const sql = `SELECT has_table_privilege(oid, 'UPDATE'), pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass($1)`;
  const { rows } = await postgres.query(sql, [inSchema(schema, '_state')]);
  const [may, owner] = rows[0] ?? [];
  if (may === true) return;
  const who = postgres.address.user;
  throw new CopsError(
    'not_authorised',
    `Only ${String(owner)}, who created the schema ${schema}, can sync ${postgres.address.text}: ${who} may only read it.`,
    {
      hint: `Ask ${String(owner)} to sync it; until then, answers come from the last sync.`,
      more: { mirror: 'read only' },
    },
  );
}

/** How long a lease lasts without renewal, seconds by the server's clock. */
const LEASE_S = 30;
const RENEW_MS = 10_000;

/** The end of the lease from now, in SQL. */
export const LEASED = `clock_timestamp() + interval '${LEASE_S} seconds'`;

/** The right to write a mirror: no other sync starts while it is held. */
export type Lease = ReturnType<typeof held>;

/**
 * Takes the lease of a mirror. If its holder was killed, waits until it expires; the same holder gets it immediately.
 * @param holder the machine, with an identifier
 * @throws CopsError `local` (11) while another sync renews it
 */
export async function takeLease(
  place: TeamPlace,
  holder: string,
  wait: (ms: number, until: string) => Promise<void>,
): Promise<Lease> {
  const { postgres, schema } = place;
  const table = inSchema(schema, '_state');
  let seen: unknown;
  for (;;) {
    const { rows } = await postgres.query(
      `UPDATE ${table} SET holder = $1, epoch = epoch + 1, lease_until = ${LEASED} ` +
        'WHERE lease_until IS NULL OR lease_until < clock_timestamp() OR holder = $1 RETURNING epoch',
      [holder],
    );
    if (rows[0]) return held(place, Number(rows[0][0]));
    const { rows: others } = await postgres.query(
      `SELECT holder, extract(epoch FROM lease_until), extract(epoch FROM lease_until - clock_timestamp())::integer FROM ${table}`,
    );
    const [other, until, left] = others[0] ?? [];
    if (seen !== undefined && seen !== until)
      throw local(`${postgres.address.text} is being synced by ${machineOf(other)}.`, 'Wait for that sync to end.');
    seen = until;
    await wait(Math.min(1000, Math.max(50, Number(left) * 1000)), machineOf(other));
  }
}

const machineOf = (holder: unknown): string => String(holder ?? 'another machine').split(' ', 1)[0] as string;

function held({ postgres, schema }: TeamPlace, epoch: number) {
  const table = inSchema(schema, '_state');
  const renew = (): void => {
    // The next write reports a failed renewal.
    postgres.query(`UPDATE ${table} SET lease_until = ${LEASED} WHERE epoch = $1`, [epoch]).catch(() => {});
  };
  const timer = setInterval(renew, RENEW_MS).unref();
  return {
    epoch,
    async release() {
      clearInterval(timer);
      // If the server is gone, the lease expires by itself.
      await postgres
        .query(`UPDATE ${table} SET lease_until = NULL WHERE epoch = $1`, [epoch])
        .catch((error: unknown) => sqlStateOf(error));
    },
  };
}
