import { type JournalFile, scanJournal } from '../../bulk/journal.js';
import type { Context } from '../../command/context.js';
import { local } from '../../errors/errors.js';
import { openHistory } from '../../log/history.js';

/**
 * What the history knows of this run and its journal does not: an older copy of the journal, or a damaged one, would
 * send those steps again under new keys.
 * @throws CopsError local (11)
 */
export async function refuseOlder(context: Context, file: JournalFile, id: string): Promise<void> {
  const known = new Set<string>();
  await scanJournal(file, (line) => {
    if (line.type === 'intent' && line.history !== undefined) known.add(line.history);
  });
  const history = openHistory(context.configDir, { now: () => context.world.now() });
  const lost: string[] = [];
  for await (const intent of history.intentsOf(id)) if (!known.has(intent.id)) lost.push(intent.id);
  if (lost.length === 0) return;
  throw local(
    `the history knows ${lost.length} writes of this set-up that ${file.path} does not: it is an older copy, or damaged`,
    `Nothing was sent. Look at them (cops history show ${lost[0]}), move the journal away, and make a new plan: it compares with what is there.`,
  );
}
