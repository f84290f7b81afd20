/** @module-tag sweep */
import { describe, expect, it } from 'vitest';
import { familiesOf } from '../../../src/data/mirror/views.js';
import { viewsOf } from '../../../src/data/report/explain-report.js';
import { REPORTS } from '../../../src/data/report/reports.js';
import type { Report } from '../../../src/data/report/types.js';
import { forgetFirstDay, pair } from '../../cli/helpers.js';
import { listHandler, notFound, type Recorded, tooMany } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { type RawBusiness, rawBusiness } from './raw-business.js';

/* A report that reads the windows of its period, and what they name, shows what it shows over whole lists. */

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland'];
const SEEDS = process.env.COPS_LONG === '1' ? [1, 2, 3, 4, 5] : [1];
const MONTHS = ['2026-09', '2026-10'];
/** Whose facts reach no further than what they name. */
const BOUNDED = [
  'revenue',
  'fees',
  'customers',
  'refunds',
  'chargebacks',
  'tax',
  'failures',
  'recovery',
  'trials',
  'discounts',
];

interface Answer {
  readonly rows: unknown;
  readonly totals?: unknown;
}

async function start(lists: RawBusiness) {
  let count = 0;
  const answer = (request: Recorded) => {
    // The service asks for patience now and then, in the middle of lists as well.
    if (++count % 23 === 0) return tooMany(1);
    const [family = '', id] = request.path.replace(/\?.*/, '').slice(1).split('/');
    const items = [...(lists[family] ?? [])];
    const found = items.find((item) => item.id === id);
    if (id !== undefined) return found ? { status: 200, body: JSON.stringify({ code: 1, ...found }) } : notFound();
    return listHandler({ items, dated: request.query.has('date_start') })(request);
  };
  const { service, home } = await pair(answer);
  forgetFirstDay(home);
  const run = async (words: readonly string[]) => {
    service.requests.length = 0;
    const ran = await home.run([...words, '--no-input'], { clock: new QuickClock(NOW), timeoutMs: 60_000 });
    const paths = service.requests.map(({ path }) => path.replace(/\?.*/, ''));
    return { ...ran, requests: paths.length, single: paths.filter((at) => at.split('/').length > 2).length };
  };
  return { run };
}

describe.each(SEEDS)('a business of chance %i', (seed) => {
  it.each(BOUNDED)('shows %s of a month from its windows as from whole lists', { timeout: 120_000 }, async (name) => {
    const lists = rawBusiness(seed, 120);
    const [whole, part] = [await start(lists), await start(lists)];
    const report = REPORTS.find((one) => one.name === name) as Report;
    const families = familiesOf(viewsOf(report)).map((family) => family.replaceAll('_', '-'));
    const synced = await whole.run(['sync', ...families]);
    expect(synced.code, synced.stderr).toBe(0);
    const words = Object.keys(report.groups);
    let asked = 0;
    for (const [i, word] of ['month', ...words].entries()) {
      const line = [
        'report',
        name,
        '--month',
        MONTHS[i % 2] ?? '',
        '--by',
        word,
        '--tz',
        ZONES[i % 3] ?? '',
        '-o',
        'json',
      ];
      const [expected, found] = [await whole.run([...line, '--no-sync']), await part.run([...line, '--sync'])];
      expect([found.code, expected.code], `${found.stderr}\n${expected.stderr}`).toEqual([0, 0]);
      const [one, other] = [expected, found].map(({ stdout }) => JSON.parse(stdout) as Answer);
      expect({ rows: other?.rows, totals: other?.totals }, line.join(' ')).toEqual({
        rows: one?.rows,
        totals: one?.totals,
      });
      asked += found.requests;
      const again = await part.run(line);
      expect([again.code, again.requests], again.stderr).toEqual([0, 0]);
      expect(again.stdout, line.join(' ')).toBe(found.stdout);
    }
    expect(asked).toBeGreaterThan(0);
    // The rest comes later, and what was read for its name is no second row.
    const rest = await part.run(['sync', ...families]);
    expect(rest.code, rest.stderr).toBe(0);
    for (const family of families) {
      const all = async ({ run }: typeof part): Promise<unknown> =>
        JSON.parse(
          (
            await run([
              'sql',
              `select id, _window >= -1 as w from raw_${family.replaceAll('-', '_')} order by 1`,
              '-o',
              'json',
              '--no-sync',
            ])
          ).stdout,
        );
      expect(await all(part), family).toEqual(await all(whole));
    }
  });
});
