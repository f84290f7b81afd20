/** @module-tag sweep */
/** Lines that strangers typed and that were not understood: each now works, or ends with the line that does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok, refusal } from '../../fixtures/service/service.js';
import { A, errorOf, forgetFirstDay, home, json, pair } from '../helpers.js';

const SANDBOX = ['-p', 'sandbox'];

describe('an option that is none', () => {
  it.each([
    [
      ['subscriptions', 'cancel', A, '--at-period-end'],
      `cops -p sandbox subscriptions suspend ${A} stops renewals at once`,
    ],
    [['trials', 'cancel', A, '--at-end'], 'never at the end of a period'],
    [
      ['customers', 'edit', 'a@b.c', '--customer-group', 'VIP'],
      "cops -p sandbox customers add-to-group a@b.c -d 'customer_group[0]=VIP' puts",
    ],
    [['sales', 'list', '--product', 'Coffee Club'], "cops -p sandbox product-sales list '--product=Coffee Club'"],
    [['history', 'list', '--customer', 'a@b.c'], 'cops -p sandbox timeline a@b.c'],
    [['products', 'list', '--watch'], 'of lists of what happens: cops -p sandbox sales tail'],
    [
      ['report', 'close', '--month', '2026-10', '--journal', 'hledger', '--out', 'october.journal'],
      'cops -p sandbox report close --month 2026-10 --journal hledger > october.journal',
    ],
    [['customers', 'edit', A, '--address', '1 Lane'], "-d 'customer.address_line_1=1 Lane'"],
  ])('%j says what there is instead', async (line, hint) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(hint);
  });

  it.each([
    [['subscriptions', 'list', '--overdue', '--count'], '--overdue is read as --status overdue.'],
    [['sales', 'list', '--today', '--count'], '--today is read as --from today.'],
    [
      ['api-calls', 'list', '--last', '1h', '--status', 'failed', '--count'],
      "--status failed is read as --where 'http_status>=400'.",
    ],
    [
      ['api-calls', 'list', '--last', '1h', '--method=POST', '--count'],
      '--method=POST is read as --where method=POST.',
    ],
    [['api-calls', 'list', '--last', '1h', '--failed', '--count'], "--failed is read as --where 'http_status>=400'."],
    [['sales', 'list', '--amount', '>100', '--count'], "--amount >100 is read as --where 'amount>100'."],
    [['sales', 'list', '--min-amount', '5', '--count'], "--min-amount 5 is read as --where 'amount>=5'."],
    [
      ['subscriptions', 'list', '--created-before=2026-10-01', '--count'],
      "--created-before=2026-10-01 is read as --where 'created<2026-10-01'.",
    ],
    [['customers', 'list', '--created', 'today', '--count'], '--created is read as --from today --to today.'],
  ])('%j works where a list can only mean one thing', async (line, note) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.stderr).toContain(note);
    expect(ran.code, ran.stderr).toBe(0);
  });

  it.each([
    ['sales', 'list', '--produ', 'x'],
    ['sales', 'list', '--forcee'],
    ['subscriptions', 'cancel', A, '--producton'],
    ['subscriptions', 'cancel', A, '--assume-ye'],
  ])('a slip leads neither to live mode nor past a question: %j %j %j %j', async (...line) => {
    const ran = await home().run([...SANDBOX, ...line]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toMatch(/--live|--yes/);
  });

  it('is a condition for no write, and for no value that two fields take', async () => {
    for (const line of [
      ['subscriptions', 'suspend', A, '--overdue'],
      ['subscriptions', 'list', '--purple'],
    ])
      expect((await home().run([...SANDBOX, ...line])).code).toBe(2);
  });
});

it('says of a table with a header in the place of bare ids how it is read', async () => {
  const place = home();
  for (const text of ['id\n', 'subscription_id\n', `id,why\n${A},x\n`]) {
    const file = path.join(place.folder, 'cancel.csv');
    writeFileSync(file, text);
    const ran = await place.run([...SANDBOX, 'bulk', 'subscriptions', 'cancel', '--ids', file]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is read with --input');
  }
});

it('tells of an action what it does, and where its help is', async () => {
  const made = home();
  const ran = await made.run(['explain', 'cancel', '-o', 'json']);
  expect(ran.code).toBe(0);
  const found = json<{ kind: string; name: string; more: string }[]>(ran);
  const own = found.find(({ name }) => name === 'subscriptions cancel');
  expect(own?.kind).toBe('action');
  expect(own?.more).toContain('Takes effect at once, never at the end of a period');
  const help = await made.run(['help', 'cancel']);
  expect(help.stderr).toContain('cops subscriptions cancel --help');
  expect((await made.run(['subscriptions', 'cancel', '--help'])).stdout).toContain('never at the end of a period');
});

it('takes a range in the history, and says that what was sent is not kept', async () => {
  const made = home();
  const [first] = json<{ id: string }[]>(
    await made.run([...SANDBOX, 'subscriptions', 'list', '--where', 'status=active', '--limit', '1', '-o', 'json']),
  );
  await made.run([...SANDBOX, 'subscriptions', 'suspend', first?.id ?? '', '--yes']);
  const entries = json<{ id: string; api_call_id: string }[]>(
    await made.run(['history', '--last', '1d', '-o', 'json']),
  );
  expect(entries).toHaveLength(1);
  expect(json(await made.run(['history', 'list', '--to', '2020-01-01', '-o', 'json']))).toEqual([]);
  const shown = await made.run(['history', 'show', entries[0]?.id ?? '', '-o', 'json']);
  expect(shown.stderr).toContain(
    `never kept here, because it may hold secrets. The service keeps it: cops api-calls get ${entries[0]?.api_call_id}`,
  );
});

it('takes a file in front of a query for the mirror', async () => {
  const made = home();
  const file = path.join(made.folder, 'all.sqlite');
  const synced = await made.run([...SANDBOX, 'sync', file, 'products', 'coupons']);
  expect(synced.code, synced.stderr).toBe(0);
  expect(synced.stderr).toMatch(
    /Done: 2 lists with \d+ items are up to date in \S+all\.sqlite \(\d+ added, 0 changed, 0 gone\)\./,
  );
  expect(synced.stderr).toContain(`It is asked with --mirror: cops -p sandbox sql --mirror ${file} --tables`);
  const ran = await made.run([...SANDBOX, 'sql', file, 'select count(*) as n from coupons', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`${file} is read as --mirror ${file}.`);
  expect(json(ran)).toEqual([{ n: expect.any(Number) }]);
  const quoted = await made.run([
    ...SANDBOX,
    'sql',
    '--mirror',
    file,
    'select id from coupons where coupon_code = "2026-10"',
  ]);
  expect(quoted.code).not.toBe(0);
  expect(quoted.stderr).toContain('A text stands in single quotes');
  expect(quoted.stderr).toContain("coupon_code = '\\''2026-10'\\''");
  // A file of this machine is read: no key is needed, and none asked for.
  const keyless = await made.run(['sql', '--mirror', file, 'select count(*) as n from coupons', '-o', 'json']);
  expect(keyless.code, keyless.stderr).toBe(0);
  expect(json(keyless)).toEqual(json(ran));
  const report = await made.run(['report', 'revenue', '--mirror', file, '--last', '1d']);
  expect(report.stderr).toContain(`From ${file}, test mode`);
  expect((await made.run(['sql', 'select 1'])).code).toBe(3);
  expect((await made.run(['-p', 'nobody', 'sql', '--mirror', file, 'select 1'])).code).not.toBe(0);
  const bare = await made.run([...SANDBOX, 'sql', 'select', '1']);
  expect(bare.code).toBe(2);
  expect(errorOf(await made.run([...SANDBOX, 'sql', 'select', '1', '-o', 'json'])).hint).toContain(
    'Put the query in quotes',
  );
});

it('reads the first page of a list that a bare path asks for, and says so', async () => {
  const { service, home } = await pair((request) =>
    request.query.get('limit') === null
      ? refusal(400, 'parameter limit is required')
      : ok({ results: [{ id: A, live_mode: false }], total_count: 1, total_pages: 1 }),
  );
  const ran = await home.run(['api', 'GET', '/campaigns', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain("read as cops api GET '/campaigns?limit=25&page=1'");
  expect(service.requests).toHaveLength(2);
});

it('reads a body from the file that stands without its @, and says so', async () => {
  const made = home();
  const file = path.join(made.folder, 'c.json');
  writeFileSync(file, '{"text":"hello"}');
  const line = ['notes', 'create', '--item-type', 'customer', '--item-id', A, '--body', file, '--dry-run'];
  const ran = await made.run([...SANDBOX, ...line, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`--body ${file} is read as --body @${file}.`);
  expect(json<{ body: { text: string } }>(ran).body.text).toBe('hello');
  const missing = await made.run([...SANDBOX, 'notes', 'create', '--body', 'none.json', '--dry-run']);
  expect(missing.code).toBe(2);
});

it('names the clients that a word may mean, and what an agent may do', async () => {
  const made = home();
  const claude = await made.run([...SANDBOX, 'mcp', 'install', 'claude', '--dry-run']);
  expect(claude.code, claude.stderr).toBe(0);
  expect(claude.stderr).toContain('claude is read as claude-code (.mcp.json of this folder).\n');
  expect(claude.stderr).toContain('For Claude Desktop: cops -p sandbox mcp install claude-desktop\n');
  expect((await made.run([...SANDBOX, 'mcp', 'install', 'clod', '--dry-run'])).code).toBe(2);
  expect((await made.run(['mcp', '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
    'for claude-code, claude-desktop, ',
  );
  const ran = await made.run([...SANDBOX, 'mcp', 'install', 'claude-code', '--dry-run']);
  expect(ran.stderr).toContain('Agents may only read');
});

it('takes a mode alone for that of the profile in use', async () => {
  const ran = await home().run([...SANDBOX, 'products', 'copy', 'Coffee Club', '--to', 'live', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('live is read as sandbox:live.');
  expect(ran.stderr).toContain('sandbox:live has it all already, and nothing was sent');
});

it.each([
  [['diff', 'test', 'live', 'products']],
  [['compare', 'sandbox:test', 'sandbox:live', 'products']],
  [['setup', 'diff', 'products']],
  [['setup', 'diff']],
])('%j compares test with live, and says above all what it compares', async (line) => {
  const made = home();
  const ran = await made.run([...SANDBOX, ...line]);
  expect([0, 13], ran.stderr).toContain(ran.code);
  expect(ran.stdout).toContain('"mode":"live"');
  const isWhole = line.at(-1) === 'diff';
  expect(/^Compared: every object of \d+ families\. Not compared: keys and passwords/m.test(ran.stderr)).toBe(isWhole);
});

it('shows differences as what was asked for, and no error', async () => {
  const made = home();
  const line = [...SANDBOX, 'setup', 'diff', '--from', 'sandbox:test', '--to', 'sandbox:live'];
  const ran = await made.run([...line, '-o', 'table']);
  expect(ran.code).toBe(13);
  expect(ran.stderr).toContain('Differences found');
  expect(ran.stderr).not.toContain('Error:');
});

describe('a rule of the policy', () => {
  const policyOf = (made: ReturnType<typeof home>) => async () =>
    json<{ rules: { name: string }[] }>(await made.run(['policy', 'show', '-o', 'json'])).rules.map(({ name }) => name);

  it('says which money it forbids besides, and is removed by its name alone', async () => {
    const made = home();
    const names = policyOf(made);
    const added = await made.run(['policy', 'add', '--operations', 'refund', '--most', '100 USD']);
    expect(added.stderr).toContain('Nothing in another currency than USD may move under this rule');
    await made.run(['policy', 'add', '--never', 'subscriptions cancel']);
    const checked = await made.run([...SANDBOX, 'policy', 'check', 'subscriptions', 'cancel', A, '-o', 'json']);
    expect(json<{ why: string }>(checked).why).toMatch(/^policy rule "rule 2": /);
    const first = await made.run(['policy', 'remove', 'rule 1', '-o', 'json']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('Removed "rule 1": 1 of 2 rules stand.');
    expect(await names()).toEqual(['rule 2']);
    await made.run(['policy', 'add', '--never', 'sales void']);
    expect(await names()).toEqual(['rule 2', 'rule 3']);
    for (const name of ['rule 2', 'rule 3']) expect((await made.run(['policy', 'remove', name])).code).toBe(0);
    expect(await names()).toEqual([]);
    expect((await made.run(['policy', 'add', '--never', 'sales void'])).code).toBe(0);
  });

  it('stays where it has no such name, the file is laid out otherwise, or an agent asks', async () => {
    const made = home();
    mkdirSync(path.join(made.folder, 'config'), { recursive: true });
    writeFileSync(
      path.join(path.join(made.folder, 'config'), 'policy.yaml'),
      'zone: UTC\nrules: [{name: a, never: [sales void]}, {name: b, never: [sales void]}]\n',
    );
    expect(errorOf(await made.run(['policy', 'remove', 'c', '-o', 'json'])).hint).toBe('There is "a" or "b".');
    expect(errorOf(await made.run(['policy', 'remove', 'a', '-o', 'json'])).hint).toContain('cops policy edit');
    expect((await made.run(['policy', 'remove', 'a'], { env: { COPS_WHO: 'agent' } })).code).not.toBe(0);
    expect(await policyOf(made)()).toEqual(['a', 'b']);
  });
});

it('shows in a dry run of many whole addresses, and keys only in short', async () => {
  const made = home();
  const ran = await made.run([...SANDBOX, 'subscriptions', 'suspend', A, A.replace(/.$/, 'x'), '--dry-run'], {
    terminal: 110,
  });
  expect(ran.stdout, ran.stderr).toContain(`/subscriptions/${A}/suspend`);
  expect(ran.stdout).toMatch(/idempotency_key: [0-9a-f]{8}…/);
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

it('shows moments that rows are grouped by as such', async () => {
  const line = ['subscriptions', 'list', '--group-by', 'created', '--limit', '2', '-o', 'table'];
  const ran = await home().run([...SANDBOX, ...line]);
  expect(ran.stdout, ran.stderr).toMatch(/\n20\d\d-\d\d-\d\d \d\d:\d\d/);
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

it('calls the groups of a customer by their names', async () => {
  const made = home();
  const [customer] = json<{ id: string }[]>(
    await made.run([...SANDBOX, 'customers', 'list', '--limit', '1', '-o', 'json']),
  );
  const [group] = json<{ id: string; name: string }[]>(
    await made.run([...SANDBOX, 'customer-groups', 'list', '-o', 'json']),
  );
  const joined = ['customers', 'add-to-group', customer?.id ?? '', '-d', `customer_group[0]=${group?.id}`];
  expect((await made.run([...SANDBOX, ...joined])).code).toBe(0);
  const ran = await made.run([...SANDBOX, 'customers', 'show', customer?.id ?? '', '-o', 'table']);
  expect(ran.stdout, ran.stderr).toContain(`groups ${group?.name}`);
});

it('names the journal that is not at its end, and says what became of rows in flight', async () => {
  const { home } = await pair(() => refusal(400, 'no'));
  const ids = Array.from({ length: 6 }, (_, at) => A.replace(/.$/, String(at)));
  const line = ['subscriptions', 'suspend', ...ids, '--max-failures', '2', '--concurrency', '1', '--yes'];
  const ran = await home.run([...line, '-o', 'table']);
  expect(ran.stderr).toContain(
    'stopped after too many failures (rows in flight were finished); 0 done, 2 refused, 4 not started',
  );
  const hint = errorOf(await home.run(['bulk', 'resume', '-o', 'json'])).hint ?? '';
  expect(hint).toMatch(/^Did you mean "cops bulk resume \S+\.journal --max-failures 2"\?$/);
  expect((await home.run(['bulk', 'status', /resume (\S+)/.exec(hint)?.[1] ?? ''])).code).toBe(0);
});
