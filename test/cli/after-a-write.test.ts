/** What follows a write that was done must not hide what became of it (command-line.md#global-options, command-line.md#writes, command-line.md#exit-codes). */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ok, type Reaction, refusal, type Service, serverError, wrote } from '../fixtures/service/service.js';
import { A, B, C, errorOf, home, json, pair } from './helpers.js';
import { PROGRAM } from './program.js';

const SANDBOX = ['-p', 'sandbox'];
const SYNC = ['products', 'sync', 'start', '-d', 'third_party_shop=shopify', '--no-validate', '--yes', '--wait'];
const posts = (at: Service) => at.requests.filter(({ method }) => method === 'POST').length;
const started = (read: Reaction) => () =>
  pair(({ method }): Reaction => (method === 'POST' ? ok({ sync_id: A, product_sync_id: A, id: A }) : read));

it.each([
  ['the service fails', serverError(), 10, 500],
  ['the item is not there', refusal(404), 10, 404],
  ['the key is not accepted any more', refusal(401), 10, 401],
  ['the connection breaks', 'drop', 10, null],
  ['the item shows the other mode', ok({ id: A, live_mode: true, status: 'running' }), 12, null],
] as const)(
  'the waiting for what was started ends because %s: the start stays told',
  async (_name, read, code, status) => {
    const { service: at, home } = await started(read)();
    const ran = await home.run([...SYNC, '--max-retries', '1', '-o', 'json']);
    expect([ran.code, posts(at)], ran.stderr).toEqual([code, 1]);
    const error = errorOf(ran);
    expect(error.message).toMatch(code === 12 ? /^The write was done/ : /^It was started/);
    expect(error.hint).toContain(code === 12 ? 'It was done, and no' : `cops products sync get ${A}`);
    expect(error.http_status).toBe(status);
  },
);

it('Ctrl-C during the waiting ends with 130 and says that it was started', { tags: ['process'] }, async () => {
  const { service: at, home } = await started(ok({ id: A, status: 'running' }))();
  const ran = await home.run([...SYNC, '-o', 'json'], {
    onStart: (child) => {
      const timer = setInterval(() => {
        if (at.requests.length < 2) return;
        clearInterval(timer);
        child.kill('SIGINT');
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
  expect([ran.code, posts(at)], ran.stderr).toEqual([130, 1]);
  expect(errorOf(ran)).toMatchObject({ hint: expect.stringContaining(`cops products sync get ${A}`) });
});

it.each(['abc', '0', '-1', '1e9', ''])('a --wait-limit of %j is refused before anything is started', async (limit) => {
  const { service: at, home } = await started(ok({ id: A, status: 'completed' }))();
  const ran = await home.run([...SYNC, `--wait-limit=${limit}`]);
  expect([ran.code, at.requests.length], ran.stderr).toEqual([2, 0]);
});

it('--wait is refused with several ids, before anything is sent', async () => {
  const { service: at, home } = await pair(() => ok());
  const ran = await home.run(['tracking-domains', 'verify', A, B, '--wait', '--yes']);
  expect([ran.code, at.requests.length], ran.stderr).toEqual([2, 0]);
});

it.each(['jsonl', 'json', 'table'])(
  'a closed pipe hides no unknown or refused write (%s)',
  { tags: ['process'] },
  async (format) => {
    const { service: at, home } = await pair(({ method, path }): Reaction => {
      if (method === 'GET') return ok({ id: A, live_mode: false });
      return path.includes(B) ? serverError() : path.includes(C) ? refusal(400) : wrote('customer_group', A);
    });
    const line = ['customer-groups', 'edit', '--name', 'x', '-o', format];
    const close = { onStart: (child: { stdout: { destroy(): void } | null }) => void child.stdout?.destroy() };
    expect((await home.run([...line, A, B, C], close)).code).toBe(9);
    expect((await home.run([...line, A, C], close)).code).toBe(10);
    expect((await home.run([...line, A], close)).code).toBe(0);
    expect(posts(at)).toBe(6);
  },
);

it('--expect counts one id as well', async () => {
  const { service: at, home } = await pair(() => wrote('customer_group', A));
  const line = ['customer-groups', 'edit', '-', '--name', 'x', '--expect'];
  expect((await home.run([...line, '2'], { input: A })).code).toBe(12);
  expect((await home.run([...line, 'two'], { input: A })).code).toBe(2);
  expect(at.requests).toHaveLength(0);
  expect((await home.run([...line, '1'], { input: A })).code).toBe(0);
});

// A device that is always full is a thing of Linux.
it.skipIf(!existsSync('/dev/full')).each([
  ['a write', ['customer-groups', 'edit', A, '--name', 'x']],
  ['several', ['customer-groups', 'edit', A, B, '--name', 'x']],
  ['cops api', ['api', 'POST', `/customer_groups/${A}`, '-d', 'name=x']],
])('%s whose answer cannot be written is told as sent (11)', { tags: ['process'] }, async (_name, line) => {
  const { service: at, home } = await pair(() => wrote('customer_group', A));
  const command = [process.execPath, PROGRAM, ...line, '-o', 'json'].map((word) => `'${word}'`).join(' ');
  const child = spawn('sh', ['-c', `${command} > /dev/full`], { env: home.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, posts(at) > 0], stderr).toEqual([11, true]);
  const error = errorOf({ code: 11, signal: null, stdout: '', stderr });
  expect(error.message).toMatch(/^It was sent and answered/);
  expect(error.hint).toContain('cops history list');
});

it('says which elements a list held and got, and that nothing was changed', async () => {
  const made = home();
  const first = async (line: readonly string[]) =>
    json<{ id: string }[]>(await made.run([...SANDBOX, ...line, '--limit', '1', '-o', 'json']))[0]?.id ?? '';
  const one = await first(['subscriptions', 'list', '--where', 'status=active']);
  const coupon = await first(['coupons', 'list', '--where', 'coupon_code=SAVE10']);
  const edit = () =>
    made.run([...SANDBOX, 'subscriptions', 'edit', one, '-d', `coupon[]=${coupon}`], { terminal: 120 });
  await edit();
  const again = await edit();
  expect(again.stdout + again.stderr).toContain(`coupon: [${coupon}] (as it was)`);
});

it('says which prices of a product an edit has left as they were', async () => {
  const made = home();
  const edit = [...SANDBOX, 'products', 'edit', 'Vitamin Plan'];
  const ran = await made.run([...edit, '--price', '31.90'], { terminal: 120 });
  const [, line = ''] =
    /Not changed: price_subscription [\d.]+, price_trial [\d.]+\. To change those too: cops (.*? -d .*? -d \S+)/.exec(
      stripVTControlCharacters(ran.stderr).replaceAll(/\s+/g, ' '),
    ) ?? [];
  expect((await made.run(line.split(' '))).code, ran.stderr).toBe(0);
  const whole = await made.run([...edit, '--price', '30', '--price-trial', '30', '--price-subscription', '30'], {
    terminal: 120,
  });
  expect(whole.stdout + whole.stderr).not.toContain('Not changed');
});
