import type { PostgresSession } from '../../../base/database/postgres.js';
import type { Context } from '../../../session/context/context.js';
import { mirrorOwner } from '../mirror.js';
import { closesTable, inSchema } from './team-layout.js';
import { connectTeam, type TeamReplica } from './team-replica.js';
import { checkTeamOwner, readTeamState, type TeamPlace } from './team-state.js';

/** A line of the record of locked months, and where a team's mirror has it. */
export interface SharedLine {
  readonly n: number;
  readonly line: string;
}

/** The record of locked months in a team's mirror. */
export type TeamCloses = ReturnType<typeof closesIn>;

/** An event for a team's record. */
export interface NewClose {
  readonly line: string;
  readonly file: Buffer | undefined;
}

/** Opens the record, runs `work`, and ends the connection. Undefined where the team has no mirror yet. */
async function withPlace<T>(context: Context, { address }: TeamReplica, work: (place: TeamPlace) => Promise<T>) {
  const place = await connectTeam(context, address, context.world.interrupted);
  try {
    const state = await readTeamState(place.postgres, place);
    if (state === undefined) return undefined;
    checkTeamOwner(state, await mirrorOwner(context), place);
    return await work(place);
  } finally {
    await place.postgres.close();
  }
}

/**
 * Reads the record of locked months that a team shares.
 * @throws CopsError network (8) where the database does not answer
 */
export async function readTeamCloses(
  context: Context,
  team: TeamReplica,
  read: (closes: TeamCloses) => Promise<void>,
): Promise<void> {
  await withPlace(context, team, async ({ postgres, schema }) => read(closesIn(postgres, inSchema(schema, '_closes'))));
}

/**
 * Adds to the record what `work` returns, while no other machine changes it.
 * @returns false where the team has no mirror yet
 * @throws CopsError network (8) where the database does not answer; `commit: 'unknown'` if it may have been added
 */
export async function addTeamCloses(
  context: Context,
  team: TeamReplica,
  work: (closes: TeamCloses) => Promise<readonly NewClose[]>,
): Promise<boolean> {
  const added = await withPlace(context, team, ({ postgres, schema }) => {
    const table = inSchema(schema, '_closes');
    const insert = `INSERT INTO ${table} (line, file) VALUES ($1, decode($2, 'base64'))`;
    return postgres.transaction(
      async (session) => {
        await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cops closes ${schema}`]);
        if (!(await isThere(session, table))) await session.query(closesTable(schema));
        for (const { line, file } of await work(closesIn(session, table)))
          await session.query(insert, [line, file?.toString('base64') ?? null]);
        return true;
      },
      { durable: true },
    );
  });
  return added ?? false;
}

async function isThere(session: PostgresSession, table: string): Promise<boolean> {
  const { rows } = await session.query('SELECT to_regclass($1) IS NOT NULL', [table]);
  return rows[0]?.[0] === true;
}

function closesIn(session: PostgresSession, table: string) {
  return {
    /** The lines of the record, oldest first. */
    async lines() {
      if (!(await isThere(session, table))) return [];
      const { rows } = await session.query(`SELECT n, line FROM ${table} ORDER BY n`);
      return rows.map(([n, line]) => ({ n: Number(n), line: String(line) }));
    },
    /** The file of the lock that an event made; undefined for one that made none. */
    async file(n: number) {
      const { rows } = await session.query(`SELECT encode(file, 'base64') FROM ${table} WHERE n = $1`, [n]);
      const text = rows[0]?.[0];
      return text == null ? undefined : Buffer.from(String(text), 'base64');
    },
  };
}
