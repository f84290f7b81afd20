/** @module-tag thorough */
import { expect, it } from 'vitest';
import { TOPICS } from '../../src/cli/help/help-topics.js';
import { wrapProse } from '../../src/items/text/width.js';
import { ok, refusal } from '../fixtures/service/service.js';
import { A, B, home as coloured, pair } from './helpers.js';

const SANDBOX = ['-p', 'sandbox'];
const home = () => coloured({ NO_COLOR: '1' });

/** Lines of standard error that a terminal of 80 columns would break by itself. */
const broken = (text: string): string[] =>
  text.split('\n').filter((line) => line.replace(/[^\n]*\u001b\[2K/, '').replace(/\u001b\[[0-9;]*m/g, '').length > 80);

it.each([
  ['Check the base URL (`cops -p acme whoami`), the network and the proxy; `cops doctor --online` checks it.', 60],
  ['Look at name in: cops -p q products get AAAAAAAAAAAAAAAAAAA1; or at the calls: cops api-calls list --last 1h.', 50],
  ['\u001b[1mHint:\u001b[0m see it with \u001b[1mcops api-calls get AAAAAAAAAAAAAAAAAAA1\u001b[0m, or ask.', 40],
  ["Undo: cops products edit AAAAAAAAAAAAAAAAAAA1 -d 'name=a long; name (old)' and so on.", 60],
])('breaks prose around the commands in it, never within: %s', (text, columns) => {
  const lines = wrapProse(text, columns).split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join(' ')).toBe(text);
  const commands = text.match(/`[^`]+`|cops [a-z-]+ (?:get|edit|list) [^;"` \u001b]+/g) ?? [];
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(lines.some((line) => line.includes(command))).toBe(true);
});

it('puts a suggested line on its own line if it does not fit, and leaves it in place if it does', () => {
  const meant = 'Did you mean "cops customers list --campaign Foo --from 2026-01-01 --to 2026-02-01"? It says less.';
  const line = '  cops customers list --campaign Foo --from 2026-01-01 --to 2026-02-01';
  expect(wrapProse(`Hint: ${meant}`, 80).split('\n')).toEqual(['Hint: Did you mean:', line, 'It says less.']);
  expect(wrapProse(meant, 110)).toBe(meant);
});

it.each([
  ['not found', () => refusal(404, 'E0001', 'Nothing is called so.'), 4],
  ['refused key', () => refusal(401, 'E0001', 'The key is unknown.'), 3],
  ['failure', () => refusal(500, 'E0001', 'Unexpected error.'), 1],
])('keeps an error within 80 columns: %s', async (_, answer, code) => {
  const { home: made } = await pair(answer);
  const ran = await made.run(['customers', 'get', A, '--max-retries', '0'], { terminal: 80, env: { NO_COLOR: '1' } });
  expect(ran.code).toBe(code);
  expect(broken(ran.stderr)).toEqual([]);
  if (code === 4)
    expect(ran.stderr.split('\n')).toContainEqual(expect.stringMatching(/^ {2}API call: cops api-calls get \S+$/));
});

it('keeps what settles an unknown outcome whole, each command on one line', async () => {
  const { home: made } = await pair(() => refusal(500, 'E0001', 'Unexpected error.'));
  const ran = await made.run(['products', 'edit', A, '--name', 'X'], { terminal: 80, env: { NO_COLOR: '1' } });
  expect(ran.code).toBe(9);
  expect(broken(ran.stderr)).toEqual([]);
  expect(ran.stderr).toMatch(new RegExp(`^(.* )?cops products get ${A}\\b`, 'm'));
});

it('shows hours of writes and runs that are few', async () => {
  const made = home();
  const edit = ['products', 'list', '--limit', '1', '-o', 'ids'];
  const id = (await made.run([...SANDBOX, ...edit])).stdout.trim();
  await made.run([...SANDBOX, 'products', 'edit', id, '--name', 'Other']);
  const history = await made.run(['history'], { terminal: 110 });
  // One row that does not fit is turned.
  expect(history.stdout).toMatch(/\n {2}time +\d{4}-\d\d-\d\d \d\d:\d\d\n(?: .*\n)* {2}api call id +\w{20}\n/);
  await made.run([...SANDBOX, 'bulk', 'products', 'edit', '--input', '-', '-d', 'name={name}'], {
    input: `id,name\n${id},Third\n`,
  });
  const runs = await made.run(['bulk', 'list'], { terminal: 110 });
  expect(runs.stdout).toMatch(/\n\d{4}-\d\d-\d\d \d\d:\d\d\n {2}operation +products edit\n/);
});

it('reports the end of a tail calmly, with hours, and keeps amounts in their column', {
  tags: ['thorough'],
}, async () => {
  const made = home();
  let told = '';
  let isEnough = false;
  const running = made.start([...SANDBOX, 'sales', 'tail', '--since', '30d'], {
    terminal: 80,
    stdout: {
      reader: (piece) => {
        told += piece;
        if (isEnough || told.split('\n').length <= 20) return;
        isEnough = true;
        running.signal('SIGINT');
      },
    },
  });
  const ran = await running.ended;
  expect(ran.code).toBe(130);
  expect(ran.stderr).toMatch(/^Ended: \d+ new items\.$/m);
  expect(ran.stderr).not.toContain('Error');
  const rows = ran.stdout.split('\n').filter((line) => /^\w{20} /.test(line));
  expect(rows.length).toBeGreaterThan(9);
  for (const row of rows) expect(row).toMatch(/ \d\d:\d\d$/);
  expect(new Set(rows.map((row) => row.search(/ [A-Z]{3} {2}/))).size).toBe(1);
});

it('cuts no body of several requests of a dry run', async () => {
  const names = ['-d', 'customer.first_name=Anna-Maria', '-d', 'customer.last_name=Quitelongname'];
  const ran = await home().run([...SANDBOX, 'customers', 'edit', A, B, ...names, '--dry-run'], { terminal: 110 });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/last_name:\s+Quitelongname/);
});

it('lists the kinds of trouble where it is asked for', async () => {
  const ran = await home().run(['sandbox', 'serve', '--help'], { terminal: 80 });
  expect(ran.stdout).toMatch(/\n {2}cut-after= +the connection is cut after the work/);
  expect(broken(ran.stdout)).toEqual([]);
});

it('is content with the sandbox as the profile in use', async () => {
  const made = home();
  const check = async () => {
    const ran = await made.run(['doctor', '-o', 'json']);
    return (JSON.parse(ran.stdout) as { check: string; status: string }[]).find((row) => row.check === 'profiles');
  };
  expect(await check()).toMatchObject({ status: 'warn' });
  await made.run(['profiles', 'use', 'sandbox']);
  expect(await check()).toMatchObject({ status: 'ok' });
});

it('explains amounts at 80 columns as at any width', async () => {
  const made = home();
  const id = (await made.run([...SANDBOX, 'subscription-renewals', 'list', '--limit', '1', '-o', 'ids'])).stdout.trim();
  const ran = await made.run([...SANDBOX, 'subscription-renewals', 'get', id], { terminal: 80 });
  expect(ran.stdout).toMatch(/amount_total .* {2}original minus refunds and discounts\n/);
  expect(ran.stdout).toMatch(/amount_remaining .* {2}to salvage, or due after a trial\n/);
});

it('begins errors like sentences, without words of the parser or of the system', async () => {
  const made = home();
  const told = async (...line: string[]) => (await made.run(line, { terminal: 80 })).stderr;
  expect(await told('bulk', 'status', '/nowhere/at.journal')).toMatch(/^Error: There is no journal /);
  expect(await told('policy', 'show', 'no refund')).toContain(
    'Error: cops policy show: "no refund" is one argument too many.',
  );
  expect(await told(...SANDBOX, 'bulk', 'customers', 'edit', '--input', '/nowhere/rows.csv')).toMatch(
    /^Error: Cannot read \/nowhere\/rows\.csv: there is no such file or folder$/m,
  );
});

it('names the profile of the line in the login that puts another key in', async () => {
  const { home: made } = await pair(() => refusal(401, 'E0001', 'Unknown.'));
  await made.run(['profiles', 'add', 'acme', '--base-url', 'http://127.0.0.1:1/v2', '--test-key', 'env:COPS_API_KEY']);
  const ran = await made.run(['-p', 'acme', '--test', 'customers', 'get', A], { terminal: 80 });
  expect(ran.stderr).toContain('`cops -p acme login --replace`');
});

it('lists what is called nearly so one a line', async () => {
  const near = await home().run([...SANDBOX, 'customers', 'get', 'Jane'], { terminal: 80 });
  expect(near.stderr).toMatch(/\nHint: Near it:\n( {2}\w{20} \(Jane [^\n]*\)\n){2,}/);
});

it('repeats live mode where a long plan ends', async () => {
  const { planText } = await import('../../src/setup/view.js');
  const plan = (mode: 'live' | 'test') =>
    planText({
      id: 'x',
      summary: '1 to create',
      environment: { profile: 'acme', mode, base_url: 'https://api.example.com/v2' },
      steps: [{ family: 'products', key: 'Box', action: 'create', changes: [], says: [] }],
      drift: [],
      shared: [],
      externals: [],
      cannot: [],
      notes: [],
      reach: {},
    } as never);
  expect(plan('live')).toMatch(/1 to create\. LIVE mode, profile acme\. Plan x\.\n$/);
  expect(plan('test')).toMatch(/1 to create\. Plan x\.\n$/);
});

it.each([['policy'], ['export'], ['setup'], ['profiles', 'add'], ['bulk']])(
  'keeps help within 80 columns: %s %s',
  async (...line) => {
    const { stdout } = await home().run([...line, '--help'], { terminal: 80 });
    // Examples are copied, and the usage names all there is.
    const told = stdout.replace(/^Examples:\n( .*\n)*/m, '').replace(/^Usage:.*/m, '');
    expect(told.length).toBeGreaterThan(100);
    expect(broken(told)).toEqual([]);
  },
);

it.each(Object.keys(TOPICS))('wraps the topic %s between words, and nothing to copy', async (topic) => {
  const [shown, whole] = await Promise.all([
    home().run(['help', topic], { terminal: 80 }),
    home().run(['help', topic]),
  ]);
  expect(shown.stdout.split(/\s+/)).toEqual(whole.stdout.split(/\s+/));
  expect(broken(shown.stdout.replace(/^ *(cops|-d|--) .*$/gm, ''))).toEqual([]);
});

it('says how old the parcel is that a person has, where it is the only one', async () => {
  const parcel = {
    id: B,
    created_date_unix: 1_700_000_000,
    status: 'shipped',
    customer: { id: A, email: 'ann@example.com' },
  };
  const { home: made } = await pair(({ path }) =>
    path === `/shipping/${B}`
      ? ok(parcel)
      : ok({ results: [parcel], current_page: 1, current_count: 1, total_count: 1, total_pages: 1 }),
  );
  const ran = await made.run(['shipping', 'get', 'ann@example.com'], { terminal: 80 });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr.replaceAll('\n', ' ')).toContain('made 2023-11-14).');
});

it('keeps the answer of a write whole: ids and commands are not broken', async () => {
  const { home: made } = await pair(() => ok({ product_id: B }));
  const ran = await made.run(['products', 'create', '--name', 'Ceramic Mug with a long name', '--price', '4'], {
    terminal: 80,
    env: { NO_COLOR: '1', COPS_PROFILE: '' },
  });
  expect(ran.code).toBe(0);
  expect(broken(ran.stdout)).toEqual([]);
  expect(ran.stdout).toMatch(new RegExp(`^(.* )?cops .*products get ${B}$`, 'm'));
});
