import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, findEngine } from '../../../src/base/database/engines.js';
import { openDatabase } from '../../../src/base/database/open.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-database-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const open = (name = 'a.sqlite', more: { readonly?: boolean; journal?: 'wal' | 'delete' } = {}) =>
  openDatabase({ file: at(name), what: 'The test file', ...more });

describe('the engine', () => {
  it('is given values by marks without numbers, since that of Node 22.16 takes no others', () => {
    const root = path.join(import.meta.dirname, '../../../src');
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(sources.length).toBeGreaterThan(500);
    const numbered = sources.filter((name) => /[(,= ]\?(\d|\$\{)/.test(readFileSync(path.join(root, name), 'utf8')));
    expect(numbered).toEqual([]);
  });

  it('is the one of this Node, and its own where it has one', async () => {
    const [major = 0] = process.versions.node.split('.').map(Number);
    const database = await open();
    expect(database.engine).toBe(major >= 24 ? 'node:sqlite' : 'libsql');
    database.close();
  });

  it('is named with what to do when there is none', async () => {
    const none = [async () => undefined, async () => Promise.reject(new Error("Cannot find module 'libsql'"))];
    await expect(findEngine(none)).rejects.toMatchObject({
      kind: 'local',
      exitCode: 11,
      message: expect.stringContaining("Cannot find module 'libsql'"),
      facts: { hint: expect.stringContaining('Node 22.16') },
    });
    await expect(openDatabase({ file: at('a'), what: 'It', engines: none })).rejects.toMatchObject({ kind: 'local' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.each(ENGINES.map((load, i) => ({ load, name: ['node:sqlite', 'libsql'][i] })))('with $name', ({ load }) => {
  const openHere = async (name = 'a.sqlite', more: { readonly?: boolean } = {}) =>
    openDatabase({ file: at(name), what: 'The test file', engines: [load], ...more });

  // A Node without its own engine has one of the two; `is the one of this Node` says which must be there.
  const there = async (): Promise<boolean> =>
    load().then(
      (engine) => engine !== undefined,
      () => false,
    );

  it('says that the disk is full, and keeps what was committed', async () => {
    if (!(await there())) return;
    const database = await openHere();
    database.exec('CREATE TABLE t (v); PRAGMA max_page_count = 20');
    const add = (size: number) => () => void database.prepare('INSERT INTO t VALUES (zeroblob(?))').run(BigInt(size));
    database.transaction(add(10));
    const full = { kind: 'local', message: `cannot write ${at('a.sqlite')}: the disk is full` };
    expect(() => database.transaction(add(1_000_000))).toThrow(expect.objectContaining(full));
    await expect(database.longTransaction(async () => add(1_000_000)())).rejects.toMatchObject(full);
    expect(add(1_000_000)).toThrow(expect.objectContaining(full));
    expect(() => database.exec('INSERT INTO t VALUES (zeroblob(1000000))')).toThrow(expect.objectContaining(full));
    expect(database.prepare('SELECT count(*) FROM t').get()).toEqual([1]);
    database.close();
  });

  it('gives back every value exactly', async () => {
    if (!(await there())) return;
    const database = await openHere();
    database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, v)');
    const write = database.prepare('INSERT INTO t (v) VALUES (?) RETURNING n');
    const read = database.prepare('SELECT v, v, typeof(v) AS "1" FROM t WHERE n = ?');
    expect(read.columns).toEqual(['v', 'v', '1']);
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fc.constant(null),
    );
    fc.assert(
      fc.property(cell, (value) => {
        const [n] = write.get(value) ?? [];
        const [one, two] = read.get(n as number) ?? [];
        const exact = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
        expect([one, two]).toEqual([exact, exact]);
      }),
    );
    database.close();
  });

  it('undoes a transaction that throws, and joins one inside another', async () => {
    if (!(await there())) return;
    const database = await openHere();
    database.exec('CREATE TABLE t (a)');
    const add = () => database.prepare('INSERT INTO t VALUES (1)').run();
    expect(() =>
      database.transaction(() => {
        database.transaction(add);
        throw new Error('no');
      }),
    ).toThrow('no');
    database.transaction(() => database.transaction(add));
    expect(database.prepare('SELECT count(*) FROM t').get()).toEqual([1]);
    database.close();
  });

  it('walks rows one by one', async () => {
    if (!(await there())) return;
    const database = await openHere();
    const count = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 250) SELECT x FROM c';
    expect([...database.query(count).iterate()].map(([x]) => x)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    database.close();
  });

  it.each(['EXPLAIN SELECT a FROM t', '/* a */ EXPLAIN SELECT a FROM t', 'SELECT a FROM t'])(
    'lets another one write after %s, read to its end or not',
    async (sql) => {
      if (!(await there())) return;
      const one = await openDatabase({ file: at('a.sqlite'), what: 'It', engines: [load], journal: 'delete' });
      const other = await openDatabase({ file: at('a.sqlite'), what: 'It', engines: [load], journal: 'delete' });
      one.exec('CREATE TABLE t (a)');
      one.transaction(() => Array.from({ length: 300 }, (_, i) => one.prepare('INSERT INTO t VALUES (?)').run(i)));
      other.exec('PRAGMA busy_timeout = 1');
      one.query(sql).all();
      for (const _ of one.query(sql).iterate()) break;
      expect(one.query('SELECT a FROM t LIMIT 4').all()).toHaveLength(4);
      other.exec('INSERT INTO t VALUES (1)');
      one.close();
      other.exec('INSERT INTO t VALUES (1)');
      other.close();
    },
  );

  it('makes its file for its owner alone', async () => {
    if (!(await there())) return;
    const before = process.umask(0);
    try {
      const database = await openHere();
      database.exec('CREATE TABLE t (a)');
      for (const name of readdirSync(folder)) expect([name, statSync(at(name)).mode & 0o777]).toEqual([name, 0o600]);
      database.close();
    } finally {
      process.umask(before);
    }
  });

  it('opened to be read only, writes nothing anywhere', async () => {
    if (!(await there())) return;
    const made = await openHere();
    made.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    made.exec(`CREATE VIEW evil AS SELECT writefile('${at('other.sqlite')}', 1)`);
    made.close();
    const database = await openHere('a.sqlite', { readonly: true });
    const other = at('other.sqlite');
    for (const sql of [
      'INSERT INTO t VALUES (2)',
      ';INSERT INTO t VALUES (2)',
      '/* SELECT */ DELETE FROM t',
      '-- SELECT\nDROP TABLE t',
      "SELECT 1; ATTACH 'x' AS y",
      'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x',
      'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x RETURNING a',
      'WITH x AS (SELECT 1) DELETE FROM t',
      'WITH x AS (SELECT 1) UPDATE t SET a = 3',
      `ATTACH '${other}' AS other`,
      `/**/ATTACH '${other}' AS other`,
      `EXPLAIN ATTACH '${other}' AS other`,
      `VACUUM INTO '${other}'`,
      'PRAGMA query_only = OFF',
      'EXPLAIN PRAGMA query_only = OFF',
      'EXPLAIN QUERY PLAN PRAGMA query_only = OFF',
      'PRAGMA journal_mode = WAL',
      'CREATE TEMP TABLE u (a)',
      'BEGIN IMMEDIATE',
      'REINDEX',
      '',
      '/* open',
      "SELECT load_extension('/tmp/x')",
      `SELECT writefile('${other}', 1)`,
      `SELECT "WriteFile"('${other}', 1)`,
      `SELECT [writefile]/**/('${other}', 1)`,
      `SELECT \`writefile\`('${other}', 1)`,
      `SELECT * FROM evil`,
      "SELECT readfile('/etc/hostname')",
      "SELECT * FROM fsdir('/etc')",
      "SELECT * FROM 'fsdir'('/etc')",
      `SELECT sha3_query('ATTACH "${other}" AS other')`,
    ]) {
      let rows: unknown;
      try {
        rows = database.query(sql).all();
      } catch {
        rows = 'refused';
      }
      // A second statement is left out, as both engines do.
      expect([sql, rows]).toEqual([sql, sql.startsWith('SELECT 1;') ? [[1]] : 'refused']);
    }
    expect(() => database.exec('INSERT INTO t VALUES (2)')).toThrow();
    expect(database.query('/* a */ -- b\n select a from t').all()).toEqual([[1]]);
    expect(database.query('EXPLAIN QUERY PLAN SELECT a FROM t').columns).toHaveLength(4);
    expect(existsSync(other)).toBe(false);
    database.close();
  });
});

describe('a file', () => {
  it('that is missing or no database is named', async () => {
    await expect(open('none.sqlite', { readonly: true })).rejects.toMatchObject({
      kind: 'local',
      message: expect.stringContaining(`The test file ${at('none.sqlite')} cannot be opened`),
    });
    expect(existsSync(at('none.sqlite'))).toBe(false);
    writeFileSync(at('text'), 'not a database, and long enough to be seen as such\n'.repeat(40));
    await expect(open('text')).rejects.toMatchObject({ kind: 'local' });
    await expect(open('text', { readonly: true })).rejects.toMatchObject({ kind: 'local' });
  });

  it('may have any name', async () => {
    const database = await open('a b?mode=rw#%41.sqlite');
    database.exec('CREATE TABLE t (a)');
    database.close();
    const again = await open('a b?mode=rw#%41.sqlite', { readonly: true });
    expect(again.prepare('SELECT name FROM sqlite_master').all()).toEqual([['t']]);
    again.close();
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['a b?mode=rw#%41.sqlite']);
  });

  it('leaves nothing beside it with the journal that is deleted', async () => {
    const database = await open('a.sqlite', { journal: 'delete' });
    database.exec('CREATE TABLE t (a)');
    database.close();
    expect(readdirSync(folder)).toEqual(['a.sqlite']);
  });
});
