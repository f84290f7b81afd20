import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../program.js';

const SECRET = 'key-of-tests-LLLL';

let home: Home;
let config: string;
beforeEach(() => {
  home = new Home({ NO_COLOR: '1' });
  config = path.join(home.folder, 'config', 'config.json');
});
afterEach(() => home.remove());

const run = (...words: string[]) => home.run(words);
const sandbox = (...words: string[]) => home.run(['-p', 'sandbox', ...words], { terminal: 120 });
const put = (content: object) => {
  const file = path.join(home.folder, 'moved.json');
  writeFileSync(file, JSON.stringify({ cops_config: 1, ...content }));
  return file;
};
const changesIn = (text: string) => (JSON.parse(text) as { change: string }[]).map(({ change }) => change);

describe('columns.<family>', () => {
  const titles = (text: string) => text.split('\n').find((line) => /^[A-Z ]+$/.test(line.trim()));

  it('are those of the list, in tables and csv, where the line names none', async () => {
    expect((await run('-p', 'sandbox', 'config', 'set', 'columns.customers', 'email,country')).code).toBe(0);
    expect((await run('-p', 'sandbox', 'config', 'get', 'columns.customer')).stdout).toBe('email,country\n');
    expect(titles((await sandbox('customers', 'list', '--limit', '3')).stdout)).toMatch(/^EMAIL +COUNTRY$/);
    const csv = await run('-p', 'sandbox', 'customers', 'list', '--limit', '1', '-o', 'csv');
    expect(csv.stdout).toMatch(/^email,country\r?\n/);
    const named = await sandbox('customers', 'list', '--limit', '3', '--columns', 'id,email');
    expect(titles(named.stdout)).toMatch(/^ID +EMAIL$/);
  });

  it('change nothing that programs read, no count and no group', async () => {
    const lines = [
      ['customers', 'list', '--limit', '2', '-o', 'json'],
      ['customers', 'list', '--limit', '2', '-o', 'ids'],
      ['customers', 'list', '--count'],
      ['customers', 'list', '--group-by', 'country', '-o', 'csv'],
      ['customers', 'search', 'smith', '-o', 'csv'],
    ].map((line) => ['-p', 'sandbox', ...line]);
    const all = async () => {
      const ends: { code: number | null; stdout: string }[] = [];
      for (const line of lines) ends.push(await run(...line));
      return ends.map(({ code, stdout }) => ({ code, stdout }));
    };
    const before = await all();
    await run('-p', 'sandbox', 'config', 'set', 'columns.customers', 'email');
    expect(await all()).toEqual(before);
    expect(before.map(({ code }) => code)).toEqual(lines.map(() => 0));
  });

  it('reach related rows as --columns does', async () => {
    await run('-p', 'sandbox', 'config', 'set', 'columns.subscriptions', 'id,customer.name,product.name');
    const csv = await run('-p', 'sandbox', 'subscriptions', 'list', '--limit', '1', '-o', 'csv');
    const named = ['--columns', 'id,customer.name,product.name', '--limit', '1', '-o', 'csv'];
    expect(csv.stdout).toBe((await run('-p', 'sandbox', 'subscriptions', 'list', ...named)).stdout);
  });

  it('are refused where no list has them, and gone after unset', async () => {
    const set = (...words: string[]) => run('-p', 'sandbox', 'config', 'set', ...words);
    expect((await set('columns.customers', 'emial')).stderr).toContain('Did you mean email?');
    expect((await set('columns.custmers', 'email')).stderr).toContain('Did you mean customers?');
    expect((await set('columns', 'email')).stderr).toContain('columns.customers');
    await set('columns.customers', 'email');
    await set('columns.sales', 'id');
    await run('-p', 'sandbox', 'config', 'unset', 'columns.customers');
    const left = JSON.parse((await run('-p', 'sandbox', 'config', 'list')).stdout) as { name: string }[];
    expect(left.map(({ name }) => name).filter((name) => name.startsWith('columns'))).toEqual(['columns.sales']);
    await run('-p', 'sandbox', 'config', 'unset', 'columns.sales');
    expect(JSON.parse(readFileSync(config, 'utf8')).profiles.sandbox).toEqual({});
  });

  it('name the setting where a file edited by hand holds a wrong one', async () => {
    mkdirSync(path.dirname(config), { recursive: true });
    writeFileSync(config, JSON.stringify({ profiles: { sandbox: { columns: { customers: 'nonsense' } } } }));
    const ran = await sandbox('customers', 'list', '--limit', '3');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('columns.customers: no item has "nonsense"');
  });
});

describe('config export and import', () => {
  /** A configuration with every kind of secret. */
  async function furnished(): Promise<void> {
    const keys = ['--test-key', '-', '--live-key', 'cmd:echo live-key-of-tests'];
    await home.run(
      ['profiles', 'add', 'acme', '--base-url', 'https://a.example/v2', '--tz', 'Europe/Berlin', ...keys],
      {
        input: SECRET,
      },
    );
    await run('profiles', 'edit', 'acme', '--client-key', 'cmd:print-private-key');
    await run('-p', 'acme', 'config', 'set', 'columns.customers', 'name,email');
    await run('config', 'set', 'alias.late', 'subscriptions list --where status=overdue');
    const file = JSON.parse(readFileSync(config, 'utf8'));
    file.event_secrets = { acme: { 'test x': { key: { kind: 'stored', key: 'whsec_of_tests' } } } };
    file.aliases.leak = `customers list --search ${SECRET}`;
    file.profiles.acme.web_url = `https://a.example/{id}?key=${SECRET}`;
    writeFileSync(config, JSON.stringify(file));
  }

  it('take a set-up to another machine, never a key', async () => {
    await furnished();
    const exported = await run('config', 'export');
    expect(exported.code).toBe(0);
    expect(exported.stdout).not.toMatch(/key-of-tests|whsec|private-key|_key/);
    expect(exported.stderr).toMatch(/Left out.*profiles\.acme\.web_url, aliases\.leak/);
    const other = new Home();
    try {
      const imported = await other.run(['config', 'import', '-', '--yes'], { input: exported.stdout });
      expect(imported.code, imported.stderr).toBe(0);
      expect(changesIn(imported.stdout)).toContain('set profiles.acme.columns.customers to "name,email"');
      const shown = JSON.parse((await other.run(['profiles', 'show', 'acme'])).stdout);
      expect(shown).toMatchObject({ base_url: 'https://a.example/v2', tz: 'Europe/Berlin', test_key: null });
      const again = await other.run(['config', 'import', '-'], { input: exported.stdout });
      expect(again).toMatchObject({ code: 0, stdout: '[]\n' });
      expect((await other.run(['config', 'export'])).stdout).toBe(exported.stdout);
    } finally {
      other.remove();
    }
  });

  it('show what changes and ask; a dry run changes nothing', async () => {
    const file = put({ profiles: { acme: { base_url: 'https://a.example/v2', mode: 'live' } }, current: 'acme' });
    const refused = await run('config', 'import', file);
    expect(refused.code).toBe(12);
    const dry = await run('config', 'import', file, '--dry-run');
    expect(dry.stdout).toContain('set profiles.acme.mode to \\"live\\"');
    const running = home.start(['config', 'import', file], { terminal: 80 });
    for (let turn = 0; turn < 400 && !running.stderr().includes('changes?'); turn++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    running.type('n\r');
    const no = await running.ended;
    expect(no.code).toBe(12);
    expect(no.stderr).toContain('set profiles.acme.mode to "live"');
    expect((await run('profiles', 'list')).stdout).not.toContain('acme');
    expect((await run('config', 'import', file, '--yes')).code).toBe(0);
    expect((await run('config', 'get', 'mode')).stdout).toBe('live\n');
  });

  it('refuse unknown settings, all at once, and change nothing', async () => {
    const file = put({
      colour: 'red',
      profiles: {
        acme: { tz: 'Mars', nonsense: 1, test_key: { kind: 'stored', key: SECRET }, columns: { sales: 'nope' } },
      },
      aliases: { sales: 'customers list', pay: 'subscriptions cancel $1 --yes' },
    });
    const ran = await run('config', 'import', file, '--yes', '-o', 'json');
    expect(ran.code).toBe(2);
    const paths = (JSON.parse(ran.stderr) as { error: { faults: { path: string }[] } }).error.faults;
    expect(paths.map((fault) => fault.path)).toEqual([
      'colour',
      ...['tz', 'nonsense', 'test_key', 'columns'].map((name) => `profiles.acme.${name}`),
      'aliases.sales',
      'aliases.pay',
    ]);
    expect(ran.stderr).not.toContain(SECRET);
    expect((await run('profiles', 'list')).stdout).not.toContain('acme');
  });

  it('send no filed key to another host', async () => {
    await furnished();
    const before = readFileSync(config, 'utf8');
    const file = put({ profiles: { acme: { base_url: 'https://evil.example/v2' } } });
    expect((await run('config', 'import', file, '--yes')).code).toBe(12);
    expect(readFileSync(config, 'utf8')).toBe(before);
  });
});

it('completes families and columns', async () => {
  const tab = async (...words: string[]) =>
    (await run('__complete', 'bash', String(words.length), 'cops', ...words)).stdout;
  expect(await tab('config', 'set', 'col')).toContain('columns.');
  expect(await tab('config', 'set', 'columns.cust')).toContain('columns.customers');
  expect(await tab('config', 'set', 'columns.customers', 'email,cou')).toContain('country');
});

it('lists every place that something is kept in, and whether it may be deleted', async () => {
  await run('-p', 'sandbox', 'config', 'set', 'output', 'json');
  await sandbox('customers', 'list', '--limit', '1');
  const ran = await run('config', 'files');
  const rows = JSON.parse(ran.stdout) as { name: string; files: number; delete: string; path: string }[];
  const named = (name: string) => rows.find((row) => row.name === name);
  expect(named('config.json')).toMatchObject({ files: 1, delete: 'no', path: config });
  expect(named('sandbox.sqlite')).toMatchObject({ delete: 'yes' });
  expect(named('journals/')).toMatchObject({ files: 0, delete: 'no' });
  expect(rows.filter(({ name }) => name === 'other')).toEqual([]);
  const screen = await home.run(['config', 'files'], { terminal: 80 });
  expect(screen.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
