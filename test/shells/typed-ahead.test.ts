/** @module-tag tool */
/** What waits at a real terminal when a question appears answers nothing (command-line.md#keys-and-modes). */
import { expect, it } from 'vitest';
import { pair } from '../cli/helpers.js';
import { ok, wrote } from '../fixtures/service/service.js';
import { closeAfterTest } from '../harness/closing.js';
import { Screen } from './look-screen.js';
import { describeWith } from './tools.js';

const P = 'PRODUCTSALE000000001';
const SALE = { id: P, live_mode: true, amount: 50, price: 50, currency: 'EUR', customer_id: 'CUSTOMER000000000001' };

describeWith('tmux', 'keys before a question', () => {
  it.each(['xterm-256color', 'dumb'])('lines and a line that was begun are thrown away (TERM=%s)', async (TERM) => {
    const asked: string[] = [];
    let screen: Screen | undefined;
    const { home } = await pair((request) => {
      asked.push(request.method);
      if (asked.length === 1) screen?.type('y', 'Enter', 'y', 'Enter', 'y', 'e', 's');
      return request.method === 'GET' ? ok(SALE) : wrote('product_sale', P);
    }, 'live');
    screen = closeAfterTest(new Screen(home, ['product-sales', 'refund', P], { env: { TERM } }));
    await screen.shows('Go ahead?');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(asked).not.toContain('POST');
    screen.type('n', 'Enter');
    expect((await screen.ended()).code).toBe(12);
    expect(asked).not.toContain('POST');
  });
});
