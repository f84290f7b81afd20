import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { accountRecords } from '../account/account-records.js';
import type { JournalState } from '../account/journal/state.js';
import { CopsError } from '../base/errors/errors.js';
import { typedPath } from '../base/files/typed-path.js';
import { type CommandLine, cops, say } from '../base/text/command-line.js';
import { Item } from '../items/json/item-json.js';
import type { Context, Done } from '../session/context/context.js';
import { type Account, aimed } from '../session/context/line-flags.js';
import { type JournalStatus, statusOf } from './report-rows.js';

const COLUMNS = [
  { path: 'created', as: 'time', hours: true },
  { path: 'operation' },
  { path: 'profile' },
  { path: 'mode' },
  { path: 'rows', whole: true },
  { path: 'done', whole: true },
  { path: 'failed', whole: true },
  { path: 'unknown', whole: true },
  { path: 'not_sent', title: 'not sent' },
  { path: 'not_started', title: 'not started' },
  { path: 'file', title: 'journal', whole: true },
] as const;

/** Counts in a journal of rows that the service did not carry out. */
const FAILED = ['refused', 'payment_failed', 'fraud_detected', 'not_done'] as const;

/** Counts in a journal that show it is unfinished. */
const OPEN = ['unknown', 'not_sent', 'not_started'] as const;

/** `cops bulk list`: unfinished journals stored elsewhere, then those that cops itself stores, newest first. */
export async function bulkList(context: Context, limit?: number): Promise<Done> {
  const all = await (await accountRecords(context).runs()).journals();
  const journals = all.slice(0, limit);
  const items = async function* (): AsyncGenerator<Item> {
    for (const path of journals) yield Item.of(await rowOf(context, path));
  };
  return {
    result: { shape: 'list', items: items(), columns: COLUMNS, idField: 'journal', shares: true },
    finish: () => {
      if (journals.length < all.length)
        context.notes.note(say`${journals.length} of ${all.length} journals are shown: ${cops`bulk list`} shows all.`);
      if (journals.length === 0) context.notes.note(`No journals in ${folderOf(context)}.`);
      context.notes.note(
        say`A journal in another place (--journal) is listed until its run has ended; then use: ${cops`bulk status <file>`}.`,
      );
      return undefined;
    },
  };
}

const folderOf = (context: Context): string => join(context.dataDir, 'journals');

/** An unfinished journal. */
interface OpenJournal {
  readonly path: string;
  /** The account options without which this command would refer to another profile or mode. */
  readonly account: Account;
  /** The commands that continue it. */
  readonly next: readonly CommandLine[];
}

/** Unfinished journals, newest first. */
export async function openJournals(context: Context): Promise<OpenJournal[]> {
  const found: OpenJournal[] = [];
  for (const path of await (await accountRecords(context).runs()).journals()) {
    const row = await rowOf(context, path);
    if (OPEN.some((column) => Number(row[column] ?? 0) > 0))
      found.push({ path, account: await accountFor(context, row), next: (row.next ?? []) as CommandLine[] });
  }
  return found;
}

/** The account that a line about a journal names: none if this line already uses its profile and mode. */
async function accountFor(context: Context, row: Readonly<Record<string, unknown>>): Promise<Account> {
  // Without an existing profile, a command names none.
  const used = await context.profile().catch(() => undefined);
  const isSame = used?.name.value === row.profile && used?.mode.value === row.mode;
  return isSame ? {} : { profile: String(row.profile), mode: row.mode === 'live' ? 'live' : 'test' };
}

/** A journal in numbers, with commands for its profile and mode, ready to paste. */
export async function toldStatus(context: Context, path: string, state: JournalState): Promise<JournalStatus> {
  const status = statusOf(path, state);
  const own = await accountFor(context, status);
  return { ...status, next: status.next.map((line) => aimed(line, own.mode ? own : context.options)) };
}

/** A journal in the data folder can be named by its file name alone. */
export function journalNamed(context: Context, word: string): string {
  const kept = join(folderOf(context), word);
  const typed = typedPath(context.world, word);
  return !word.includes('/') && !existsSync(typed) && existsSync(kept) ? kept : word;
}

/** The shortest name that `cops bulk resume` accepts. */
const nameOf = (context: Context, path: string): string =>
  dirname(path) === folderOf(context) ? basename(path) : path;

/** The contents of a journal; for a damaged one, only the error. */
async function rowOf(context: Context, path: string): Promise<Record<string, unknown>> {
  try {
    const { state } = await (await accountRecords(context).journal(path)).scan();
    const status = await toldStatus(context, path, state);
    return {
      ...status,
      failed: FAILED.reduce((sum, name) => sum + Number(status[name]), 0),
      file: nameOf(context, path),
    };
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
    return { journal: path, file: nameOf(context, path), operation: error.message };
  }
}
