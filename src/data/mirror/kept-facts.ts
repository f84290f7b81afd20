import { createHash } from 'node:crypto';
import type { Database } from '../../base/database/types.js';
import { rawName, sqlName } from './layout.js';
import { familiesOf, queryOf, showOnly, textsOf, viewColumns, viewsBehind } from './views.js';

/*
 * The rows of a few views, kept in tables, so that a report over many years does not compute them from the items each
 * time. A view's query is the only definition: a sync runs it again over the items that it touched, and a table that
 * does not follow the mirror's present state is not read.
 */

/** A view whose rows are kept. */
interface KeptView {
  readonly view: string;
  /** The column that names the item a row belongs to: its rows are made anew together. */
  readonly key: string;
  /** The columns that say, in a row of a raw table, which item it belongs to. `[]`: a list of ids. */
  readonly of: Readonly<Record<string, readonly string[]>>;
  /** The same for tables from which a row of the view only takes something. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  /** A table whose rows are named by those of a view, in a list of ids: whichever names a touched one is made anew. */
  readonly named?: { readonly raw: string; readonly by: string; readonly list: string };
  /** The rows that follow more than one item, few enough to be made anew each time. */
  readonly apart?: string;
  /** The columns by which questions look rows up. */
  readonly index: readonly string[];
  /** Texts that are compared whatever their case. */
  readonly caseless?: readonly string[];
}

const PAID_LINES = ['subscription_renewals[]', 'trials[]', 'sales[]'];
const OF_SUBSCRIPTIONS = {
  raw_subscriptions: ['id'],
  raw_subscription_renewals: ['subscription_id'],
  raw_trials: ['subscriptions[]'],
};
const KEPT: readonly KeptView[] = [
  {
    view: 'report_bookings',
    key: 'paid_by',
    of: {
      raw_sales: ['id'],
      raw_subscription_renewals: ['id'],
      raw_trials: ['id'],
      raw_product_sales: ['sales[]'],
      raw_tax: PAID_LINES,
      raw_shipping: PAID_LINES,
    },
    apart: "what IN ('refund', 'chargeback')",
    // With the figures, because most questions ask for nothing else.
    index: [
      ...['at_unix', 'currency', 'what', 'kind', 'payments', 'gross_minor', 'refunds_minor', 'chargebacks_minor'],
      ...['fees_minor', 'tax_minor', 'shipping_minor'],
    ],
    caseless: ['customer_email'],
  },
  {
    view: 'report_splits',
    key: 'paid_by',
    of: { raw_sales: ['id'], raw_subscription_renewals: ['id'], raw_trials: ['id'] },
    beside: {
      raw_transactions: ['id'],
      raw_pending_refunds: ['transaction_id'],
      raw_chargebacks: ['transaction_id'],
    },
    named: { raw: 'raw_transactions', by: 'payments', list: 'transactions' },
    index: ['paid_by'],
  },
  {
    view: 'report_customer_payments',
    key: 'customer_id',
    of: { raw_sales: ['customer_id'], raw_subscription_renewals: ['customer_id'], raw_trials: ['customer_id'] },
    index: ['first_unix'],
    caseless: ['customer_email'],
  },
  { view: 'report_subscription_states', key: 'id', of: { ...OF_SUBSCRIPTIONS, _history: ['id'] }, index: ['id'] },
  { view: 'report_paid_periods', key: 'id', of: OF_SUBSCRIPTIONS, index: ['id'] },
];

/** A change to a tax or shipping line changes its renewals. */
const TOUCHES = ['raw_tax', 'raw_shipping'].map((table) => [table, 'subscription_renewals[]'] as const);
/** With more touched items than this, everything is rebuilt. */
const MOST_TOUCHED = 20_000;
/** Cache for building all tables, in KiB; sorting takes the same amount again. */
const ROOM = 24_000;

const KEPT_FACTS = 'facts';
/** The view whose rows are daily sums over the kept rows of another view. */
export const DAYS = 'report_booking_days';
const BOOKINGS = 'report_bookings';

/**
 * The query for the daily sums of some days.
 * @param days a query for the numbers of these days
 * @param isExact keeps the time of each row instead of the start of its day
 */
export const bookingDays = (days: string, of = BOOKINGS, isExact = false): string =>
  queryOf(DAYS)
    .replace('v.at_unix / 86400 * 86400', isExact ? 'v.at_unix' : '$&')
    .replace(
      `FROM ${BOOKINGS} AS v`,
      `FROM (${days}) AS d CROSS JOIN ${of} AS v ON v.at_unix >= d.day * 86400 AND v.at_unix < d.day * 86400 + 86400`,
    );
const tableOf = (view: string): string => sqlName(`_fact_${view}`);

/** The raw tables behind a view. Some of its rows come from a table whose rows name no touched item. */
const rawNamesOf = ({ view }: KeptView): string[] => familiesOf([view]).map(rawName);

/** The raw tables whose rows are followed. */
export const FOLLOWED: ReadonlySet<string> = new Set(KEPT.flatMap(rawNamesOf));

/** Which version of which rows the tables hold: the definitions behind them, and what the mirror had read. */
function present(database: Database): { readonly made: string; readonly read: string } {
  const behind = [...viewsBehind([DAYS, ...KEPT.map(({ view }) => view)])].sort();
  const made = createHash('sha256')
    .update(JSON.stringify([KEPT, behind.map(queryOf)]))
    .digest('hex')
    .slice(0, 16);
  const [read = ''] = textsOf(
    database,
    `SELECT printf('%d %d %d %d %d %d', w.n, w.sum, w.last, f.runs, f.read, (SELECT max(rowid) FROM main._history))
     FROM (SELECT count(*) AS n, sum(read_at) AS sum, max(read_at) AS last FROM main._windows) AS w,
       (SELECT sum(runs) AS runs, sum(read_at) AS read FROM main._families) AS f`,
  );
  return { made, read };
}

function keptIn(database: Database): string | undefined {
  return textsOf(database, 'SELECT value FROM main._mirror WHERE name = ?', KEPT_FACTS)[0];
}

/** Whether the tables hold what this program would make of the mirror as it is. */
function isKept(database: Database): boolean {
  const { made, read } = present(database);
  return keptIn(database) === `${made} ${read}`;
}

/** Lets the tables follow what this connection writes, if they are current. */
export function followFacts(database: Database): void {
  if (isKept(database))
    database.exec(
      'CREATE TEMP TABLE touched (raw TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (raw, id)) WITHOUT ROWID',
    );
}

/** Whether rows that are touched in this connection must be noted. */
export const isFollowing = (database: Database): boolean =>
  textsOf(database, "SELECT name FROM sqlite_temp_master WHERE name = 'touched'").length > 0;

/** Notes touched rows in the transaction that writes them. Nobody reads the tables until they are current again. */
export function touchRows(database: Database, raw: string, ids: readonly string[]): void {
  database
    .prepare('INSERT OR IGNORE INTO temp.touched SELECT ?, value FROM json_each(?)')
    .run(raw, JSON.stringify(ids));
  database.prepare('DELETE FROM _mirror WHERE name = ?').run(KEPT_FACTS);
}

/**
 * Rebuilds the rows of touched items, or all rows if the tables were not current. A team's replica that lacks lists
 * behind the views keeps none.
 * @returns true if an earlier version of the tables was replaced
 */
export function keepFacts(database: Database): boolean {
  if (!isLaid(database)) return false;
  const before = keptIn(database);
  const isFollowed = isFollowing(database);
  const touched = isFollowed ? Number(database.prepare('SELECT count(*) FROM temp.touched').get()?.[0]) : 0;
  if (isFollowed && touched <= MOST_TOUCHED) {
    if (touched > 0) followTouched(database);
  } else {
    for (const one of KEPT) makeAll(database, one);
    makeAll(database, { view: DAYS, index: ['at_unix'], query: queryOf(DAYS).replace(BOOKINGS, tableOf(BOOKINGS)) });
  }
  if (isFollowed) database.exec('DELETE FROM temp.touched');
  const { made, read } = present(database);
  if (before !== `${made} ${read}`)
    database.prepare('INSERT OR REPLACE INTO _mirror (name, value) VALUES (?, ?)').run(KEPT_FACTS, `${made} ${read}`);
  return before !== undefined && !before.startsWith(`${made} `);
}

function isLaid(database: Database): boolean {
  const laid = new Set(textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table'"));
  return familiesOf(KEPT.map(({ view }) => view)).every((family) => laid.has(rawName(family)));
}

/** Lets this connection read the tables instead of the views, if they are current. */
export function showKeptFacts(database: Database): void {
  if (!isKept(database)) return;
  const views = [DAYS, ...KEPT.map(({ view }) => view)].flatMap((view) => [
    `DROP VIEW IF EXISTS temp.${view}`,
    `CREATE TEMP VIEW ${view} AS SELECT * FROM main.${tableOf(view)}`,
  ]);
  showOnly(database, [`PRAGMA cache_size = -${ROOM}`, ...views]);
}

type MadeView = Pick<KeptView, 'view' | 'index' | 'caseless'> & { readonly query?: string };

function makeAll(database: Database, { view, index, caseless = [], query = `SELECT * FROM main.${view}` }: MadeView) {
  const table = tableOf(view);
  const columns = viewColumns(database, view).map(
    (name) => `${sqlName(name)}${caseless.includes(name) ? ' COLLATE NOCASE' : ''}`,
  );
  const room = Number(database.prepare('PRAGMA cache_size').get()?.[0]);
  database.exec(`PRAGMA cache_size = -${ROOM}`);
  database.exec(
    `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns.join(', ')});
     INSERT INTO ${table} ${query};
     CREATE INDEX ${sqlName(`_fact_of_${view}`)} ON ${table} (${index.join(', ')})`,
  );
  database.exec(`PRAGMA cache_size = ${room}`);
}

function followTouched(database: Database): void {
  for (const [raw, column] of TOUCHES)
    database.exec(
      `INSERT OR IGNORE INTO temp.touched SELECT 'raw_subscription_renewals', id FROM (${touchedIds(database, raw, column)})`,
    );
  for (const one of KEPT) {
    const behind = JSON.stringify(rawNamesOf(one));
    const sql = 'SELECT 1 FROM temp.touched WHERE raw IN (SELECT value FROM json_each(?)) LIMIT 1';
    if (textsOf(database, sql, behind).length > 0) followOne(database, one);
  }
}

function followOne(database: Database, one: KeptView): void {
  const { view, key, of, beside = {}, named, apart = '0' } = one;
  const keys = Object.entries({ ...of, ...beside }).flatMap(([raw, columns]) =>
    raw === '_history' ? [] : columns.map((column) => touchedIds(database, raw, column)),
  );
  if (named)
    keys.push(
      `SELECT p.id FROM main.${named.by} AS p, json_each(p.${named.list}) AS j WHERE j.value IN (${touchedIds(database, named.raw, 'id')})`,
    );
  const lists = Object.entries(of).filter(([, columns]) => columns.length > 1);
  database.exec(`
    CREATE TEMP TABLE keys (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE wanted (id TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT OR IGNORE INTO keys ${keys.map((sql) => `SELECT id FROM (${sql}) WHERE id IS NOT NULL`).join(' UNION ')};
    ${lists.map(([raw, columns]) => spread(raw, columns, 'keys')).join('\n')}
    INSERT INTO wanted SELECT id FROM keys;
    ${lists.map(([raw, columns]) => spread(raw, columns, 'wanted')).join('\n')}
  `);
  const rows = `NOT (${apart}) AND (${key} IS NULL OR ${key} IN (SELECT id FROM temp.keys))`;
  const shadows = Object.entries(of).map(
    ([raw, columns]) => `CREATE TEMP VIEW ${raw} AS SELECT r.* FROM main.${raw} AS r WHERE ${isWanted(raw, columns)}`,
  );
  const behind = [...viewsBehind([view])].map(
    (name) => `DROP VIEW IF EXISTS temp.${name}; CREATE TEMP VIEW ${name} AS\n${queryOf(name)}`,
  );
  const table = `main.${tableOf(view)}`;
  database.exec(`
    CREATE TEMP TABLE former AS SELECT rowid AS place, * FROM ${table} WHERE ${apart} OR (${rows});
    DELETE FROM ${table} WHERE rowid IN (SELECT place FROM temp.former);
    CREATE TEMP TABLE kept AS SELECT coalesce(max(rowid), 0) AS last FROM ${table};
    INSERT INTO main.${tableOf(view)} SELECT * FROM main.${view} WHERE ${apart};
    ${shadows.join(';\n')};
    ${behind.join(';\n')};
    INSERT INTO main.${tableOf(view)} SELECT * FROM temp.${view} WHERE ${rows};
    ${[...viewsBehind([view]), ...Object.keys(of)].map((name) => `DROP VIEW temp.${name}`).join('; ')};
    ${view === BOOKINGS ? followDays(viewColumns(database, view).map(sqlName).join(', '), table) : ''}
    DROP TABLE temp.keys; DROP TABLE temp.wanted; DROP TABLE temp.former; DROP TABLE temp.kept;
  `);
}

/** The days whose rows differ from before: a row that was rebuilt unchanged does not count. */
function followDays(columns: string, table: string): string {
  const former = `SELECT ${columns} FROM temp.former`;
  const made = `SELECT ${columns} FROM ${table} WHERE rowid > (SELECT last FROM temp.kept)`;
  const days = tableOf(DAYS);
  return `CREATE TEMP TABLE days AS SELECT DISTINCT at_unix / 86400 AS day FROM (
      SELECT * FROM (${former} EXCEPT ${made}) UNION ALL SELECT * FROM (${made} EXCEPT ${former})
    ) WHERE at_unix IS NOT NULL;
    DELETE FROM main.${days} WHERE at_unix IN (SELECT day * 86400 FROM temp.days);
    INSERT INTO main.${days} ${bookingDays('SELECT day FROM temp.days', table)};
    DROP TABLE temp.days;`;
}

const isList = (column: string): boolean => column.endsWith('[]');
const bare = (column: string): string => column.replace('[]', '');

/** A row that names several items is a row of each. */
function spread(raw: string, columns: readonly string[], into: string): string {
  const named = columns.map((column) => `SELECT e.value FROM named AS r, json_each(r.${bare(column)}) AS e`);
  const several = columns.map((column) => `(coalesce(r.${bare(column)}, '[]') <> '[]')`).join(' + ');
  return `INSERT OR IGNORE INTO ${into}
    WITH named AS MATERIALIZED (SELECT * FROM main.${raw} AS r WHERE ${several} > 1 AND (${columns.map((column) => names(column)).join(' OR ')}))
    ${named.join(' UNION ')};`;
}

const names = (column: string): string =>
  isList(column)
    ? `EXISTS (SELECT 1 FROM json_each(r.${bare(column)}) AS e WHERE e.value IN (SELECT id FROM temp.wanted UNION ALL SELECT id FROM temp.keys))`
    : `r.${column} IN (SELECT id FROM temp.wanted)`;

function isWanted(raw: string, columns: readonly string[]): string {
  if (raw === '_history') return "r.family = 'subscriptions' AND r.id IN (SELECT id FROM temp.wanted)";
  const none = columns.map((column) =>
    isList(column) ? `coalesce(r.${bare(column)}, '[]') = '[]'` : `r.${column} IS NULL`,
  );
  return columns.includes('id')
    ? 'r.id IN (SELECT id FROM temp.wanted)'
    : `${columns.map(names).join(' OR ')} OR (${none.join(' AND ')})`;
}

/** What touched rows of a table name in a column, now and before: a query with a column `id`. */
function touchedIds(database: Database, raw: string, column: string): string {
  if (column === 'id') return `SELECT id FROM temp.touched WHERE raw = '${raw}'`;
  const family = raw.slice('raw_'.length);
  const [path] = textsOf(database, 'SELECT path FROM _columns WHERE family = ? AND name = ?', family, bare(column));
  if (path === undefined) return 'SELECT NULL AS id WHERE 0';
  return `SELECT e.value AS id FROM (
      SELECT r._json AS json FROM temp.touched AS t JOIN main.${raw} AS r ON r.id = t.id WHERE t.raw = '${raw}'
      UNION ALL SELECT h.json FROM temp.touched AS t JOIN main._history AS h ON h.family = '${family}' AND h.id = t.id WHERE t.raw = '${raw}'
    ) AS j, json_each(j.json, '$.${path}') AS e`;
}
