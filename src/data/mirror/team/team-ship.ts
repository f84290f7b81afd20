import type { PostgresRows, PostgresSession } from '../../../base/database/postgres.js';
import type { Cell, Database } from '../../../base/database/types.js';
import { CopsError, local } from '../../../base/errors/errors.js';
import type { Family } from '../../../catalogue/types.js';
import { columnMeanings } from '../describe-mirror.js';
import type { Following, PastRow } from '../family.js';
import { firstLookOf, rawName, sqlName } from '../layout.js';
import { writeFact } from '../mirror.js';
import type { RowTap } from '../mirror-table.js';
import { viewColumns } from '../views.js';
import { copyText, familyTable, inSchema, literal, type TeamType } from './team-layout.js';
import { type CopyLines, LineWriter, TeamColumns } from './team-lines.js';
import { Pouring } from './team-pour.js';
import { LEASED, type Lease, type TeamPlace } from './team-state.js';
import { makeTeamViews } from './team-views.js';
import { widenColumn } from './team-widen.js';

/** What is known of a family's table in the team's mirror. */
interface Laid {
  readonly columns: TeamColumns;
  /** Names of the columns that exist there. */
  readonly there: Set<string>;
  /** Paths whose columns are recorded there. */
  readonly paths: Set<string>;
  isLaid: boolean;
  /** The last record of the list. */
  told: string;
}

/**
 * Copies writes to a replica to the team's mirror: each transaction on the replica is also a transaction on the mirror,
 * which is committed first, so that a replica is never ahead.
 */
export class Shipping implements Following {
  readonly #families = new Map<string, Laid>();
  /** What describes the tables there: columns and paths of all families. */
  #there: readonly [PostgresRows['rows'], PostgresRows['rows']] | undefined;
  #lines: LineWriter | undefined;
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
    return ({ bytes, isNew }, names, cells, from) => this.#lines?.add(names, cells, from, bytes, isNew === true);
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

  async keep(family: Family, write: () => Iterable<void>): Promise<void> {
    const laid = await this.#laid(family);
    const lines = new LineWriter(laid.columns, this.#change + 1);
    this.#lines = lines;
    try {
      await this.#inBoth(async (session, change) => {
        const known = await this.#pour(session, family, laid, lines, write());
        await this.#layColumns(session, family, laid, change);
        await this.#sendKnown(session, family.name, laid, lines, known);
        await this.#sendRest(session, family.name, laid, change);
      });
    } catch (error) {
      // The next one checks again what exists there.
      this.#families.delete(family.name);
      this.#there = undefined;
      throw error;
    }
  }

  /**
   * Creates the tables of empty families and the views, and records the time of the data. Returns how many values do
   * not fit their column; `widens` gives such columns the type text.
   */
  async end(
    families: readonly Family[],
    facts: { readonly firstDay: number; readonly asOf: number | undefined; readonly widens: boolean },
  ): Promise<number> {
    for (const family of families) if (!(await this.#laid(family)).isLaid) await this.keep(family, () => []);
    let unfit = 0;
    await this.#inBoth(async (session) => {
      if (facts.widens) await this.#widen(session);
      await session.query(`UPDATE ${this.#at('_state')} SET first_day = $1, as_of = coalesce($2, as_of)`, [
        facts.firstDay,
        facts.asOf,
      ]);
      const columns = new Map(families.map(({ name }) => [name, this.#families.get(name)?.columns.known ?? new Map()]));
      await makeTeamViews(session, this.place.schema, this.database, columns);
      const { rows } = await session.query(`SELECT count(*) FROM ${this.#at('_unfit')}`);
      unfit = Number(rows[0]?.[0]);
    });
    return unfit;
  }

  async #widen(session: PostgresSession): Promise<void> {
    const { rows } = await session.query(`SELECT DISTINCT family, name FROM ${this.#at('_unfit')} ORDER BY 1, 2`);
    for (const [family, name] of rows) {
      const columns = this.#families.get(String(family))?.columns;
      const column = columns?.known.get(String(name));
      if (!columns || !column) continue;
      const isDone = await widenColumn(session, this.place.schema, this.database, String(family), column);
      if (isDone) columns.known.set(column.name, { ...column, type: 'text' });
    }
  }

  #at(table: string): string {
    return inSchema(this.place.schema, table);
  }

  async #inBoth(work: (session: PostgresSession, change: number) => Promise<void>): Promise<void> {
    const change = this.#change + 1;
    try {
      await this.database.longTransaction(async () => {
        writeFact(this.database, 'change', change);
        await this.place.postgres.transaction(async (session) => {
          const { count } = await session.query(
            `UPDATE ${this.#at('_state')} SET change = $1, lease_until = ${LEASED} WHERE epoch = $2 AND change = $1 - 1`,
            [change, this.lease.epoch],
          );
          if (count === 0) throw local(`Another sync has taken over ${this.place.postgres.address.text}.`);
          await work(session, change);
        });
      });
      this.#change = change;
    } catch (error) {
      // A refusal by the database concerns more than one list.
      if (error instanceof CopsError && error.kind === 'not_authorised')
        throw local(error.message, error.facts.hint, error);
      throw error;
    } finally {
      this.#lines = undefined;
      this.#gone = [];
      this.#past = [];
      this.#windows = [];
    }
  }

  /**
   * Runs the steps, and sends the new rows of each while the next one runs.
   * @returns segments of which an id is there already, because the item was gone and is back: they are not in yet
   */
  async #pour(
    session: PostgresSession,
    family: Family,
    laid: Laid,
    { segments, change }: LineWriter,
    steps: Iterable<void>,
  ): Promise<ReadonlySet<CopyLines>> {
    const known = new Set<CopyLines>();
    let pouring: Pouring | undefined;
    let at = 0;
    const pour = async (isWhole: boolean): Promise<void> => {
      for (let segment = segments[at]; segment; segment = segments[++at]) {
        if (pouring === undefined && segment.fresh.parts.length > 0) {
          await this.#layColumns(session, family, laid, change);
          pouring = await Pouring.begin(
            session,
            `COPY ${this.#listed(family.name, segment)} FROM STDIN`,
            segment.fresh,
          );
        }
        pouring?.more();
        if (!isWhole && at === segments.length - 1) break;
        if (pouring && !(await pouring.end())) known.add(segment);
        pouring = undefined;
      }
    };
    try {
      for (const _ of steps) {
        await pour(false);
        await new Promise(setImmediate);
      }
      await pour(true);
    } catch (error) {
      await pouring?.fail(error);
      throw error;
    }
    return known;
  }

  #listed(family: string, segment: CopyLines): string {
    return `${inSchema(this.place.schema, rawName(family))} (${columnsOf(segment).join(', ')})`;
  }

  async #laid(family: Family): Promise<Laid> {
    const { name } = family;
    const known = this.#families.get(name);
    if (known) return known;
    const read = async (sql: string) => (await this.place.postgres.query(sql)).rows;
    this.#there ??= [
      await read(`SELECT family, name, stored, type FROM ${this.#at('_fields')} ORDER BY family, place`),
      await read(`SELECT family, path FROM ${this.#at('_columns')}`),
    ];
    const [fields, paths] = this.#there;
    const own = (rows: PostgresRows['rows']) => rows.filter(([of]) => of === name);
    const columns = own(fields).map(([, column, stored, type]) => ({
      ...{ name: String(column), stored: String(stored), type: type as TeamType },
    }));
    const laid = {
      columns: new TeamColumns(this.database, family, columns),
      there: new Set(columns.map((column) => column.name)),
      paths: new Set(own(paths).map(([, path]) => String(path))),
      isLaid: columns.length > 0,
      told: '',
    };
    this.#families.set(name, laid);
    return laid;
  }

  async #layColumns(session: PostgresSession, family: Family, laid: Laid, change: number): Promise<void> {
    const { name } = family;
    const learned = viewColumns(this.database, rawName(name)).filter((one) => one !== 'id' && !one.startsWith('_'));
    if (laid.isLaid && learned.every((one) => laid.there.has(one))) return;
    const { schema } = this.place;
    const table = inSchema(schema, rawName(name));
    if (!laid.isLaid) await session.query(familyTable(schema, name));
    laid.isLaid = true;
    const meanings = await columnMeanings(this.database, name);
    const statements: string[] = [];
    for (const [place, column] of learned.entries()) {
      if (laid.there.has(column)) continue;
      laid.there.add(column);
      const { stored, type } = laid.columns.of(column, null, (one) => learned.includes(one));
      const words = [name, String(place), column, stored, type].map(literal);
      statements.push(
        `ALTER TABLE ${table} ADD COLUMN ${sqlName(stored)} ${type}`,
        `COMMENT ON COLUMN ${table}.${sqlName(stored)} IS ${literal(meanings.get(stored) ?? meanings.get(column) ?? '')}`,
        `INSERT INTO ${this.#at('_fields')} (family, place, name, stored, type) VALUES (${words.join(', ')})`,
      );
    }
    const told = this.database.prepare('SELECT path, name, minor FROM _columns WHERE family = ?').all(name);
    for (const [path, column, minor] of told.filter(([one]) => !laid.paths.has(String(one)))) {
      laid.paths.add(String(path));
      const words = [name, path, column].map((word) => literal(String(word)));
      statements.push(
        `INSERT INTO ${this.#at('_columns')} (family, path, name, minor, _change) VALUES (${words.join(', ')}, ` +
          `${minor === null ? 'NULL' : literal(String(minor))}, ${change}) ON CONFLICT (family, path) DO UPDATE SET ` +
          'name = excluded.name, minor = excluded.minor, _change = excluded._change',
      );
    }
    await session.query(statements.join(';\n'));
  }

  async #sendKnown(
    session: PostgresSession,
    family: string,
    laid: Laid,
    { ids, unfit, segments }: LineWriter,
    known: ReadonlySet<CopyLines>,
  ): Promise<void> {
    if (ids.length > 0) {
      await session.query(`DELETE FROM ${this.#at('_unfit')} WHERE family = $1 AND id = ANY($2::text[])`, [
        family,
        ids,
      ]);
    }
    for (const segment of segments) {
      const parts = [...segment.known.parts, ...(known.has(segment) ? segment.fresh.parts : [])];
      if (parts.length > 0) await this.#merge(session, family, laid, segment, parts);
    }
    if (unfit.length > 0) {
      await session.query(
        `INSERT INTO ${this.#at('_unfit')} (family, id, name) SELECT $1, * FROM unnest($2::text[], $3::text[]) ` +
          'ON CONFLICT DO NOTHING',
        [family, unfit.map(([id]) => id), unfit.map(([, name]) => name)],
      );
    }
  }

  async #merge(
    session: PostgresSession,
    family: string,
    laid: Laid,
    segment: CopyLines,
    parts: readonly Buffer[],
  ): Promise<void> {
    const table = inSchema(this.place.schema, rawName(family));
    const columns = columnsOf(segment);
    const list = columns.join(', ');
    await session.query(
      'DROP TABLE IF EXISTS pg_temp.cops_staged; ' +
        `CREATE TEMPORARY TABLE cops_staged ON COMMIT DROP AS SELECT ${list} FROM ${table} WHERE false`,
    );
    await session.copyIn(`COPY pg_temp.cops_staged (${list}) FROM STDIN`, parts);
    const isSent = new Set(columns);
    const others = [...laid.columns.known.values()]
      .map(({ stored }) => sqlName(stored))
      .filter((one) => !isSent.has(one));
    const set = [
      ...columns.slice(1).map((one) => `${one} = excluded.${one}`),
      ...[...others, 'gone_at'].map((one) => `${one} = NULL`),
    ];
    await session.query(
      `INSERT INTO ${this.#listed(family, segment)} SELECT ${list} FROM pg_temp.cops_staged ` +
        `ON CONFLICT (id) DO UPDATE SET ${set.join(', ')}`,
    );
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

/** The columns of a segment's lines, in their order. */
function columnsOf({ columns }: CopyLines): string[] {
  return ['id', ...columns.map(({ stored }) => sqlName(stored)), 'seen_at', '_window', '_change', 'data'];
}

const WINDOW = ['family', 'start', 'until', 'read_at', 'items', 'unproven'];
const LIST = ['family', 'state', 'why', 'start', 'span', 'read_at', 'runs', 'added', 'changed', 'gone', 'first_look'];

/** A statement that inserts rows into a table, replacing those with the same first `keys` columns. */
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
