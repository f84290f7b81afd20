import type { History } from '../account/history/types.js';
import type { JournalPlace } from '../account/journal/types.js';
import { accountRecords } from '../account/records.js';
import type { Context } from '../session/context/context.js';

/**
 * Ends in the history what the journal knows the end of: a process that is killed may have written the one and not the
 * other, and an entry without an end stops every later write that is like it.
 */
export async function endInHistory(context: Context, file: JournalPlace, run: string): Promise<void> {
  const history = await accountRecords(context).history();
  try {
    const open = await openOf(history, run);
    if (open.size === 0) return;
    for (const [id, as] of await endsOf(file, open)) {
      // An entry that was settled meanwhile needs nothing.
      await history.settle(id, as, 'the journal knows its end').catch(() => undefined);
    }
  } finally {
    await history.close();
  }
}

/** The entries of a run that have no end, and no process that could still write it. */
async function openOf(history: History, run: string): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for await (const { id, journal } of history.list({ unknownOnly: true })) if (journal === run) open.add(id);
  return open;
}

/** What a journal says of the ends of some entries; a row that was tried again has one for each time. */
async function endsOf(file: JournalPlace, open: ReadonlySet<string>): Promise<Iterable<[string, 'done' | 'not-done']>> {
  const known = new Map<string, 'done' | 'not-done'>();
  const entryOf = new Map<number, string>();
  await file.scan((line) => {
    if (line.type === 'intent') {
      if (line.history !== undefined && open.has(line.history)) entryOf.set(line.row, line.history);
      else entryOf.delete(line.row);
    } else if (line.type === 'result' || line.type === 'resolved') {
      const id = entryOf.get(line.row);
      const outcome = line.type === 'result' ? line.outcome : line.as;
      if (id !== undefined && outcome !== 'unknown') known.set(id, outcome === 'done' ? 'done' : 'not-done');
    }
  });
  return known;
}
