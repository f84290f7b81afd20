/** Progress where nobody watches: whole lines on a pipe, and nothing with -q (command-line.md#global-options, command-line.md#bulk). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { declined, id, ok, slow } from '../../fixtures/service/service.js';
import { pair } from '../helpers.js';

const IDS = Array.from({ length: 12 }, (_, n) => id(`SUB${n + 100}`));

describe('the progress of a bulk run on a pipe', { tags: ['thorough'] }, () => {
  it('is a line with rows, speed, time left and failures on standard error only; nothing with -q', async () => {
    const { home } = await pair((request) => {
      if (request.method === 'GET') return ok({ id: IDS[0], live_mode: false });
      // As slow as makes a run of over a second of it.
      return slow(request.path.includes(IDS[0] ?? '') ? declined(2) : ok({ result: 'success' }), 150);
    });
    const ids = path.join(home.folder, 'ids.txt');
    writeFileSync(ids, IDS.join('\n'));
    const run = (...more: string[]) =>
      home.run(['bulk', 'subscriptions', 'suspend', '--ids', ids, '--concurrency', '1', ...more]);
    const told = await run();
    expect(told.code).toBe(10);
    const lines = told.stderr.split('\n').filter((line) => line.includes(' rows · '));
    expect(lines).toEqual([expect.stringMatching(/^\d+ % · \d+ of 12 rows · [\d.]+\/s · \d+ s left · 1 failed$/)]);
    expect(told.stderr).not.toContain('\u001b');
    expect(JSON.parse(told.stdout)).toMatchObject({ rows: 12, done: 11, payment_failed: 1 });
    const quiet = await run('-q');
    expect(quiet.code).toBe(10);
    expect(quiet.stderr).not.toMatch(/rows ·|Journal:/);
    // What failed is no progress: it is told all the same.
    expect(quiet.stderr).toContain('payment_failed');
  });
});
