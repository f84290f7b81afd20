/** Exit codes of reads and the form of errors (command-line.md#exit-codes). */
import { expect, it } from 'vitest';
import { badKey, html, notFound, ok, refusal, serverError, tooMany, truncated } from '../fixtures/service/service.js';
import { A, errorOf, forgetFirstDay, home, KEY, pair } from './helpers.js';

const GET = ['campaigns', 'get', A];

it.each([
  ['400', refusal(400), 1],
  ['401', badKey(), 3],
  ['403', refusal(403), 3],
  ['404', notFound(), 4],
  ['405', refusal(405), 1],
  ['409', refusal(409), 1],
  ['418 without JSON', html(418), 1],
] as const)('a read answered with %s ends with its code and is not sent again', async (_, reaction, code) => {
  const { service, home: made } = await pair(() => reaction);
  const ran = await made.run([...GET, '-o', 'json']);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(service.requests).toHaveLength(1);
});

it.each([
  ['429', tooMany(0), 7],
  ['500', serverError(), 1],
  ['503', serverError(503), 1],
  ['a cut connection', 'drop', 8],
] as const)('a read answered with %s is sent again, then ends with its code', async (_, reaction, code) => {
  const { service, home: made } = await pair(() => reaction);
  const ran = await made.run([...GET, '--max-retries', '2']);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(service.requests).toHaveLength(3);
});

it.each([
  ['429', tooMany(0)],
  ['500', serverError()],
  ['a cut connection', 'drop'],
] as const)('a read gets over %s', async (_, reaction) => {
  const { service, home: made } = await pair(() => ok({ id: A }));
  service.script(reaction);
  expect((await made.run(GET)).code).toBe(0);
  expect(service.requests).toHaveLength(2);
});

it('ends a read that gets no answer in time with 8', async () => {
  const { home: made } = await pair(() => 'silence');
  expect((await made.run([...GET, '--timeout', '0.3', '--max-retries', '0'])).code).toBe(8);
});

it('ends a read without JSON with 1', async () => {
  for (const reaction of [html(), truncated()]) {
    const { home: made } = await pair(() => reaction);
    expect(await made.run([...GET, '--max-retries', '0'])).toMatchObject({ code: 1, stdout: '' });
  }
});

it('shows what failed, the message, the error code, the api_call_id with the command that looks it up, and a hint', async () => {
  const { home: made } = await pair(() =>
    refusal(400, 'E0037', 'Payment profile is invalid', { api_call_id: 'CALL0000000000000042' }),
  );
  const ran = await made.run([...GET, '-o', 'table']);
  for (const part of ['Payment profile is invalid', 'E0037', 'cops api-calls get CALL0000000000000042'])
    expect(ran.stderr).toContain(part);
});

it.each(['json', 'jsonl'])('gives the error as the last line of standard error with -o %s', async (format) => {
  const { home: made } = await pair(() => refusal(400, 'E0037', 'Not this', { api_call_id: 'CALL0000000000000042' }));
  const ran = await made.run([...GET, '-o', format, '--debug']);
  expect(Object.keys(JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '') as object)).toEqual(['error']);
  expect(errorOf(ran)).toMatchObject({
    http_status: 400,
    code: 0,
    error_code: 'E0037',
    api_call_id: 'CALL0000000000000042',
  });
  expect(errorOf(ran).message).toContain('Not this');
  expect(Object.keys(errorOf(ran))).toEqual(
    expect.arrayContaining(['kind', 'message', 'http_status', 'code', 'error_code', 'api_call_id', 'hint']),
  );
});

it('gives the JSON form where COPS_OUTPUT asks for it', async () => {
  const { home: made } = await pair(() => notFound());
  expect(errorOf(await made.run(GET, { env: { COPS_OUTPUT: 'json' } }))).toMatchObject({ http_status: 404 });
});

it('takes a null api_call_id', async () => {
  const { home: made } = await pair(() => refusal(400, 'E0208', 'Not JSON', { api_call_id: null }));
  const ran = await made.run([...GET, '-o', 'json']);
  expect(ran.code).toBe(1);
  expect(errorOf(ran)).toMatchObject({ error_code: 'E0208', api_call_id: null });
});

it('shows raw gateway answers only with --raw', async () => {
  const { declined } = await import('../fixtures/service/service.js');
  for (const format of ['json', 'table']) {
    const { service, home: made } = await pair();
    const line = ['sales', 'create', '--body', '{}', '--no-validate', '--yes', '-o', format];
    service.script(declined());
    const plain = await made.run([...line, '--debug']);
    expect(plain.code).toBe(5);
    expect(plain.stdout + plain.stderr).not.toContain('RAW-GATEWAY');
    service.script(declined());
    const raw = await made.run([...line, '--raw', '--again']);
    expect(raw.stdout + raw.stderr).toContain('RAW-GATEWAY');
  }
});

it('shows a node’s rejection with node, setting and explanation', async () => {
  const { service, home: made } = await pair();
  service.script(
    refusal(400, 'E0959', 'Node settings rejected', {
      node_id: 'n1',
      invalid_setting: 'step_message',
      explanation: 'is blank',
    }),
  );
  const ran = await made.run(['ai-assistants', 'edit', A, '--body', '{"name":"x"}']);
  for (const part of ['n1', 'step_message', 'is blank']) expect(ran.stderr).toContain(part);
});

it('ends with 2 for usage and 11 for local faults', async () => {
  expect((await home().run(['campaigns', 'list', '--nope'])).code).toBe(2);
  const made = home({
    COPS_API_KEY: KEY,
    COPS_MODE: 'test',
    COPS_BASE_URL: 'http://127.0.0.1:9',
    COPS_CONFIG_DIR: '/dev/null/x',
  });
  expect((await made.run(['customer-groups', 'create', '--name', 'x'])).code).toBe(11);
});

it('sends a write only when its trail can be kept', async () => {
  const { service, home: made } = await pair(() => ok());
  const ran = await made.run(['customer-groups', 'create', '--name', 'x'], { env: { COPS_CONFIG_DIR: '/dev/null/x' } });
  expect(ran.code).toBe(11);
  expect(service.requests).toHaveLength(0);
});

it('says of a refused key once what is to be done', async () => {
  const { home } = await pair(() => refusal(401, 'unknown key'));
  forgetFirstDay(home);
  const ran = await home.run(['customers', 'list', '-o', 'table']);
  expect(ran.code).toBe(3);
  expect(ran.stderr).not.toContain('first day');
  expect(ran.stderr).not.toContain('api-calls get');
  expect(ran.stderr).toContain('cops login --replace');
});
