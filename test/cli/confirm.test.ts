/** Who is asked before what (command-line.md#writes), without a terminal; with one, see test/shells. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notFound, ok, refusal, wrote } from '../fixtures/service/service.js';
import { A, B, errorOf, pair } from './helpers.js';
import type { Home } from './program.js';

const CANCEL = ['subscriptions', 'cancel', A];
const REFUND = ['product-sales', 'refund', A, '--amount', '1'];

/** A service whose items are live or test, or say nothing of their mode. */
function world(liveMode: boolean | undefined, mode: 'test' | 'live') {
  const shown = liveMode === undefined ? {} : { live_mode: liveMode };
  return pair(
    (request) => (request.method === 'GET' ? ok({ id: A, ...shown }) : wrote('subscription', A)),
    mode,
    {},
    false,
  );
}

const posts = (service: { requests: readonly { method: string }[] }) =>
  service.requests.filter(({ method }) => method === 'POST').length;

it.each([
  ['a live cancellation', CANCEL],
  ['a live refund', REFUND],
  ['a live void', ['sales', 'void', A]],
  ['a live charge', ['subscriptions', 'renew', A]],
  ['a live deletion', ['customers', 'payment-methods', 'delete', A, B]],
] as const)('%s without a terminal is stopped with 12 and sends no POST', async (_, line) => {
  const { service, home } = await world(true, 'live');
  const ran = await home.run([...line, '-o', 'json']);
  expect(ran).toMatchObject({ code: 12, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ kind: 'stopped' });
  expect(ran.stderr).toContain('--yes');
  expect(posts(service)).toBe(0);
});

it('--yes lets it through, with exactly one POST', async () => {
  const { service, home } = await world(true, 'live');
  expect((await home.run([...CANCEL, '--yes'])).code).toBe(0);
  expect((await home.run(['-y', ...REFUND])).code).toBe(0);
  expect(posts(service)).toBe(2);
});

it('--yes does not stand for a mode that contradicts', async () => {
  const { service, home } = await world(true, 'test');
  await home.run(['subscriptions', 'get', A]);
  const ran = await home.run([...CANCEL, '--yes']);
  expect(ran.code).toBe(12);
  expect(posts(service)).toBe(0);
});

it('a key that nothing shows to be a test key needs --yes and --mode-unproven', async () => {
  const { service, home } = await world(undefined, 'test');
  expect((await home.run(CANCEL)).code).toBe(12);
  const alone = await home.run([...CANCEL, '--yes', '-o', 'json']);
  expect([alone.code, errorOf(alone).hint]).toEqual([12, expect.stringContaining('--mode-unproven')]);
  expect((await home.run([...CANCEL, '--mode-unproven'])).code).toBe(12);
  expect(posts(service)).toBe(0);
  expect((await home.run([...CANCEL, '--yes', '--mode-unproven'])).code).toBe(0);
  expect(posts(service)).toBe(1);
});

it('a key proven to be test asks nothing', async () => {
  const { service, home } = await world(false, 'test');
  expect((await home.run(['subscriptions', 'get', A])).code).toBe(0);
  expect((await home.run(CANCEL)).code).toBe(0);
  expect((await home.run(REFUND)).code).toBe(0);
  expect(posts(service)).toBe(2);
});

it('the proof of one key says nothing of another', async () => {
  const { service, home } = await world(false, 'test');
  await home.run(['subscriptions', 'get', A]);
  const reads = service.requests.length;
  await home.run(CANCEL, { env: { COPS_API_KEY: 'another_key_00000001' } });
  expect(service.requests[reads]).toMatchObject({ method: 'GET', headers: { 'x-api-key': 'another_key_00000001' } });
});

describe('a live key that is filed as a test key', () => {
  /** Items of one kind, and lists of another; `undefined` shows no mode. */
  const account = (item: Readonly<Record<string, unknown>> | undefined, list: unknown, status = 200) =>
    pair(
      ({ method, path }) => {
        if (method === 'POST') return wrote('subscription', /[A-Z]{19}\d/.exec(path)?.[0] ?? A);
        if (status !== 200) return { status, headers: {}, body: '{"code":0,"message":"no"}' };
        const isList = !path.includes(A);
        if (isList)
          return list === undefined ? ok({ results: [], total_count: 0 }) : ok({ results: [list], total_count: 1 });
        return item === undefined ? notFound() : ok(item);
      },
      'test',
      {},
      false,
    );
  const LIVE = { id: A, live_mode: true };
  const TEST = { id: A, live_mode: false };
  const ROWS = 'subscription_id\nAAAAAAAAAAAAAAAAAAA1\nBBBBBBBBBBBBBBBBBBB2\n';
  const WAYS = [
    ['one', CANCEL],
    ['a refund', REFUND],
    ['several ids', ['subscriptions', 'cancel', A, B]],
    ['bulk', ['bulk', 'subscriptions', 'cancel', '--ids', '-']],
    ['api', ['api', 'POST', `/subscriptions/${A}/cancel`]],
    ['an unknown path', ['api', 'POST', '/never_heard_of']],
    ['a create that carries money', ['sales', 'create', '--body', '{}', '--no-validate']],
  ] as const;
  const run = (home: Home, line: readonly string[], flags: readonly string[]) =>
    home.run([...line, ...flags, '-o', 'json'], {
      input: line[0] === 'bulk' ? ROWS.split('\n').slice(1).join('\n') : '',
    });

  it.each(WAYS)('is stopped by a live item before anything leaves: %s', async (_, line) => {
    for (const at of [await account(LIVE, LIVE), await account(undefined, LIVE)]) {
      for (const flags of [[], ['--yes'], ['--test', '--yes', '--mode-unproven']]) {
        expect((await run(at.home, line, flags)).code).toBe(12);
      }
      expect(posts(at.service)).toBe(0);
    }
  });

  it.each(WAYS)('is not let through by reads that fail: %s', async (_, line) => {
    const at = await account(LIVE, LIVE, 401);
    for (const flags of [['--yes'], ['--yes', '--mode-unproven']]) {
      expect((await run(at.home, line, flags)).code).toBe(12);
    }
    expect(posts(at.service)).toBe(0);
  });

  it.each(WAYS)('needs the open word where the account is empty: %s', async (_, line) => {
    const at = await account(undefined, undefined);
    expect((await run(at.home, line, ['--yes'])).code).toBe(12);
    expect(posts(at.service)).toBe(0);
    expect((await run(at.home, line, ['--yes', '--mode-unproven'])).code).toBe(0);
    expect(posts(at.service)).toBeGreaterThan(0);
  });

  it.each(WAYS)('a real test key is proven by the item or a list, and asks nothing: %s', async (_, line) => {
    const at = await account(undefined, TEST);
    expect((await run(at.home, line, [])).code).toBe(0);
    const sent = posts(at.service);
    expect(sent).toBeGreaterThan(0);
    const reads = at.service.requests.length - sent;
    expect((await run(at.home, line, ['--again'])).code).toBe(0);
    // Cancellations read their items in any case, for what goes on in spite of them.
    const own = line.some((word) => word === 'subscriptions') ? (line.length === 3 ? 1 : 2) : 0;
    expect(at.service.requests.filter(({ method }) => method === 'GET')).toHaveLength(reads + own);
  });

  it('is stopped when a run resumes', async () => {
    const at = await account(TEST, TEST);
    const journal = join(at.home.folder, 'run.journal');
    const line = ['bulk', 'subscriptions', 'cancel', '--ids', '-', '--journal', journal];
    at.service.script(ok(TEST), refusal(401, 'E0001', 'no'));
    expect((await run(at.home, line, ['--yes', '--concurrency', '1'])).code).not.toBe(0);
    rmSync(join(at.home.env.COPS_CONFIG_DIR ?? '', 'proofs.json'));
    const before = posts(at.service);
    at.service.script(ok(LIVE));
    expect((await at.home.run(['bulk', 'resume', journal, '--yes', '--mode-unproven'])).code).toBe(12);
    expect(posts(at.service)).toBe(before);
  });
});

it('a plain write asks nothing in live mode', async () => {
  const { service, home } = await world(true, 'live');
  expect((await home.run(['customer-groups', 'create', '--name', 'x'])).code).toBe(0);
  expect(posts(service)).toBe(1);
});

it('risk goes by operation, not by method: an estimate and a query are reads', async () => {
  const { service, home } = await world(true, 'live');
  expect((await home.run(['sales', 'estimate', '--sale-id', A])).code).toBe(0);
  expect(posts(service)).toBe(1);
});

it.each([
  ['bigquery query', ['bigquery', 'query', 'DELETE FROM t WHERE true']],
  ['api POST /bigquery', ['api', 'POST', '/bigquery', '-d', 'bigquery_sql=SELECT 1; DROP TABLE t']],
] as const)('SQL that is not provably a query is a write: %s', async (_, line) => {
  const { service, home } = await world(true, 'live');
  expect((await home.run(line)).code).toBe(12);
  expect(posts(service)).toBe(0);
  expect((await home.run([...line, '--yes'])).code).toBe(0);
  expect(posts(service)).toBe(1);
  expect((await home.run(['history', 'list'])).stdout).toContain('bigquery');
});

it('--no-input stops as well, and a missing item does not open the way', async () => {
  const { service, home } = await pair(
    (request) => (request.method === 'GET' ? notFound() : wrote('subscription', A)),
    'live',
  );
  expect((await home.run([...CANCEL, '--no-input'])).code).toBe(12);
  expect(posts(service)).toBe(0);
});

it('--yes in a value is not a yes', async () => {
  const { service, home } = await world(true, 'live');
  const ran = await home.run(['subscriptions', 'cancel', A, '-d', '--yes']);
  expect(ran.code).not.toBe(0);
  expect(posts(service)).toBe(0);
});

it('guards an operation sent through cops api like its own command', async () => {
  const { service, home } = await world(true, 'live');
  for (const path of [
    `/subscriptions/${A}/cancel`,
    `subscriptions/${A}/cancel`,
    '/never_heard_of',
    `/subscriptions/${A}/cancel?x=1`,
  ]) {
    expect((await home.run(['api', 'POST', path])).code, path).toBe(12);
  }
  expect(posts(service)).toBe(0);
});

it('guards a dry run of nothing: it needs no yes and sends nothing', async () => {
  const { service, home } = await world(true, 'live');
  expect((await home.run([...CANCEL, '--dry-run'])).code).toBe(0);
  expect(service.requests).toHaveLength(0);
});

it('an answer about another item is no fact of a question, and is said by a read', async () => {
  const { service, home } = await pair(
    (request) =>
      request.method === 'GET' ? ok({ id: B, name: 'somebody else', live_mode: true }) : wrote('customer', A),
    'live',
  );
  const running = home.start(CANCEL, { terminal: 200 });
  while (!running.stderr().includes('Type')) await new Promise((resolve) => setTimeout(resolve, 5));
  running.signal('SIGINT');
  const asked = await running.ended;
  expect(asked.stderr).toContain(`answered with item ${B}`);
  expect(asked.stderr).not.toContain('somebody else');
  expect(posts(service)).toBe(0);
  const read = await home.run(['customers', 'get', A]);
  expect(read.stderr).toContain(`The service answered with ${B}, not with ${A}.`);
  const several = await home.run(['customers', 'get', B, A]);
  expect(several.stderr.match(/The service answered with/g)).toHaveLength(1);
});
