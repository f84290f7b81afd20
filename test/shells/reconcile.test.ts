/** @module-tag tool */
/** `cops reconcile` on a real terminal: the columns it finds are asked for once, and kept under a name. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { home } from '../cli/helpers.js';
import { closeAfterTest } from '../harness/closing.js';
import { at, mirrorOf } from '../unit/report/mirror.js';
import { Screen } from './look-screen.js';
import { describeWith } from './tools.js';

describeWith('tmux', 'the columns of a file to reconcile', () => {
  it('are asked for once, and not again where they are kept', async () => {
    const place = home({ TZ: 'UTC' });
    const charge = {
      id: 'Charge00000000000001',
      created_date_unix: at('2026-10-05'),
      amount: 12.5,
      result: 'approved',
    };
    const transactions = [{ ...charge, amount_captured: 12.5, method: 'sale_create', gateway_transaction_id: '77' }];
    const { file: mirror } = await mirrorOf({ transactions }, [], at('2026-12-01'));
    const file = path.join(place.folder, 'bank.csv');
    writeFileSync(file, 'transaction id;date;amount;currency\n77;2026-10-05;12,50;USD\n');
    const words = ['reconcile', file, '--month', '2026-10', '--mirror', mirror, '--columns-as', 'bank', '--all'];
    const screen = closeAfterTest(new Screen(place, words, { columns: 160, more: [words] }));
    await screen.asks('Is that right?');
    screen.type('-l', 'y');
    screen.type('Enter');
    const lines = (await screen.shows('END:0')).join('\n');
    expect(lines).toContain('amount is "amount"');
    await expect
      .poll(() => screen.lines().filter((line) => line.startsWith('END:')).length, { timeout: 20_000 })
      .toBe(2);
    const all = screen.lines().join('\n');
    expect(all.split('Is that right?')).toHaveLength(2);
    expect(all.match(/matched/g)?.length).toBeGreaterThanOrEqual(2);
  });
});
