/** @module-tag process */
/** Ctrl-C and termination (command-line.md#exit-codes). */
import { expect, it } from 'vitest';
import { listHandler, ok, type Reaction, type Service, wrote } from '../fixtures/service/service.js';
import { A, items, json, pair } from './helpers.js';
import type { Home, Ran } from './program.js';

/** Runs a line and sends the signal once the service has seen a request that fits. */
async function signalled(
  at: Service,
  made: Home,
  line: readonly string[],
  signal: NodeJS.Signals,
  when: () => boolean = () => at.requests.length > 0,
): Promise<Ran> {
  return made.run(line, {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (!when()) return;
        clearInterval(timer);
        child.kill(signal);
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
}

const stuck = () => 'silence' as const;

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during a list ends with %i and prints no array', async (signal, code) => {
  const { service, home } = await pair((request) =>
    request.query.get('page') === '1' ? listHandler({ items: items(60), dated: false })(request) : stuck(),
  );
  const ran = await signalled(
    service,
    home,
    ['campaigns', 'list', '-o', 'json'],
    signal,
    () => service.requests.length > 1,
  );
  expect(ran).toMatchObject({ code, signal: null, stdout: '' });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during a get ends with %i', async (signal, code) => {
  const { service, home } = await pair(stuck);
  expect((await signalled(service, home, ['campaigns', 'get', A], signal)).code).toBe(code);
});

it('waits for the answer of a write that comes soon after Ctrl-C', async () => {
  const { service, home } = await pair((): Reaction => ({ ...wrote('customer_group', A), delayMs: 700 }));
  const ran = await signalled(service, home, ['customer-groups', 'edit', A, '--name', 'x'], 'SIGINT');
  expect(ran.code).toBe(0);
  expect(json(ran)).toMatchObject({ customer_group_id: A });
  expect(service.requests).toHaveLength(1);
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s during a write without an answer ends with 9, and history says unknown',
  async (signal) => {
    const { service, home } = await pair(stuck);
    const ran = await signalled(service, home, ['customer-groups', 'edit', A, '--name', 'x'], signal);
    expect(ran).toMatchObject({ code: 9, stdout: '' });
    expect(service.requests).toHaveLength(1);
    const [line] = json<{ outcome: string }[]>(await home.run(['history', 'list', '-o', 'json']));
    expect(line?.outcome).toBe('unknown');
    expect((await home.run(['customer-groups', 'edit', A, '--name', 'x'])).code).toBe(12);
  },
);

it('kill -9 during a write leaves its intent: the same write needs --again', async () => {
  const { service, home } = await pair(stuck);
  const ran = await signalled(service, home, ['customer-groups', 'edit', A, '--name', 'x'], 'SIGKILL');
  expect(ran.signal).toBe('SIGKILL');
  const again = await home.run(['customer-groups', 'edit', A, '--name', 'x']);
  expect(again.code).toBe(12);
  expect(service.requests).toHaveLength(1);
});

it('ends the pauses between retries', async () => {
  const { service, home } = await pair(() => ({
    status: 429,
    json: { code: 0, message: 'x' },
    headers: { 'retry-after': '60' },
  }));
  expect((await signalled(service, home, ['campaigns', 'get', A], 'SIGINT')).code).toBe(130);
});

it('a write that waits for its turn after 429 is refused, not unknown', async () => {
  const { service, home } = await pair(() => ({
    status: 429,
    json: { code: 0, message: 'x' },
    headers: { 'retry-after': '60' },
  }));
  const ran = await signalled(service, home, ['customer-groups', 'edit', A, '--name', 'x'], 'SIGINT');
  expect([7, 130]).toContain(ran.code);
  const [line] = json<{ outcome: string }[]>(await home.run(['history', 'list', '-o', 'json']));
  expect(line?.outcome).not.toBe('unknown');
});

it('does not stop writes when the reader of the pipe goes away', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'GET'
      ? ok({ id: A, live_mode: false })
      : wrote('customer_group', request.path.split('/')[2] ?? ''),
  );
  const ids = Array.from({ length: 12 }, (_, at) => `ID${at}x`.padEnd(20, '0'));
  await home.run(['customer-groups', 'edit', '-', '--name', 'x', '-o', 'jsonl'], {
    input: ids.join('\n'),
    onStart: (child) => child.stdout?.destroy(),
  });
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(12);
});

it('a second Ctrl-C does not hide a write that was done', { timeout: 30_000 }, async () => {
  const { service, home } = await pair((): Reaction => ({ ...wrote('customer_group', A), delayMs: 900 }));
  const ran = await home.run(['customer-groups', 'edit', A, '--name', 'x'], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (service.requests.length === 0) return;
        clearInterval(timer);
        child.kill('SIGINT');
        setTimeout(() => child.kill('SIGINT'), 150);
      }, 10);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect([ran.code, json(ran)]).toEqual([0, expect.objectContaining({ customer_group_id: A })]);
});

it('the third Ctrl-C ends it with 9 and says so, and the repeat guard counts the write', {
  timeout: 30_000,
}, async () => {
  const { service, home } = await pair(stuck);
  const line = ['customer-groups', 'edit', A, '--name', 'x'];
  const ran = await home.run(line, {
    onStart: (child) => {
      // Two signals that come while the process waits for a processor are one to it.
      const timer = setInterval(() => service.requests.length > 0 && child.kill('SIGINT'), 150);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining('outcome unknown')]);
  expect((await home.run(line)).code).toBe(12);
});
