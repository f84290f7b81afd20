import type { Brings, Operation, Risk } from '../../catalogue/types.js';

/** An operation that the service also performs, because a field of the body says so. */
export interface Brought extends Omit<Brings, 'on'> {
  readonly field: string;
  /** Ids of its item; undefined if the service picks the items, or the body names none. */
  readonly ids: readonly string[] | undefined;
}

type SentBody = Readonly<Record<string, unknown>>;

const GRAVITY: readonly Risk[] = ['read', 'write', 'money', 'irreversible'];

/** What a body does besides its operation, in the order of the catalogue. */
export function broughtBy({ brings }: Pick<Operation, 'brings'>, body: SentBody): readonly Brought[] {
  if (!brings) return [];
  return Object.entries(brings).flatMap(([field, { on, ...brought }]) => {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (value === undefined || value === false || value === null) return [];
    const id = on === undefined || !Object.hasOwn(body, on) ? undefined : body[on];
    return [{ ...brought, field, ids: typeof id === 'string' ? [id] : undefined }];
  });
}

/**
 * The operation as this body makes it (command-line.md#writes: risk depends on the effect, never on the HTTP method).
 * SQL that is not provably a query turns a read into an irreversible write; a field that causes another operation is as
 * grave as that one.
 */
export const operationWith = (operation: Operation, body: SentBody): Operation =>
  atLeast(withSql(operation, body), broughtBy(operation, body));

/** The operation for rows whose bodies are not examined one by one. */
export const operationOfRows = (operation: Operation): Operation =>
  atLeast(withSql(operation, {}), Object.values(operation.brings ?? {}));

function withSql(operation: Operation, body: SentBody): Operation {
  const { sqlBody } = operation;
  if (sqlBody === undefined) return operation;
  const sql = body[sqlBody];
  if (typeof sql === 'string' && isPlainQuery(sql)) return operation;
  return { ...operation, risk: 'irreversible' };
}

function atLeast(operation: Operation, brought: readonly Pick<Brings, 'risk'>[]): Operation {
  const risk = brought.reduce<Risk>((most, one) => graver(most, one.risk), operation.risk);
  if (risk === operation.risk) return operation;
  // The added operation moves its own amounts; the operation itself is unchanged.
  const isHarmless = operation.risk === 'read' || operation.risk === 'write';
  return { ...operation, risk, ...(isHarmless && { moves: 'nothing' as const }) };
}

const graver = (a: Risk, b: Risk): Risk => (GRAVITY.indexOf(b) > GRAVITY.indexOf(a) ? b : a);

/** Texts, quoted names, comments, and single characters between them. */
const PARTS = /'(?:[^'\\]|\\[^'"`]|'')*'|"(?:[^"\\]|\\[^'"`]|"")*"|`[^`\\]*`|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g;

/** Dialects disagree on what is text here, or on where a comment ends, so everything after it is a guess. */
const DOUBTFUL = /'''|"""|\/\*!|[\r\v\f\u0085\u2028\u2029](?!\n)/;

/** Words that turn a `WITH` or `SELECT` statement into more than a query. */
const WRITES =
  /\b(insert|update|delete|merge|truncate|drop|create|alter|replace\s+into|into|call|export|external_query|grant|revoke|execute)\b/i;

/**
 * True only for text that is provably one query: `SELECT …` or `WITH … SELECT …`, after removing comments and texts.
 * Anything else, or unclear, counts as a write.
 */
export function isPlainQuery(sql: string): boolean {
  if (DOUBTFUL.test(sql)) return false;
  let words = '';
  for (const [part] of sql.matchAll(PARTS)) {
    if (part.length > 1) {
      if (part.startsWith('/*') && part.indexOf('/*', 2) >= 0) return false;
      words += part.startsWith('`') ? ' name ' : ' ';
    } else if (/['"`#]/.test(part)) return false;
    else words += part;
  }
  if (words.includes('/*')) return false;
  const statement = words.trim().replace(/;\s*$/, '').trim();
  if (statement.includes(';') || !/^[(\s]*(select|with)\b/i.test(statement)) return false;
  return /\bselect\b/i.test(statement) && !WRITES.test(statement);
}
