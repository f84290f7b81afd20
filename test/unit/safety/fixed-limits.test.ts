import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { entryId, noEntry } from '../../../src/account/history/entries.js';
import { HistoryMark } from '../../../src/account/history/segments.js';
import { take } from '../../../src/account/pace/shared-pace.js';
import { countedFrom } from '../../../src/account/policy/judge.js';
import { parsePolicy } from '../../../src/account/policy/parse.js';
import { policySchema } from '../../../src/account/policy/policy-schema.js';
import { childEnvironment } from '../../../src/account/profiles/command.js';
import { typedKey } from '../../../src/account/profiles/keys.js';
import { checkColumnNames, settingByName } from '../../../src/account/profiles/setting-checks.js';
import { questionLines } from '../../../src/account/safety/question.js';
import { readIds, rememberItems } from '../../../src/account/seen-ids/ids.js';
import { LARGEST_DESCRIPTION, parseDescription } from '../../../src/service/openapi/document.js';
import { oneLine, SchemaReader } from '../../../src/service/openapi/schema.js';
import { keyBounds } from '../../../src/service/request/request-plan.js';
import { profile } from './tools.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

describe('a description of the service', () => {
  it('has at most 32 MiB', () => {
    const read = (size: number) => () => parseDescription('x'.repeat(size), 'It');
    expect(LARGEST_DESCRIPTION).toBe(32 * 1024 * 1024);
    expect(read(LARGEST_DESCRIPTION + 1)).toThrow('larger');
    expect(read(LARGEST_DESCRIPTION)).toThrow('not JSON');
  });

  it('is read ten levels deep, 150,000 fields wide, and with notes of 200 characters', () => {
    const reader = new SchemaReader({}, (name) => name);
    const nested = (levels: number): object =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
    const depth = (value: unknown): number => {
      const { fields } = value as { fields?: { a: unknown } };
      return fields ? 1 + depth(fields.a) : 0;
    };
    expect([depth(reader.field(nested(10) as never)), depth(reader.field(nested(20) as never))]).toEqual([10, 11]);
    const many = (count: number) => {
      const properties = Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'string' }]));
      return () => new SchemaReader({}, (name) => name).field({ type: 'object', properties } as never);
    };
    expect(many(149_999)).not.toThrow();
    expect(many(150_000)).toThrow('150000 fields');
    expect([oneLine('x'.repeat(200)).length, oneLine('x'.repeat(201))]).toEqual([200, `${'x'.repeat(197)}...`]);
  });
});

describe('a profile', () => {
  it('has at most 60 columns for a list', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`).join(',');
    expect(checkColumnNames(names(60), 'It').split(',')).toHaveLength(60);
    expect(() => checkColumnNames(names(61), 'It')).toThrow();
  });

  it('is searched for words of five letters', () => {
    const said = (word: string) => {
      try {
        settingByName(word);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([said('addr'), said('addre')].map((text) => text.includes('base_url'))).toEqual([false, true]);
    const quoted = (text: string) => /z+/.exec(text)?.[0].length;
    expect([said('z'.repeat(99)), said(`columns.${'z'.repeat(99)}`)].map(quoted)).toEqual([64, 64]);
  });

  it('has keys of 16 characters and more, and hides those of eight from other programs', () => {
    const store = { read: () => ({ profiles: {} }) };
    const found = (key: string) => typedKey([`${key}-and-more`], [], { store, env: { COPS_API_KEY: key } });
    expect([found('k23456789012345'), found('k234567890123456')]).toEqual([undefined, 'k234567890123456']);
    const passed = (key: string) => 'COPY' in childEnvironment({ COPS_API_KEY: key, COPY: `x ${key} y` }, undefined);
    expect([passed('1234567'), passed('12345678')]).toEqual([true, false]);
  });
});

it('a word of 10 to 255 characters may be the key of a write that another machine sent', () => {
  const led = (length: number) => String(noEntry('The history', 'k'.repeat(length)).facts.hint).includes('api-calls');
  expect([9, 10, 255, 256].map(led)).toEqual([false, true, true, false]);
  expect(keyBounds({} as never)).toEqual({ min: 10, max: 255 });
});

it('a segment of the history that changed within two seconds is compared by its bytes', async () => {
  const [folder, data] = [mkdtempSync(join(tmpdir(), 'cops-mark-')), mkdtempSync(join(tmpdir(), 'cops-mark-'))];
  const segment = join(folder, '2026-11.jsonl');
  writeFileSync(segment, '{"type":"intent"}\n');
  const changed = Math.floor(statSync(segment).ctimeMs);
  const knows = async (after: number) => {
    vi.spyOn(Date, 'now').mockReturnValue(changed + after);
    await new HistoryMark(folder, data).take();
    vi.restoreAllMocks();
    const [mark = ''] = readdirSync(join(data, 'marks'));
    return 'state' in JSON.parse(readFileSync(join(data, 'marks', mark), 'utf8')).segments['2026-11.jsonl'];
  };
  expect([await knows(1999), await knows(2002)]).toEqual([false, true]);
});

it('a rule counts the writes of an hour, and its hours end at midnight', async () => {
  expect(NOON - countedFrom({ zone: 'UTC', rules: [] }, NOON).hour).toBe(3_600_000);
  const until = (end: string) =>
    parsePolicy(`{zone: UTC, rules: [{name: a, operations: [transactions refund], hours: "08:00-${end}"}]}`, 'p');
  await expect(until('24:00')).resolves.toMatchObject({ rules: [{ hours: [480, 1440] }] });
  await expect(until('24:01')).rejects.toThrow('span of the day');
});

it('an amount of a rule has 15 digits and 8 decimals at most, and a count nine digits', async () => {
  const most = (amount: string) =>
    parsePolicy(
      `{zone: UTC, rules: [{name: a, operations: [transactions refund], most: {USD: '${amount}'}}]}`,
      'p',
    ).then(
      () => true,
      () => false,
    );
  const amounts = ['1'.repeat(15), '1'.repeat(16), `1.${'1'.repeat(8)}`, `1.${'1'.repeat(9)}`];
  expect(await Promise.all(amounts.map(most))).toEqual([true, false, true, false]);
  expect(JSON.stringify(policySchema())).toMatch(/"maximum":999999999\b/);
});

it('an entry of the history has an id with a tail of five characters', () => {
  expect(entryId(new Date(NOON).toISOString())).toMatch(/^261121-120000-[a-z2-9]{5}$/);
});

it('a question shows twelve fields of a body, and counts the others', () => {
  const asked = (count: number) =>
    questionLines({
      profile: profile({ mode: 'live', proof: 'proven' }),
      family: 'customers',
      operation: { action: 'edit', summary: 'Edit a customer' },
      risk: 'money',
      ids: ['c1'],
      tz: 'UTC',
      sets: Array.from({ length: count }, (_, n) => [`f${n}`, 'x']),
    } as never).join('\n');
  expect(asked(12)).not.toContain('more fields');
  expect(asked(13)).toContain('and 1 more fields');
});

it('a name kept for completion has at most 60 characters', () => {
  const place = { dataDir: mkdtempSync(join(tmpdir(), 'cops-names-')), profile: 'p', mode: 'test' as const };
  rememberItems(place, 'customers', 'id', [JSON.stringify({ id: 'A'.repeat(20), name: 'x'.repeat(100) })]);
  expect(readIds(place, 'customers')[0]?.name).toHaveLength(60);
});

it('turns of a shared pace reach 50 ms ahead, and hold others to a slower rate for two seconds', () => {
  const taken = take(undefined, { wanted: 1000, rate: 1000, now: NOON });
  expect(taken.turns).toHaveLength(50);
  expect(taken.kept.until - taken.kept.next).toBe(2000);
  const slow = take(undefined, { wanted: 1, rate: 0.5, now: NOON });
  expect(slow.kept.until - slow.kept.next).toBe(4000);
});
