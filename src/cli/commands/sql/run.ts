import { resolve } from 'node:path';
import { CopsError, local, usage } from '../../../base/errors/errors.js';
import { readGivenFile } from '../../../base/files/read-file.js';
import { cops, say } from '../../../base/text/command-line.js';
import { describeTables } from '../../../data/mirror/describe-mirror.js';
import { checkSql, type RunningQuery, runMirrorQuery } from '../../../data/mirror/mirror-query.js';
import { ownMirror } from '../../../data/mirror/own-mirror.js';
import { readMirror } from '../../../data/mirror/read-mirror.js';
import { checkRestricted, type Restriction, restrictedViews } from '../../../data/mirror/restricted.js';
import { inexactIn, mixedIn, standingOf } from '../../../data/mirror/standing.js';
import { Item } from '../../../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { DEFAULTS } from '../../../session/context/defaults.js';
import { bySubcommand, listOf } from '../../../session/context/run.js';
import { wholeNumber } from '../../../session/context/whole-number.js';
import { mirrorInUse } from '../../operation/mirror-in-use.js';
import { forgetQuery, readQuery, savedQueries, saveQuery } from './saved.js';
import type { SqlOptions } from './spec.js';

/** `cops sql`: asks a mirror, without a way to write to it. */
async function sql(context: Context, input: CommandInput<SqlOptions>): Promise<Done> {
  const { words, options } = withMirror(context, input);
  const mirror = await mirrorFile(context, options.mirror);
  if (options.tables) {
    if (words.length > 0 || options.file !== undefined) throw usage('--tables takes no query.');
    const rows = await readMirror(context, mirror, ({ database }) => describeTables(database));
    const { format, query, columns } = await context.settings();
    const { stdout } = context.world;
    if (format !== 'table' || !stdout.isTTY || query !== undefined || columns !== undefined)
      return { result: listOf(rows, ['table', 'column', 'meaning']) };
    const { tablesText } = await import('../../../data/mirror/tables-text.js');
    return { result: { shape: 'text', text: tablesText(rows, stdout.columns || 80) } };
  }
  const query = await queryText(context, words[0], options.file);
  if (query !== undefined) return ask(context, mirror, query, options);
  if (!(await context.prompter()).canPrompt())
    throw usage('Which query?', say`${cops`sql "select ..."`}, --file <file>, or - for standard input.`);
  const { prompt } = await import('./prompt.js');
  return prompt(context, mirror, (text, signal) => answered(context, mirror, text, options, signal));
}

type Typed = Pick<CommandInput<SqlOptions>, 'words' | 'options'>;

/** The line with a mirror that stands in front of the query, as `cops sync` takes it, put behind its option. */
function withMirror(context: Context, { words, options }: Typed): Typed {
  const [first = '', ...rest] = words;
  const isMirror = /\.(?:sqlite3?|db)$/i.test(first) && options.mirror === undefined;
  if (isMirror && rest.length < 2) {
    context.notes.note(`${first} is read as --mirror ${first}.`);
    return { words: rest, options: { ...options, mirror: first } };
  }
  if (rest.length > 0)
    throw usage(
      `cops sql takes one query, and there are ${words.length} words.`,
      say`Put the query in quotes: ${cops`sql --mirror shop.sqlite "select * from payments limit 5"`}`,
    );
  return { words, options };
}

async function mirrorFile(context: Context, given: string | undefined): Promise<string> {
  if (given === '') throw usage('--mirror needs the name of a file.');
  if (given !== undefined) return resolve(context.world.cwd, given);
  return mirrorInUse(context);
}

async function queryText(
  context: Context,
  word: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (word !== undefined && file !== undefined) throw usage('The query is given twice: on the line and in --file.');
  if (file !== undefined) {
    const path = resolve(context.world.cwd, file);
    try {
      return (await readGivenFile(path)).toString('utf8').replace(/^\uFEFF/, '');
    } catch (error) {
      throw local(`The query cannot be read from ${path}: ${(error as Error).message}`, undefined, error);
    }
  }
  if (word !== '-') return word;
  const pieces: Buffer[] = [];
  for await (const piece of context.world.stdin) pieces.push(Buffer.from(piece as Buffer));
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

async function ask(context: Context, mirror: string, query: string, options: SqlOptions): Promise<Done> {
  checkSql(query);
  return answered(context, mirror, query, options, context.world.interrupted);
}

/** Rows of one query over the profile's own mirror, seen as the restriction has it; `signal` ends it. */
export async function askOwnMirror(
  context: Context,
  query: string,
  asked: { readonly limit: string; readonly restriction?: Restriction },
  signal: AbortSignal,
): Promise<Done> {
  checkSql(query);
  if (asked.restriction) checkRestricted(query);
  return answered(context, await ownMirror(context), query, asked, signal);
}

/** Runs one query and tells on standard error how the mirror stands that it asked. */
async function answered(
  context: Context,
  mirror: string,
  query: string,
  { limit, restriction }: Pick<SqlOptions, 'limit'> & { readonly restriction?: Restriction },
  signal: AbortSignal,
): Promise<Done> {
  const { notes } = context;
  const { inexact, before } = await tellStanding(context, mirror, query, restriction);
  const most =
    wholeNumber(limit, '--limit', 1) ?? (context.world.stdout.isTTY === true ? DEFAULTS.terminalRows : undefined);
  const answer = await runMirrorQuery(mirror, query, signal, { before }).catch(async (error: unknown) => {
    // Who may see a part only is told no names of the rest.
    if (restriction) throw error;
    const { withNames } = await import('./missing-name.js');
    throw await withNames(context, mirror, query, error);
  });
  const state = { more: false };
  return {
    result: {
      shape: 'list',
      columns: answer.columns.map((path) => ({ path, title: path })),
      idField: answer.columns[0] ?? 'id',
      items: limited(answer, most, state),
    },
    finish: () => {
      if (state.more) notes.warn(`The first ${most} rows of more; --limit shows more of them.`, {});
      if (inexact.length === 0) return undefined;
      return new CopsError(
        'incomplete',
        `Some amounts are finer than their currency's minor unit, or have no currency; they are NULL in ${inexact.join(', ')}.`,
        { hint: 'The table _inexact names the rows; a sum over them leaves them out.' },
      );
    },
  };
}

function tellStanding(context: Context, mirror: string, query: string, restriction: Restriction | undefined) {
  return readMirror(context, mirror, ({ database, facts }) => {
    const standing = standingOf(database, facts);
    context.notes.note(standing.told);
    for (const list of standing.incomplete) context.notes.warn(`Not complete: ${list}`, {});
    const mixed = restriction ? [] : mixedIn(database, query);
    if (mixed.length > 0)
      context.notes.warn(
        `Note: amounts are added up without a look at their currency, and there are several in ${mixed.join(', ')}: group by it.`,
      );
    return {
      inexact: inexactIn(database, query),
      before: restriction ? restrictedViews(database, restriction) : [],
    };
  });
}

async function* limited(
  answer: RunningQuery,
  most: number | undefined,
  state: { more: boolean },
): AsyncGenerator<Item> {
  let count = 0;
  for await (const row of answer.rows) {
    if (most !== undefined && count >= most) {
      state.more = true;
      return;
    }
    count++;
    yield new Item(row);
  }
}

export const run = bySubcommand<SqlOptions>({
  '': sql,
  save: async (context, { words: [name = '', word], options }) => {
    const query = await queryText(context, word, options.file);
    if (query === undefined) throw usage('Which query is to be kept?', 'Give it behind the name, in --file, or as -.');
    checkSql(query);
    await saveQuery(context, name, query);
    context.notes.note(say`Kept: ${cops`sql run ${name}`}`);
    return { result: { shape: 'nothing' } };
  },
  run: async (context, { words: [name = ''], options }) =>
    ask(context, await mirrorFile(context, options.mirror), await readQuery(context, name), options),
  saved: async (context) => ({ result: listOf(await savedQueries(context), ['name', 'query']) }),
  forget: async (context, { words: [name = ''] }) => {
    await forgetQuery(context, name);
    return { result: { shape: 'nothing' } };
  },
});
