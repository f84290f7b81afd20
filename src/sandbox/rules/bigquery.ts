import { spawnScript } from '../../base/database/child.js';
import { findEngine } from '../../base/database/engines.js';
import { outsideName } from '../../base/database/read-query.js';
import type { ItemStore } from '../store/item-store.js';
import { toText, type Value } from '../store/item-values.js';
import { modeOf, singular } from '../store/kinds.js';
import { envelope } from '../store/lists.js';
import { NAMES } from '../store/store-tables.js';
import { BIGQUERY_SCRIPT } from './bigquery-script.js';
import type { Call, OperationAnswer, Rules } from './call.js';
import { invalid, notFound } from './refusals.js';

/** The time limit of a run (published), milliseconds. */
const LIMIT_MS = 30_000;
const MOST_ROWS = 100_000;
/** The largest answer, in characters of its JSON. */
const MOST_TEXT = 64 * 1024 * 1024;
const LONGEST_SQL = 100_000;
/** Strings, quoted names, comments and the text between them. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`"]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[^'"`[/-]+|[\s\S]/g;

export const BIGQUERY_RULES: Rules = {
  'GET /bigquery_tables': (call) => {
    const tables = readTables(call.store, call.live).map((table) => toText(described(table)));
    return envelope(tables.join(','), tables.length, 1, tables.length, tables.length);
  },
  'GET /bigquery_tables/{}': (call) => {
    const table = readTables(call.store, call.live).find(({ name }) => name === call.ids[0]);
    if (!table) throw notFound(`There is no table ${call.ids[0]}.`);
    return { ...described(table), schema: table.columns };
  },
};

function described({ name }: AnalyticsTable): Value {
  return { table_name: name, description: `One row for each ${name.replaceAll('_', ' ')}` };
}

/**
 * Runs read-only SQL over the families as tables, in a separate process that can be stopped. Names in backticks may be
 * fully qualified (`project.dataset.table`); the last part counts.
 */
export async function runQuery(call: Call): Promise<OperationAnswer> {
  const sql = readSql(call.body.bigquery_sql);
  const counted = countOf(call, sql);
  if (counted) return { query_results: [counted], result: 'success' };
  const rows = await inChild({
    module: (await findEngine()).module,
    file: call.store.database.file,
    views: tableViews(readTables(call.store, call.live)),
    sql,
    most: MOST_ROWS,
    mostText: MOST_TEXT,
  });
  return { query_results: rows, result: 'success' };
}

const COUNT = /^\s*select\s+count\s*\(\s*(?:\*|1)\s*\)(?:\s+as\s+("?)(\w+)\1|\s+(\w+))?\s+from\s+("?)(\w+)\4\s*$/i;

/** A query that only counts rows is answered from the stored counts, without looking at a row. */
function countOf(call: Call, sql: string): Value | undefined {
  const found = COUNT.exec(sql);
  if (!found || /^from$/i.test(found[3] ?? '')) return undefined;
  const table = readTables(call.store, call.live).find(({ name }) => name === found[5]);
  const column = found[2] ?? found[3] ?? /count\s*\([^)]*\)/i.exec(sql)?.[0] ?? 'count(*)';
  return table && { [column]: String(call.store.counts.total(table.kind)) };
}

function readSql(content: unknown): string {
  if (typeof content !== 'string' || content.trim() === '') throw invalid('bigquery_sql is required.');
  if (content.length > LONGEST_SQL) throw invalid(`bigquery_sql must not be longer than ${LONGEST_SQL} characters.`);
  let sql = '';
  /** The query without its strings and comments. */
  let words = '';
  for (const [part] of content.trim().replace(/;\s*$/, '').matchAll(PARTS)) {
    if (/^['"`[]$/.test(part)) throw invalid('A quotation in the query is not closed.');
    const name = part.startsWith('`') ? `"${part.slice(1, -1).split('.').at(-1)}"` : part;
    sql += name;
    words += /^(?:'|--|\/\*)/.test(part) ? ' ' : name;
  }
  if (!/^\s*(select|with)\b/i.test(words)) throw invalid('Only a query that reads (SELECT) is allowed.');
  if (words.includes(';')) throw invalid('Only one statement is allowed.');
  const inner = /\b(main|temp|sqlite_\w+|pragma_\w+)\b/i.exec(words)?.[0] ?? outsideName(sql);
  if (inner) throw invalid(`The name ${inner} is not allowed in a query.`);
  return sql;
}

/** Passes a job to the script and reads its answer. */
function inChild(job: object): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const child = spawnScript(BIGQUERY_SCRIPT);
    const pieces: Buffer[] = [];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      if (late) return reject(invalid('The query took longer than 30 seconds and was stopped.'));
      try {
        const answer = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { rows?: unknown[]; error?: string };
        if (answer.error !== undefined) return reject(invalid(`The query failed: ${answer.error}`));
        resolve(answer.rows ?? []);
      } catch {
        // Most likely it ran out of memory.
        reject(invalid('The query was stopped: it needs more memory than there is.'));
      }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

/** One table of the analytics operation: a family as rows. */
interface AnalyticsTable {
  /** Singular, as in the published example (`sale`, `note`). */
  readonly name: string;
  readonly kind: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

const NOT_TABLES = new Set(['api_calls', 'sentinel', 'function_runs', 'key_values', 'secure_forms']);
/** Columns are the properties of the family's newest items. */
const SAMPLE = 40;

/** The tables that a mode can query, with their columns. */
function readTables(store: ItemStore, live: boolean): AnalyticsTable[] {
  const families = store.database.prepare('SELECT name FROM families ORDER BY name').all();
  const tables: AnalyticsTable[] = [];
  for (const [family] of families as [string][]) {
    if (NOT_TABLES.has(family)) continue;
    const kind = store.kind(family, modeOf(family, live));
    const sample = store.pages.items(kind, 0, SAMPLE);
    if (sample.length === 0) continue;
    const types = new Map<string, string>();
    for (const item of sample) {
      for (const [name, value] of Object.entries(item))
        if (types.get(name) === undefined && value !== null) types.set(name, typeOf(value));
    }
    tables.push({ name: singular(family), kind, columns: [...types].map(([name, type]) => ({ name, type })) });
  }
  return tables;
}

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'STRING';
  if (typeof value === 'boolean') return 'BOOL';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INT64' : 'FLOAT64';
  return 'JSON';
}

/** SQL that exposes a table under its public name and hides the sandbox's internal tables. */
function tableViews(tables: readonly AnalyticsTable[]): string[] {
  const hidden = NAMES.filter((name) => !tables.some((table) => table.name === name)).map(
    (name) => `CREATE TEMP VIEW "${name}" AS SELECT NULL AS empty WHERE 0`,
  );
  const shown = tables.map(({ name, kind, columns }) => {
    const list = columns.map((column) => `${shownColumn(name, column.name)} AS "${column.name}"`).join(', ');
    return `CREATE TEMP VIEW "${name}" AS SELECT ${list} FROM (
      SELECT i.body || coalesce(p.text, '') AS j FROM main.items i LEFT JOIN main.parts p ON p.id = i.part WHERE i.kind = ${kind})`;
  });
  return [...hidden, ...shown];
}

/** The value of a column; a subscription and a product show their current profile (`Shown`). */
function shownColumn(table: string, column: string): string {
  const own = `json_extract(j, '$.${column}')`;
  if (column !== 'subscription_profile' || !['subscription', 'product'].includes(table)) return own;
  return `coalesce((SELECT body FROM main.shown WHERE id = json_extract(j, '$.subscription_profile.id')), ${own})`;
}
