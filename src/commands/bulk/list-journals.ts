import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
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
  { path: 'not_started', title: 'not started' },
  { path: 'file', title: 'journal', whole: true },
] as const;

/** Numbers of a journal that say that it is not at its end. */
const OPEN = ['unknown', 'not_sent', 'not_started'] as const;

/** `cops bulk list`: the journals that cops itself keeps, newest first, with what each says. */
export async function bulkList(context: Context): Promise<Done> {
  const journals = await journalPaths(context);
  const items = async function* (): AsyncGenerator<Item> {
    for (const path of journals) yield Item.of(await rowOf(path));
  };
  return {
    result: { shape: 'list', items: items(), columns: COLUMNS, idField: 'journal' },
    finish: () => {
      if (journals.length === 0) context.notes.note(`No journals in ${folderOf(context)}.`);
      context.notes.note(
        'Journals that were given a place of their own (--journal) are not listed: cops bulk status <file>.',
      );
      return undefined;
    },
  };
}

const folderOf = (context: Context): string => join(context.dataDir, 'journals');

async function journalPaths(context: Context): Promise<string[]> {
  const names = await readdir(folderOf(context)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .reverse()
    .map((name) => join(folderOf(context), name));
}

/** Journals that cops itself keeps and that are not at their end, newest first. */
export async function openJournals(context: Context): Promise<string[]> {
  const found: string[] = [];
  for (const path of await journalPaths(context)) {
    const row = await rowOf(path);
    if (OPEN.some((column) => Number(row[column] ?? 0) > 0)) found.push(path);
  }
  return found;
}

/** A journal that cops itself keeps may be called by the name of its file alone. */
export function journalNamed(context: Context, word: string): string {
  const kept = join(folderOf(context), word);
  return !word.includes('/') && !existsSync(resolve(context.world.cwd, word)) && existsSync(kept) ? kept : word;
}

/** What a journal says; of a damaged one only what is wrong with it. */
async function rowOf(path: string): Promise<Record<string, unknown>> {
  try {
    const { state } = await scanJournal(journalFile(path));
    return { ...statusOf(path, state), file: basename(path) };
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
    return { journal: path, file: basename(path), operation: error.message };
  }
}
