/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import { completeSql } from '../../../src/cli/commands/sql/prompt.js';
import { runMirrorQuery } from '../../../src/data/mirror/mirror-query.js';
import { listHandler, refusal, type Service, startService } from '../../fixtures/service/service.js';
import { errorOf, json, prove } from '../helpers.js';
import { homeFor } from '../program.js';

const NOW = Math.floor(Date.now() / 1000);
const sales = [
  {
    id: 'A'.repeat(20),
    created_date_unix: NOW - 100,
    live_mode: false,
    status: 'paid',
    amount_captured: 10.1,
    iso_currency: 'USD',
  },
  {
    id: 'B'.repeat(20),
    created_date_unix: NOW - 200,
    live_mode: false,
    status: 'paid',
    amount_captured: 20.2,
    iso_currency: 'USD',
  },
  {
    id: 'C'.repeat(20),
    created_date_unix: NOW - 300,
    live_mode: false,
    status: 'paid',
    amount_captured: 1500,
    iso_currency: 'JPY',
  },
];

let service: Service;
let home: ReturnType<typeof homeFor>;
let file: string;
const run = (words: readonly string[], options: object = {}) =>
  home.run(['sql', ...words], { cwd: home.folder, ...options });
const asked = (sql: string, ...words: string[]) => run([sql, '--mirror', 'm.sqlite', '-o', 'json', ...words]);

beforeAll(async () => {
  service = await startService({
    handler: (request) =>
      /^\/(sales|customers)/.test(request.path)
        ? listHandler({ items: request.path.startsWith('/sales') ? sales : [] })(request)
        : refusal(403, 'E0003', 'not for this key'),
  });
  home = homeFor(service.baseUrl, 'test');
  prove(home, service.baseUrl);
  file = path.join(home.folder, 'm.sqlite');
  const ran = await home.run(['sync', 'm.sqlite', 'sales', '--from', '30d'], { cwd: home.folder });
  expect(ran).toMatchObject({ code: 0 });
});
afterAll(async () => {
  home.remove();
  await service.close();
});

it('says that a sum adds up several currencies', async () => {
  const told = 'Note: the query adds up amounts of different currencies in sales (';
  const mixed = await asked('select sum(amount_captured_minor) as s from sales');
  expect(mixed.stderr).toContain(told);
  // Two are found soon; nobody has looked for the others.
  expect(mixed.stderr).toContain(', ...): group by currency.');
  const apart = await asked('select iso_currency, sum(amount_captured_minor) as s from sales group by 1');
  expect(apart.stderr).not.toContain('Note:');
});

it('names the exact column where a sum of amounts can have rounding errors', async () => {
  const said = 'A sum of amount_captured can have rounding errors: amount_captured_minor adds up exactly.';
  const sum = 'select iso_currency, sum(amount_captured) as s from raw_sales group by 1';
  expect((await asked(sum)).stderr.split(said)).toHaveLength(2);
  expect((await asked(sum.replace('captured', 'captured_minor'))).stderr).not.toContain('digits that are not');
});

it('lists the columns of files beside it, and takes them for a name that is near', async () => {
  await writeFile(path.join(home.folder, 'bank.csv'), 'reference,line_2\nx,1\n');
  const words = ['--mirror', 'm.sqlite', '--with', 'bank.csv', '-o', 'json'];
  const tables = await run(['--tables', ...words]);
  expect(json(tables)).toContainEqual({ table: 'bank', column: 'line_2', meaning: 'whole number' });
  const near = await asked('select refernce from bank', '--with', 'bank.csv');
  expect(near.stderr).toContain('select reference from bank');
  // Another number, and another letter, ask something else.
  for (const query of ['select line_1 from bank', 'select count(*) from bunk']) {
    const other = await asked(query, '--with', 'bank.csv');
    expect(other.code).toBe(2);
    expect(other.stderr).not.toContain('Did you mean');
  }
});

/** Ways to write, to reach another file, or to change what others see; none may leave a trace. */
const TRICKS = [
  "insert into raw_sales (id, _json, _window, _seen_at, _open) values ('x', '{}', 0, 0, 0)",
  "INSERT OR REPLACE INTO _mirror VALUES ('mode', 'live')",
  "update raw_sales set status = 'refunded'",
  'delete from raw_sales',
  'drop table raw_sales',
  'drop view payments',
  'alter table raw_sales add column x',
  'alter table raw_sales rename to gone',
  'create table x (y)',
  'create temp table x as select * from raw_sales',
  "create view x as select 'y'",
  'create index x on raw_sales (status)',
  'create trigger x after insert on raw_sales begin select 1; end',
  'create virtual table x using fts5(y)',
  "attach 'other.sqlite' as other",
  "attach database 'file:m.sqlite?mode=rwc' as other",
  "select 1; attach 'other.sqlite' as other",
  'detach main',
  'vacuum',
  "vacuum into 'other.sqlite'",
  'reindex',
  'analyze',
  'begin',
  'begin immediate',
  'commit',
  'savepoint x',
  'pragma query_only = off',
  'pragma writable_schema = on',
  'pragma journal_mode = wal',
  'pragma user_version = 7',
  'explain pragma user_version = 7',
  'explain query plan delete from raw_sales',
  '/* select */ delete from raw_sales',
  '-- select\ndelete from raw_sales',
  'select 1; delete from raw_sales',
  'select 1;\n\n-- x\ndelete from raw_sales',
  "select ';'; delete from raw_sales",
  'with x as (select 1) delete from raw_sales',
  'with x as (select 1) insert into _mirror select 1, 2',
  'with recursive x(y) as (select 1) update raw_sales set status = null',
  'values (1); drop table raw_sales',
  "select load_extension('evil.so')",
  'select "load_extension"(\'evil.so\')',
  "select writefile('other.txt', 'x')",
  "select readfile('/etc/passwd')",
  "select edit('x', 'touch other.txt')",
  "select fts3_tokenizer('simple', x'00')",
  'select * from sqlite_dbpage',
  "select * from fsdir('.')",
  'replace into _mirror values (1, 2)',
  'select 1 returning 1; delete from raw_sales',
  '\uFEFFdelete from raw_sales',
  'SeLeCt/**/1;DeLeTe/**/from/**/raw_sales',
  "select * from pragma_journal_mode('wal')",
  'select * from pragma_writable_schema',
  'delete from raw_sales returning id',
  "select * from 'pragma_journal_mode'('wal')",
  "select * from 'PRAGMA_optimize'(65535)",
  'select * from `pragma_incremental_vacuum`(1)',
  'select * from [pragma_wal_checkpoint]',
  'explain with x as (select 1) delete from raw_sales',
  'explain query plan with x as (select 1) insert into _mirror select 1, 2',
  'explain with x as (select 1) replace into _mirror values (1, 2)',
  'explain insert into _mirror values (1, 2)',
  'explain/**/update raw_sales set status = null',
  'explain create table x (y)',
  "explain attach 'other.sqlite' as other",
  "values (load_extension('evil.so'))",
  "select 1 where load_extension('evil.so', 'entry') is null",
  'select * from (select [load_extension](`evil.so`))',
  "select writefile('other.txt', _json) from raw_sales",
  "with x as (select writefile('other.txt', 'x')) select * from x",
  "select eval('delete from raw_sales')",
  "select sha3_query('delete from raw_sales')",
  "select * from zipfile('m.sqlite')",
  "insert into fts_shadow (fts_shadow) values ('rebuild')",
  'create virtual table x using rtree(id, a, b)',
  "create virtual table x using csv(filename='/etc/passwd')",
  'create temp trigger x after insert on main.raw_sales begin delete from raw_sales; end',
  'create temporary view payments as select 1 as paid_minor',
  'pragma trusted_schema = on',
  'pragma main.journal_mode = off',
  'pragma schema_version = 99',
  'pragma mmap_size = 0; delete from raw_sales',
  "pragma temp_store_directory = '/tmp'",
  'pragma locking_mode = exclusive',
  'pragma wal_checkpoint(truncate)',
  "update sqlite_master set sql = '' where name = 'payments'",
  'update sqlite_schema set rootpage = 2',
  'end',
  'rollback',
  'release x',
  '.shell touch other.txt',
  '.open --new other.sqlite',
  '.read other.sql',
  "attach ':memory:' as m",
  "attach 'file:other.sqlite?mode=rwc&vfs=unix' as o; create table o.x (y)",
  'select ?',
  'select * from raw_sales where id = ?1',
  'select * from raw_sales where id = :id',
  'select * from raw_sales where id = @id or id = $id',
  "select '' ; ; delete from raw_sales",
  'select 1 /* ; */ ; delete from raw_sales --',
  "select 1 -- '\n; delete from raw_sales",
  'select "a;" ; delete from raw_sales',
  'select `a;`; delete from raw_sales',
  'select [a;]; delete from raw_sales',
  '',
  ';',
];

describe('a write through cops sql', () => {
  it('is tried in more than fifty ways', () => expect(new Set(TRICKS).size).toBeGreaterThan(50));

  async function refused(trick: string): Promise<void> {
    const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const before = digest();
    const files = readdirSync(home.folder);
    const ran = await asked(trick);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(digest()).toBe(before);
    expect(readdirSync(home.folder)).toEqual(files);
  }

  it.each(TRICKS)('is refused: %j', refused);

  it('is refused from a file, a pipe and the list of kept queries too', async () => {
    const trick = 'with x as (select 1) delete from raw_sales';
    const kept = path.join(home.env.COPS_CONFIG_DIR ?? '', 'queries', 'evil.sql');
    await run(['save', 'evil', 'select 1']);
    writeFileSync(kept, trick);
    writeFileSync(path.join(home.folder, 'evil.sql'), trick);
    const pipe = path.join(home.folder, 'pipe.sql');
    execFileSync('mkfifo', [pipe]);
    const before = readFileSync(file);
    for (const [words, options] of [
      [['run', 'evil']],
      [['--file', 'evil.sql']],
      [['-'], { input: trick }],
      [['--file', 'pipe.sql']],
    ] as [string[], object?][]) {
      const asking = run([...words, '--mirror', 'm.sqlite'], options ?? {});
      if (words[1] === 'pipe.sql') await writeFile(pipe, trick);
      expect(await asking).toMatchObject({ code: 2, stdout: '' });
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    for (const one of [kept, pipe, path.join(home.folder, 'evil.sql')]) rmSync(one);
  });

  it.each(['m.sqlite?mode=rwc', 'file:m.sqlite?mode=rwc', '', '.', '/dev/null'])(
    'is refused through the name of the mirror: %j',
    async (name) => {
      const files = readdirSync(home.folder);
      const ran = await run(['select 1', '--mirror', name]);
      expect([2, 11]).toContain(ran.code);
      expect(ran.stdout).toBe('');
      expect(readdirSync(home.folder)).toEqual(files);
    },
  );

  it('is refused by the connection too, whatever the text says', async () => {
    // What the check of the text lets pass comes to a file that is opened for reading, and to nothing else.
    const database = await openDatabase({ file, what: 'x', readonly: true });
    for (const sql of ["INSERT INTO _mirror VALUES ('x', 'y')", 'CREATE TABLE x (y)', 'DROP VIEW payments']) {
      expect(() => database.exec(sql)).toThrow();
    }
    database.close();
  });

  // A process can be given no argument with a NUL in it.
  it('is refused behind a NUL', { tags: ['inside'] }, () => refused('select 1\0; delete from raw_sales'));
});

describe('cops sql', () => {
  it('answers in every format, and shows the state of the mirror', async () => {
    const sql = 'select currency, sum(paid_minor) as paid from payments group by 1 order by 1';
    const ran = await asked(sql);
    expect(ran).toMatchObject({ code: 0 });
    expect(json(ran)).toEqual([
      { currency: 'JPY', paid: 1500 },
      { currency: 'USD', paid: 3030 },
    ]);
    expect(ran.stderr).toMatch(/Mirror of http.*test mode.*every row seen since 20.*1 lists, all complete/);
    expect((await run([sql, '--mirror', 'm.sqlite', '-o', 'csv'])).stdout).toBe('currency,paid\nJPY,1500\nUSD,3030\n');
    expect((await run([sql, '--mirror', 'm.sqlite'], { terminal: 80 })).stdout).toMatch(/JPY\s+.*1500/);
  });

  it('keeps whole integers, columns of one name, bytes and nothing', async () => {
    const ran = await asked("select 9007199254740993 as a, 1 as a, x'00ff' as b, null as c, 0.5 as d");
    expect(ran.stdout.replace(/\s/g, '')).toBe('[{"a":9007199254740993,"a_2":1,"b":"00ff","c":null,"d":0.5}]');
  });

  it('takes the query from a file and from standard input', async () => {
    writeFileSync(path.join(home.folder, 'q.sql'), '\uFEFFselect count(*) as n from sales;\r\n');
    expect(json(await run(['--file', 'q.sql', '--mirror', 'm.sqlite', '-o', 'json']))).toEqual([{ n: 3 }]);
    const piped = await run(['-', '--mirror', 'm.sqlite', '-o', 'json'], { input: 'select 7 as n' });
    expect(json(piped)).toEqual([{ n: 7 }]);
  });

  it('shows the first rows on a terminal and says that there are more', async () => {
    const sql = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) select i from n';
    expect(json<unknown[]>(await asked(sql))).toHaveLength(300);
    const shown = await run([sql, '--mirror', 'm.sqlite'], { terminal: 80 });
    expect(shown.stderr).toContain('Only the first 100 rows are shown');
    expect(json<unknown[]>(await asked(sql, '--limit', '5'))).toHaveLength(5);
  });

  it('explains every column', async () => {
    const rows = json<{ table: string; column: string; meaning: string }[]>(
      await run(['--tables', '--mirror', 'm.sqlite', '-o', 'json']),
    );
    expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
    expect(rows.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['customers', 'payments', 'sales', '_history']),
    );
  });

  it('cuts no name and no meaning of them on a terminal', async () => {
    const line = ['--tables', '--mirror', 'm.sqlite'];
    const rows = json<{ table: string; column: string; meaning: string }[]>(await run([...line, '-o', 'json']));
    const shown = await run(line, { terminal: 80, env: { PAGER: 'cat' } });
    expect(shown.code).toBe(0);
    const lines = shown.stdout.split('\n').map((one) => one.replace(/\r$/, ''));
    expect(lines.filter((one) => one.length > 80)).toEqual([]);
    const words = lines.map((one) => one.trim()).join(' ');
    for (const { table, column, meaning } of rows) {
      expect(lines).toContain(table);
      expect(words).toMatch(new RegExp(`(?:^| )${column.replaceAll('$', '\\$')} `));
      expect(words.replaceAll(/ +/g, ' ')).toContain(meaning.replaceAll(/ +/g, ' '));
    }
  });

  it('keeps queries by name', async () => {
    expect(await run(['save', 'paid', 'select sum(paid_minor) as n from payments'])).toMatchObject({ code: 0 });
    expect(json(await run(['run', 'paid', '--mirror', 'm.sqlite', '-o', 'json']))).toEqual([{ n: 4530 }]);
    expect(json(await run(['saved', '-o', 'json']))).toMatchObject([{ name: 'paid' }]);
    expect((await run(['save', '../x', 'select 1'])).code).toBe(2);
    expect((await run(['save', 'bad', 'delete from raw_sales'])).code).toBe(2);
    expect(await run(['forget', 'paid'])).toMatchObject({ code: 0 });
    expect((await run(['run', 'paid', '--mirror', 'm.sqlite'])).code).toBe(4);
  });

  it('stops with 12 at the mirror of another mode', async () => {
    const ran = await asked('select 1', '--live');
    expect(ran).toMatchObject({ code: 12, stdout: '' });
    expect(errorOf(ran).kind).toBe('stopped');
  });

  it('says how to make a mirror where there is none', async () => {
    const ran = await run(['select 1', '-o', 'json']);
    expect(ran.code).toBe(11);
    expect(errorOf(ran).hint).toContain('cops sync');
  });

  it('names what is wrong with a query', async () => {
    const ran = await asked('select nothing from payments');
    expect(ran.code).toBe(2);
    expect(errorOf(ran)).toMatchObject({
      message: expect.stringContaining('nothing'),
      hint: expect.stringContaining('--tables'),
    });
  });

  it('limits the memory of a query, and says so', async () => {
    const hog = `with recursive n(i) as (select 1 union all select i + 1 from n limit 1000000)
      select i from (select i, hex(randomblob(64)) as x from n) order by x`;
    const asking = runMirrorQuery(file, hog, new AbortController().signal, { memory: 32 << 20 });
    await expect(asking.then(({ rows }) => rows.next())).rejects.toMatchObject({
      kind: 'local',
      message: expect.stringContaining('needs more memory than its limit'),
    });
    const { rows } = await runMirrorQuery(file, 'select 7 as n', new AbortController().signal, { memory: 32 << 20 });
    expect((await rows.next()).value).toBe('{"n":7}');
  });

  it('keeps a cell with a line break whole', async () => {
    const ran = await asked("select 'a' || char(8232) || 'b' || char(8233) || char(10) || char(13) || char(133) as x");
    expect(json(ran)).toEqual([{ x: 'a\u2028b\u2029\n\r\u0085' }]);
    // As it comes from the process of the query: no version of Node may see an end of a line in it.
    const { rows } = await runMirrorQuery(file, 'select char(8232, 8233) as x', new AbortController().signal);
    expect((await rows.next()).value).toBe('{"x":"\\u2028\\u2029"}');
  });

  it('ends a query that runs for ever at Ctrl-C', async () => {
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n';
    const running = home.start(['sql', endless, '--mirror', file, '-o', 'jsonl'], { cwd: home.folder });
    await expect.poll(() => running.stdout(), { timeout: 30_000 }).toContain('{"i":1}');
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Mirror of') });
  });
});

describe('the prompt', () => {
  it('warns of an answer with that answer, not when it is left', async () => {
    const running = home.start(['sql', '--mirror', file], { cwd: home.folder, terminal: 200 });
    running.type('select sum(amount_captured_minor) as s from sales;\n');
    await expect.poll(running.stderr, { timeout: 10_000 }).toContain('different currencies');
    running.endInput();
    expect((await running.ended).code).toBe(0);
  });

  it('names the tables that there will be where there is no mirror yet, and makes none', async () => {
    const own = homeFor(service.baseUrl, 'test');
    prove(own, service.baseUrl);
    const before = service.requests.length;
    const ran = await own.run(['sql', '--tables', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(json(ran)).toContainEqual(expect.objectContaining({ table: 'payments', column: 'id' }));
    expect(ran.stderr).toContain('cops sync');
    expect(service.requests).toHaveLength(before);
    own.remove();
  });

  it('completes tables, words, and the columns of the tables that stand on the line', () => {
    const names = new Map([
      ['payments', ['id', 'paid_minor', 'currency']],
      ['customers', ['id', 'email']],
    ]);
    expect(completeSql('select * from pay', names)).toEqual([['payments'], 'pay']);
    expect(completeSql('select * from payments where cur', names)).toEqual([['currency'], 'cur']);
    expect(completeSql('select p.pa from payments p', names)[0]).toContain('payments');
    expect(completeSql('from payments p order by p.pa', names)).toEqual([['paid_minor'], 'pa']);
    expect(completeSql('from customers where cur', names)).toEqual([[], 'cur']);
    // Where a table is wanted its columns are not in the way, and the lines before count.
    expect(completeSql('select id from ', names)).toEqual([['payments', 'customers'], '']);
    expect(completeSql('join c', names)).toEqual([['customers'], 'c']);
    expect(completeSql('where e', names, 'select * from customers\n')[0]).toEqual(['email', 'else', 'end']);
  });
});
