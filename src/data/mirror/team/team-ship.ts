import type { PostgresSession } from '../../../base/database/postgres.js';
import { sqlStateOf } from '../../../base/database/postgres-faults.js';
import type { Cell, Database } from '../../../base/database/types.js';
import { CopsError, local } from '../../../base/errors/errors.js';
import type { Family } from '../../../catalogue/types.js';
import { columnMeanings } from '../describe-mirror.js';
import type { Following, PastRow } from '../family.js';
import { firstLookOf, rawName, sqlName } from '../layout.js';
import { writeFact } from '../mirror.js';
import type { RowTap } from '../mirror-table.js';
import { viewColumns } from '../views.js';
import {
  catalogueTypes,
  copyCell,
  copyText,
  familyTable,
  guessedType,
  inSchema,
  literal,
  OWN_COLUMNS,
  storedName,
  type TeamColumn,
  type TeamType,
} from './team-layout.js';
import { LEASED, type Lease, type TeamPlace } from './team-state.js';
import { makeTeamViews } from './team-views.js';

/** A row that waits to be sent. */
interface Waiting {
  readonly names: readonly string[];
  readonly cells: readonly unknown[];
  readonly json: string;
  readonly isNew: boolean;
}

/** A family's table as it is known to be there. */
interface Laid {
  readonly columns: Map<string, TeamColumn>;
  /** Paths whose columns are told there. */
  readonly paths: Set<string>;
  isLaid: boolean;
  /** What was told last of the list. */
  told: string;
}

const UNIQUE_VIOLATION = '23505';
const UNIX = /_unix$/;

/**
 * Brings what is written into a replica to the team's mirror: each transaction of the one is a transaction of the
 * other, which is committed first, so that a replica is never ahead.
 */
export class Shipping implements Following {
  readonly #families = new Map<string, Laid>();
  #rows: Waiting[] = [];
  #gone: string[] = [];
  #past: PastRow[] = [];
  #windows: number[] = [];
  #change: number;

  constructor(
    readonly place: TeamPlace,
    readonly database: Database,
    readonly lease: Lease,
    change: number,
    /** The service's time, unix seconds. */
    readonly now: () => number,
  ) {
    this.#change = change;
  }

  tap(_family: Family): RowTap {
    return ({ bytes, isNew }, names, cells, from) => {
      // The cells behind the last learnt one are the mirror's own.
      const own = cells.slice(from, from + names.length);
      this.#rows.push({ names, cells: own, json: bytes.toString('utf8'), isNew: isNew === true });
    };
  }

  gone(id: string): void {
    this.#gone.push(id);
  }

  past(row: PastRow): void {
    this.#past.push(row);
  }

  window(start: number): void {
    this.#windows.push(start);
  }

  keep(family: Family, write: () => void): Promise<void> {
    return this.#inBoth(write, (session, change) => this.#send(session, family, change));
  }

  /** Lays the tables of families that hold nothing yet, makes the views, and says as of when the mirror is. */
  async end(families: readonly Family[], facts: { readonly firstDay: number; readonly asOf: number | undefined }) {
    for (const family of families) await this.keep(family, () => {});
    await this.#inBoth(
      () => {},
      async (session) => {
        await session.query(`UPDATE ${this.#at('_state')} SET first_day = $1, as_of = coalesce($2, as_of)`, [
          facts.firstDay,
          facts.asOf,
        ]);
        const columns = new Map(families.map(({ name }) => [name, this.#families.get(name)?.columns ?? new Map()]));
        await makeTeamViews(session, this.place.schema, this.database, columns);
      },
    );
  }

  #at(table: string): string {
    return inSchema(this.place.schema, table);
  }

  async #inBoth(write: () => void, send: (session: PostgresSession, change: number) => Promise<void>): Promise<void> {
    const change = this.#change + 1;
    try {
      await this.database.longTransaction(async () => {
        write();
        writeFact(this.database, 'change', change);
        await this.place.postgres.transaction(async (session) => {
          const { count } = await session.query(
            `UPDATE ${this.#at('_state')} SET change = $1, lease_until = ${LEASED} WHERE epoch = $2 AND change = $1 - 1`,
            [change, this.lease.epoch],
          );
          if (count === 0) throw local(`Another sync has taken ${this.place.postgres.address.text} over.`);
          await send(session, change);
        });
      });
      this.#change = change;
    } catch (error) {
      // What a database refuses is no matter of one list.
      if (error instanceof CopsError && error.kind === 'not_authorised')
        throw local(error.message, error.facts.hint, error);
      throw error;
    } finally {
      this.#rows = [];
      this.#gone = [];
      this.#past = [];
      this.#windows = [];
    }
  }

  async #send(session: PostgresSession, family: Family, change: number): Promise<void> {
    const { name } = family;
    const laid = this.#families.get(name) ?? (await this.#known(session, name));
    this.#families.set(name, laid);
    try {
      await this.#layColumns(session, family, laid, change);
      await this.#sendRows(session, name, laid, change);
      await this.#sendRest(session, name, laid, change);
    } catch (error) {
      // The next one looks anew at what is there.
      this.#families.delete(name);
      throw error;
    }
  }

  async #known(session: PostgresSession, family: string): Promise<Laid> {
    const { rows } = await session.query(
      `SELECT name, stored, type FROM ${this.#at('_fields')} WHERE family = $1 ORDER BY place`,
      [family],
    );
    const { rows: paths } = await session.query(`SELECT path FROM ${this.#at('_columns')} WHERE family = $1`, [family]);
    const columns = rows.map(([name, stored, type]): [string, TeamColumn] => [
      String(name),
      { name: String(name), stored: String(stored), type: type as TeamType },
    ]);
    return {
      columns: new Map(columns),
      paths: new Set(paths.map(([path]) => String(path))),
      isLaid: rows.length > 0,
      told: '',
    };
  }

  async #layColumns(session: PostgresSession, family: Family, laid: Laid, change: number): Promise<void> {
    const { name } = family;
    const learned = viewColumns(this.database, rawName(name)).filter((one) => one !== 'id' && !one.startsWith('_'));
    const missing = learned.filter((one) => !laid.columns.has(one));
    if (laid.isLaid && missing.length === 0) return;
    const { schema } = this.place;
    const table = inSchema(schema, rawName(name));
    if (!laid.isLaid) await session.query(familyTable(schema, name));
    laid.isLaid = true;
    const told = this.database.prepare('SELECT path, name, minor FROM _columns WHERE family = ?').all(name);
    const types = catalogueTypes(family);
    const byName = new Map(told.map(([path, column]) => [String(column), types.get(String(path))]));
    const minors = new Set(told.map(([, , minor]) => minor));
    const taken = new Set([...OWN_COLUMNS, ...[...laid.columns.values()].map(({ stored }) => stored)]);
    const meanings = await columnMeanings(this.database, name);
    const statements: string[] = [];
    for (const column of missing) {
      const type = minors.has(column) ? 'numeric' : (byName.get(column) ?? guessedType(column, this.#firstOf(column)));
      const twin = column.replace(UNIX, '');
      const wanted = type === 'timestamptz' && UNIX.test(column) && !learned.includes(twin) ? twin : column;
      let stored = storedName(wanted);
      while (taken.has(stored)) stored = storedName(`${stored}_`);
      taken.add(stored);
      const place = laid.columns.size;
      laid.columns.set(column, { name: column, stored, type });
      const words = [name, String(place), column, stored, type].map(literal);
      statements.push(
        `ALTER TABLE ${table} ADD COLUMN ${sqlName(stored)} ${type}`,
        `COMMENT ON COLUMN ${table}.${sqlName(stored)} IS ${literal(meanings.get(wanted) ?? meanings.get(column) ?? '')}`,
        `INSERT INTO ${this.#at('_fields')} (family, place, name, stored, type) VALUES (${words.join(', ')})`,
      );
    }
    for (const [path, column, minor] of told.filter(([path]) => !laid.paths.has(String(path)))) {
      laid.paths.add(String(path));
      const words = [name, path, column].map((word) => literal(String(word)));
      statements.push(
        `INSERT INTO ${this.#at('_columns')} (family, path, name, minor, _change) VALUES (${words.join(', ')}, ` +
          `${minor === null ? 'NULL' : literal(String(minor))}, ${change}) ON CONFLICT (family, path) DO UPDATE SET ` +
          'name = excluded.name, minor = excluded.minor, _change = excluded._change',
      );
    }
    if (statements.length > 0) await session.query(statements.join(';\n'));
  }

  /** The first value that a row which waits has in a column. */
  #firstOf(column: string): unknown {
    for (const { names, cells } of this.#rows) {
      const value = cells[names.indexOf(column)];
      if (value !== null && value !== undefined) return value;
    }
    return undefined;
  }

  async #sendRows(session: PostgresSession, family: string, laid: Laid, change: number): Promise<void> {
    const table = inSchema(this.place.schema, rawName(family));
    const columns = [...laid.columns.values()];
    const names = ['id', ...columns.map(({ stored }) => sqlName(stored)), 'data', 'seen_at', '_window', '_change'];
    const unfit: [id: string, name: string][] = [];
    const lines = { fresh: [] as string[], known: [] as string[] };
    const places = new Map<readonly string[], readonly number[]>();
    for (const row of this.#rows) {
      let at = places.get(row.names);
      if (!at) {
        at = columns.map(({ name }) => row.names.indexOf(name));
        places.set(row.names, at);
      }
      lines[row.isNew ? 'fresh' : 'known'].push(lineOf(row, columns, at, change, unfit));
    }
    const list = names.join(', ');
    let { known } = lines;
    if (lines.fresh.length > 0) {
      await session.query('SAVEPOINT fresh');
      try {
        await session.copyIn(`COPY ${table} (${list}) FROM STDIN`, lines.fresh);
        await session.query('RELEASE SAVEPOINT fresh');
      } catch (error) {
        if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
        // One of them was gone, and is back.
        await session.query('ROLLBACK TO SAVEPOINT fresh');
        known = [...known, ...lines.fresh];
      }
    }
    if (known.length > 0) {
      await session.query(
        `CREATE TEMPORARY TABLE cops_staged ON COMMIT DROP AS SELECT ${list} FROM ${table} WHERE false`,
      );
      await session.copyIn(`COPY pg_temp.cops_staged (${list}) FROM STDIN`, known);
      const set = names.slice(1).map((one) => `${one} = excluded.${one}`);
      await session.query(
        `INSERT INTO ${table} (${list}) SELECT ${list} FROM pg_temp.cops_staged ` +
          `ON CONFLICT (id) DO UPDATE SET ${set.join(', ')}, gone_at = NULL`,
      );
      const ids = this.#rows.map(({ cells }) => String(cells[0]));
      await session.query(`DELETE FROM ${this.#at('_unfit')} WHERE family = $1 AND id = ANY($2::text[])`, [
        family,
        ids,
      ]);
    }
    if (unfit.length > 0) {
      await session.query(
        `INSERT INTO ${this.#at('_unfit')} (family, id, name) SELECT $1, * FROM unnest($2::text[], $3::text[])`,
        [family, unfit.map(([id]) => id), unfit.map(([, name]) => name)],
      );
    }
  }

  async #sendRest(session: PostgresSession, family: string, laid: Laid, change: number): Promise<void> {
    if (this.#gone.length > 0) {
      await session.query(
        `UPDATE ${inSchema(this.place.schema, rawName(family))} SET gone_at = to_timestamp($1), _change = $2 WHERE id = ANY($3::text[])`,
        [this.now(), change, this.#gone],
      );
    }
    if (this.#past.length > 0) {
      await session.copyIn(
        `COPY ${this.#at('_history')} (family, id, seen_at, until_at, is_gone, data, _change) FROM STDIN`,
        this.#past.map(({ id, seenAt, until, isGone, json }) =>
          [copyText(family), copyText(id), seenAt, until, isGone ? 't' : 'f', copyText(json), `${change}\n`].join('\t'),
        ),
      );
    }
    const windows = this.#windows.length === 0 ? [] : this.#windowRows(family);
    const [list] = this.database
      .prepare(
        'SELECT f.*, CAST(m.value AS INTEGER) FROM _families AS f LEFT JOIN _mirror AS m ON m.name = ? WHERE f.family = ?',
      )
      .all(firstLookOf(family), family);
    const told = JSON.stringify(list, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const statements = [
      `INSERT INTO ${this.#at('_tables')} (family, change) VALUES (${literal(family)}, ${change}) ` +
        'ON CONFLICT (family) DO UPDATE SET change = excluded.change',
      ...(windows.length === 0 ? [] : [upsert(this.#at('_windows'), WINDOW, 2, windows, change)]),
      ...(list === undefined || told === laid.told ? [] : [upsert(this.#at('_families'), LIST, 1, [list], change)]),
    ];
    await session.query(statements.join(';\n'));
    laid.told = told;
  }

  #windowRows(family: string): Cell[][] {
    return this.database
      .prepare(
        'SELECT family, start, until, read_at, items, unproven FROM _windows WHERE family = ? AND start IN (SELECT value FROM json_each(?))',
      )
      .all(family, JSON.stringify(this.#windows));
  }
}

const WINDOW = ['family', 'start', 'until', 'read_at', 'items', 'unproven'];
const LIST = ['family', 'state', 'why', 'start', 'span', 'read_at', 'runs', 'added', 'changed', 'gone', 'first_look'];

/** A statement that puts rows into a table, in the place of those with the same first `keys` columns. */
function upsert(
  table: string,
  names: readonly string[],
  keys: number,
  rows: readonly Cell[][],
  change: number,
): string {
  const cellOf = (cell: Cell): string =>
    cell === null ? 'NULL' : typeof cell === 'string' ? literal(cell) : String(cell);
  const values = rows.map((row) => `(${row.map(cellOf).join(', ')}, ${change})`);
  const set = [...names.slice(keys), '_change'].map((name) => `${name} = excluded.${name}`);
  return (
    `INSERT INTO ${table} (${names.join(', ')}, _change) VALUES ${values.join(', ')} ` +
    `ON CONFLICT (${names.slice(0, keys).join(', ')}) DO UPDATE SET ${set.join(', ')}`
  );
}

function lineOf(
  { cells, names, json }: Waiting,
  columns: readonly TeamColumn[],
  places: readonly number[],
  change: number,
  unfit: [string, string][],
): string {
  const id = String(cells[0]);
  let line = copyText(id) ?? '';
  for (let i = 0; i < columns.length; i++) {
    const { type, name } = columns[i] as TeamColumn;
    const place = places[i] as number;
    const cell = copyCell(place < 0 ? null : cells[place], type);
    if (cell === undefined) unfit.push([id, name]);
    line += `\t${cell ?? '\\N'}`;
  }
  const last = names.length - 1;
  const seenAt = new Date(Number(cells[last - 2]) * 1000).toISOString();
  return `${line}\t${copyText(json)}\t${seenAt}\t${String(cells[last - 3])}\t${change}\n`;
}
