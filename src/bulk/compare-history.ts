import type { KnownIntent } from '../account/history/types.js';
import type { JournalState } from '../account/journal/state.js';
import { withIntent } from '../account/journal/state.js';
import { local } from '../base/errors/errors.js';
import { cops, say } from '../base/text/command-line.js';
import type { RowMarks } from './hashes.js';

/** What the history knows about a run's rows, independently of its journal. */
export type Comparison = Awaited<ReturnType<typeof compareWithHistory>>;

/**
 * Holds the journal of a run against the history. The intent of every row is in both before its request leaves, so that
 * an older copy of a journal, a cut or zeroed end or a history that is gone shows in the rows that it concerns.
 * @param intents the history's intents of this run, oldest first; read twice at most
 * @param endedOf returns the outcome of each history entry that has one
 * @throws CopsError local (11) if the history has writes of this run that match none of its rows
 */
export async function compareWithHistory(
  state: JournalState,
  marks: RowMarks,
  intents: () => AsyncIterable<KnownIntent>,
  endedOf: (ids: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>,
) {
  const known = new Uint32Array(marks.count + 1);
  let strange = 0;
  for await (const { id, like } of intents()) {
    const row = marks.find(like);
    if (row === undefined) strange++;
    else known[row] = withIntent(known[row] ?? 0, id);
  }
  if (strange > 0) {
    throw local(
      `the history has ${strange} writes of this run that match none of its rows`,
      say`Nothing was sent. To see them: ${cops`history list`}; then start a new run with the remaining rows (${cops`bulk report`}).`,
    );
  }
  const differing = new Set<number>();
  for (let row = 1; row < known.length; row++) if (known[row] !== state.begun(row)) differing.add(row);
  const unsent = new Set<number>();
  for (const [row, outcome] of await endedElsewhere(state, endedOf)) {
    if (outcome !== 'not_sent') differing.add(row);
    else if (!differing.has(row)) unsent.add(row);
  }
  const last = new Map<number, KnownIntent>();
  if (differing.size > 0) {
    for await (const intent of intents()) {
      const row = marks.find(intent.like);
      if (row !== undefined && differing.has(row)) last.set(row, intent);
    }
  }
  return {
    /** True if journal and history do not know the same intents of a row: one of them was restored, cut or damaged. */
    differs: (row: number) => differing.has(row),
    /** The last intent of such a row in the history, if there is one. */
    last: (row: number) => last.get(row),
    /** True if the journal has no end for a row, but the history knows it was never sent: the run was killed in between. */
    isUnsent: (row: number) => unsent.has(row),
  };
}

/** Rows without an end in the journal but with one in the history: the journal had it first and lost it. */
async function endedElsewhere(
  state: JournalState,
  endedOf: (ids: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly (readonly [row: number, outcome: string])[]> {
  const open = [...state.pending].filter(([row]) => state.stand(row) === 'open');
  const ids = new Set(open.flatMap(([, { history }]) => (history === undefined ? [] : [history])));
  const ended = await endedOf(ids);
  return open.flatMap(([row, { history = '' }]) => {
    const outcome = ended.get(history);
    return outcome === undefined ? [] : [[row, outcome] as const];
  });
}
