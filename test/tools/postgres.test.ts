/** @module-tag tool */
/** The connection to PostgreSQL, on a server of its own. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, type Postgres } from '../../src/base/database/postgres.js';
import { parsePostgresAddress } from '../../src/base/database/postgres-address.js';
import { sqlStateOf } from '../../src/base/database/postgres-faults.js';
import { type PostgresServer, startPostgres } from '../harness/postgres.js';

const folder = mkdtempSync(path.join(tmpdir(), 'cops-pgpass-'));
let server: PostgresServer;
let locked: PostgresServer;
let database: Postgres;

function open(text: string, env: Record<string, string> = {}, signal?: AbortSignal): Promise<Postgres> {
  return connectPostgres(parsePostgresAddress(text, 'the address', env), { env, signal });
}

beforeAll(async () => {
  [server, locked] = await Promise.all([startPostgres(), startPostgres({ network: true, tls: true, password: true })]);
  database = await open(server.url());
});
afterAll(async () => {
  await database?.close();
  await Promise.all([server?.close(), locked?.close()]);
  rmSync(folder, { recursive: true });
});

const one = async (sql: string, values?: Parameters<Postgres['query']>[1]) =>
  (await database.query(sql, values)).rows[0]?.[0];

describe('values', () => {
  it.each([
    ["'9007199254740991'::bigint", 9007199254740991],
    ["'9007199254740993'::bigint", 9007199254740993n],
    ['0.10::numeric', '0.10'],
    ['123456789012345678901234567890.123456789::numeric', '123456789012345678901234567890.123456789'],
    ['true', true],
    ['NULL::int', null],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ["ARRAY['a','b c']", '{a,"b c"}'],
  ])('%s arrives whole', async (sql, value) => {
    expect(await one(`SELECT ${sql}`)).toEqual(value);
  });

  it('go as they are, and times are told in UTC inside a transaction', async () => {
    expect(await one('SELECT $1::bigint', [9007199254740993n])).toBe(9007199254740993n);
    expect(await one('SELECT $1::text[]', [['a', 'b"c']])).toBe('{a,"b\\"c"}');
    const at = await database.transaction(async (session) => {
      const { rows } = await session.query("SELECT '2026-01-01T12:00:00+02'::timestamptz");
      return rows[0]?.[0];
    });
    expect(at).toBe('2026-01-01 10:00:00+00');
  });
});

describe('transactions', () => {
  it('undo all where something throws, and leave the connection as it was', async () => {
    await database.query('CREATE TABLE t (n int PRIMARY KEY)');
    await expect(
      database.transaction(async (session) => {
        await session.query('INSERT INTO t VALUES (1)');
        throw new Error('enough');
      }),
    ).rejects.toThrow('enough');
    expect(await one('SELECT count(*) FROM t')).toBe(0);
  });

  it('run one after the other, though they are asked for at once', async () => {
    const add = (n: number) =>
      database.transaction(async (session) => {
        const { rows } = await session.query('SELECT count(*) FROM t');
        await session.query('INSERT INTO t VALUES ($1)', [n * 100 + Number(rows[0]?.[0])]);
      });
    await Promise.all([add(1), add(2), add(3), database.query('SELECT 1')]);
    expect((await database.query('SELECT n FROM t ORDER BY n')).rows).toEqual([[100], [201], [302]]);
  });

  it('say so where a fault was passed over before the commit', async () => {
    await expect(
      database.transaction(async (session) => {
        await session.query('SELECT 1/0').catch(() => {});
      }),
    ).rejects.toMatchObject({ kind: 'local' });
  });

  it('copy in and out', async () => {
    expect(await database.copyIn('COPY t FROM STDIN', ['7\n', '8\n9\n'])).toBe(3);
    const parts: Buffer[] = [];
    for await (const part of database.copyOut('COPY (SELECT n FROM t WHERE n < 10 ORDER BY n) TO STDOUT'))
      parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('7\n8\n9\n');
    await expect(database.copyIn('COPY t FROM STDIN', ['no number\n'])).rejects.toMatchObject({ kind: 'local' });
    await expect(database.copyIn('COPY nothing FROM STDIN', ['1\n'])).rejects.toMatchObject({ kind: 'local' });
    expect(await one('SELECT 1')).toBe(1);
  });

  it('do not know of a commit whose answer is lost', async () => {
    const mine = await open(server.url());
    const result = mine.transaction(async (session) => {
      await session.query('CREATE TABLE lost (n int)');
      server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cops' AND state LIKE 'idle in%'",
      );
    });
    await expect(result).rejects.toMatchObject({ facts: { more: { commit: 'unknown' } } });
    await expect(mine.query('SELECT 1')).rejects.toMatchObject({ kind: 'network' });
    await mine.close();
  });
});

describe('failures', () => {
  it('carry their state', async () => {
    const fault = await database.query('INSERT INTO t VALUES (7)').catch((error: unknown) => error);
    expect(sqlStateOf(fault)).toBe('23505');
    expect(await database.query('SELECT * FROM pg_authid').catch((error: unknown) => error)).toMatchObject({
      kind: 'not_authorised',
    });
  });

  it('cancels what runs, at the server', async () => {
    const stop = new AbortController();
    const mine = await open(server.url(), {}, stop.signal);
    const waiting = mine.query('SELECT pg_sleep(60)');
    setTimeout(() => stop.abort(new Error('stop')), 200);
    await expect(waiting).rejects.toThrow('stop');
    await expect(mine.query('SELECT 1')).rejects.toThrow('stop');
    expect(
      server.sql(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND state = 'active' AND pid <> pg_backend_pid()",
      ),
    ).toBe('0');
    await mine.close();
  });

  it('names no server, no database, and an account that has to have a password', async () => {
    await expect(open('postgres://anna@127.0.0.1:1/shop')).rejects.toMatchObject({ kind: 'network' });
    await expect(open(server.url('', 'nothing'))).rejects.toMatchObject({ kind: 'local' });
    await expect(open(locked.url())).rejects.toMatchObject({ kind: 'not_authorised' });
    await expect(open(locked.url(), { PGPASSWORD: 'wrong' })).rejects.toMatchObject({ kind: 'not_authorised' });
  });
});

describe('TLS and passwords', () => {
  const secure = () => locked.url('sslmode=verify-full').replace('127.0.0.1', 'localhost');

  it('refuses a certificate that nobody vouches for', async () => {
    await expect(open(secure(), { PGPASSWORD: 'right' })).rejects.toMatchObject({ kind: 'network' });
    await expect(open(server.url('sslmode=require'))).rejects.toMatchObject({ kind: 'network' });
  });

  it('takes one whose authority is named, for its own name alone', async () => {
    const ca = `&sslrootcert=${path.join(locked.folder, 'data', 'server.crt')}`;
    const mine = await open(secure() + ca, { PGPASSWORD: 'right' });
    expect((await mine.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).rows).toEqual([[true]]);
    await mine.close();
    const other = secure().replace('localhost', '127.0.0.1') + ca;
    await expect(open(other, { PGPASSWORD: 'right' })).rejects.toMatchObject({ kind: 'network' });
    await (await open(other.replace('verify-full', 'verify-ca'), { PGPASSWORD: 'right' })).close();
  });

  it('finds the password in the file for it, unless others may read that', async () => {
    const file = path.join(folder, 'pass');
    writeFileSync(file, `# mine\n127.0.0.1:${locked.port}:other:anna:wrong\n*:*:shop:anna:right\n`, { mode: 0o600 });
    await (await open(locked.url(), { PGPASSFILE: file })).close();
    chmodSync(file, 0o644);
    await expect(open(locked.url(), { PGPASSFILE: file })).rejects.toMatchObject({ kind: 'not_authorised' });
  });
});
