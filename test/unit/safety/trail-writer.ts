// Begins the same rows as its siblings, in an order of its own, and prints those that it was let do.
import { writeSync } from 'node:fs';
import { openHistory } from '../../../src/account/history/history.js';

async function main(): Promise<void> {
  const [, , folder = '', name = '', since = '', rows = '0'] = process.argv;
  const history = openHistory(folder);
  const origin = { profile: 'p', baseUrl: 'b', mode: 'test', operation: 'o', fingerprint: 'f' } as const;
  const trail = history.trail(origin, { journal: name, since });
  const count = Number(rows);
  const one = async (row: number): Promise<void> => {
    try {
      const { pending, doneElsewhere } = await trail.plan({ ids: [String(row)], tag: `t${row}` }).begin();
      if (doneElsewhere) return;
      writeSync(1, `${row}\n`);
      await pending.finish({ outcome: 'done' });
    } catch (error) {
      if (!/the same write/.test(String(error))) throw error;
    }
  };
  // Several rows are under way at once, as in a run.
  for (let row = 0; row < count; row += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => one((row + index) % count)));
  }
  await history.close();
}

void main();
