/** @module-tag thorough */
import { expect, it } from 'vitest';
import { ok, type Recorded, wrote } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { A, errorOf, json, home as makeHome, pair } from '../helpers.js';

const NEXT = Date.UTC(2026, 0, 31, 10) / 1000;
const clock = () => new QuickClock(Date.UTC(2026, 0, 15));
const serve =
  (more: object = {}) =>
  (request: Recorded) =>
    request.method === 'POST'
      ? wrote('subscription', A)
      : ok({ id: A, status: 'active', live_mode: false, billing: { next_renewal_date_unix: NEXT }, ...more });
const bodies = (requests: readonly Recorded[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ json }) => json);

it('moves the next renewal by the calendar, from the stored date', async () => {
  const { service, home } = await pair(serve());
  const ran = await home.run(['subscriptions', 'postpone', A, '--by', '1mo', '--tz', 'UTC'], { clock: clock() });
  expect(ran.code).toBe(0);
  expect(bodies(service.requests)).toEqual([expect.objectContaining({ next_renewal_date: '2026-02-28T10:00:00Z' })]);
  expect(ran.stderr).toContain('Undo: cops subscriptions edit');
});

it('keeps the hour of the wall over a change of the clocks', async () => {
  const { service, home } = await pair(serve());
  await home.run(['subscriptions', 'postpone', A, '--by', '3mo', '--tz', 'Europe/Berlin'], { clock: clock() });
  expect(bodies(service.requests)).toEqual([expect.objectContaining({ next_renewal_date: '2026-04-30T09:00:00Z' })]);
});

it('is guarded as money in live mode', async () => {
  const { service, home } = await pair(serve({ live_mode: true }), 'live');
  const ran = await home.run(['subscriptions', 'postpone', A, '--by', '1mo', '-o', 'json'], { clock: clock() });
  expect(ran.code).toBe(12);
  expect(bodies(service.requests)).toEqual([]);
});

it('compares what was asked, not the date, before it repeats an unknown one', async () => {
  let next = NEXT;
  const { service, home } = await pair((request) => {
    if (request.method !== 'POST')
      return ok({ id: A, status: 'active', live_mode: false, billing: { next_renewal_date_unix: next } });
    next += 31 * 86_400;
    return 'drop';
  });
  const line = ['subscriptions', 'postpone', A, '--by', '1mo', '--max-retries', '0', '-o', 'json'];
  expect((await home.run(line, { clock: clock() })).code).toBe(9);
  const again = await home.run(line, { clock: clock() });
  expect(again.code).toBe(12);
  expect(errorOf(again).hint).toContain('--again');
  expect(bodies(service.requests)).toHaveLength(1);
});

it.each([
  ['a cancelled one', { status: 'cancelled' }, '1mo'],
  ['one without a next renewal', { billing: {} }, '1mo'],
  ['a span of hours', {}, '5h'],
])('refuses %s', async (_what, more, by) => {
  const { service, home } = await pair(serve(more));
  expect((await home.run(['subscriptions', 'postpone', A, '--by', by], { clock: clock() })).code).toBe(2);
  expect(bodies(service.requests)).toEqual([]);
});

it('postpones until a later day, never to an earlier one', async () => {
  const { service, home } = await pair(serve());
  const until = (day: string) =>
    home.run(['subscriptions', 'postpone', A, '--until', day, '--tz', 'UTC'], { clock: clock() });
  const early = await until('tomorrow');
  expect(early.code).toBe(2);
  expect(early.stderr).toMatch(/is already .*, and .* is no later: nothing was sent/);
  expect(bodies(service.requests)).toEqual([]);
  expect((await until('2031-02-21')).code).toBe(0);
  expect(bodies(service.requests)).toMatchObject([{ next_renewal_date: '2031-02-21T00:00:00Z' }]);
});

it('writes a note on the customer that a name means', async () => {
  const there = makeHome();
  const line = [
    '-p',
    'sandbox',
    'customers',
    'note',
    'katarzyna.rossi.23@example.com',
    '@home on Mondays',
    '-o',
    'json',
  ];
  const ran = await there.run(line);
  expect(ran).toMatchObject({ code: 0 });
  const [entry] = json<{ operation: string; named: object }[]>(await there.run(['history', 'list', '-o', 'json']));
  expect(entry).toMatchObject({
    operation: 'notes create',
    named: { 'katarzyna.rossi.23@example.com': expect.any(String) },
  });
});

it('takes a day without a year for the next one, and says so', async () => {
  const { service, home } = await pair(serve());
  const november = () => new QuickClock(Date.UTC(2026, 0, 31, 9));
  const ran = await home.run(['subscriptions', 'postpone', A, '--until', '15 january', '--tz', 'UTC'], {
    clock: november(),
  });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('2027-01-15');
  const paused = await home.run(['subscriptions', 'pause', A, '--until', 'march 3rd', '--tz', 'UTC'], {
    clock: november(),
  });
  expect(paused.code).toBe(0);
  const edited = await home.run(
    ['subscriptions', 'edit', A, '--next-renewal-date', '15 january', '--tz', 'UTC', '--yes'],
    { clock: november() },
  );
  expect(edited.code).toBe(0);
  expect(bodies(service.requests).map((body) => (body as Record<string, string>).next_renewal_date)).toEqual([
    '2027-01-15T00:00:00Z',
    '2026-03-03T00:00:00Z',
    '2027-01-15T00:00:00Z',
  ]);
});

it('takes a day without a year for the last one where a past is meant', async () => {
  const { service, home } = await pair(serve());
  const line = [
    'chargebacks',
    'create',
    '-d',
    `transaction_id=${A}`,
    '-d',
    'chargeback_date=15 december',
    '--tz',
    'UTC',
  ];
  await home.run([...line, '--no-validate', '--yes', '--no-input'], { clock: clock() });
  expect(bodies(service.requests)).toEqual([expect.objectContaining({ chargeback_date: '2025-12-15T00:00:00Z' })]);
});

it.each([
  ['--until', '2w'],
  ['--until', 'in 2 weeks'],
  ['--until', '+14d'],
  ['--until=in 2 weeks'],
  ['--till', '2 weeks'],
  ['--to', '14 days from now'],
  ['until', '2 weeks'],
  ['until in 2 weeks'],
])('ends a pause a span from today, not from its next renewal: %s %s', async (...words) => {
  const { service, home } = await pair(serve());
  // Two weeks after the 20th are the 3rd, two weeks after the renewal of the 31st the 14th.
  const now = new QuickClock(Date.UTC(2026, 0, 20, 12, 34, 56));
  const ran = await home.run(['subscriptions', 'pause', A, ...words, '--tz', 'UTC'], { clock: now });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/postpone \w+ --until .*2026-02-03/s);
  expect(bodies(service.requests)).toMatchObject([{ next_renewal_date: '2026-02-03T00:00:00Z' }]);
});

it.each([
  ['2w', 'UTC', '2026-03-24T00:00:00Z'],
  ['1mo', 'UTC', '2026-04-10T00:00:00Z'],
  ['1m', 'UTC', '2026-04-10T00:00:00Z'],
  ['next 3 weeks', 'Europe/Berlin', '2026-03-30T22:00:00Z'],
  ['+3w', 'America/New_York', '2026-03-31T04:00:00Z'],
])('postpones until %s from today in %s, by the clock on the wall', async (until, zone, date) => {
  const { service, home } = await pair(serve());
  const ran = await home.run(['subscriptions', 'postpone', A, '--until', until, '--tz', zone], {
    clock: new QuickClock(Date.UTC(2026, 2, 10, 12)),
  });
  expect(ran.code, ran.stderr).toBe(0);
  expect(bodies(service.requests)).toMatchObject([{ next_renewal_date: date }]);
});

it.each(['5h', 'in 30 min', 'in 90 seconds'])('takes no part of a day for --until: %s', async (until) => {
  const { service, home } = await pair(serve());
  expect((await home.run(['subscriptions', 'postpone', A, '--until', until], { clock: clock() })).code).toBe(2);
  expect(bodies(service.requests)).toEqual([]);
});
