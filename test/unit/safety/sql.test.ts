import { describe, expect, it } from 'vitest';
import { isPlainQuery } from '../../../src/account/safety/as-sent.js';

describe('a plain query', () => {
  it.each([
    'SELECT 1',
    "select * from `a.b.c` where name = 'delete; drop' -- update x",
    '/* delete */ SELECT 1;',
    '(SELECT 1) UNION ALL (SELECT 2)',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    "SELECT 'it''s', \"a\"\"b\", r'\\d+' FROM `insert`",
    'SELECT * REPLACE (1 AS a) FROM t',
    'SELECT 1 -- a line\r\nFROM t',
  ])('is %s', (sql) => expect(isPlainQuery(sql)).toBe(true));

  it.each([
    '',
    'DELETE FROM t WHERE true',
    '  -- SELECT\nDELETE FROM t',
    '/* SELECT */ TRUNCATE TABLE t',
    'SELECT 1; DELETE FROM t',
    'WITH a AS (SELECT 1) DELETE FROM t WHERE x IN (SELECT * FROM a)',
    'WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a',
    'SELECT 1 INTO t',
    'UPDATE t SET a = 1',
    'MERGE t USING s ON a = b WHEN MATCHED THEN DELETE',
    'EXPORT DATA OPTIONS() AS SELECT 1',
    'SELECT * FROM EXTERNAL_QUERY("c", "DELETE FROM t")',
    'CREATE TABLE t AS SELECT 1',
    'CALL p()',
    'BEGIN SELECT 1; END',
    'DECLARE x INT64; SELECT x',
    // Dialects differ on where these texts and comments end.
    "SELECT 1 # it's\n; DELETE FROM t -- '",
    "SELECT '\\'; DELETE FROM t -- '",
    "SELECT '''a'b'; DELETE FROM t -- '''",
    'SELECT /* /* */ 1 */',
    'SELECT /*! 1 */ 1',
    "SELECT 'open",
    'SELECT /* open',
    'SELECT 1 --\r; DELETE FROM t',
    'SELECT 1 --\u2028; DELETE FROM t',
    'SELECT `a\\`b` FROM t; DELETE FROM t --`',
  ])('is not %s', (sql) => expect(isPlainQuery(sql)).toBe(false));
});
