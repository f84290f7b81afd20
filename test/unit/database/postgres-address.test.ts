import { describe, expect, it } from 'vitest';
import { parsePostgresAddress, withSchema } from '../../../src/base/database/postgres-address.js';
import { isPostgresAddress } from '../../../src/base/files/typed-path.js';

const parse = (text: string, env = {}) => parsePostgresAddress(text, '--mirror', { USER: 'me', ...env });

describe('the address of a database', () => {
  it('is told from a file', () => {
    expect(['postgres://h/d', 'postgresql://h', 'POSTGRES://h'].every(isPostgresAddress)).toBe(true);
    expect(['postgres.sqlite', './postgres:/x', 'm.sqlite'].some(isPostgresAddress)).toBe(false);
  });

  it('has defaults, and the variables that other clients read', () => {
    expect(parse('postgres://')).toMatchObject({ host: 'localhost', port: 5432, user: 'me', database: 'me' });
    expect(parse('postgres://', { PGHOST: 'h', PGPORT: '6', PGUSER: 'u', PGDATABASE: 'd' })).toMatchObject({
      ...{ host: 'h', port: 6, user: 'u', database: 'd' },
    });
  });

  it.each([
    ['postgres://anna@db.example:6432/shop?schema=acme', 'postgres://anna@db.example:6432/shop?schema=acme'],
    ['postgresql://anna@db.example:5432/shop', 'postgres://anna@db.example/shop'],
    ['postgres://anna@/shop?host=/tmp/a b', 'postgres://anna@/shop?host=/tmp/a%20b'],
    ['postgres:///shop?host=/tmp&port=7', 'postgres://me@/shop?host=/tmp&port=7'],
    ['postgres://anna@[::1]:7/sh%20op', 'postgres://anna@[::1]:7/sh%20op'],
  ])('%s is shown as %s, which means the same', (given, shown) => {
    const address = parse(given);
    expect(address.text).toBe(shown);
    expect(parse(shown)).toEqual(address);
  });

  it.each([
    ['localhost', 'off'],
    ['127.0.0.8', 'off'],
    ['[::1]', 'off'],
    ['10.0.0.1', 'verified'],
    ['localhost.example', 'verified'],
  ])('a certificate of %s is: %s', (host, tls) => {
    expect(parse(`postgres://u@${host}/d`).tls).toBe(tls);
    expect(parse(`postgres://u@${host}/d?sslmode=verify-full`).tls).toBe('verified');
  });

  it.each([
    'postgres://u:secret@h/d',
    'postgres://u@h/d?password=secret',
    'postgres://u:secret@:bad:/d',
    'postgres://u@h/d?secret=1%',
    'postgres://u@h/d?sslmode=prefer',
    'postgres://u@h/d?port=0',
    'postgres://u@h/%zz',
    'postgres://u@h/d?schema=pg_catalog',
  ])('%s is refused, and no secret is repeated', (text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.not.stringMatching(/secret(?!=| )/) }),
    );
  });

  it('takes another schema', () => {
    expect(withSchema(parse('postgres://u@h/d?schema=a'), 'b').text).toBe('postgres://u@h/d?schema=b');
  });
});
