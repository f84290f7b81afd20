/** A key on the line is neither sent nor shown. */
import { expect, it } from 'vitest';
import { ok } from '../fixtures/service/service.js';
import { KEY } from '../harness/home.js';
import { home, pair } from './helpers.js';

const OTHERS = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

it.each([
  ['find', KEY],
  ['find', ` ${KEY} `, '--all'],
  ['customers', 'search', KEY],
  ['customers', 'show', KEY],
  ['why', KEY],
  ['timeline', KEY],
  ['customers', 'list', '--where', `company=${KEY}`],
  ['find', OTHERS],
  ['customers', 'search', OTHERS],
])('%j', async (...line) => {
  const { service, home: there } = await pair(() => ok({ results: [], total_count: 0 }));
  for (const format of ['json', 'table']) {
    const ran = await there.run([...line, '-o', format]);
    expect(ran.code, ran.stderr).toBe(2);
    for (const key of [KEY, OTHERS]) expect(ran.stdout + ran.stderr).not.toContain(key);
    expect(ran.stderr).toContain('API key');
  }
  expect(service.requests).toEqual([]);
});

it('knows the keys that other profiles have', async () => {
  const there = home({ OTHER_KEY: 'a-key-of-another-profile-77' });
  const added = await there.run([
    'profiles',
    'add',
    'other',
    '--base-url',
    'https://api.example.com/v2',
    '--test-key',
    'env:OTHER_KEY',
  ]);
  expect(added.code, added.stderr).toBe(0);
  const ran = await there.run(['-p', 'sandbox', 'find', 'a-key-of-another-profile-77']);
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).not.toContain('a-key-of-another-profile');
});

it('takes an id, an address and a long name for what they are', async () => {
  const there = home({ COPS_PROFILE: 'sandbox' });
  for (const word of ['jane.of.the.long.address@example.com', 'ABCDEFGHIJKLMNOPQRST', 'pi_3MtwBwLkdIwHu7ix28a3tqPa'])
    expect((await there.run(['find', word])).stderr, word).not.toContain('API key');
});
