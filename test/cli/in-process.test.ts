/** @module-tag thorough */
/** What only a run in this process can show: readers that fail or dawdle, terminals of any width, keys, clocks. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listHandler, ok, serverError, wrote } from '../fixtures/service/service.js';
import { QuickClock, realClock } from '../harness/clock.js';
import { fault } from '../harness/streams.js';
import { A, errorOf, items, json, pair } from './helpers.js';

const list = (count: number) => ({ routes: { 'GET /campaigns': listHandler({ items: items(count), dated: false }) } });

it('ends a list quietly when its reader goes away', async () => {
  const { home } = await pair(list(60));
  const reader = () => {
    throw fault('EPIPE');
  };
  for (const words of [['campaigns', 'list', '-o', 'jsonl'], ['--help']])
    expect(await home.run(words, { stdout: { reader } })).toMatchObject({ code: 0, stderr: '' });
});

it('ends with 11 when standard output is a full disk', async () => {
  const { home } = await pair(list(60));
  const reader = () => {
    throw fault('ENOSPC');
  };
  for (const words of [['campaigns', 'list', '-o', 'json'], ['--help']]) {
    const ran = await home.run(words, { stdout: { reader } });
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain('the disk is full');
  }
});

it('asks for no page more than a slow reader lets it', async () => {
  const { home, service } = await pair(list(2500));
  let asked = 0;
  const seen: number[] = [];
  const reader = async () => {
    seen.push(service.requests.length);
    await realClock.sleep(5);
    asked = service.requests.length;
  };
  const ran = await home.run(['campaigns', 'list', '-o', 'jsonl'], { stdout: { reader } });
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(2500);
  expect(asked).toBe(100);
  expect(seen[0]).toBeLessThan(100);
});

it('fits a table to the terminal', async () => {
  const { home } = await pair({
    routes: { 'GET /campaigns': listHandler({ items: items(3, 1, { name: 'x'.repeat(300) }), dated: false }) },
  });
  for (const columns of [60, 120]) {
    const { code, stdout } = await home.run(['campaigns', 'list', '--no-color'], { stdout: { columns } });
    expect(code).toBe(0);
    const widths = stdout.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(Math.max(...widths)).toBeGreaterThan(columns / 2);
  }
});

it('sends a live write when the keys confirm it, and not when they do not', async () => {
  const { home, service } = await pair(
    (request) => (request.method === 'GET' ? ok({ id: A, live_mode: true }) : wrote('subscription', A)),
    'live',
  );
  for (const [keys, code, sent] of [
    ['no\r', 12, 0],
    [`${A}\r`, 0, 1],
  ] as const) {
    const running = home.start(['subscriptions', 'cancel', A], { terminal: 100 });
    await expect.poll(running.stderr).toContain(`Type ${A} to go ahead`);
    running.type(keys);
    expect((await running.ended).code).toBe(code);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(sent);
  }
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a read with %i', async (signal, code) => {
  const { home, service } = await pair(() => 'silence');
  const running = home.start(['campaigns', 'get', A]);
  await expect.poll(() => service.requests.length).toBe(1);
  running.signal(signal);
  expect((await running.ended).code).toBe(code);
});

it('waits longer before each retry, for minutes that pass at once', async () => {
  const { home, service } = await pair(() => serverError());
  const clock = new QuickClock(Date.UTC(2026, 0, 1));
  const ran = await home.run(['campaigns', 'get', A, '-o', 'json', '--max-retries', '6'], { clock, random: () => 0.5 });
  expect(ran.code).toBe(1);
  expect(errorOf(ran).http_status).toBe(500);
  expect(service.requests).toHaveLength(7);
  const pauses = clock.pauses.filter((ms) => ms > 0);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 1));
});

it('keeps nothing of a run: many at once differ in all that they are given', async () => {
  const both = await Promise.all([pair(list(3)), pair(list(5))]);
  const ran = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (both[at % 2] ?? both[0]).home.run(['campaigns', 'list', '-o', 'json'])),
  );
  expect(ran.map(({ stderr }) => stderr)).toEqual(ran.map(() => ''));
  expect(ran.map((one) => json<unknown[]>(one).length)).toEqual(ran.map((_, at) => (at % 2 ? 5 : 3)));
});

it('records a write as done only once its answer is out', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'GET' ? ok({ id: A, live_mode: false }) : ok({ subscription_id: A, live_mode: false }),
  );
  const folder = path.join(home.folder, 'config/history');
  const known = () => readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const atTheAnswer: string[] = [];
  const reader = () => {
    atTheAnswer.push(...known());
    throw fault('ENOSPC');
  };
  // Ended here by `kill -9`, nobody would know that it was done: the same line again would do it twice.
  const ran = await home.run(['subscriptions', 'cancel', A, '-o', 'json'], { stdout: { reader } });
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect(ran.stderr).toContain('It was sent and answered');
  expect(atTheAnswer.join('')).toContain('"type":"intent"');
  expect(atTheAnswer.join('')).not.toContain('"type":"outcome"');
  expect(known().join('')).toContain('"outcome":"done"');
});
