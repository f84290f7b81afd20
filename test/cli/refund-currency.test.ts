import { expect, it } from 'vitest';
import { ok } from '../fixtures/service/service.js';
import { A, pair } from './helpers.js';

it('refuses a refund that is finer than a coin of the item that was read for its question', async () => {
  const { service, home } = await pair(
    () => ok({ id: A, live_mode: true, amount: 5000, amount_total: 5000, amount_refunded: 0, iso_currency: 'JPY' }),
    'live',
  );
  const ran = await home.run(['transactions', 'refund', A, '--amount', '10.50'], { terminal: 80, input: `${A}\n` });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('JPY') });
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
