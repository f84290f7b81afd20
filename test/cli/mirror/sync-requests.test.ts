/** @module-tag sweep */
import path from 'node:path';
import { expect, it } from 'vitest';
import { listHandler, ok } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { json, pair } from '../helpers.js';

const NOW = Date.UTC(2026, 9, 1) / 1000;
const DAY = 86_400;
const RECORDS = ['/api_calls', '/site_logs', '/ai_threads', '/smtp_messages'];

interface Line {
  readonly family: string;
  readonly requests: number;
}

async function start() {
  const empty = { results: [], current_page: 1, current_count: 0, total_count: 0, total_pages: 1 };
  const { service, home } = await pair((request) =>
    request.query.has('limit')
      ? listHandler({ items: [], dated: request.query.has('date_start') })(request)
      : ok(empty),
  );
  const file = path.join(home.folder, 'm.sqlite');
  let now = NOW;
  const sync = async (...words: string[]) => {
    now += DAY;
    service.requests.length = 0;
    const ran = await home.run(['sync', file, ...words, '--first-day', '2026-01-01'], {
      clock: new QuickClock(now * 1000),
    });
    expect(ran.code, ran.stderr).toBe(0);
    const asked = service.requests.filter(({ path: at }) =>
      RECORDS.some((name) => at.startsWith(`/v2${name}`) || at.startsWith(name)),
    );
    return { ran, requests: service.requests.length, asked: asked.length, rows: json<Line[]>(ran) };
  };
  return { sync };
}

it('leaves technical records out of a sync of all lists, and says which', async () => {
  const { sync } = await start();
  const first = await sync();
  expect(first.asked).toBe(0);
  expect(first.ran.stderr).toContain('Left out: ai-threads, api-calls, site-logs, smtp-messages');
  const second = await sync();
  expect(second.asked).toBe(0);
  // Nothing is there: each list is asked for its few young windows, and what came after the newest.
  expect(second.requests).toBeLessThan(4 * second.rows.length);
  expect(second.rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(second.requests);
  const named = await sync('api-calls');
  expect(named.asked).toBeGreaterThan(0);
  const all = await sync('--all');
  expect(all.asked).toBeGreaterThan(0);
  expect(all.rows.map(({ family }) => family)).toEqual(expect.arrayContaining(['site_logs', 'smtp_messages']));
});
