/** One operation over several ids: the bulk engine behind the plain command (command-line.md#grammar, command-line.md#global-options, command-line.md#bulk). */
import path from 'node:path';
import { expect, it } from 'vitest';
import { notFound, ok, type Recorded, serverError, wrote } from '../fixtures/service/service.js';
import { A, B, C, json, pair } from './helpers.js';

const GROUPS = (...ids: string[]) => ['customer-groups', 'edit', ...ids, '--name', 'x', '-o', 'json'];
const idOf = (request: Recorded) => request.path.split('/')[2] ?? '';

it('sends one request per id, each with its own key, and returns an array of answers in order', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  const ran = await home.run(GROUPS(A, B, C));
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<{ customer_group_id: string }[]>(ran).map((one) => one.customer_group_id)).toEqual([A, B, C]);
  expect(service.requests.map(idOf).sort()).toEqual([A, B, C]);
  const keys = service.requests.map(({ json: body }) => (body as { idempotency_key: string }).idempotency_key);
  expect(new Set(keys).size).toBe(3);
});

it('shows a person whose answer each is', async () => {
  const { home } = await pair(() => ok({ result: 'success', customer_id: 'unused' }));
  const { service, home: other } = await pair((request) => ok({ result: 'success', customer_id: idOf(request) }));
  expect((await home.run(['customers', 'disable', A, B, '-o', 'csv'])).stdout).toMatch(
    /^customer_id,result,api_call_id\n/,
  );
  const ran = await other.run(['customers', 'disable', A, B], { terminal: 100, env: { NO_COLOR: '1' } });
  expect(service.requests).toHaveLength(2);
  expect(ran.stdout).toMatch(new RegExp(`ID +RESULT.*\\n${A} +success.*\\n${B} +success`));
});

it('reads ids from standard input, as another command prints them', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  const ran = await home.run(['customer-groups', 'edit', '-', '--name', 'x'], { input: `${A}\n${B}\n` });
  expect(ran.code, ran.stderr).toBe(0);
  expect(service.requests.map(idOf).sort()).toEqual([A, B]);
});

it('keeps a journal where one is named, for one id too', async () => {
  const { home } = await pair((request) => wrote('customer_group', idOf(request)));
  const journal = path.join(home.folder, 'run.journal');
  const ran = await home.run(['customer-groups', 'edit', '-', '--name', 'x', '--journal', journal], { input: A });
  expect(ran.code, ran.stderr).toBe(0);
  const report = await home.run(['bulk', 'report', journal, '-o', 'jsonl']);
  expect(report.stdout.trim().split('\n')).toHaveLength(1);
  expect(report.stdout).toContain('done');
});

it('ends with 10 when some are refused, and says which', async () => {
  const { home } = await pair((request) => (idOf(request) === B ? notFound() : wrote('customer_group', idOf(request))));
  const ran = await home.run(GROUPS(A, B, C));
  expect(ran.code).toBe(10);
  expect(ran.stdout + ran.stderr).toContain(B);
});

it('ends with 9 when the outcome of one is unknown', async () => {
  const { home } = await pair((request) =>
    idOf(request) === B ? serverError() : wrote('customer_group', idOf(request)),
  );
  expect((await home.run(GROUPS(A, B, C))).code).toBe(9);
});

it('asks once in live mode: without a terminal nothing is sent', async () => {
  const { service, home } = await pair(
    (request) =>
      request.method === 'GET' ? ok({ id: idOf(request), live_mode: true }) : wrote('subscription', idOf(request)),
    'live',
  );
  expect((await home.run(['subscriptions', 'cancel', A, B])).code).toBe(12);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
  expect((await home.run(['subscriptions', 'cancel', A, B, '--yes'])).code).toBe(0);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

it('checks all ids before the first request', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  expect((await home.run(GROUPS(A, 'short', B))).code).toBe(2);
  // What is no id may be a name: it is looked up, and nothing is written.
  expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('does not run one id twice that was given twice without saying so', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  const ran = await home.run(GROUPS(A, A));
  if (ran.code === 0) expect(service.requests).toHaveLength(1);
  else expect(service.requests).toHaveLength(0);
  expect(ran.stderr).toMatch(/twice|duplicate|same|again/i);
});

it('refuses one idempotency key for several ids', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  expect((await home.run([...GROUPS(A, B), '--idempotency-key', 'k'.repeat(20)])).code).toBe(2);
  expect(service.requests).toHaveLength(0);
});

it('stops when the count is not the expected one', async () => {
  const { service, home } = await pair((request) => wrote('customer_group', idOf(request)));
  expect((await home.run([...GROUPS(A, B), '--expect', '3'])).code).toBe(12);
  expect(service.requests).toHaveLength(0);
  expect((await home.run([...GROUPS(A, B), '--expect', '2'])).code).toBe(0);
});

it('keeps the mode: an answer that contradicts stops the rest', async () => {
  const { service, home } = await pair((request) => ok({ id: idOf(request), live_mode: true }), 'test');
  const ran = await home.run(['customers', 'get', A, B, C]);
  expect(ran.code).toBe(12);
  expect(service.requests).toHaveLength(1);
});

it('prints the requests of a dry run as an array', async () => {
  const { service, home } = await pair();
  const ran = await home.run(['subscriptions', 'cancel', A, B, '--dry-run', '-o', 'json']);
  expect(json<{ url: string }[]>(ran).map(({ url }) => url.split('/').at(-2))).toEqual([A, B]);
  expect(service.requests).toHaveLength(0);
});

it('reads several items: those that exist, with 10 for those that do not', async () => {
  const { home } = await pair((request) =>
    idOf(request) === B ? notFound() : ok({ id: idOf(request), live_mode: false }),
  );
  const ran = await home.run(['customers', 'get', A, B, C, '-o', 'jsonl']);
  expect(ran.code).toBe(10);
  expect(
    ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id),
  ).toEqual([A, C]);
});
