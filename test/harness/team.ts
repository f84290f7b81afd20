import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Team } from '../../src/account/team/team.js';
import { makeLedger } from '../../src/account/team/team-setup.js';
import { connectPostgres, type Postgres } from '../../src/base/database/postgres.js';
import { parsePostgresAddress } from '../../src/base/database/postgres-address.js';
import type { PostgresServer } from './postgres.js';

const SCHEMA = 'cops_ledger';
const NAMES = ['outcome', 'intent', 'guard', 'process', 'run', 'line', 'pace', 'credential', 'policy'];

/** A ledger whose clock is the test's, and the processes that use it. */
export class TestLedger {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'cops-team-'));
  readonly #teams = new Set<Team>();
  #last = 0;
  /** What a death changes in the database, which comes before anything else is asked. */
  #deaths: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly server: PostgresServer,
    readonly owner: Postgres,
    readonly now: () => number,
  ) {}

  /** An empty ledger of the server; the one before it is emptied. */
  static async open(server: PostgresServer, owner: Postgres, now: () => number): Promise<TestLedger> {
    await owner.query(`TRUNCATE ${NAMES.map((name) => `${SCHEMA}.${name}`).join(', ')}`);
    return new TestLedger(server, owner, now);
  }

  /** The owner's connection to a new ledger that goes by the clock of its test. */
  static async make(server: PostgresServer): Promise<Postgres> {
    const address = parsePostgresAddress(server.url('', 'shop', 'postgres'), 'test', {});
    const owner = await connectPostgres(address, { env: {} });
    await makeLedger(owner, SCHEMA, { baseUrl: 'b', mode: 'test', items: [] });
    // The clock of a test jumps over days: a process ends when the test says so.
    await owner.query(`UPDATE ${SCHEMA}.ledger SET lease_ms = 1000000000000`);
    await owner.query(`GRANT cops_member TO ${server.user}`);
    await owner.query(`CREATE OR REPLACE FUNCTION ${SCHEMA}.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      $$ SELECT to_timestamp(current_setting('cops.now')::numeric / 1000) $$`);
    return owner;
  }

  join(): { readonly team: Team; die(): void } {
    let isDead = false;
    const pid = ++this.#last;
    const team: Team = new Team({
      address: 'test',
      schema: SCHEMA,
      user: this.server.user,
      connect: async (signal) => this.#clocked(await this.#connect(signal, team.id), () => isDead),
      folder: path.join(this.folder, String(pid)),
      now: this.now,
      timeoutMs: 0,
      self: { pid, host: 'h' },
      warn: () => undefined,
    });
    this.#teams.add(team);
    return {
      team,
      die: () => {
        isDead = true;
        this.#teams.delete(team);
        const sql = `UPDATE ${SCHEMA}.process SET lease_until = 'epoch' WHERE id = $1`;
        const held = `UPDATE ${SCHEMA}.run SET holder = NULL WHERE holder = $1`;
        this.#deaths = this.#deaths.then(async () => {
          await this.owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1`, [
            team.id,
          ]);
          await this.owner.query(sql, [team.id]);
          await this.owner.query(held, [team.id]);
        });
      },
    };
  }

  async remove(): Promise<void> {
    await this.#deaths;
    for (const team of this.#teams) await team.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #connect(signal: AbortSignal, application: string): Promise<Postgres> {
    const address = parsePostgresAddress(this.server.url(), 'test', {});
    return connectPostgres(address, { env: {}, signal, application });
  }

  /** Sets the clock before each statement, and asks nothing once its process is dead. */
  #clocked(connection: Postgres, isDead: () => boolean): Postgres {
    const set = () => `SELECT set_config('cops.now', '${this.now()}', false)`;
    const before = async () => {
      if (isDead()) await new Promise(() => undefined);
      await this.#deaths;
    };
    return {
      address: connection.address,
      copyIn: (sql, source) => connection.copyIn(sql, source),
      copyOut: (sql) => connection.copyOut(sql),
      close: () => (isDead() ? Promise.resolve() : connection.close()),
      query: async (sql, values) => {
        await before();
        void connection.query(set()).catch(() => undefined);
        return connection.query(sql, values);
      },
      transaction: async (work, options) => {
        await before();
        return connection.transaction(async (session) => {
          await session.query(set());
          return work(session);
        }, options);
      },
    };
  }
}
