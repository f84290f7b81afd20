import { createHash } from 'node:crypto';
import { accountRecords } from '../account/account-records.js';
import type { JournalHeader } from '../account/journal/journal-lines.js';
import { type JournalState, RESUMABLE, type Stand } from '../account/journal/state.js';
import { CopsError, stopped } from '../base/errors/errors.js';
import { cops, say } from '../base/text/command-line.js';
import { serviceName } from '../service/http/base-url.js';
import type { Context } from '../session/context/context.js';
import type { RowMarks } from './hashes.js';

/** What equal runs share: the same rows, templates and body for the same service and mode. */
function digestOf(header: JournalHeader): string {
  const { base_url, mode, family, action, input, templates, base = '' } = header;
  const equal = [serviceName(base_url), mode, family, action, input.sha256, templates, base];
  return createHash('sha256').update(JSON.stringify(equal)).digest('hex').slice(0, 24);
}

/**
 * An interrupted run, even after `kill -9`, continues from its own journal: started again, it would repeat finished
 * writes, since a finished write may be repeated.
 * @throws CopsError stopped (12)
 */
export async function refuseUnfinished(context: Context, header: JournalHeader, marks: RowMarks): Promise<void> {
  const runs = await accountRecords(context).runs();
  for (const journal of await runs.unfinished(marks.heads())) await refuseDone(context, header, marks, journal);
  const journal = await runs.begun(digestOf(header));
  // A team refuses the same rows, done or not, when the run is recorded: two may begin at once.
  if (journal === undefined || runs.isShared) return;
  const hint = say`Nothing was sent. To send all rows anyway, including those already done, add --again.\nContinue with: ${cops`bulk resume ${journal}`}`;
  try {
    const { state } = await (await accountRecords(context).journal(journal)).scan();
    if (!isInTheMiddle(state)) return;
    const done = state.count('done', 'resolved_done');
    throw stopped(
      `the same run was started at ${state.header.created} and has not finished: ${done} of ${state.header.rows} rows are done`,
      hint,
      { journal },
    );
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind === 'stopped') throw error;
    throw stopped(`the same run was started before, and its journal cannot be read: ${error.message}`, hint, {
      journal,
    });
  }
}

/** Keeps a run from repeating rows of another, unfinished one whose input was edited or given in another form. */
async function refuseDone(context: Context, header: JournalHeader, marks: RowMarks, journal: string): Promise<void> {
  const runs = await accountRecords(context).runs();
  const same = new Set<number>();
  const scanned = await (await accountRecords(context).journal(journal))
    .scan((line) => {
      if (line.type === 'intent' && marks.find(line.tag) !== undefined) same.add(line.row);
    })
    .catch((error: unknown) => {
      if (!(error instanceof CopsError)) throw error;
      return undefined;
    });
  if (scanned === undefined) {
    if ((await runs.begun(digestOf(header))) !== journal)
      context.notes.warn(`Whether ${journal}, of a run that has not ended, did some of these rows cannot be read.`);
    return;
  }
  const { state } = scanned;
  const { profile, credential, mode, created, rows, input } = state.header;
  const isOurs =
    mode === header.mode && (runs.isShared || profile === header.profile || credential === header.credential);
  const done = [...same].filter((row) => DONE.includes(state.stand(row))).length;
  if (!isOurs || done === 0 || !isInTheMiddle(state)) return;
  const isEqual = input.sha256 === header.input.sha256 && rows === header.rows;
  throw stopped(
    isEqual
      ? `the same run was started at ${created} and has not finished: ${done} of ${rows} rows are done`
      : `${done} of these rows are done in a run that was started at ${created} and has not finished`,
    say`Nothing was sent. To leave out the rows that are done, take those of this report out: ${cops`bulk report ${journal}`}. To send all rows anyway, including those already done, add --again.\nContinue with: ${cops`bulk resume ${journal}`}`,
    { journal },
  );
}

const DONE: readonly Stand[] = ['done', 'resolved_done', 'held'];

/** Some rows were done, or may have been, and others were not. */
function isInTheMiddle(state: JournalState): boolean {
  const left = state.count(...RESUMABLE, 'open');
  return left > 0 && state.count('done', 'resolved_done', 'open', 'unknown') > 0;
}

/** Records which journal a run has, before its first row leaves. */
export async function noteBegun(
  context: Context,
  header: JournalHeader,
  journal: string,
  again: boolean,
): Promise<void> {
  await (await accountRecords(context).runs()).note(digestOf(header), journal, again);
}

/** Forgets a run that has ended. */
export async function forgetEnded(context: Context, state: JournalState): Promise<void> {
  if (state.count(...RESUMABLE, 'open') > 0) return;
  await (await accountRecords(context).runs()).forget(digestOf(state.header));
}
