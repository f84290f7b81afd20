import { group } from '../../items/text/width.js';
import type { Spent } from './export-journal.js';
import type { Progress } from './progress.js';
import { ExportReader } from './reader.js';
import { type RunParts, running } from './running.js';
import type { ExportDeps } from './types.js';
import { Writer } from './writer.js';

/** How often progress is shown while nothing arrives, milliseconds. */
const TICK_MS = 1000;

/** Reads the remaining windows and writes them in order, until all are written or something stops it. */
export async function readAndWrite(parts: RunParts): Promise<Spent> {
  const run = running(parts);
  const { deps, stop, progress, wakeUp } = run;
  const end = (reason: unknown) => {
    stop.abort(reason);
    wakeUp.wake();
  };
  const outer = () => end(deps.signal?.reason);
  deps.signal?.addEventListener('abort', outer, { once: true });
  if (deps.signal?.aborted) outer();
  const reader = new ExportReader(run);
  const writer = new Writer(run, reader);
  // A slow service must not stop the progress line.
  const ticking = setInterval(() => progress.show(), TICK_MS);
  try {
    const results = await Promise.allSettled([
      reader.run(),
      writer.run().catch((error) => {
        end(error);
        throw error;
      }),
    ]);
    const failed = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    if (failed.length > 0) throw deps.signal?.aborted ? deps.signal.reason : (stop.signal.reason ?? failed[0]);
  } finally {
    clearInterval(ticking);
    deps.signal?.removeEventListener('abort', outer);
    await writer.close();
    for (const window of run.windows) await window.part?.close();
    deps.notes.progressDone();
  }
  sayRead(deps.notes, progress);
  return run.spent();
}

function sayRead(notes: ExportDeps['notes'], progress: Progress): void {
  const seconds = Math.max(0.001, progress.seconds());
  notes.note(
    `${group(progress.items)} items read with ${group(progress.requests)} requests in ${seconds.toFixed(1)} s ` +
      `(${group(Math.round(progress.items / seconds))} items/s${progress.refused ? `, ${progress.refused} × 429` : ''}).`,
  );
}
