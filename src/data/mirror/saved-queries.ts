import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CopsError, local, orThrow, usage } from '../../base/errors/errors.js';
import { readOwnText, WHY } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { cops, say } from '../../base/text/command-line.js';
import { holdsCard } from '../../items/secrets/redact.js';
import type { Context } from '../../session/context/context.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

function fileOf(context: Context, name: string): string {
  if (!NAME.test(name)) throw usage(`"${name}" cannot be the name of a query.`, 'Use letters, digits, - and _.');
  return join(context.configDir, 'queries', `${name}.sql`);
}

/** Saves a query under a name; replaces one of the same name. */
export async function saveQuery(context: Context, name: string, sql: string): Promise<void> {
  const file = fileOf(context, name);
  if (holdsCard(sql))
    throw usage(
      'The query contains a number that is valid as a card number, and would be stored: it was not saved.',
      say`Run it without saving: ${cops`sql -`} reads it from standard input.`,
    );
  await replaceFile(file, `${sql.trim()}\n`);
}

/** @throws CopsError `not_found` if no query has that name */
export async function readQuery(context: Context, name: string): Promise<string> {
  return orThrow(
    () => readOwnText(fileOf(context, name)),
    (error) => missing(name, error),
  );
}

/** @throws CopsError `not_found` if no query has that name */
export async function forgetQuery(context: Context, name: string): Promise<void> {
  await orThrow(
    () => rm(fileOf(context, name)),
    (error) => missing(name, error),
  );
}

/** The saved queries, by name. */
export async function savedQueries(context: Context): Promise<{ name: string; query: string }[]> {
  const files = await readdir(join(context.configDir, 'queries')).catch(() => []);
  const names = files.filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4));
  return Promise.all(names.sort().map(async (name) => ({ name, query: (await readQuery(context, name)).trim() })));
}

function missing(name: string, error: unknown): unknown {
  if (error instanceof CopsError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT')
    return local(`The query saved as "${name}" cannot be read: ${WHY[code] ?? message}`, undefined, error);
  return new CopsError('not_found', `No query is saved as "${name}".`, {
    hint: say`\`${cops`sql saved`}\` lists the saved ones.`,
  });
}
