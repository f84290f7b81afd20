import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { glanceAt, profileAndMode } from '../../../src/account/profiles/glance.js';
import {
  forgetIds,
  type IdPlace,
  idCacheWanted,
  MOST_IDS,
  readIds,
  rememberItems,
} from '../../../src/account/seen-ids/ids.js';

let dataDir = '';
let place: IdPlace;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'cops-ids-'));
  place = { dataDir, profile: 'acme', mode: 'test' };
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const id = (n: number): string => `id${String(n).padStart(18, '0')}`;
const item = (fields: object): string => JSON.stringify(fields);

describe('the ids that were seen', () => {
  it('are kept newest first, each once, and never more than a few hundred', () => {
    rememberItems(place, 'sales', 'id', [item({ id: id(1), name: 'old' }), item({ id: id(2) })]);
    rememberItems(place, 'sales', 'id', [item({ id: id(3) }), item({ id: id(1), name: 'new' })]);
    expect(readIds(place, 'sales').map((one) => [one.id, one.name])).toEqual([
      [id(3), ''],
      [id(1), 'new'],
      [id(2), ''],
    ]);
    rememberItems(
      place,
      'sales',
      'id',
      Array.from({ length: 1000 }, (_, n) => item({ id: id(n + 10) })),
    );
    const all = readIds(place, 'sales');
    expect(all.length).toBe(MOST_IDS);
    expect(all[0]?.id).toBe(id(10));
  });

  it('are kept apart by family, profile and mode', () => {
    rememberItems(place, 'sales', 'id', [item({ id: id(1) })]);
    expect(readIds(place, 'trials')).toEqual([]);
    expect(readIds({ ...place, mode: 'live' }, 'sales')).toEqual([]);
    expect(readIds({ ...place, profile: 'other' }, 'sales')).toEqual([]);
    rememberItems({ ...place, profile: '../../evil' }, 'sales', 'id', [item({ id: id(2) })]);
    expect(readdirSync(path.join(dataDir, 'ids')).sort()).toEqual(['..%2F..%2Fevil-test', 'acme-test']);
  });

  it('hold id, name and date of an item and nothing else', () => {
    const whole = {
      id: id(1),
      created_date_unix: 1_767_225_600,
      email: 'ada@example.com',
      amount: '10.00',
      customer: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
      credit_card: { last_4: '4242' },
    };
    rememberItems(place, 'sales', 'id', [item(whole)]);
    const text = readFileSync(path.join(dataDir, 'ids/acme-test/sales.json'), 'utf8');
    expect(JSON.parse(text)).toEqual([[id(1), 'Ada Lovelace', 1_767_225_600]]);
  });

  it.each([
    [{ name: 'Own', customer: { first_name: 'Ada' } }, 'Own'],
    [{ title: 'T' }, 'T'],
    [{ first_name: 'Ada', last_name: 'L' }, 'Ada L'],
    [{ product: { name: 'Thing' } }, 'Thing'],
    [{ name: 'a\u001b[31m\nb' }, 'a [31m b'],
    [{ name: 'x'.repeat(500) }, 'x'.repeat(60)],
    [{ name: 7, email: 'a@b.c' }, ''],
  ])('take their name from %j', (fields, name) => {
    rememberItems(place, 'sales', 'id', [item({ id: id(1), ...fields })]);
    expect(readIds(place, 'sales')[0]?.name).toBe(name);
  });

  it('are only what can stand on a command line', () => {
    const bad = ['', '-rf', 'a b', '$(x)', 'a\nb', '`x`', 7, null, 'x'.repeat(200)];
    rememberItems(
      place,
      'sales',
      'id',
      bad.map((one) => item({ id: one })),
    );
    expect(readIds(place, 'sales')).toEqual([]);
    mkdirSync(path.join(dataDir, 'ids/acme-test'), { recursive: true });
    writeFileSync(path.join(dataDir, 'ids/acme-test/sales.json'), JSON.stringify([['$(x)', '', 0], [id(1)], 7, null]));
    expect(readIds(place, 'sales')).toEqual([{ id: id(1), name: '', made: 0 }]);
  });

  it('are private files', () => {
    rememberItems(place, 'sales', 'id', [item({ id: id(1) })]);
    expect(statSync(path.join(dataDir, 'ids/acme-test/sales.json')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'ids/acme-test')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(dataDir, 'ids')).mode & 0o777).toBe(0o700);
  });

  it.each(['', '{', '{}', '[[[', 'null', '\u0000'])('survive a damaged file (%j)', (text) => {
    mkdirSync(path.join(dataDir, 'ids/acme-test'), { recursive: true });
    writeFileSync(path.join(dataDir, 'ids/acme-test/sales.json'), text);
    expect(readIds(place, 'sales')).toEqual([]);
    rememberItems(place, 'sales', 'id', [item({ id: id(1) })]);
    expect(readIds(place, 'sales').length).toBe(1);
  });

  it('never fail a command: a folder that cannot be made, items that are no JSON', () => {
    writeFileSync(path.join(dataDir, 'ids'), 'a file in the way');
    expect(() => rememberItems(place, 'sales', 'id', [item({ id: id(1) })])).not.toThrow();
    expect(() => rememberItems(place, 'sales', 'id', ['{'])).not.toThrow();
    expect(readIds(place, 'sales')).toEqual([]);
  });

  it('leave nothing beside the file, and can be forgotten', () => {
    rememberItems(place, 'sales', 'id', [item({ id: id(1) })]);
    rememberItems(place, 'trials', 'id', [item({ id: id(1) })]);
    expect(readdirSync(path.join(dataDir, 'ids/acme-test')).sort()).toEqual(['sales.json', 'trials.json']);
    expect(forgetIds(dataDir)).toBe(2);
    expect(forgetIds(dataDir)).toBe(0);
    expect(readIds(place, 'sales')).toEqual([]);
  });

  it('of one profile and mode can be forgotten alone', () => {
    const live = { ...place, mode: 'live' };
    for (const each of [place, live]) rememberItems(each, 'sales', 'id', [item({ id: id(1) })]);
    expect(forgetIds(dataDir, live)).toBe(1);
    expect(readIds(live, 'sales')).toEqual([]);
    expect(readIds(place, 'sales').length).toBe(1);
  });

  it('are not wanted when the environment says so', () => {
    expect(['0', 'false', 'no', 'OFF'].map((value) => idCacheWanted({ COPS_ID_CACHE: value }))).toEqual(
      Array(4).fill(false),
    );
    expect(['1', '', undefined].map((value) => idCacheWanted({ COPS_ID_CACHE: value }))).toEqual(Array(3).fill(true));
  });
});

describe('the configuration as completion reads it', () => {
  const withFile = (text: string) => {
    writeFileSync(path.join(dataDir, 'config.json'), text);
    return glanceAt(dataDir);
  };

  it('is empty when the file is absent, damaged or of another shape', () => {
    for (const text of ['', '{', '[]', '7', '{"profiles":7,"aliases":[]}']) {
      expect(withFile(text).profiles).toEqual(['sandbox']);
      expect(withFile(text).aliases).toEqual({});
    }
  });

  it('tells profile and mode by the precedence of the command line', () => {
    const known = withFile(
      '{"profiles":{"a":{"mode":"live"},"b":{"id_cache":false}},"current":"a","aliases":{"x":"sales list","Y!":"no"}}',
    );
    expect(known.profiles).toEqual(['a', 'b', 'sandbox']);
    expect(known.aliases).toEqual({ x: 'sales list' });
    expect([known.of('a').idCache, known.of('b').idCache, known.of('c').idCache]).toEqual([true, false, true]);
    expect(profileAndMode(known, {}, {})).toEqual({ profile: 'a', mode: 'live' });
    expect(profileAndMode(known, {}, { profile: 'b' })).toEqual({ profile: 'b', mode: 'test' });
    expect(profileAndMode(known, { COPS_PROFILE: 'b', COPS_MODE: 'live' }, {})).toEqual({ profile: 'b', mode: 'live' });
    expect(profileAndMode(known, { COPS_MODE: 'live' }, { mode: 'test' })).toEqual({ profile: 'a', mode: 'test' });
    expect(profileAndMode(withFile('{}'), { COPS_API_KEY: 'k' }, {})).toEqual({ profile: 'env', mode: 'live' });
    expect(profileAndMode(withFile('{}'), {}, {})).toBeUndefined();
    expect(profileAndMode(withFile('{"profiles":{"one":{}}}'), {}, {})).toEqual({ profile: 'one', mode: 'test' });
  });
});
