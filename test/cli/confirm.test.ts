/** Who is asked before what (command line, section 6), without a terminal; with one, see test/shells. */
import { expect, it } from 'vitest';
import { notFound, ok, wrote } from '../fixtures/service/service.js';
import { A, B, errorOf, pair } from './helpers.js';

const CANCEL = ['subscriptions', 'cancel', A];
const REFUND = ['product-sales', 'refund', A, '--amount', '1'];

/** A service whose items are live or test, or say nothing of their mode. */
function world(liveMode: boolean | undefined, mode: 'test' | 'live') {
  const shown = liveMode === undefined ? {} : { live_mode: liveMode };
  return pair((request) => (request.method === 'GET' ? ok({ id: A, ...shown }) : wrote('subscription', A)), mode);
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

it('a key declared test and not proven needs --yes as well', async () => {
  const { service, home } = await world(undefined, 'test');
  expect((await home.run(CANCEL)).code).toBe(12);
  expect(posts(service)).toBe(0);
  expect((await home.run([...CANCEL, '--yes'])).code).toBe(0);
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
  expect((await home.run(CANCEL, { env: { COPS_API_KEY: 'another_key_00000001' } })).code).toBe(12);
  expect(posts(service)).toBe(0);
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
