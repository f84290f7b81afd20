/** @module-tag thorough */
/** What is typed or pasted before a question stands there answers nothing (command-line.md#keys-and-modes). */
import { describe, expect, it } from 'vitest';
import { ok, wrote } from '../fixtures/service/service.js';
import { A, pair } from './helpers.js';

/** The first question loads much: a busy machine takes its time. */
const SLOW = { timeout: 20_000 };
const C = 'CUSTOMER000000000001';
const SALE = { id: A, live_mode: true, amount: 50, price: 50, currency: 'EUR', customer_id: C };

async function sale(onRead: () => void) {
  return pair((request) => {
    if (request.method === 'GET') onRead();
    return request.method === 'GET' ? ok(SALE) : wrote('product_sale', A);
  }, 'live');
}

it.each(['xterm', 'dumb'])('throws away what was typed before the question (TERM=%s)', async (TERM) => {
  let early = () => {};
  const { home, service } = await sale(() => early());
  const running = home.start(['product-sales', 'refund', A], { terminal: 100, env: { TERM } });
  early = () => running.type('y\ry\ny\r\n');
  await expect.poll(running.stderr, SLOW).toContain('Go ahead?');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
  running.type(TERM === 'dumb' ? 'n\n' : 'n\r');
  expect((await running.ended).code).toBe(12);
  expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
});

it('throws away what is left over from the answer before, between two questions', async () => {
  const { home } = await sale(() => {});
  const running = home.start(['login', 'shop'], { terminal: 100 });
  await expect.poll(running.stderr, SLOW).toContain('est key');
  running.type('typed_test_key_000001\rpasted_live_key_000002\r');
  await expect.poll(running.stderr, SLOW).toContain('ive key');
  await new Promise((resolve) => setTimeout(resolve, 100));
  running.type('\x03');
  expect((await running.ended).code).toBe(130);
});

it('takes a Ctrl-C that came before the question for one', async () => {
  let early = () => {};
  const { home, service } = await sale(() => early());
  const running = home.start(['product-sales', 'refund', A], { terminal: 100 });
  early = () => running.type('y\r\x03');
  expect((await running.ended).code).toBe(130);
  expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
});

it.each(['\0', '\x04'])('ends with no where the input ended before the question, as key %j', async (key) => {
  let early = () => {};
  const { home, service } = await sale(() => early());
  const running = home.start(['product-sales', 'refund', A], { terminal: 100 });
  early = () => running.type(key);
  expect((await running.ended).code).toBe(12);
  expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
});

describe.each(['xterm', 'dumb'])('a question before a write (TERM=%s)', (TERM) => {
  it.each(['ye', 'yse', 'ja', 'yes please', '', 'n'])(
    'is answered with no by %j, and shows no tick',
    async (answer) => {
      const { home, service } = await sale(() => {});
      const running = home.start(['product-sales', 'refund', A], { terminal: 100, env: { TERM } });
      await expect.poll(running.stderr, SLOW).toContain('Go ahead?');
      running.type(TERM === 'dumb' ? `${answer}\n` : `${answer}\r`);
      expect((await running.ended).code).toBe(12);
      expect(running.stderr()).not.toContain('\u2714');
      expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
    },
  );

  it.each(['y', 'Yes', ' YES '])('is answered with yes by %j', async (answer) => {
    const { home, service } = await sale(() => {});
    const running = home.start(['product-sales', 'refund', A], { terminal: 100, env: { TERM } });
    await expect.poll(running.stderr, SLOW).toContain('Go ahead?');
    running.type(TERM === 'dumb' ? `${answer}\n` : `${answer}\r`);
    expect((await running.ended).code).toBe(0);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
