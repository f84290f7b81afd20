/** A list that grows by the very requests that read it ends where the command began, by the service's clock. */
import { describe, expect, it } from 'vitest';
import { envelope, listHandler } from '../fixtures/service/lists.js';
import type { Recorded } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { home, pair } from './helpers.js';

const NOW = 1_780_000_000;
/** Calls that lie in the list before the command begins: several pages of them, one a minute. */
const EARLIER = 90;

const call = (at: number, created: number) => ({
  id: `CALL${String(at).padStart(16, '0')}`,
  created_date_unix: created,
  live_mode: false,
  type: 'api',
});

/** A service that lists each request it answers, newest first; its clock goes `ahead` seconds before ours. */
async function growing(ahead: number) {
  const calls = Array.from({ length: EARLIER }, (_, at) => call(at, NOW + ahead - 60 * (at + 1)));
  const answer = (request: Recorded) => {
    const { body } = listHandler({ items: () => calls, spanDays: 2 })(request);
    calls.unshift(call(calls.length, NOW + ahead));
    return { body: String(body).replace(/"api_call_unix":\d+/, `"api_call_unix":${NOW + ahead}`) };
  };
  const { service, home: made } = await pair((request) =>
    request.path.startsWith('/api_calls') ? answer(request) : { body: String(envelope([], 1, 0, 25).body) },
  );
  const clock = { now: () => NOW * 1000, sleep: new QuickClock(NOW * 1000).sleep };
  return { service, run: (line: string) => made.run(line.split(' '), { clock }) };
}

const ids = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('a list of calls up to now', () => {
  it.each([
    ['of a service whose clock agrees', 0],
    ['of a service whose clock is behind', -7],
    ['of a service whose clock is ahead', 7],
  ])('%s is whole, though each page adds to it', async (_what, ahead) => {
    const { run } = await growing(ahead);
    const ran = await run('api-calls list --last 30h -o ids');
    expect(ran.stderr).toContain('just before this command began: reading this list adds to it.');
    expect({ code: ran.code, ids: ids(ran.stdout).length }).toEqual({ code: 0, ids: EARLIER });
    const counted = await run('api-calls list --last 30h --count');
    expect(counted.stderr).toContain('The service does not say how many calls it allows');
  });

  it('has its end by the first answer, not by the one that its window got', async () => {
    const { run } = await growing(-7);
    const ran = await run('api-calls list --last 6d --oldest-first -o ids');
    expect({ code: ran.code, ids: ids(ran.stdout).length }).toEqual({ code: 0, ids: EARLIER });
  });

  it('asks no page twice where both clocks agree', async () => {
    const { service, run } = await growing(0);
    await run('api-calls list --last 2d -o ids');
    expect(service.requests).toHaveLength(Math.ceil(EARLIER / 25));
  });

  it('never spans more than a window may, whatever the clocks', async () => {
    const { run } = await growing(7);
    const ran = await run('api-calls list --last 2d -o ids');
    expect({ code: ran.code, ids: ids(ran.stdout).length }).toEqual({ code: 0, ids: EARLIER });
  });

  it('says nothing of an end that was given', async () => {
    const { run } = await growing(0);
    const ran = await run(`api-calls list --from ${NOW - 3600} --to ${NOW - 1800} -o ids`);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ids(ran.stdout)).toHaveLength(31);
  });
});

it('is whole on the sandbox, which files its calls as well', async () => {
  const cops = home({ COPS_PROFILE: 'sandbox' });
  for (let at = 0; at < 2; at++) {
    const ran = await cops.run(['customers', 'list', '-o', 'ids']);
    expect(ran.code, ran.stderr).toBe(0);
  }
  const listed = await cops.run(['api-calls', 'list', '--from', 'today', '-o', 'ids']);
  expect(listed.code, listed.stderr).toBe(0);
});
