/** @module-tag sweep */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { listHandler, ok } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const NOW = Date.UTC(2026, 9, 20, 12) / 1000;
const DAY = 86_400;

type Row = Record<string, unknown> & { id: string; created_date_unix: number };
const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
let lists: Record<string, Row[]>;
let now: number;

const customer = (number: number, daysAgo: number): Row => ({
  id: idOf('Cust', number),
  created_date_unix: NOW - Math.floor(daysAgo * DAY) - 100,
  live_mode: false,
  email: `c${number}@example.com`,
});

beforeEach(() => {
  now = NOW;
  lists = {
    '/customers': Array.from({ length: 30 }, (_, i) => customer(i, i)),
  };
});

async function start(stored: object = {}) {
  const empty = { results: [], current_page: 1, current_count: 0, total_count: 0, total_pages: 1 };
  const { service, home } = await pair((request) =>
    request.query.has('limit')
      ? listHandler({
          items: lists[request.path.replace(/\?.*/, '')] ?? [],
          dated: request.query.has('date_start'),
        })(request)
      : ok(empty),
  );
  forgetFirstDay(home);
  const run = async (words: readonly string[], options: { env?: Record<string, string> } = {}) => {
    service.requests.length = 0;
    const ran = await home.run(words, { clock: new QuickClock(now * 1000), ...options, ...stored });
    const families = [...new Set(service.requests.map(({ path: at }) => at.replace(/\?.*/, '')))].sort();
    return { ...ran, requests: service.requests.length, families };
  };
  const mirrors = path.join(home.folder, 'data', 'mirrors');
  return { run, home, mirrors };
}

const COUNT = ['sql', 'select count(*) as n from customers', '-o', 'json'];

it('answers the first question of all, with the families that it names alone', async () => {
  const { run } = await start();
  const first = await run(COUNT);
  expect(first.code, first.stderr).toBe(0);
  expect(json(first)).toEqual([{ n: 30 }]);
  expect(first.stderr).toContain('Brought up to date: customers');
  expect(first.requests).toBeLessThan(80);
  const second = await run(COUNT);
  expect([second.code, second.requests]).toEqual([0, 0]);
});

it.each([
  { later: 1800, words: [], count: 30, asked: [] },
  { later: 1800, words: ['--max-age', '10m'], count: 31, asked: ['/customers'] },
  { later: 7200, words: [], count: 31, asked: ['/customers'] },
  { later: 7200, words: ['--no-sync'], count: 30, asked: [] },
])('brings up to date what was read longer ago than --max-age: $later s later, $words', async (told) => {
  const { run } = await start();
  expect((await run(['sync', 'customers', '-q'])).code).toBe(0);
  lists['/customers']?.push({ ...customer(99, 0), created_date_unix: NOW + 600 });
  now += told.later;
  const answer = await run([...COUNT, ...told.words]);
  expect(answer.code, answer.stderr).toBe(0);
  expect([json(answer), answer.families]).toEqual([[{ n: told.count }], told.asked]);
});

it('stops a script before more than 200 requests, with the line, and continues with --sync or mirror: auto', async () => {
  lists['/customers'] = Array.from({ length: 6000 }, (_, i) => customer(i, i / 50));
  const { run, mirrors } = await start();
  const refused = await run([...COUNT, '--no-input']);
  expect(refused.code).toBe(12);
  expect(errorOf(refused).hint).toContain('cops sync customers');
  expect(existsSync(mirrors) ? readdirSync(mirrors).filter((name) => name.endsWith('.sqlite')) : []).toEqual([]);
  const automatic = await run(COUNT, { env: { COPS_MIRROR: 'auto' } });
  expect(json(automatic)).toEqual([{ n: 6000 }]);
  expect(automatic.requests).toBeGreaterThan(200);
  const again = await run([...COUNT, '--sync', '--max-age', '1s']);
  expect(again.code, again.stderr).toBe(0);
});

it('keeps nothing with mirror: never', async () => {
  const { run, mirrors } = await start();
  const answer = await run(COUNT, { env: { COPS_MIRROR: 'never' } });
  expect(json(answer)).toEqual([{ n: 30 }]);
  expect(existsSync(mirrors) ? readdirSync(mirrors) : []).toEqual([]);
  expect((await run([...COUNT, '--no-sync'], { env: { COPS_MIRROR: 'never' } })).code).toBe(2);
});

it('never writes a file that --mirror names', async () => {
  const { run, home } = await start();
  const file = path.join(home.folder, 'm.sqlite');
  expect((await run(['sync', file, 'customers', '-q'])).code).toBe(0);
  lists['/customers']?.push(customer(99, 0));
  now += 10 * DAY;
  const asked = await run([...COUNT, '--mirror', file]);
  expect([json(asked), asked.requests]).toEqual([[{ n: 30 }], 0]);
  expect((await run([...COUNT, '--mirror', file, '--sync'])).code).toBe(2);
});

it('answers a report immediately, and requests no technical records', async () => {
  const { run } = await start();
  const report = await run(['report', 'revenue', '--month', '2026-09', '-o', 'json']);
  expect(report.code, report.stderr).toBe(0);
  expect(report.families).not.toContain('/api_calls');
  expect(report.requests).toBeLessThan(80);
  const second = await run(['report', 'revenue', '--month', '2026-09', '-o', 'json']);
  expect(second.requests).toBe(0);
});
