import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CopsError, stopped } from '../base/errors/errors.js';
import { replaceFile } from '../base/files/replace-file.js';
import { cops, say } from '../base/text/command-line.js';
import { parseJson } from '../items/json/parse-json.js';
import { isObject, ownMember } from '../items/json/tree.js';
import { serviceName } from '../service/http/base-url.js';
import type { Context } from '../session/context/context.js';
import { journalFile, scanJournal } from './journal.js';
import { type JournalState, RESUMABLE } from './state.js';
import type { JournalHeader } from './types.js';

/** Where it is kept which journal an equal run has: the same rows, templates and body for the same service and mode. */
function markOf(context: Context, header: JournalHeader): string {
  const { base_url, mode, family, action, input, templates, base = '' } = header;
  const equal = [serviceName(base_url), mode, family, action, input.sha256, templates, base];
  const name = createHash('sha256').update(JSON.stringify(equal)).digest('hex').slice(0, 24);
  return join(context.dataDir, 'runs', `${name}.begun`);
}

/**
 * A run that was ended in the middle, by `kill -9` too, is gone on with by its own journal: begun anew, it would do again
 * what is done, since a write that is done may be repeated.
 * @throws CopsError stopped (12)
 */
export async function refuseUnfinished(context: Context, header: JournalHeader): Promise<void> {
  const journal = await journalIn(markOf(context, header));
  if (journal === undefined || !existsSync(journal)) return;
  const hint = say`Nothing was sent. To send all rows all the same, those that are done too, add --again.\nGo on with it: ${cops`bulk resume ${journal}`}`;
  try {
    const { state } = await scanJournal(journalFile(journal));
    if (!isInTheMiddle(state)) return;
    const done = state.count('done', 'resolved_done');
    throw stopped(
      `the same run was begun at ${state.header.created} and has not come to its end: ${done} of ${state.header.rows} rows are done`,
      hint,
      { journal },
    );
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind === 'stopped') throw error;
    throw stopped(`the same run was begun before, and its journal cannot be read: ${error.message}`, hint, { journal });
  }
}

/** Some rows were done, or may have been, and others were not. */
function isInTheMiddle(state: JournalState): boolean {
  const left = state.count(...RESUMABLE, 'open');
  return left > 0 && state.count('done', 'resolved_done', 'open', 'unknown') > 0;
}

/** Notes which journal a run has, before its first row leaves. */
export async function noteBegun(context: Context, header: JournalHeader, journal: string): Promise<void> {
  await replaceFile(markOf(context, header), JSON.stringify({ journal }));
}

/** Forgets a run that has come to its end. */
export async function forgetEnded(context: Context, state: JournalState): Promise<void> {
  if (state.count(...RESUMABLE, 'open') === 0) await rm(markOf(context, state.header), { force: true });
}

/** Journals of runs that were begun and have not come to their end, wherever they lie. */
export async function begunJournals(context: Context): Promise<string[]> {
  const folder = join(context.dataDir, 'runs');
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith('.begun')).map((name) => journalIn(join(folder, name))),
  );
  return found.filter((journal) => journal !== undefined && existsSync(journal)) as string[];
}

async function journalIn(mark: string): Promise<string | undefined> {
  try {
    const { value } = parseJson(await readFile(mark, 'utf8'));
    const journal = isObject(value) ? ownMember(value, 'journal') : undefined;
    return typeof journal === 'string' ? journal : undefined;
  } catch {
    // There is none, or it cannot be read: then only the guard of each row looks for what is open.
    return undefined;
  }
}
