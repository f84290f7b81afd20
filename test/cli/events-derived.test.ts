/** @module-tag thorough */
import { expect, it } from 'vitest';
import { eventReceiver, isVerified } from '../fixtures/event-receiver.js';
import { listHandler, notFound, ok, type Recorded } from '../fixtures/service/service.js';
import { QuickClock } from '../harness/clock.js';
import { A, B, C, errorOf, pair } from './helpers.js';

/* cops events of a service that tells none: what two looks at its lists do not share. */

interface Row extends Record<string, unknown> {
  readonly id: string;
}

const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A service with subscriptions that a test changes. */
async function shop() {
  const now = Math.floor(Date.now() / 1000);
  const made = (id: string, more: object = {}): Row => {
    return {
      id,
      created_date_unix: now - 86_400,
      updated_date_unix: now - 86_400,
      live_mode: false,
      status: 'active',
      ...more,
    };
  };
  const state = { rows: [made(A, { price: 10 }), made(B, { price: 5 })] as Row[] };
  const answer = (request: Recorded) => {
    const [, family, id] = request.path.replace(/^.*\/v2/, '').split('/');
    if (family !== 'subscriptions') return listHandler({ items: [], dated: false })(request);
    if (id === undefined || request.query.has('page')) return listHandler({ items: state.rows })(request);
    const found = state.rows.find((row) => row.id === id);
    return found ? ok({ ...found }) : notFound();
  };
  return { ...(await pair(answer)), state, made };
}

it('are what changed, not what was there at the first look', async () => {
  const { home, state, made } = await shop();
  const clock = new QuickClock();
  const listening = home.start(['events', 'listen', '--notation', 'subscription,subscriptions', '-o', 'jsonl'], {
    timeoutMs: 60_000,
    clock,
  });
  await expect.poll(() => listening.stderr()).toContain('begins now');
  const told = () => rows(listening.stdout());
  const set = (id: string, more: object) => {
    state.rows = state.rows.map((row) => (row.id === id ? { ...row, ...more } : row));
  };
  set(A, { updated_date_unix: 1, sales_count: 7, brand_new: true });
  set(B, { status: 'overdue' });
  await expect.poll(() => told().length, { timeout: 20_000 }).toBe(1);
  expect(told()[0]).toMatchObject({
    type: 'subscription.updated.status.overdue',
    data: {
      family: 'subscriptions',
      item_id: B,
      derived: true,
      before: { status: 'active' },
      after: { status: 'overdue' },
    },
  });
  set(A, { price: 12 });
  await expect.poll(() => told().at(-1)).toMatchObject({ type: 'subscriptions.changed', data: { item_id: A } });
  state.rows = [...state.rows, made(C, { created_date_unix: Math.floor(Date.now() / 1000) })];
  await expect.poll(() => told().at(-1)).toMatchObject({ type: 'subscription.created', data: { item_id: C } });
  expect(told().at(-1).data.before).toBeUndefined();
  state.rows = state.rows.filter(({ id }) => id !== B);
  await expect
    .poll(() => told().at(-1), { timeout: 20_000 })
    .toMatchObject({ type: 'subscriptions.gone', data: { item_id: B } });
  listening.signal('SIGINT');
  await listening.ended;
  const ids = told().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  const listed = await home.run(['events', 'list', '-o', 'jsonl', '--last', '30d'], { clock });
  expect(rows(listed.stdout).map(({ id }) => id)).toEqual(ids);
  const receiver = await eventReceiver();
  const sent = await home.run(['events', 'resend', ids[0], '--to', receiver.url]);
  expect(sent.code, sent.stderr).toBe(0);
  expect(JSON.parse(receiver.got[0]?.body ?? '')).toEqual(told()[0]);
  const secret = await home.run(['events', 'secret', 'show', '--forward-to', receiver.url, '-o', 'json']);
  expect(receiver.got[0] && isVerified(receiver.got[0], JSON.parse(secret.stdout).secret)).toBe(true);
});

it('need a mirror, and say so where there is none', async () => {
  const { home } = await shop();
  const listed = await home.run(['events', 'list', '-o', 'json']);
  expect(listed.code).toBe(2);
  expect(errorOf(listed).hint).toContain('events listen');
});
