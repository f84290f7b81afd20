import { expect, it } from 'vitest';
import { listHandler } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { items, pair } from '../helpers.js';
import { Agent } from './agent.js';

it('reads up to the moment of each call, hours after the session began', async () => {
  const clock = new QuickClock();
  const began = Math.floor(clock.now() / 1000);
  const { service, home } = await pair({
    routes: { 'GET /customers': listHandler({ items: items(1, began + 3600, { first_name: 'Ada' }) }) },
  });
  const agent = await Agent.start(home, ['mcp'], clock);
  const asked = { operation: 'customers list', last: '1d' };
  expect(await agent.call('read', asked)).toMatchObject({ items: [], complete: true });
  await clock.sleep(2 * 3_600_000);
  const told = await agent.call('read', asked);
  expect(told.items).toMatchObject([{ first_name: 'Ada' }]);
  const ends = service.requests.map(({ query }) => Number(query.get('date_end'))).filter(Boolean);
  expect(Math.max(...ends)).toBeGreaterThanOrEqual(began + 7200);
});
