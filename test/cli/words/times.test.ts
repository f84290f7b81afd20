/** @module-tag sweep */
/** Words for a time: spans that look ahead, months and minutes, months by name, periods written out, dates in rows and bodies. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, B, C, json, pair } from '../helpers.js';
import { Home } from '../program.js';
import { account, clock, id, subscription, T } from './due-subscriptions.js';
import { homesOf } from './seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const seeded = homesOf(SOME);
const shop = new Home();
afterAll(() => shop.remove());

it('lists what is due within a span, soonest first, and says which states it took', async () => {
  const { home } = await account();
  const ran = await home.run(['subscriptions', 'list', '--next', '7d', '--last', '30d', '-o', 'ids'], { clock });
  expect(ran.stdout.split('\n').filter(Boolean)).toEqual([id(3), id(0)]);
  expect(ran.stderr).toContain('next renewal from 2026-06-01T00:00Z to 2026-06-08T00:00Z, status active or overdue');
  const counted = await home.run(['subscriptions', 'list', '--next', '+2w', '--last', '30d', '--count'], { clock });
  expect(counted.stdout).toBe('3\n');
});

it('reads dates in rows and in bodies of any request as the command line does', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'POST' ? ok({ result: 'success' }) : ok({ ...subscription(0, 'active', 3), id: A }),
  );
  const file = path.join(home.folder, 'rows.csv');
  writeFileSync(file, `id,next_renewal_date\n${A},2026-12-21\n${B},tomorrow\n${C},+7d\n`);
  const bulk = await home.run(
    ['bulk', 'subscriptions', 'edit', '--input', file, '--expect', '3', '--yes', '--tz', 'UTC', '-o', 'json'],
    { clock },
  );
  expect(bulk.code, bulk.stderr).toBe(0);
  const sent = () => service.requests.filter(({ method }) => method === 'POST').map(({ json }) => json);
  expect(
    sent()
      .map((body) => (body as { next_renewal_date: string }).next_renewal_date)
      .sort(),
  ).toEqual(['2026-06-02T00:00:00Z', '2026-06-08T00:00:00Z', '2026-12-21T00:00:00Z']);
  const api = ['api', 'POST', `/subscriptions/${A}`, '-d', 'next_renewal_date=in 2 weeks', '--dry-run', '-o', 'json'];
  const ran = await home.run([...api, '--tz', 'UTC'], { clock });
  expect(json<{ body: object }>(ran).body).toMatchObject({ next_renewal_date: '2026-06-15T00:00:00Z' });
  const list = ['api', 'GET', '/sales', '--param', 'date_start=2026-05', '--param', 'date_end=2026-05', '--dry-run'];
  const read = await home.run([...list, '--tz', 'UTC', '-o', 'json'], { clock });
  expect(json<{ url: string }>(read).url).toContain(`date_start=${Date.UTC(2026, 4) / 1000}&date_end=${T - 1}`);
});

describe('a span in m', () => {
  it.each([
    [['refunds', 'list', '--last', '1m'], '--last: "1m" could be a minute or a month.'],
    [['export', 'sales', '--last', '3m', '--out', 's.csv'], '--last: "3m" could be minutes or months.'],
    [['export', 'sales', '--last', '1m', '--out', 'sales.csv'], '--last: "1m"'],
    [['overview', '--last', '2 m'], '--last: "2 m"'],
    [['sales', 'list', '--from', '3m'], '--from: "3m"'],
    [['sales', 'list', '--since', '3m ago'], '--since: "3m ago"'],
    [['sales', 'list', '--count', '--where', 'created>3m'], '"3m"'],
    [['timeline', 'a@b.c', '--last', '1m'], '--last: "1m"'],
    [['timeline', 'a@b.c', '--since', '1m'], '--since: "1m"'],
    [['subscriptions', 'list', '--next', '1m'], '--next: "1m"'],
    [['history', 'list', '--last', '1m'], '--last: "1m"'],
  ])('%j is taken for neither a minute nor a month', async (line, said) => {
    const ran = await seeded().run([...SANDBOX, ...line]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toMatch(/Write \dmo for (a month|months), \dmin for (a minute|minutes)\./);
  });

  it('is months to a person who lists what a shop does, and that is said', async () => {
    const count = async (span: string) =>
      seeded().run([...SANDBOX, 'refunds', 'list', '--last', span, '--count'], { terminal: 80 });
    const [short, whole] = [await count('1m'), await count('1mo')];
    expect(short.stderr).toContain('--last 1m is read as --last 1mo; write min for minutes.');
    expect([short.code, short.stdout]).toEqual([0, whole.stdout]);
  });

  it('is months in a report, which has no minutes', async () => {
    const ran = await seeded().run([...SANDBOX, 'report', 'chargebacks', '--last', '3m', '--sql']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('--last 3m is read as --last 3mo');
  });

  it('is told by its moments where a report of it begins in the middle of a day', async () => {
    const made = seeded();
    await made.run([...SANDBOX, 'sync', 'chargebacks', 'transactions']);
    const told = async (...range: string[]) =>
      (await made.run([...SANDBOX, 'report', 'chargebacks', ...range, '--tz', 'UTC'])).stderr;
    expect(await told('--last', '3mo')).toMatch(/^20[\d-]+T[\d:]+Z to 20[\d-]+T[\d:]+Z, days in UTC\. From /m);
    expect(await told('--month', '2026-08')).toMatch(/^2026-08-01 to 2026-08-31, days in UTC\. From /m);
  });

  it('is understood with the unit written out', async () => {
    const made = seeded();
    for (const span of ['1mo', '1min', '3 months', '3 minutes'])
      expect((await made.run([...SANDBOX, 'sales', 'list', '--count', '--last', span])).code).toBe(0);
  });
});

describe('a month by its name', () => {
  it.each([
    [['sales', 'list', '--count', '--since', 'september'], 'september is read as 20'],
    [['sales', 'list', '--count', '--month', 'sept'], 'sept is read as 20'],
    [['sales', 'list', '--count', '--from', '1 september'], '1 september is read as 20'],
    [['overview', '--month', 'october'], 'october is read as 20'],
    [['export', 'sales', '--month', 'october', '--out', '-', '--format', 'csv'], 'october is read as 20'],
    [['history', 'list', '--since', 'october'], 'october is read as 20'],
  ])('%j is the last that has begun, which is said', async (line, said) => {
    const ran = await seeded().run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('the last that has begun.');
  });

  it('is the next one in a body that tells of what is to come', async () => {
    const line = ['subscriptions', 'edit', 'AAAAAAAAAAAAAAAAAAA1', '--next-renewal-date', '1 december', '--dry-run'];
    const ran = await seeded().run([...SANDBOX, ...line]);
    expect(ran.code, ran.stderr).toBe(0);
    const [, year = ''] = /"next_renewal_date": ?"(\d{4})-1[12]-\d\dT/.exec(ran.stdout) ?? [];
    expect(Number(year)).toBeGreaterThanOrEqual(new Date().getUTCFullYear());
  });

  it('has its fault told by the option that was typed', async () => {
    for (const line of [
      ['sales', 'list', '--since', 'septembril'],
      ['timeline', 'a@b.c', '--since', 'septembril'],
    ]) {
      const ran = await seeded().run([...SANDBOX, ...line]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('--since: "septembril" is not a date or time that cops understands.');
    }
  });
});

it('takes a quarter without a year for the last that has begun, in lists and reports', async () => {
  for (const line of [
    ['sales', 'list', '--count'],
    ['report', 'revenue'],
  ]) {
    const ran = await shop.run([...SANDBOX, ...line, '--quarter', 'Q3']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/Q3 is read as 20\d\d-Q3, the last that has begun\./);
  }
});

it('takes the period that an option names in full', async () => {
  for (const [option, words] of [
    ['--month', 'last month'],
    ['--quarter', 'last quarter'],
    ['--year', 'this year'],
  ]) {
    const short = String(words).split(' ')[0] ?? '';
    const count = async (text: string) =>
      (await shop.run([...SANDBOX, 'sales', 'list', String(option), text, '--count'])).stdout;
    expect(await count(String(words))).toBe(await count(short));
    expect((await shop.run([...SANDBOX, 'report', 'revenue', String(option), String(words)])).code).toBe(0);
  }
  expect((await shop.run([...SANDBOX, 'sales', 'list', '--month', 'last year'])).code).toBe(2);
});

it.each([
  ['--from 2026-10-25T02:45 --to 2026-10-26', '2026-10-25T02:45'],
  ['--last 1mo', '1mo'],
])('says which of the two equal hours %s takes when clocks are set back', async (words, text) => {
  const { home: made, service } = await pair(() => ({
    status: 200,
    body: '{"code":1,"results":[],"total_count":0,"total_pages":0}',
  }));
  const now = Date.parse('2026-11-25T01:45:00Z');
  const ran = await made.run(['sales', 'list', ...words.split(' '), '--tz', 'Europe/Berlin', '-o', 'json'], {
    clock: { ...clock, now: () => now },
  });
  expect(ran.code, ran.stderr).toBe(0);
  const said = `${text} occurs twice in Europe/Berlin: 2026-10-25T00:45:00Z is taken; the other is 2026-10-25T01:45:00Z.`;
  expect(ran.stderr.split(said)).toHaveLength(2);
  expect(service.requests.at(-1)?.query.get('date_start')).toBe(String(Date.parse('2026-10-25T00:45:00Z') / 1000));
});
