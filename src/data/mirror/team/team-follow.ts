import type { PostgresSession } from '../../../base/database/postgres.js';
import type { Cell, Database } from '../../../base/database/types.js';
import { loadFamily } from '../../../catalogue/index.js';
import { keepFacts } from '../kept-facts.js';
import { firstLookOf, rawName, sqlName } from '../layout.js';
import { writeFact } from '../mirror.js';
import { RawTable } from '../mirror-table.js';
import { MIRROR_VIEWS, makeViews, viewColumns } from '../views.js';
import { cellsOfCopy, inSchema } from './team-layout.js';
import { readTeamState, type TeamPlace, type TeamState } from './team-state.js';

/** How many rows to collect before storing them in the replica. */
const ROWS = 2000;

/**
 * Brings a replica up to date with the team's mirror in one consistent view of it: reads everything with a higher
 * change number than the replica has seen. Stores all of it or nothing.
 * @returns undefined if the replica belongs to another mirror, or is ahead of this one: it must be made again
 */
export async function followTeam(
  database: Database,
  place: TeamPlace,
  tell: (items: number) => void,
): Promise<TeamState | undefined> {
  return place.postgres.transaction(
    async (session) => {
      const state = await readTeamState(session, place);
      if (!state) return undefined;
      const facts = new Map(database.prepare('SELECT name, value FROM _mirror').all() as [string, string][]);
      const seen = facts.has('change') ? Number(facts.get('change')) : undefined;
      if (seen !== undefined && (facts.get('identity') !== state.identity || seen > state.change)) return undefined;
      const isCurrent = seen === state.change;
      await database.longTransaction(async () => {
        if (!isCurrent) await new Follower(database, place, session, seen ?? 0, tell).run();
        const told = { identity: state.identity, change: state.change, first_day: state.firstDay, as_of: state.asOf };
        for (const [name, value] of Object.entries(told))
          if (value !== undefined && String(value) !== facts.get(name)) writeFact(database, name, value);
        if (!isCurrent) makeViews(database);
        keepFacts(database);
      });
      return state;
    },
    { snapshot: true },
  );
}

class Follower {
  #items = 0;

  constructor(
    readonly database: Database,
    readonly place: TeamPlace,
    readonly session: PostgresSession,
    readonly since: number,
    readonly tell: (items: number) => void,
  ) {}

  async run(): Promise<void> {
    const { database, session, since } = this;
    const { rows } = await session.query(`SELECT family FROM ${this.#at('_tables')} WHERE change > $1`, [since]);
    for (const [family] of rows) await this.#table(String(family));
    await this.#copy('_families', 'family, state, why, start, span, read_at, runs, added, changed, gone');
    const { rows: looks } = await session.query(
      `SELECT family, first_look FROM ${this.#at('_families')} WHERE _change > $1 AND first_look IS NOT NULL`,
      [since],
    );
    for (const [family, at] of looks) writeFact(database, firstLookOf(String(family)), Number(at));
    await this.#copy('_windows', 'family, start, until, read_at, items, unproven');
    const { rows: past } = await session.query(
      `SELECT family, id, seen_at, until_at, is_gone::integer, data FROM ${this.#at('_history')} WHERE _change > $1`,
      [since],
    );
    const insert = database.prepare(
      'INSERT INTO _history (family, id, seen_at, until_at, is_gone, json) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const row of past) insert.runAll(row.map(wholeCell));
  }

  #at(name: string): string {
    return inSchema(this.place.schema, name);
  }

  async #copy(table: string, columns: string): Promise<void> {
    const { rows } = await this.session.query(`SELECT ${columns} FROM ${this.#at(table)} WHERE _change > $1`, [
      this.since,
    ]);
    const marks = columns.replace(/\w+/g, '?');
    const put = this.database.prepare(`INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${marks})`);
    for (const row of rows) put.runAll(row.map(wholeCell));
  }

  async #table(name: string): Promise<void> {
    const family = await loadFamily(name);
    const table = await this.#lay(name, () => new RawTable(this.database, family, MIRROR_VIEWS));
    const isNew = table.holdIndexes();
    const waiting = new Map<number, Parameters<RawTable['putAll']>[0] & unknown[]>();
    let count = 0;
    const put = (): void => {
      for (const [seenAt, items] of waiting) table.putAll(items, seenAt);
      waiting.clear();
      this.#items += count;
      count = 0;
      this.tell(this.#items);
    };
    for await (const [id = '', isGone, window, seenAt, json] of this.#changed(name)) {
      if (isGone === 't') {
        table.remove(id as string);
        continue;
      }
      const item = { id: id as string, bytes: Buffer.from(json ?? ''), window: Number(window), isNew };
      const at = Number(seenAt);
      const same = waiting.get(at);
      if (same) same.push(item);
      else waiting.set(at, [item]);
      if (++count >= ROWS) put();
    }
    put();
    table.layIndexes();
  }

  /** The table with its columns in the team's mirror, in their order. */
  async #lay(name: string, open: () => RawTable): Promise<RawTable> {
    const { database, session } = this;
    const raw = rawName(name);
    open();
    const { rows: columns } = await session.query(
      `SELECT path, name, minor FROM ${this.#at('_columns')} WHERE family = $1 AND _change > $2`,
      [name, this.since],
    );
    const note = database.prepare('INSERT OR REPLACE INTO _columns (family, path, name, minor) VALUES (?, ?, ?, ?)');
    for (const [path, column, minor] of columns) note.run(name, String(path), String(column), minor as string | null);
    const { rows: fields } = await session.query(
      `SELECT name FROM ${this.#at('_fields')} WHERE family = $1 ORDER BY place`,
      [name],
    );
    const present = new Set(viewColumns(database, raw));
    for (const [field] of fields)
      if (!present.has(String(field)))
        database.exec(`ALTER TABLE ${sqlName(raw)} ADD COLUMN ${sqlName(String(field))}`);
    return open();
  }

  async *#changed(name: string): AsyncGenerator<(string | null)[]> {
    const query =
      `SELECT id, gone_at IS NOT NULL, _window, extract(epoch FROM seen_at)::bigint, CASE WHEN gone_at IS NULL THEN data END ` +
      `FROM ${this.#at(rawName(name))} WHERE _change > ${this.since}`;
    const decoder = new TextDecoder();
    let rest = '';
    for await (const part of this.session.copyOut(`COPY (${query}) TO STDOUT`)) {
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield cellsOfCopy(line);
    }
  }
}

/** Converts numbers to the integers that the engine stores. */
function wholeCell(cell: unknown): Cell {
  return typeof cell === 'number' ? BigInt(cell) : (cell as Cell);
}
