import { type JournalFile, scanJournal } from '../../bulk/journal.js';
import type { JournalLine } from '../../bulk/types.js';
import type { Context } from '../../command/context.js';
import type { History } from '../../log/history.js';
import { historyOf } from './binding.js';

/**
 * Ends in the history what the journal knows the end of: a process that is killed may have written the one and not the
 * other, and an entry without an end stops every later write that is like it.
 */
export async function endInHistory(context: Context, file: JournalFile, run: string): Promise<void> {
  const history = historyOf(context);
  try {
    const open = await openOf(history, run);
    if (open.size === 0) return;
    const ends = new Ends(open);
    await scanJournal(file, (line) => ends.take(line));
    for (const [id, as] of ends.known) {
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

/** What a journal's lines say of some entries; a row that was tried again has one for each time. */
class Ends {
  readonly known = new Map<string, 'done' | 'not-done'>();
  readonly #entryOf = new Map<number, string>();

  constructor(private readonly open: ReadonlySet<string>) {}

  take(line: JournalLine): void {
    if (line.type === 'intent') {
      if (line.history !== undefined && this.open.has(line.history)) this.#entryOf.set(line.row, line.history);
      else this.#entryOf.delete(line.row);
      return;
    }
    if (line.type !== 'result' && line.type !== 'resolved') return;
    const id = this.#entryOf.get(line.row);
    const outcome = line.type === 'result' ? line.outcome : line.as;
    if (id !== undefined && outcome !== 'unknown') this.known.set(id, outcome === 'done' ? 'done' : 'not-done');
  }
}
