import { CopsError } from '../../base/errors/errors.js';
import { nearest } from '../../base/errors/nearest.js';
import { cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import type { Context } from '../../session/context/context.js';
import { describeTables, type TableColumn } from './describe-mirror.js';
import { readMirror } from './own-mirror.js';

/** Columns that a hint lists. */
const MOST = 30;

/**
 * The error for a query with an unknown column or table, with the nearest names in the tables it uses.
 * @param given columns of tables that lie beside the mirror
 */
export async function withNames(
  context: Context,
  mirror: string,
  query: string,
  error: unknown,
  given: readonly TableColumn[] = [],
): Promise<unknown> {
  const missing = error instanceof CopsError ? /no such (column|table): ([\w.]*\w)/.exec(error.message) : null;
  if (!(error instanceof CopsError) || !missing) return error;
  const quoted = missing[1] === 'column' ? withText(query, error.message) : undefined;
  if (quoted !== undefined) {
    const { argv } = context.world;
    const line = argv.includes(query) ? copsLine(argv.map((one) => (one === query ? quoted : one))) : quoted;
    const hint = say`Put texts in single quotes, names in double quotes: ${line}`;
    return new CopsError(error.kind, error.message, { ...error.facts, hint });
  }
  const word = (missing[2] ?? '').split('.').at(-1) ?? '';
  const rows = [...given, ...(await readMirror(context, mirror, ({ database }) => describeTables(database)))];
  const hint = (missing[1] === 'table' ? tableHint : columnHint)(context.world.argv, query, word, rows);
  return hint === undefined ? error : new CopsError(error.kind, error.message, { ...error.facts, hint });
}

/** The query with the missing name as a text, if it is in double quotes after a comparison. */
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
): Text | undefined {
  const tables = [...new Set(rows.map(({ table }) => table))];
  const near = alike(word, tables);
  if (near.length === 0) return undefined;
  return say`${readyLine(argv, query, word, tables)}There are: ${near.join(', ')}. All: ${cops`sql --tables`}`;
}

function columnHint(
  argv: readonly string[],
  query: string,
  word: string,
  rows: readonly TableColumn[],
): Text | undefined {
  const asked = rows.filter(({ table }) => new RegExp(`\\b${table}\\b`, 'i').test(query));
  const tables = [...new Set(asked.map(({ table }) => table))];
  const told = tables.map((table) => {
    const columns = asked.filter((row) => row.table === table).map(({ column }) => column);
    const near = alike(word, columns);
    const shown = near.length > 0 ? near : columns;
    return `${table} has ${shown.slice(0, MOST).join(', ')}${shown.length > MOST ? ', ...' : ''}`;
  });
  if (told.length === 0) return undefined;
  return say`${readyLine(
    argv,
    query,
    word,
    asked.map(({ column }) => column),
  )}${told.join('; ')}. All: ${cops`sql --tables`}`;
}

/**
 * The line with the misspelled name corrected; '' if the line does not contain the query, or the corrected query might
 * ask something else. A name more than one slip away, or with a rival, is only listed.
 */
function readyLine(argv: readonly string[], query: string, word: string, names: readonly string[]): Text {
  const name = misspelled(word, names);
  if (name === undefined || !argv.includes(query)) return '';
  const places = [...query.matchAll(new RegExp(`\\b${word.replaceAll(/\W/g, '')}\\b`, 'gi'))];
  // Within quotes it is a text, which stays as typed.
  const isText = places.some(({ index }) => (query.slice(0, index).split("'").length - 1) % 2 === 1);
  if (isText || places.length === 0) return '';
  const right = places.reduceRight(
    (text, { index, 0: found }) => text.slice(0, index) + name + text.slice(index + found.length),
    query,
  );
  return say`Did you mean "${copsLine(argv.map((one) => (one === query ? right : one)))}"? `;
}

/**
 * The only name that is one slip away: one letter more or less, or two letters swapped. A replaced letter makes another
 * word (`tax`, `max`), and so does a changed first letter or digit (`line_1`, `line_2`).
 */
function misspelled(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  if (typed.length < 4) return undefined;
  const [only, ...others] = [...new Set(names)].filter((name) => isNear(typed, name.toLowerCase()));
  if (only === undefined || others.length > 0) return undefined;
  const name = only.toLowerCase();
  const digits = (text: string): string => text.replaceAll(/\D/g, '');
  const letters = (text: string): string => [...text].sort().join('');
  const isSpelling = name.length !== typed.length || letters(name) === letters(typed);
  return isSpelling && name[0] === typed[0] && digits(name) === digits(typed) ? only : undefined;
}

/** Whether two words differ by one letter more or less, or by two swapped letters. */
function isNear(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && long[at] === short[at]) at++;
  if (long.length > short.length) return long.slice(at + 1) === short.slice(at);
  return (
    long.slice(at + 1) === short.slice(at + 1) ||
    (long[at] === short[at + 1] && long[at + 1] === short[at] && long.slice(at + 2) === short.slice(at + 2))
  );
}

/** What people call a column that the views name differently. */
const SPOKEN: readonly (readonly [said: RegExp, named: RegExp])[] = [
  [
    /^(?:date|day|when|time|created_?(?:at|on)?)$/,
    /^(?:created|at|day|date|made|paid_at|created_at|time)|_(?:at|time|date|iso)$/,
  ],
  [/amount|total|price|sum|money|gross|net/, /_minor$/],
  [/customer|buyer|person|mail/, /email/],
];

/** The names that a misspelled word may mean, then those that contain it, then those with the same meaning. */
function alike(word: string, names: readonly string[]): string[] {
  const spoken = word.toLowerCase();
  const holding = names.filter((name) => name.toLowerCase().includes(spoken) || spoken.includes(name.toLowerCase()));
  const near = [...new Set([...nearest(word, names, 3), ...holding])];
  if (near.length > 0) return near;
  const meant = SPOKEN.find(([said]) => said.test(spoken))?.[1];
  return meant ? names.filter((name) => meant.test(name)) : [];
}
