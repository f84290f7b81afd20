import { expect, it } from 'vitest';
import { partialPeriods, partsSaid, periodName } from '../../../src/base/time/periods.js';
import { zoneOf } from '../../../src/base/time/zones.js';

const UTC = zoneOf('UTC');
const BERLIN = zoneOf('Europe/Berlin');
const at = (text: string): number => Date.parse(text) / 1000;
const NOW = at('2026-11-22T14:00:00Z');
const span = (from: string, to: string) => ({ begins: at(from), ends: at(to) });

it('names the first and the last month of a rolling span, and what is not over', () => {
  const partial = partialPeriods({ begins: at('2026-08-24T14:00:00Z'), ends: NOW + 1 }, 'month', UTC, NOW);
  expect(partial).toEqual([
    { bucket: '2026-08', from: '2026-08-24T14:00:00Z', to: null, so_far: false },
    { bucket: '2026-11', from: null, to: '2026-11-22T14:00:00Z', so_far: true },
  ]);
  expect(partsSaid(partial)).toBe(
    'Only a part: 2026-08 from 2026-08-24T14:00:00Z on; 2026-11 so far (to 2026-11-22T14:00:00Z).',
  );
});

it('names nothing where the span begins and ends on the border', () => {
  expect(partialPeriods(span('2026-08-01T00:00Z', '2026-11-01T00:00Z'), 'month', UTC, NOW)).toEqual([]);
  expect(partialPeriods(span('2026-07-31T22:00Z', '2026-10-31T23:00Z'), 'month', BERLIN, NOW)).toEqual([]);
  expect(partialPeriods(span('2026-08-03T00:00Z', '2026-08-17T00:00Z'), 'week', UTC, NOW)).toEqual([]);
  expect(partialPeriods(span('2026-07-01T00:00Z', '2026-10-01T00:00Z'), 'quarter', UTC, NOW)).toEqual([]);
  expect(partsSaid([])).toBeUndefined();
});

it('goes by the days of the zone', () => {
  const partial = partialPeriods(span('2026-08-01T00:00Z', '2026-10-31T23:00Z'), 'month', BERLIN, NOW);
  expect(partial).toEqual([{ bucket: '2026-08', from: '2026-08-01T00:00:00Z', to: null, so_far: false }]);
});

it('tells a month that the span ends in from one that is not over', () => {
  const cut = partialPeriods(span('2026-10-01T00:00Z', '2026-11-11T00:00Z'), 'month', UTC, NOW);
  expect(partsSaid(cut)).toBe('Only a part: 2026-11 up to 2026-11-10.');
  const named = partialPeriods(span('2026-11-01T00:00Z', '2026-12-01T00:00Z'), 'month', UTC, NOW);
  expect(partsSaid(named)).toBe('Only a part: 2026-11 so far (to 2026-11-22T14:00:00Z).');
});

it('says both ends of one that is cut on both sides', () => {
  const partial = partialPeriods({ begins: at('2026-11-10T00:00Z'), ends: NOW + 1 }, 'quarter', UTC, NOW);
  expect(partsSaid(partial)).toBe('Only a part: 2026-Q4 from 2026-11-10 so far (to 2026-11-22T14:00:00Z).');
});

it('takes a range from the epoch on as everything', () => {
  const [first, ...others] = partialPeriods({ begins: 0, ends: NOW + 1 }, 'year', UTC, NOW);
  expect([first?.bucket, others]).toEqual(['2026', []]);
});

it.each([
  ['2026-01-01', '2026-W01'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2026-11-22', '2026-W47'],
])('calls the week of %s as ISO 8601 does: %s', (day, week) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  expect(periodName('week', { year, month, day: date, hour: 0, minute: 0, second: 0 })).toBe(week);
});
