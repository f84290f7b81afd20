import { expect, it } from 'vitest';
import { A, errorOf, home, json } from '../helpers.js';

const SANDBOX = ['-p', 'sandbox'];

it('lists, sets and forgets aliases', async () => {
  const made = home();
  expect(await made.run(['alias', 'set', 'late', 'subscriptions list --last 90d'])).toMatchObject({ code: 0 });
  expect(json(await made.run(['alias', '-o', 'json']))).toEqual([
    { word: 'late', line: 'cops subscriptions list --last 90d' },
  ]);
  expect((await made.run(['alias', 'set', 'find', 'sales list'])).code).toBe(2);
  expect((await made.run(['alias', 'set', 'sure', 'subscriptions cancel $1 --yes'])).code).toBe(2);
  expect(await made.run(['alias', 'unset', 'late'])).toMatchObject({ code: 0 });
  expect(json(await made.run(['alias', 'list', '-o', 'json']))).toEqual([]);
});

it('lists the history without an action, and the journals', async () => {
  const made = home();
  expect(json(await made.run(['history', '-o', 'json']))).toEqual([]);
  expect((await made.run(['history', '--limit', '0'])).code).toBe(2);
  const ran = await made.run(['bulk', 'list', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('No journals');
});

it('prints the address of an item by the pattern of the profile', async () => {
  const made = home();
  const missing = await made.run([...SANDBOX, 'open', A, '-o', 'json']);
  expect(missing.code).toBe(2);
  expect(errorOf(missing).hint).toContain('config set web_url');
  expect((await made.run([...SANDBOX, 'config', 'set', 'web_url', 'ftp://x/{id}'])).code).toBe(2);
  await made.run([...SANDBOX, 'config', 'set', 'web_url', 'https://app.example.com/{family}/{id}']);
  const ran = await made.run([...SANDBOX, 'open', A, '--family', 'sale', '-o', 'json']);
  expect(json(ran)).toEqual({ id: A, family: 'sales', url: `https://app.example.com/sales/${A}` });
});

it('says how it is updated, and changes nothing', async () => {
  const ran = await home().run(['update', '-o', 'json']);
  expect(json<{ commands: string[] }>(ran).commands[0]).toContain('npm install -g');
});

it('leads an export that is to be split by month to the folder that is', async () => {
  const ran = await home().run(['-p', 'sandbox', 'export', 'sales', '--split', 'month', '--out', 's.csv']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('--out <folder>/');
});
