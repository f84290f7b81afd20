// Begins writes one after another and prints each id once its intent is recorded, until it is killed.
import { writeSync } from 'node:fs';
import { openHistory } from '../../../src/account/history/history.js';

async function main(): Promise<void> {
  const [, , folder = '', name = ''] = process.argv;
  const history = openHistory(folder);
  const intent = { profile: 'p', baseUrl: 'b', mode: 'test', operation: 'o', fingerprint: 'f', tag: 't' } as const;
  for (let count = 0; ; count++) {
    // Long lines: a kill may leave a half of one.
    const pending = await history.begin({ ...intent, ids: [name, String(count), 'x'.repeat(9000)] }, { again: true });
    writeSync(1, `${pending.id}\n`);
  }
}

void main();
