/** The words of a line: families, actions, ids, and global options anywhere. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listHandler, ok, wrote } from '../fixtures/service/service.js';
import { A, B, C, errorOf, home, items, json, pair } from './helpers.js';

it('takes a family with underscores and in the singular, and an action by its aliases', async () => {
  const { service, home } = await pair(() => ok({ id: A, live_mode: false }));
  const lines = [
    ['subscription-profiles', 'get', A],
    ['subscription_profiles', 'retrieve', A],
    ['subscription_profile', 'show', A],
    ['subscription-profile', 'get', A],
  ];
  for (const line of lines) expect(await home.run(line), line.join(' ')).toMatchObject({ code: 0 });
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    lines.map(() => `GET /subscription_profiles/${A}`),
  );
});

it('takes update, ls and rm, and an action with underscores', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'GET' ? listHandler({ items: items(1), dated: false })(request) : wrote('customer_group', A),
  );
  for (const line of [
    ['customer-groups', 'update', A, '--name', 'New'],
    ['customer-groups', 'ls'],
    ['customer-groups', 'rm', A, '--yes'],
    ['customers', 'add_to_group', A, '-d', `customer_group[0]=${B}`, '--yes'],
    ['customer', 'payment_methods', 'set_default', A, B, '--yes'],
  ]) {
    expect(await home.run(line), line.join(' ')).toMatchObject({ code: 0 });
  }
  expect(
    service.requests.filter(({ path }) => path !== `/customers/${A}`).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([
    `POST /customer_groups/${A}`,
    'GET /customer_groups',
    `POST /customer_groups/${A}/delete`,
    `POST /customers/${A}/add_to_group`,
    `POST /customers/${A}/payment_methods/${B}/set_default`,
  ]);
});

it('accepts global options anywhere on the line', async () => {
  const { service, home } = await pair(() => ok({ id: A, name: 'N', live_mode: false }));
  const lines = [
    ['-o', 'jsonl', '--columns', 'id', '--no-color', 'customers', 'get', A],
    ['customers', '-o', 'jsonl', 'get', '--columns', 'id', A, '--no-color'],
    ['customers', 'get', A, '--output=jsonl', '--columns=id', '--no-color'],
    ['customers', 'get', '-ojsonl', A, '--columns', 'id'],
    ['-qo', 'jsonl', 'customers', 'get', A, '--columns', 'id'],
    ['-o', 'jsonl', 'customers', 'get', A, '--columns', 'id', '-o', 'jsonl'],
  ];
  const outs = new Set<string>();
  for (const line of lines) {
    const ran = await home.run(line);
    expect(ran, line.join(' ')).toMatchObject({ code: 0 });
    outs.add(ran.stdout);
  }
  expect([...outs]).toEqual([[...outs][0]]);
  expect(service.requests).toHaveLength(lines.length);
});

it('takes global options between a sub-family and its action', async () => {
  const { service, home } = await pair(() =>
    ok({ results: [], total_count: 0, total_pages: 0, current_count: 0, current_page: 1 }),
  );
  expect(await home.run(['customers', '-q', 'payment-methods', '-o', 'json', 'list', A])).toMatchObject({ code: 0 });
  expect(service.requests[0]?.path).toBe(`/customers/${A}/payment_methods`);
});

it('takes ids after a double dash', async () => {
  const { service, home } = await pair(() => ok({ id: A, live_mode: false }));
  expect(await home.run(['customers', 'get', '--', A])).toMatchObject({ code: 0 });
  expect(service.requests[0]?.path).toBe(`/customers/${A}`);
});

it('reads ids from standard input, one a line, whatever the line ends and blanks', async () => {
  const { service, home } = await pair((request) => ok({ id: request.path.split('/')[2], live_mode: false }));
  const ran = await home.run(['customers', 'get', '-', '-o', 'ids'], { input: `\ufeff${A}\r\n\n  ${B}  \n${C}` });
  expect(ran).toMatchObject({ code: 0, stdout: `${A}\n${B}\n${C}\n` });
  expect(service.requests.map(({ path }) => path)).toEqual([`/customers/${A}`, `/customers/${B}`, `/customers/${C}`]);
});

it.each(['get', 'enable'])('reads standard input once only: %s - -', async (action) => {
  const { service, home } = await pair(() => ok({ id: A, live_mode: false }));
  const ran = await home.run(['customers', action, '-', '-', '--yes'], { input: `${A}\n` });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(service.requests).toHaveLength(0);
});

it('says when standard input holds no ids, and sends nothing', async () => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(['subscriptions', 'cancel', '-', '--yes'], { input: '\n \n' });
  expect(ran.code).toBe(2);
  expect(service.requests).toHaveLength(0);
});

it.each([
  [['bigquery', 'query', 'SELECT 1', '--yes'], 'POST', '/bigquery', { bigquery_sql: 'SELECT 1' }],
  [['bigquery', 'query', '@q.sql', '--yes'], 'POST', '/bigquery', { bigquery_sql: 'SELECT 2\n' }],
  [['bigquery', 'query', '-', '--yes'], 'POST', '/bigquery', { bigquery_sql: 'SELECT 3\n' }],
  [['bigquery-tables', 'get', 'sale'], 'GET', '/bigquery_tables/sale', undefined],
  [['documentation', 'search', 'a term'], 'GET', '/documentation/search', undefined],
  [['products', 'sync', 'start', '--third-party-shop', A, '--yes'], 'POST', '/products/sync', { third_party_shop: A }],
  [['products', 'sync', 'get', A], 'GET', `/products/sync/${A}`, undefined],
  [
    ['sales', 'pending', 'process', A, '--payment-profile', B, '--yes'],
    'POST',
    `/sales/pending/${A}/process`,
    { payment_profile: B },
  ],
  [['sales', 'estimate', '--sale-id', A], 'POST', '/sales/estimate', { sale_id: A }],
  [
    [
      'metadata',
      'insert',
      '--item-type',
      'sale',
      '--item-id',
      A,
      '-d',
      'metadata[0].name=a',
      '-d',
      'metadata[0].value=b',
    ],
    'POST',
    '/metadata',
    { item_type: 'sale', item_id: A, metadata: [{ name: 'a', value: 'b' }] },
  ],
  [['coupons', 'validate', 'SPRING'], 'GET', '/coupons/validate', undefined],
  [['sentinel', 'get'], 'GET', '/sentinel', undefined],
  [['key-values', 'get', 'support_phone'], 'GET', '/key_values/support_phone', undefined],
] as const)('cops %j', async (line, method, where, body) => {
  const { service, home } = await pair(() => ok({ result: 'success', results: [] }));
  writeFileSync(path.join(home.folder, 'q.sql'), 'SELECT 2\n');
  const ran = await home.run([...line], {
    cwd: home.folder,
    ...(line.includes('-' as never) ? { input: 'SELECT 3\n' } : {}),
  });
  expect(ran).toMatchObject({ code: 0 });
  const sent = service.requests.find((request) => request.method === method);
  expect(sent?.path).toBe(where);
  if (body) {
    const { idempotency_key: _, ...rest } = (sent?.json ?? {}) as Record<string, unknown>;
    expect(rest).toEqual(body);
  }
});

it.each([
  [['subscriptionz', 'list'], /subscriptions/],
  [['subscriptions', 'cancle', A], /cancel/],
  [['subscriptions', 'list', '--lmit', '3'], /--limit/],
  [['subscriptions'], /list/],
  [['subscriptions', 'get'], /subscription_id/],
  [['subscriptions', 'get', 'short'], /20/],
  [['customers', 'payment-methods', 'set-default', A], /payment_method_id/],
  [['subscriptions', 'list', 'word'], /word/],
  [['--live', '--test', 'subscriptions', 'list'], /--test/],
  [['-p', 'a', '-p', 'b', 'products', 'list'], /--profile: .*two, a and b\./],
  [
    ['report', 'refunds', '--month', '2026-09', '--month=2026-10'],
    /For both: cops report refunds --from 2026-09 --to 2026-10$/m,
  ],
  [['report', 'refunds', '--month', '2026-07', '--month', '2026-10'], /Keep one, or run one line for each/],
  [['report', 'revenue', '--against', '2026-09', '--compare', 'last-year'], /--compare and --against set the same/],
  [['reconcile', 'x.csv', '--month', '2026-09', '--month', '2026-10'], /two, 2026-09 and 2026-10\.\n.*--from 2026-09 --to 2026-10/],
  [['products', 'list', '--columns', 'id', '--columns', 'name'], /For both: cops products list --columns id,name$/m],
  [['products', 'edit', A, '--enabled', '--no-enabled'], /--enabled cannot be combined with --no-enabled/],
  [
    ['setup', 'diff', '--from', 'a:test', '--from-env', 'b:live', '--to', 'c:live'],
    /--from-env and --from set the same/,
  ],
  [['profiles', 'add', 'x', '--test-key', 'first', '--test-key', 'second'], /two\.\nHint: Keep one/],
  [['subscriptions', 'list', '-o', 'xml'], /jsonl/],
  [['subscriptions', 'list', '--rate', 'fast'], /--rate/],
  [['subscriptions', 'list', '--query', 'a['], /query/i],
  [['subscriptions', 'list', '-o', 'jsn'], /Did you mean json\?/],
  [['subscriptions', 'list', '--tz', 'Europe/Berln'], /Did you mean Europe\/Berlin\?/],
  [['products', 'list', '--product-type', 'subscribtion'], /did you mean subscription\?/],
  [['subscriptions', 'list', '--mode', 'live'], /--live or --test/],
  [['subscriptions', 'search', '-x'], /after --/],
  [['renewalls', 'list'], /"cops subscription-renewals list"/],
  [['customers', 'payment_methods'], /an action is missing[\s\S]*set-default/],
  [['customers', 'payment-methods', 'lst', A], /"cops customers payment-methods list \w+"/],
  [['customers', '--limit', '3', 'list'], /before --limit/],
  [['customers', '--wide', 'lst'], /Did you mean/],
  [['declines', 'list', '--limit', '3'], /Hint: Did you mean "cops salvage-transactions list --limit 3"\?$/m],
  [['subscriptions', 'pause', A], /"cops subscriptions suspend \w+"\? A suspension does not end/],
  [['campaigns', 'create'], /Not here: campaigns cannot be created through this interface/],
  [['customers', 'remove', A], /no delete for customers: use customers disable/],
  [['payouts'], /this interface does not report a gateway's payouts/],
  [['customers', 'edit', A, '--emial', 'x@example.com'], /Unknown option '--emial'/],
  [['sales', 'list', '--top', '3'], /"cops sales list --limit 3"/],
  [['sales', 'list', '-n', '3'], /"cops sales list --limit 3"/],
  [['sales', 'list', '--sinse', '3d'], /"cops sales list --from 3d"/],
  [['sales', 'list', '--api-key', 'abc'], /never goes on the command line/],
  [['help', 'subs'], /"cops help subscriptions"/],
  [['explain'], /Usage: cops explain .*<word>/],
  [['mode', 'test', 'live'], /Usage: cops mode .*\[test\|live\]/],
  [['config'], /an action is missing[\s\S]*path, list, get/],
  [['bigquery', 'query'], /SELECT 1/],
  [['bigquery', 'query', '@', '--yes'], /file name/],
] as const)('refuses %j as usage with a way out, sending nothing', async (line, hint) => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(line);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(hint);
  expect(service.requests).toHaveLength(0);
});

it.each([
  [
    ['--since', '3d'],
    ['--from', '3d'],
  ],
  [['--json'], ['-o', 'json']],
  [
    ['--format', 'ids'],
    ['-o', 'ids'],
  ],
] as const)('takes %j for %j and says so', async (typed, ours) => {
  const { home } = await pair(() => ok({ total_count: 0, results: [] }));
  const { code, stdout } = await home.run(['sales', 'list', '-q', ...ours]);
  expect(await home.run(['sales', 'list', ...typed, '-q'])).toMatchObject({ code, stdout });
  expect((await home.run(['sales', 'list', ...typed])).stderr).toContain(`is read as ${ours[0]}`);
});

it('shows the topic where help is asked for it, and the usage of the command of that name', async () => {
  expect((await home().run(['help', 'profiles'])).stdout).toMatch(/^Profiles, keys and modes/);
  expect((await home().run(['profiles', '--help'])).stdout).toMatch(/^Usage: cops profiles/);
});

it('prints its version alone', async () => {
  for (const flag of ['--version', '-V']) {
    const ran = await home().run([flag]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }
  expect((await home().run(['--version'], { terminal: 80 })).stderr).toBe('How to update it: cops update\n');
});

it('prints its version wherever it is asked for, but never for an operand', async () => {
  const alone = (await home().run(['--version'])).stdout;
  for (const line of [
    ['customers', 'list', '--version'],
    ['customers', '-V'],
    ['-V', 'customers', 'list'],
  ]) {
    expect(await home().run(line), line.join(' ')).toMatchObject({ code: 0, stdout: alone, stderr: '' });
  }
  expect((await home().run(['customers', 'get', '--', '--version'])).code).toBe(2);
});

it('names a file that is not there, and sends nothing', async () => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(['bigquery', 'query', '@missing.sql', '-o', 'json']);
  expect(ran).toMatchObject({ code: 11, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ kind: 'local', message: expect.stringContaining('missing.sql') });
  expect(service.requests).toHaveLength(0);
});

it('never sends an id that would change the path', async () => {
  const { service, home } = await pair(() => ok());
  for (const id of ['../../customers/AAAAA', 'A?page=1aaaaaaaaaaaa', 'AAAAAAAAAAAAAAAAAAA/', '..', '.']) {
    await home.run(['customers', 'get', id]);
  }
  for (const key of ['..', '.']) expect((await home.run(['key-values', 'get', key])).code, key).toBe(2);
  for (const { path: sent, rawQuery } of service.requests) {
    expect(rawQuery).toBe('');
    expect(sent).toMatch(/^\/customers\/[^/]+$/);
  }
});

it('reports a usage error as JSON if JSON is requested, even when the line does not parse', async () => {
  for (const format of [['-o', 'json'], ['-qojsonl'], ['--output=json'], ['-o', 'csv', '-vo', 'json']]) {
    const ran = await home().run([...format, 'subscriptions', 'list', '--nonsense']);
    expect(errorOf(ran), format.join(' ')).toMatchObject({ kind: 'usage' });
    expect(ran.code).toBe(2);
  }
  const other = await home().run(['-o', 'json', 'subscriptions', 'list', '--nonsense', '-o', 'table']);
  expect(other.stderr).toMatch(/^Error: /);
});

it('reports an error as JSON if the profile says so, even before its key is known', async () => {
  const made = home();
  await made.run(['profiles', 'add', 'a', '--base-url', 'https://a.example/v2', '--default-output', 'jsonl']);
  const ran = await made.run(['customers', 'list']);
  expect(errorOf(ran)).toMatchObject({ kind: 'not_authorised' });
  expect(ran).toMatchObject({ code: 3, stdout: '' });
});

it('reads several items in the order of their ids, as one array', async () => {
  const { home } = await pair((request) => ok({ id: request.path.split('/')[2], live_mode: false }));
  const ran = await home.run(['customers', 'get', C, A, B]);
  expect(json<{ id: string }[]>(ran).map(({ id }) => id)).toEqual([C, A, B]);
});
