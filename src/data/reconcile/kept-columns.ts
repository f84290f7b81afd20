import { join } from 'node:path';
import { CopsError, usage } from '../../base/errors/errors.js';
import { readOwnText } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import type { Context } from '../../session/context/context.js';
import { PAYOUT_ROLES, type PayoutRole } from './payout-roles.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

function fileOf(context: Context, name: string): string {
  if (!NAME.test(name)) throw usage(`--columns-as: "${name}" cannot be a name.`, 'Use letters, digits, - and _.');
  return join(context.configDir, 'columns', `${name}.json`);
}

/** Stores the columns of a file, by their headings, under a name. */
export async function keepColumns(
  context: Context,
  name: string,
  columns: ReadonlyMap<PayoutRole, string>,
): Promise<void> {
  const file = fileOf(context, name);
  await replaceFile(file, `${JSON.stringify(Object.fromEntries(columns), undefined, 2)}\n`);
}

/** The columns stored under a name; undefined if there are none. */
export async function keptColumns(context: Context, name: string): Promise<Map<PayoutRole, string> | undefined> {
  const file = fileOf(context, name);
  try {
    const kept = JSON.parse(readOwnText(file)) as Record<string, unknown>;
    return new Map(PAYOUT_ROLES.flatMap((role) => (typeof kept[role] === 'string' ? [[role, kept[role]]] : [])));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CopsError('local', `${file} cannot be read.`, {
      hint: 'Name the columns again with --map.',
      cause: error,
    });
  }
}
