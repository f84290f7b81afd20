import { createInterface } from 'node:readline';
import { spawnScript } from '../../base/database/child.js';
import { findEngine } from '../../base/database/engines.js';
import { checkReadQuery, namesIn, withoutQuoted } from '../../base/database/read-query.js';
import { local, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { QUERY_SCRIPT } from './query-script.js';

/** A placeholder, for which nobody gives a value here: `?`, `?1`, `:name`, `@name`, `$name`. */
const PLACE = /\?\d*|(?<![\w$:@])[:@$]\w+/;

export interface QueryOptions {
  /** Statements that run first, to create temporary views. */
  readonly before?: readonly string[];
  /** The memory that a query may use, in bytes: two gigabytes, or half of the machine's, unless set otherwise. */
  readonly memory?: number;
}

/** A running query: its columns, then its rows as JSON objects, one by one. */
export type RunningQuery = Awaited<ReturnType<typeof runMirrorQuery>>;

/**
 * Lets one query pass that reads the mirror and nothing else.
 * @throws CopsError `usage`
 */
export function checkSql(sql: string): void {
  if (sql.trim() === '')
    throw usage('The query is empty.', say`For example: ${cops`sql "select * from payments limit 5"`}`);
  if (sql.includes('\0')) throw usage('The query contains a NUL character.');
  checkReadQuery(sql);
  // Some of these tables set what they are named after, and a text can name a table.
  const pragma = namesIn(sql).find((name) => /^pragma_/i.test(name));
  if (pragma) throw usage(`${pragma} cannot be run here.`, say`${cops`sql --tables`} shows tables and columns.`);
  const bare = withoutQuoted(sql);
  if (/;\s*\S/.test(bare)) throw usage('Give one query at a time.', say`To run several, open a prompt: ${cops`sql`}`);
  const place = PLACE.exec(bare)?.[0];
  if (place) throw usage(`${place} is a placeholder, and it has no value.`, 'Write the value itself.');
}

/**
 * Runs a query over a mirror, in a process that can only read it; `signal` ends it at any moment.
 * @throws CopsError `usage` for anything but a query, and a query that fails; `local` for one that needs too much
 * memory
 */
export async function runMirrorQuery(
  file: string,
  sql: string,
  signal: AbortSignal,
  { before = [], memory }: QueryOptions = {},
) {
  checkSql(sql);
  const { module } = await findEngine();
  const child = spawnScript(QUERY_SCRIPT);
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ module, file, before, sql, memory }));
  const lines = linesOf(createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }), signal);
  const close = () => {
    signal.removeEventListener('abort', end);
    end();
  };
  try {
    const first = await lines.next();
    if (first.done) throw cutOff();
    const columns = JSON.parse(meaning(first.value, 'C')) as string[];
    return { columns, rows: rowsOf(lines, close) };
  } catch (error) {
    close();
    throw error;
  }
}

async function* linesOf(lines: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const line of lines) yield line;
  if (signal.aborted) throw signal.reason;
}

async function* rowsOf(lines: AsyncGenerator<string>, close: () => void): AsyncGenerator<string> {
  try {
    for await (const line of lines) {
      if (line === 'D') return;
      yield meaning(line, 'R');
    }
    throw cutOff();
  } finally {
    close();
  }
}

function meaning(line: string, kind: 'C' | 'R'): string {
  if (line.startsWith(kind)) return line.slice(1);
  if (!line.startsWith('E')) throw cutOff();
  const said = JSON.parse(line.slice(1)) as string;
  if (/out of memory/i.test(said))
    throw local('The query needs more memory than its limit.', 'Ask for less at once: fewer rows, shorter texts.');
  throw usage(`The query failed: ${said}.`, say`${cops`sql --tables`} shows tables and columns.`);
}

function cutOff() {
  return local('The query was cut off before its end.', 'It may need more memory than there is: ask for less at once.');
}

/** Texts, quoted names and comments, closed or not; the end of a statement; or any other single character. */
const PIECES =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\s\S]/g;

/**
 * The typed text, cut at each `;` that ends a statement, not inside texts, names and comments. `whole`: completed
 * statements without their `;`; leaves out empty ones. `rest`: the unfinished rest; '' if it is only space and
 * comments.
 */
export function statementsOf(text: string) {
  const whole: string[] = [];
  let rest = '';
  let isEmpty = true;
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === ';') {
      if (!isEmpty) whole.push(rest.trim());
      rest = '';
      isEmpty = true;
      continue;
    }
    rest += piece;
    // An open comment may contain what is typed next.
    if (!/^(?:\s|--|\/\*[\s\S]*\*\/$)/.test(piece)) isEmpty = false;
  }
  return { whole, rest: isEmpty ? '' : rest };
}
