import { usage } from '../errors/errors.js';

/** What may stand before a statement's first word. */
const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[\s\S]*?\*/)`;
const QUERY = new RegExp(
  `^${SPACE}*(?:explain${SPACE}+(?:query${SPACE}+plan${SPACE}+)?)?(?:select|with|values)\\b`,
  'i',
);

/** Texts, quoted names, comments, plain names. */
const PARTS =
  /'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)|[\s\S]/g;

/** Functions and tables of the engines that reach files, run other statements, or read memory and raw pages. */
const OUTSIDE =
  /^(?:readfile|writefile|fsdir|lsmode|edit|eval|load_extension|sha3_query|fts3_tokenizer|sqlite_crypt|sqlite3mc_\w+|carray|sqlite_dbpage|zipfile)$/i;

/** A statement that writes behind the tables of a WITH; `replace(…)` is a function. */
const WRITES = /\)\s*(?:insert|update|delete|replace)\b(?!\s*\()/i;

const EXPLAIN = new RegExp(`^${SPACE}*explain\\b`, 'i');

/** True for a statement that only reads, so that running it once more changes nothing. */
export function readsOnly(sql: string): boolean {
  return QUERY.test(sql) && !WRITES.test(withoutQuoted(sql));
}

/** True for a question about the steps of a statement. */
export function isExplained(sql: string): boolean {
  return EXPLAIN.test(sql);
}

/** A statement with its texts, quoted names and comments taken out. */
export function withoutQuoted(sql: string): string {
  return sql.replace(PARTS, (part) => {
    if (/^['"`[]./.test(part)) return 'x';
    return /^(?:--|\/\*)/.test(part) ? ' ' : part;
  });
}

/** The first name in a statement that reaches beyond the database, quoted or not; a text can name a table too. */
export function outsideName(sql: string): string | undefined {
  return namesIn(sql).find((name) => OUTSIDE.test(name));
}

/** Every name in a statement, quoted or not, and every text: a text can name a table too. */
export function namesIn(sql: string): string[] {
  return [...sql.matchAll(PARTS)].flatMap(([, ...names]) => names.find((one) => one !== undefined) ?? []);
}

/**
 * Lets only a query pass that reads this database: SELECT, WITH or VALUES, or EXPLAIN before one of them (EXPLAIN
 * PRAGMA sets what the pragma says).
 * @throws CopsError `usage`.
 */
export function checkReadQuery(sql: string): void {
  if (!readsOnly(sql)) {
    throw usage(
      'Only a query that reads is run here.',
      'It begins with SELECT, WITH or VALUES, or with EXPLAIN before one of them.',
    );
  }
  const outside = outsideName(sql);
  if (outside) throw usage(`${outside} reaches beyond the database and is not run here.`);
}
