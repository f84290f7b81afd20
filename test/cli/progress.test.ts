/** Progress: a bar on a terminal, whole lines on a pipe, and nothing with -q (command-line.md#global-options, command-line.md#bulk). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declined, id, ok, slow } from '../fixtures/service/service.js';
import { HastyClock } from '../harness/clock.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { pair } from './helpers.js';
import { Home } from './program.js';

const IDS = Array.from({ length: 12 }, (_, n) => id(`SUB${n + 100}`));

describe('the progress of a bulk run on a pipe', { tags: ['thorough'] }, () => {
  it('is a line with rows, speed, time left and failures on standard error only; nothing with -q', async () => {
    const { home } = await pair((request) => {
      if (request.method === 'GET') return ok({ id: IDS[0], live_mode: false });
      // As slow as makes a run of over two seconds of it.
      return slow(request.path.includes(IDS[0] ?? '') ? declined(2) : ok({ result: 'success' }), 250);
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

/** Each command that may take more than two seconds, and what it counts. */
const LONG: Readonly<Record<string, readonly [counted: RegExp, ...words: string[]]>> = {
  export: [/\d+ of \d+ windows|\d+\/\d+ windows/, 'export', 'sales', '--out', 'OUT/NAME.csv'],
  sync: [/list \d+ of \d+/, 'sync', 'OUT/NAME.sqlite'],
  'a report that syncs first': [/list \d+ of \d+/, 'report', 'revenue', '--sync', '--month', '2026-10'],
  overview: [/list \d+ of \d+/, 'overview', '--last', '90d'],
  bulk: [/\d+ of \d+ rows/, 'bulk', 'customers', 'enable', '--ids', 'OUT/ids.txt', '--journal', 'OUT/NAME.journal'],
  'setup pull': [/\d+ of \d+ objects/, 'setup', 'pull', 'OUT/NAME'],
  'setup plan': [/\d+ of \d+ objects/, 'setup', 'plan', 'OUT/shop'],
  'setup apply': [/\d+ of \d+ (?:steps|objects)/, 'setup', 'apply', 'OUT/shop', '--live', '--yes'],
  reset: [/[\d,]+ of [\d,]+ renewals/, 'sandbox', 'reset', '--size', '1500', '--yes'],
  'sandbox clock': [/\d+ of \d+ hours/, 'sandbox', 'clock', 'advance', '10d'],
  scenarios: [
    /\d+ of \d+ scenarios/,
    'test',
    ...['chargeback', 'function-at-sale', 'partial-refund'].map((first) => `OUT/scenarios/${first}.test.yaml`),
    ...['--jobs', '1'],
  ],
};

describe.each(Object.entries(LONG))('the progress of %s', { tags: ['thorough'] }, (name, [counted, ...words]) => {
  const home = new Home({ COPS_PROFILE: 'sandbox', NO_COLOR: '1' });
  const at = (form: string, word: string) =>
    word.replace('OUT', home.folder).replace('NAME', `${name.replace(/\W/g, '-')}-${form}`);
  const seen = async (form: string, how: object, ...more: string[]) => {
    const pieces: string[] = [];
    const end = { reader: (piece: string) => void pieces.push(piece) };
    const line = [...words.map((word) => at(form, word)), ...more];
    const ran = await home.run(line, { clock: new HastyClock(), stderr: end, ...how });
    return { code: ran.code, text: pieces.join('') };
  };
  beforeAll(async () => {
    await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.UTC(2026, 10, 20, 12, 0, 0), FEW);
    const ids = await home.run(['customers', 'list', '--all', '-o', 'ids', '-q']);
    writeFileSync(path.join(home.folder, 'ids.txt'), ids.stdout);
    if (words.includes('OUT/shop')) await home.run(['setup', 'pull', path.join(home.folder, 'shop'), '-q']);
    if (words[0] === 'test') await home.run(['test', '--init', path.join(home.folder, 'scenarios')]);
  }, 120_000);
  afterAll(() => home.remove());

  it('is a bar with share, count, speed and time left on a terminal', async () => {
    const { text } = await seen('terminal', { terminal: 80 });
    const lines = text.split('\r\u001b[2K').map((line) => line.split('\n')[0] ?? '');
    const bars = lines.filter((line) => /^[█░]{16} +\d+ % · /.test(line));
    expect(bars.length, text).toBeGreaterThan(0);
    expect(bars.join('\n')).toMatch(counted);
    expect(bars.join('\n')).toMatch(/\d\/s/);
    expect(bars.join('\n')).toMatch(/\d (?:s|min|h)(?: \d+ (?:s|min))? left/);
    // The answer is no longer behind it.
    expect(text.split('\r\u001b[2K').at(-1)).not.toMatch(/^[█░]/);
  });

  it('is a line a minute on a pipe, and nothing with -q', async () => {
    const { text } = await seen('pipe', {});
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').filter((line) => /^ *\d+ % · .*\d\/s/.test(line)).length, text).toBeGreaterThan(0);
    const quiet = await seen('quiet', {}, '-q');
    expect(quiet.text).not.toMatch(/^ *\d+ % · /m);
  });
});
