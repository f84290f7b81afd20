import { expect, it } from 'vitest';
import { listHandler } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { items, pair } from './helpers.js';

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
