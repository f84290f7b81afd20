import { describe, expect, it } from 'vitest';
import { listHandler } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { items, json, pair } from './helpers.js';

it('follows a list by our clock if the service shows no time', async () => {
  const clock = new QuickClock();
  const began = Math.floor(clock.now() / 1000);
  const list = listHandler({ items: items(1, began + 60, { path: '/sales' }), spanDays: 2 });
  const { home } = await pair({
    routes: {
      'GET /api_calls': (request) => {
        const answer = list(request);
        return { ...answer, body: String(answer.body).replace(/"api_call_unix":\d+,/, '') };
      },
    },
  });
  let told = '';
  const running = home.start(['api-calls', 'tail', '--interval', '30', '-o', 'jsonl'], {
    clock,
    stdout: {
      reader: (piece) => {
        told += piece;
        running.signal('SIGINT');
      },
    },
    timeoutMs: 20_000,
  });
  expect((await running.ended).code).toBe(130);
  expect(JSON.parse(told)).toMatchObject({ path: '/sales' });
});

describe('a range that goes by our clock', () => {
  const HERE = 1_780_000_000;
  const isoTime = (unix: number): string => new Date(unix * 1000).toISOString().replace('.000Z', 'Z');

  /** Lists with our clock `ahead` of the service's by so many seconds. */
  async function listed(ahead: number, words: string) {
    const there = HERE - ahead;
    const list = listHandler({ items: items(3, there - 300), spanDays: 90 });
    const { home } = await pair((request) => {
      const answer = list(request);
      return { ...answer, body: String(answer.body).replace(/"api_call_unix":\d+/, `"api_call_unix":${there}`) };
    });
    const clock = { now: () => HERE * 1000, sleep: new QuickClock(HERE * 1000).sleep };
    const run = (line: readonly string[]) => home.run([...line], { clock });
    return { ran: await run(['sales', 'list', ...words.split(' '), '-o', 'json']), run };
  }

  it.each([
    [10_800, '--last 1h'],
    [-10_800, '--last 1h'],
    [1200, '--last 10min'],
    [2 * 86_400, '--last 1d'],
    [86_400, '--from today'],
  ])('says so %i s ahead with %s, with the other range', async (ahead, words) => {
    const { ran, run } = await listed(ahead, words);
    expect(ran.code).toBe(0);
    expect(ran.stderr.split(isoTime(HERE - ahead)).length).toBeGreaterThan(1);
    const [, range = ''] = /by the service's clock: (--from .*)/.exec(ran.stderr) ?? [];
    const other = await run(['sales', 'list', ...range.split(' '), '-o', 'json']);
    expect(json<object[]>(other)).toHaveLength(3);
    expect(other.stderr).not.toContain("service's clock");
  });

  it.each([
    [10_800, '--last 30d'],
    [10_800, '--from 2026-01-01'],
    [3, '--last 1h'],
  ])('says nothing %i s ahead with %s', async (ahead, words) => {
    expect((await listed(ahead, words)).ran.stderr).not.toContain("service's clock");
  });
});
