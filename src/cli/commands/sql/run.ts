import { existsSync } from 'node:fs';
import { CopsError, usage } from '../../../base/errors/errors.js';
import { isPostgresAddress } from '../../../base/files/typed-path.js';
import { cops, say } from '../../../base/text/command-line.js';
import { givenTables } from '../../../data/given/given-tables.js';
import { askMirror } from '../../../data/mirror/ask-mirror.js';
import { describeTables, expectedTables } from '../../../data/mirror/describe-mirror.js';
import { mirrorFor } from '../../../data/mirror/keep-mirror.js';
import { knownMirror, mirrorInUse } from '../../../data/mirror/mirror-in-use.js';
import { checkSql } from '../../../data/mirror/mirror-query.js';
import { namedMirror, readMirror } from '../../../data/mirror/own-mirror.js';
import { familiesInQuery } from '../../../data/mirror/query-families.js';
import { forgetQuery, readQuery, savedQueries, saveQuery } from '../../../data/mirror/saved-queries.js';
import { readText } from '../../../service/body/gather.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { bySubcommand, listOf, tellingAtOnce } from '../../../session/context/run.js';
import { inputOf } from '../../../session/write/body-input.js';
import type { SqlOptions } from './spec.js';

/** `cops sql`: queries a mirror, with no way to write to it. */
async function sql(context: Context, input: CommandInput<SqlOptions>): Promise<Done> {
  const { words, options } = withMirror(context, input);
  if (options.tables) {
    if (words.length > 0 || options.file !== undefined) throw usage('--tables takes no query.');
    const mirror =
      options.mirror === undefined ? await knownMirror(context) : await mirrorFile(context, options.mirror);
    const given = await givenTables(context, options.with);
    await given?.discard();
    const isThere = options.mirror !== undefined || existsSync(mirror);
    if (!isThere)
      context.notes.note(
        say`There is no mirror yet. These are its tables, with the columns that are known beforehand; ${cops`sync`} makes it.`,
      );
    const own = await (isThere
      ? readMirror(context, mirror, ({ database }) => describeTables(database))
      : expectedTables());
    const rows = [...(given?.columns ?? []), ...own];
    const { format, query, columns } = await context.settings();
    const { stdout } = context.world;
    if (format !== 'table' || !stdout.isTTY || query !== undefined || columns !== undefined)
      return { result: listOf(rows, ['table', 'column', 'meaning']) };
    const { tablesText } = await import('../../../data/mirror/describe-mirror.js');
    return { result: { shape: 'text', text: tablesText(rows, stdout.columns || 80) } };
  }
  const query = await queryText(context, words[0], options.file);
  if (query !== undefined) return ask(context, query, options);
  if (!(await context.prompter()).canPrompt())
    throw usage('Which query?', say`${cops`sql "select ..."`}, --file <file>, or - for standard input.`);
  if (options.asOf !== undefined) throw usage('--as-of works for a single query: put it in the command.');
  const mirror = await mirrorFile(context, options.mirror);
  const { prompt } = await import('./prompt.js');
  const given = await givenTables(context, options.with);
  const { limit } = options;
  // Notes that follow the answer would come when the prompt ends, after all of its answers.
  const telling = tellingAtOnce(context);
  try {
    return await prompt(telling, mirror, given?.columns ?? [], (text, signal) =>
      askMirror(telling, mirror, text, { limit, given }, signal),
    );
  } finally {
    await given?.discard();
  }
}

type Typed = Pick<CommandInput<SqlOptions>, 'words' | 'options'>;

/** Moves a mirror named before the query, as for `cops sync`, to its option. */
function withMirror(context: Context, { words, options }: Typed): Typed {
  const [first = '', ...rest] = words;
  const isMirror = (/\.(?:sqlite3?|db)$/i.test(first) || isPostgresAddress(first)) && options.mirror === undefined;
  if (isMirror && rest.length < 2) {
    context.notes.note(`${first} is read as --mirror ${first}.`);
    return { words: rest, options: { ...options, mirror: first } };
  }
  if (rest.length > 0)
    throw usage(
      `cops sql takes one query, but got ${words.length} words.`,
      say`Put the query in quotes: ${cops`sql --mirror shop.sqlite "select * from payments limit 5"`}`,
    );
  return { words, options };
}

async function mirrorFile(context: Context, given: string | undefined): Promise<string> {
  if (given === '') throw usage('--mirror needs the name of a file.');
  return (await namedMirror(context, given)) ?? mirrorInUse(context);
}

async function queryText(
  context: Context,
  word: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (word !== undefined && file !== undefined) throw usage('The query is given twice: in the command and in --file.');
  const from = file ?? (word === '-' ? word : undefined);
  return from === undefined ? word : readText(inputOf(context.world), from);
}

async function ask(context: Context, query: string, options: SqlOptions): Promise<Done> {
  checkSql(query);
  if (options.mirror === '') throw usage('--mirror needs the name of a file.');
  const given = await givenTables(context, options.with);
  const kept = await mirrorFor(context, familiesInQuery(query), options).catch(async (error: unknown) => {
    await given?.discard();
    throw error;
  });
  const { file, past, doubts } = kept;
  const discard = () => Promise.all([kept.discard(), given?.discard()]);
  try {
    const { limit } = options;
    const done = await askMirror(context, file, query, { limit, past, given }, context.world.interrupted);
    return {
      ...done,
      finish: async () => {
        await discard();
        const fault = await done.finish?.();
        return (
          fault ?? (doubts.length === 0 ? undefined : new CopsError('incomplete', `Incomplete: ${doubts.join('; ')}.`))
        );
      },
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

export const run = bySubcommand<SqlOptions>({
  '': sql,
  save: async (context, { words: [name = '', word], options }) => {
    const query = await queryText(context, word, options.file);
    if (query === undefined) throw usage('Which query should be saved?', 'Give it after the name, in --file, or as -.');
    checkSql(query);
    await saveQuery(context, name, query);
    context.notes.note(say`Kept: ${cops`sql run ${name}`}`);
    return { result: { shape: 'nothing' } };
  },
  run: async (context, { words: [name = ''], options }) => ask(context, await readQuery(context, name), options),
  saved: async (context) => ({ result: listOf(await savedQueries(context), ['name', 'query']) }),
  forget: async (context, { words: [name = ''] }) => {
    await forgetQuery(context, name);
    return { result: { shape: 'nothing' } };
  },
});
