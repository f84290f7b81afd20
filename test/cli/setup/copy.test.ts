/** @module-tag thorough */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spec } from '../../../src/cli/actions/copy/spec.js';
import { loadFamilies } from '../../../src/setup/families.js';
import { Home } from '../../harness/home.js';

/* `<family> copy`: for every family of which a set-up holds objects by name. */

let home: Home;
beforeEach(() => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
});
afterEach(() => home.remove());

it('is there for every family of which a set-up holds objects by name', async () => {
  const { managed } = await loadFamilies();
  expect(spec.families).toEqual([...managed.values()].flatMap(({ family, list }) => (list ? family.name : [])));
});

it('needs no key of a profile that the line does not use', async () => {
  const keys = ['--test-key', 'env:UNSET', '--live-key', 'env:UNSET'];
  await home.run(['profiles', 'add', 'shop', '--base-url', 'https://api.example.com/v2', ...keys]);
  const [id = ''] = (await home.run(['products', 'list', '--limit', '1', '-o', 'ids'])).stdout.split('\n');
  const line = ['products', 'copy', id, '--from', 'sandbox:test', '--to', 'sandbox:live', '--dry-run'];
  const ran = await home.run(line, { env: { COPS_PROFILE: 'shop' } });
  expect(ran.code, ran.stderr).toBe(0);
});

it('copies one object of each family that has one into the other mode, or says what keeps it', async () => {
  await home.run(['sandbox', 'reset', '--live-data', 'empty', '--size', '50']);
  const { managed } = await loadFamilies();
  const ends: Record<string, number | null> = {};
  for (const { name, list, keyField = 'name', family } of managed.values()) {
    if (!list) continue;
    const [first] = JSON.parse((await home.run([name, 'list', '--limit', '1', '-o', 'json'])).stdout) as Record<
      string,
      string
    >[];
    if (!first) continue;
    const ran = await home.run([name, 'copy', String(first[keyField]), '--to', 'sandbox:live', '--yes', '-o', 'json'], {
      timeoutMs: 60_000,
    });
    ends[family.name] = ran.code;
  }
  expect(Object.keys(ends).length).toBeGreaterThan(20);
  // 10: a part of it wants what only a person can give, such as stored credentials.
  expect(Object.entries(ends).filter(([, code]) => code !== 0 && code !== 10)).toEqual([]);
}, 180_000);
