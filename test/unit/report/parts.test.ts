import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import { zoneOf } from '../../../src/base/time/zones.js';
import { readMirrorFacts } from '../../../src/data/mirror/mirror.js';
import { FORECAST } from '../../../src/data/report/forecast.js';
import { partialRows } from '../../../src/data/report/partial-rows.js';
import { reportPage } from '../../../src/data/report/report-page.js';
import { reportSource } from '../../../src/data/report/report-source.js';
import { RETENTION } from '../../../src/data/report/retention.js';
import { mirrorOf } from './mirror.js';

const at = (text: string): number => Date.parse(text) / 1000;
const zone = zoneOf('Europe/Berlin');
const question = (begins: string, ends: string) => ({
  period: { begins: at(begins), ends: at(ends) },
  zone,
  by: [],
  currency: undefined,
  overdueDays: 30,
});
const QUARTER = question('2026-06-30T22:00:00Z', '2026-09-30T22:00:00Z');
const row = (cohort: string, month: number) => ({ cohort, month, currency: 'USD' });

it('marks cohorts that the quarter of another zone cuts, and names none that has no row', () => {
  const rows = [row('2026-07', 0), row('2026-07', 1), row('2026-09', 0)];
  const { partial, isPart } = partialRows(RETENTION, QUARTER, '2026-12-10T00:00:00Z', rows);
  expect(partial.map(({ bucket, to }) => [bucket, to])).toEqual([['2026-09', '2026-09-30T21:59:59Z']]);
  expect(rows.map((one) => isPart(one, 'cohort'))).toEqual([false, false, true]);
});

it('marks in each cohort the month that is not over', () => {
  const rows = [row('2026-07', 4), row('2026-07', 5), row('2026-08', 4)];
  const { partial, isPart } = partialRows(RETENTION, QUARTER, '2026-12-10T00:00:00Z', rows);
  expect(rows.map((one) => isPart(one, 'month'))).toEqual([false, true, true]);
  expect(partial).toEqual([{ bucket: '2026-12', from: null, to: '2026-12-10T00:00:00Z', so_far: true }]);
});

it('marks what is there only in part on the page too', () => {
  const rows = ['2026-09', '2026-10'].map((cohort, i) => ({
    ...{ cohort, currency: 'USD', month: 1 - i, size: 1, customers: 1, retained: 50, amount: 1n },
  }));
  const parts = partialRows(RETENTION, QUARTER, '2026-10-10T00:00:00Z', rows);
  const columns = [
    ...['cohort', 'currency'].map((name) => ({ name, unit: 'text' as const, about: '' })),
    ...RETENTION.columns,
  ];
  const page = reportPage(
    {
      report: RETENTION,
      question: QUARTER,
      figures: { statement: { sql: '', columns, keys: 2 }, rows, differences: [], proofs: 0, inexact: 0 },
      ground: { mirror: 'm', mode: 'test', asOf: '2026-10-10T00:00:00Z', incomplete: [], notes: [], parts },
    },
    undefined,
  );
  expect(page).toContain(
    '* Only a part: 2026-09 up to 2026-09-30T21:59:59Z; 2026-10 so far (to 2026-10-10T00:00:00Z).',
  );
  expect(page).toContain('<th scope="row">2026-09*</th>');
  expect(page.match(/>50\*<\/td>/g)).toHaveLength(2);
  expect(page).toContain('<td class="text">2026-09*</td>');
});

it('says that rows were read after the end of a mirror, or that the rest is missing', async () => {
  const [ends, later] = [at('2026-09-10T00:00:00Z'), at('2026-09-10T00:20:00Z')];
  const { file } = await mirrorOf({}, [], ends);
  const database = await openDatabase({ file, what: 'The mirror', journal: 'delete' });
  const facts = readMirrorFacts(database);
  if (facts === undefined) throw new Error('no mirror');
  const notes = () => reportSource(database, facts, ['payments'], QUARTER.period).stale?.join();
  expect(notes()).toContain('the figures lack the rest');
  database
    .prepare("INSERT INTO _windows (family, start, read_at, items) VALUES ('subscription_renewals', 0, ?, 1)")
    .run(later);
  expect(notes()).toContain('the figures have only some of the rest');
  expect(notes()).toContain('2026-09-10T00:20:00Z');
  database.close();
});

it('marks the weeks that a period ahead cuts at either end', () => {
  const december = { ...question('2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'), by: ['week'], zone: zoneOf('UTC') };
  const rows = ['2026-W49', '2026-W50', '2026-W53'].map((week) => ({ week, currency: 'USD' }));
  const { partial, isPart } = partialRows(FORECAST, december, '2026-11-26T00:00:00Z', rows);
  expect(rows.map((one) => isPart(one, 'week'))).toEqual([true, false, true]);
  expect(partial).toMatchObject([
    { bucket: '2026-W49', from: '2026-12-01' },
    { bucket: '2026-W53', to: '2026-12-31' },
  ]);
});
