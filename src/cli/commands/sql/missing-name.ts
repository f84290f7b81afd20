import { CopsError } from '../../../base/errors/errors.js';
import { nearest } from '../../../base/errors/nearest.js';
import { describeTables, type TableColumn } from '../../../data/mirror/describe.js';
import { readMirror } from '../../../data/mirror/read-mirror.js';
import type { Context } from '../../../session/context/context.js';
import { shellWord } from '../../../session/context/shell-word.js';

/** Columns that a hint lists. */
const MOST = 30;

/**
 * The error of a query that names a column or table which is none, with the names that are near it: of the tables that
 * the query asks.
 */
export async function withNames(context: Context, mirror: string, query: string, error: unknown): Promise<unknown> {
  const missing = error instanceof CopsError ? /no such (column|table): ([\w.]*\w)/.exec(error.message) : null;
  if (!(error instanceof CopsError) || !missing) return error;
  const quoted = missing[1] === 'column' ? withText(query, error.message) : undefined;
  if (quoted !== undefined) {
    const { argv } = context.world;
    const line = argv.includes(query)
      ? `cops ${argv.map((one) => shellWord(one === query ? quoted : one)).join(' ')}`
      : quoted;
    const hint = `A text stands in single quotes, a name in double ones: ${line}`;
    return new CopsError(error.kind, error.message, { ...error.facts, hint });
  }
  const word = (missing[2] ?? '').split('.').at(-1) ?? '';
  const rows = await readMirror(context, mirror, ({ database }) => describeTables(database));
  const hint = (missing[1] === 'table' ? tableHint : columnHint)(context.world.argv, query, word, rows);
  return hint === undefined ? error : new CopsError(error.kind, error.message, { ...error.facts, hint });
}

/** The query with the missing name as a text, where it stands in double quotes behind a comparison. */
function withText(query: string, message: string): string | undefined {
  const name = /no such column: "?(.*?)"?(?: - should this be .*)?\.?$/.exec(message)?.[1] ?? '';
  const compared = new RegExp(
    String.raw`((?:[=<>]|\b(?:like|in\s*\(|and|glob|is)|,)\s*)"${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}"`,
    'gi',
  );
  const right = query.replace(compared, (_, before: string) => `${before}'${name.replaceAll("'", "''")}'`);
  return right === query ? undefined : right;
}

function tableHint(
  argv: readonly string[],
  query: string,
  word: string,
  rows: readonly TableColumn[],
): string | undefined {
  const tables = [...new Set(rows.map(({ table }) => table))];
  const near = alike(word, tables);
  if (near.length === 0) return undefined;
  return `${readyLine(argv, query, word, near)}There are: ${near.join(', ')}. All: cops sql --tables`;
}

function columnHint(
  argv: readonly string[],
  query: string,
  word: string,
  rows: readonly TableColumn[],
): string | undefined {
  const asked = rows.filter(({ table }) => new RegExp(`\\b${table}\\b`, 'i').test(query));
  const tables = [...new Set(asked.map(({ table }) => table))];
  const found: string[] = [];
  const told = tables.map((table) => {
    const columns = asked.filter((row) => row.table === table).map(({ column }) => column);
    const near = alike(word, columns);
    found.push(...near);
    const shown = near.length > 0 ? near : columns;
    return `${table} has ${shown.slice(0, MOST).join(', ')}${shown.length > MOST ? ', ...' : ''}`;
  });
  if (told.length === 0) return undefined;
  return `${readyLine(argv, query, word, found)}${told.join('; ')}. All: cops sql --tables`;
}

/** The line with the nearest name in the place of the wrong one; '' where the query does not stand on the line. */
function readyLine(argv: readonly string[], query: string, word: string, near: readonly string[]): string {
  const [name] = near;
  if (name === undefined || !argv.includes(query)) return '';
  const right = query.replace(new RegExp(`\\b${word.replaceAll(/\W/g, '')}\\b`, 'gi'), name);
  return `Did you mean "cops ${argv.map((one) => shellWord(one === query ? right : one)).join(' ')}"? `;
}

/** What people call a column that has another name in the views. */
const SPOKEN: readonly (readonly [said: RegExp, named: RegExp])[] = [
  [
    /^(?:date|day|when|time|created_?(?:at|on)?)$/,
    /^(?:created|at|day|date|made|paid_at|created_at|time)|_(?:at|time|date|iso)$/,
  ],
  [/amount|total|price|sum|money|gross|net/, /_minor$/],
  [/customer|buyer|person|mail/, /email/],
];

/** Names that a slip of the word may mean, then those that hold it, then those that say the same. */
function alike(word: string, names: readonly string[]): string[] {
  const spoken = word.toLowerCase();
  const holding = names.filter((name) => name.toLowerCase().includes(spoken) || spoken.includes(name.toLowerCase()));
  const near = [...new Set([...nearest(word, names, 3), ...holding])];
  if (near.length > 0) return near;
  const meant = SPOKEN.find(([said]) => said.test(spoken))?.[1];
  return meant ? names.filter((name) => meant.test(name)) : [];
}
