import { existsSync } from 'node:fs';
import { isoTime } from '../../base/time/units.js';
import type { Context } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/spec.js';
import type { AgreedRows } from '../mirror/agreed-rows.js';
import { type KeepOptions, mirrorFor } from '../mirror/keep-mirror.js';
import { openToRead } from '../mirror/mirror.js';
import { ownerIfAny, teamInUse } from '../mirror/own-mirror.js';
import { familiesOf } from '../mirror/views.js';
import { CLOSE_VIEWS, idsOfClose } from './close.js';
import { type Chosen, viewsOf } from './explain-report.js';
import type { ReportQuestion } from './report-question.js';

/**
 * The mirror that a report reads; for a close its rows are read from the service before, unless a file is named, which a
 * sync alone writes.
 */
export async function openForReport(context: Context, report: Chosen, options: KeepOptions, question: ReportQuestion) {
  const kept = await mirrorFor(context, familiesOf(viewsOf(report)), options);
  const { file } = kept;
  const reads = report.kind === 'close' && options.mirror === undefined && existsSync(file) && options.sync !== false;
  const reading = reads ? await readClose(context, file, question) : undefined;
  const { database: opened, facts } = await openToRead(file, await ownerIfAny(context));
  const database = {
    ...opened,
    close() {
      opened.close();
      kept.discard();
    },
  };
  return { file, database, facts: { ...facts, asOf: reading?.from ?? kept.asOf ?? facts.asOf }, reading };
}

/** Reads what a close rests on until it agrees. */
async function readClose(context: Context, file: string, question: ReportQuestion): Promise<AgreedRows> {
  const { readUntilAgreed } = await import('../mirror/agreed-rows.js');
  const concurrency = DEFAULTS.exportConcurrency;
  await context.transport(concurrency);
  const reading = await readUntilAgreed(context, {
    file,
    team: await teamInUse(context),
    families: familiesOf(CLOSE_VIEWS),
    period: question.period,
    counted: (database) => idsOfClose(database, question),
    concurrency,
  });
  const { from, until, passes, requests, moved } = reading;
  const end = moved.length === 0 ? 'the last two agree' : 'no two agree';
  context.notes.note(
    `Read in ${passes} passes (${requests} requests), ${end}: rests on ${isoTime(from)} to ${isoTime(until)}.`,
  );
  return reading;
}
