import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { journalFile, scanJournal } from '../../bulk/journal.js';
import { statusOf } from '../../bulk/report.js';
import type { Context } from '../../command/context.js';
import type { Done } from '../../command/run.js';
import { CopsError } from '../../errors/errors.js';
import { Item } from '../../json/item.js';

const COLUMNS = [
  { path: 'created', as: 'time' },
  { path: 'operation' },
  { path: 'profile' },
  { path: 'mode' },
  { path: 'rows' },
  { path: 'done' },
  { path: 'unknown' },
  { path: 'not_sent', title: 'not sent' },
  { path: 'journal' },
] as const;

/** `cops bulk list`: the journals that cops itself keeps, newest first, with what each says. */
export async function bulkList(context: Context): Promise<Done> {
  const folder = join(context.dataDir, 'journals');
  const names = await readdir(folder).catch(() => []);
  const journals = names
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .reverse();
  const items = async function* (): AsyncGenerator<Item> {
    for (const name of journals) yield Item.of(await rowOf(join(folder, name)));
  };
  return {
    result: { shape: 'list', items: items(), columns: COLUMNS, idField: 'journal' },
    finish: () => {
      if (journals.length === 0) context.notes.note(`No journals in ${folder}.`);
      context.notes.note(
        'Journals that were given a place of their own (--journal) are not listed: cops bulk status <file>.',
      );
      return undefined;
    },
  };
}

/** What a journal says; of a damaged one only what is wrong with it. */
async function rowOf(path: string): Promise<Record<string, unknown>> {
  try {
    const { state } = await scanJournal(journalFile(path));
    return statusOf(path, state);
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
    return { journal: path, operation: error.message };
  }
}
