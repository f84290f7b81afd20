import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/account/profiles/store.js';
import { CopsError } from '../../../src/base/errors/errors.js';
import { lock } from '../../../src/base/files/lock.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cops-store-'));
  path = join(folder, 'config.json');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const add = (name: string) => (now: ReturnType<ReturnType<typeof openStore>['read']>) => ({
  ...now,
  profiles: { ...now.profiles, [name]: { base_url: 'https://api.example.com' } },
});

function localFault(work: () => unknown): CopsError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CopsError);
    expect((error as CopsError).exitCode).toBe(11);
    return error as CopsError;
  }
  throw new Error('nothing was thrown');
}

describe('reading', () => {
  it('takes an absent file for an empty configuration and makes nothing', () => {
    const store = openStore(join(folder, 'not-there'));
    expect(store.read()).toEqual({ profiles: {}, aliases: {} });
    expect(existsSync(join(folder, 'not-there'))).toBe(false);
  });

  it.each([
    ['bad JSON', '{"profiles": {'],
    ['two documents', '{}{}'],
    ['an empty file', ''],
    ['white space only', ' \n\t'],
    ['binary', Buffer.from([0, 255, 254, 3, 200, 0])],
    ['UTF-16', Buffer.from('{"profiles":{}}', 'utf16le')],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '12'],
    ['profiles of the wrong type', '{"profiles": []}'],
    ['a profile of the wrong type', '{"profiles": {"a": "x"}}'],
    ['an unknown mode', '{"profiles": {"a": {"mode": "production"}}}'],
    ['a literal where a key reference belongs', '{"profiles": {"a": {"live_key": "sk_live_123456"}}}'],
    ['a key reference of an unknown kind', '{"profiles": {"a": {"live_key": {"kind": "vault", "key": "x"}}}}'],
    ['a rate below 0', '{"profiles": {"a": {"rate": -1}}}'],
    ['a rate as text', '{"profiles": {"a": {"rate": "5"}}}'],
    ['read_only as text', '{"profiles": {"a": {"read_only": "false"}}}'],
    ['an alias that is no text', '{"aliases": {"x": ["a"]}}'],
    ['current of the wrong type', '{"current": 1}'],
  ])('reports %s with the path and never writes over it', async (_what, content) => {
    writeFileSync(path, content, { mode: 0o600 });
    const before = readFileSync(path);
    expect(localFault(() => openStore(folder).read()).message).toContain(path);
    await expect(openStore(folder).update(add('b'))).rejects.toMatchObject({ kind: 'local' });
    expect(readFileSync(path)).toEqual(before);
  });

  it('never shows the text around a fault, which may be a key', () => {
    writeFileSync(path, '{"profiles":{"a":{"live_key":{"kind":"stored","key":"sk_live_SECRET"');
    const { message, facts } = localFault(() => openStore(folder).read());
    expect(message + JSON.stringify(facts)).not.toContain('SECRET');
  });

  it('accepts a byte order mark and CRLF', () => {
    writeFileSync(path, '\uFEFF{\r\n"current": "a",\r\n"profiles": {"a": {}}\r\n}\r\n');
    expect(openStore(folder).read().current).toBe('a');
  });

  it('reports a folder in the place of the file, and a file in the place of the folder', () => {
    mkdirSync(path);
    expect(localFault(() => openStore(folder).read()).message).toContain(path);
    writeFileSync(join(folder, 'file'), '');
    localFault(() => openStore(join(folder, 'file')).read());
  });
});

describe('writing', () => {
  it('makes the folder 0700 and the file 0600, and leaves nothing else', async () => {
    const deep = join(folder, 'a', 'b');
    await openStore(deep).update(add('one'));
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(statSync(join(deep, 'config.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(deep)).toEqual(['config.json']);
  });

  it('mends permissions that are too wide', async () => {
    writeFileSync(path, '{}', { mode: 0o644 });
    chmodSync(path, 0o644);
    chmodSync(folder, 0o755);
    const store = openStore(folder);
    expect(store.exposed()).toBe(true);
    await store.update(add('one'));
    expect(store.exposed()).toBe(false);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('keeps fields that it does not know, at every level', async () => {
    const content = {
      future: { a: [1, { b: null }] },
      profiles: { old: { base_url: 'https://x.example', colour: 'red' } },
    };
    writeFileSync(path, JSON.stringify(content));
    await openStore(folder).update(add('new'));
    const after = JSON.parse(readFileSync(path, 'utf8'));
    expect(after.future).toEqual(content.future);
    expect(after.profiles.old).toEqual(content.profiles.old);
    expect(Object.keys(after.profiles)).toEqual(['old', 'new']);
  });

  it('keeps dots in names flat', async () => {
    await openStore(folder).update(add('shop.example.com'));
    expect(Object.keys(openStore(folder).read().profiles)).toEqual(['shop.example.com']);
  });

  it('keeps a symbolic link a link', async () => {
    const real = join(folder, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, path);
    await openStore(folder).update(add('one'));
    expect(JSON.parse(readFileSync(real, 'utf8')).profiles.one).toBeDefined();
    expect(readFileSync(path, 'utf8')).toBe(readFileSync(real, 'utf8'));
  });

  it('leaves the file alone when the change throws', async () => {
    await openStore(folder).update(add('one'));
    const before = readFileSync(path);
    await expect(
      openStore(folder).update(() => {
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('sweeps up the half-written file of a killed process', async () => {
    writeFileSync(join(folder, 'config.json.abc.new'), '{"profiles": {"x": {"live_key": "sec');
    writeFileSync(join(folder, 'config.json.abc.new.tmp-123'), 'sec');
    writeFileSync(join(folder, 'config.json.bak'), 'mine');
    await openStore(folder).update(add('one'));
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'config.json.bak']);
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder that may not be written', async () => {
    chmodSync(folder, 0o500);
    await expect(openStore(folder).update(add('one'))).rejects.toMatchObject({ exitCode: 11 });
  });
});

describe('the lock', () => {
  it('of another process is respected and reported; nothing is written', async () => {
    const held = await lock(path);
    const failed = await openStore(folder, { waitMs: 0 })
      .update(add('one'))
      .catch((error: CopsError) => error);
    expect(failed).toMatchObject({ kind: 'local', exitCode: 11, message: expect.stringContaining(path) });
    expect(existsSync(path)).toBe(false);
    await held.release();
    await openStore(folder).update(add('one'));
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('is let go of after a failure', async () => {
    const broken = openStore(folder).update(() => {
      throw new Error('on purpose');
    });
    await expect(broken).rejects.toThrow('on purpose');
    expect(readdirSync(folder)).toEqual([]);
  });
});
