import { usage } from '../errors/errors.js';

/** What may come before a statement's first word. */
const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[\s\S]*?\*/)`;
const QUERY = new RegExp(
  `^${SPACE}*(?:explain${SPACE}+(?:query${SPACE}+plan${SPACE}+)?)?(?:select|with|values)\\b`,
  'i',
);

/** Strings, quoted names, comments, plain names. */
const PARTS =
  /'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)|[\s\S]/g;

/** Engine functions and tables that reach files, run other statements, or read memory and raw pages. */
const OUTSIDE =
  /^(?:readfile|writefile|fsdir|lsmode|edit|eval|load_extension|sha3_query|fts3_tokenizer|sqlite_crypt|sqlite3mc_\w+|carray|sqlite_dbpage|zipfile)$/i;

/** A statement that writes after the tables of a WITH; `replace(…)` is a function. */
const WRITES = /\)\s*(?:insert|update|delete|replace)\b(?!\s*\()/i;

const EXPLAIN = new RegExp(`^${SPACE}*explain\\b`, 'i');

/** True for a statement that only reads, so that running it again changes nothing. */
export function readsOnly(sql: string): boolean {
  return QUERY.test(sql) && !WRITES.test(withoutQuoted(sql));
}

/** True for an EXPLAIN, which asks for the steps of a statement. */
export function isExplained(sql: string): boolean {
  return EXPLAIN.test(sql);
}

/** A statement without its strings, quoted names and comments. */
export function withoutQuoted(sql: string): string {
  return sql.replace(PARTS, (part) => {
    if (/^['"`[]./.test(part)) return 'x';
    return /^(?:--|\/\*)/.test(part) ? ' ' : part;
  });
}

/** The first name in a statement that reaches outside the database, quoted or not; a string can name a table too. */
export function outsideName(sql: string): string | undefined {
  return namesIn(sql).find((name) => OUTSIDE.test(name));
}

/** Every name in a statement, quoted or not, and every string: a string can name a table too. */
export function namesIn(sql: string): string[] {
  return [...sql.matchAll(PARTS)].flatMap(([, ...names]) => names.find((one) => one !== undefined) ?? []);
}

/**
 * Accepts only a query that reads this database: SELECT, WITH or VALUES, optionally after EXPLAIN (EXPLAIN PRAGMA
 * executes the pragma).
 * @throws CopsError `usage` for anything else
 */
export function checkReadQuery(sql: string): void {
  if (!readsOnly(sql)) {
    throw usage(
      'Only queries that read can run here.',
      'It begins with SELECT, WITH or VALUES, or with EXPLAIN before one of them.',
    );
  }
  const outside = outsideName(sql);
  if (outside) throw usage(`${outside} reaches outside the database, so the query does not run here.`);
}
