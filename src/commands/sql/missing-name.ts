import type { Context } from '../../command/context.js';
import { CopsError } from '../../errors/errors.js';
import { nearest } from '../../errors/nearest.js';
import { describeTables, type TableColumn } from '../../mirror/describe.js';
import { readMirror } from '../sync/read-mirror.js';

/** Columns that a hint lists. */
const MOST = 30;

/**
 * The error of a query that names a column or table which is none, with the names that are near it: of the tables that
 * the query asks.
 */
export async function withNames(context: Context, mirror: string, query: string, error: unknown): Promise<unknown> {
  const missing = error instanceof CopsError ? /no such (column|table): ([\w.]+)/.exec(error.message) : null;
  if (!(error instanceof CopsError) || !missing) return error;
  const word = (missing[2] ?? '').split('.').at(-1) ?? '';
  const rows = await readMirror(context, mirror, ({ database }) => describeTables(database));
  const hint = missing[1] === 'table' ? tableHint(word, rows) : columnHint(word, query, rows);
  return hint === undefined ? error : new CopsError(error.kind, error.message, { ...error.facts, hint });
}

function tableHint(word: string, rows: readonly TableColumn[]): string | undefined {
  const tables = [...new Set(rows.map(({ table }) => table))];
  const near = alike(word, tables);
  return near.length === 0 ? undefined : `There are: ${near.join(', ')}. All: cops sql --tables`;
}

function columnHint(word: string, query: string, rows: readonly TableColumn[]): string | undefined {
  const asked = rows.filter(({ table }) => new RegExp(`\\b${table}\\b`, 'i').test(query));
  const tables = [...new Set(asked.map(({ table }) => table))];
  const told = tables.map((table) => {
    const columns = asked.filter((row) => row.table === table).map(({ column }) => column);
    const near = alike(word, columns);
    const shown = near.length > 0 ? near : columns;
    return `${table} has ${shown.slice(0, MOST).join(', ')}${shown.length > MOST ? ', ...' : ''}`;
  });
  return told.length === 0 ? undefined : `${told.join('; ')}. All: cops sql --tables`;
}

/** Names that hold the word, then those that a slip of it may mean. */
function alike(word: string, names: readonly string[]): string[] {
  const spoken = word.toLowerCase();
  const holding = names.filter((name) => name.toLowerCase().includes(spoken) || spoken.includes(name.toLowerCase()));
  return holding.length > 0 ? holding : nearest(word, names, 3);
}
