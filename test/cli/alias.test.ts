import { expect, it } from 'vitest';
import { home, json } from './helpers.js';

it('lists, sets and forgets aliases', async () => {
  const made = home();
  expect(await made.run(['alias', 'set', 'late', 'subscriptions list --last 90d'])).toMatchObject({ code: 0 });
  expect(json(await made.run(['alias', '-o', 'json']))).toEqual([
    { word: 'late', line: 'cops subscriptions list --last 90d' },
  ]);
  expect((await made.run(['alias', 'set', 'find', 'sales list'])).code).toBe(2);
  expect((await made.run(['alias', 'set', 'sure', 'subscriptions cancel $1 --yes'])).code).toBe(2);
  const dashed = '-p sandbox campaigns list -o ids';
  expect(await made.run(['alias', 'set', 'mine', dashed])).toMatchObject({ code: 0 });
  expect((await made.run(['mine'])).stdout).toMatch(/^\w{20}\n/);
  await made.run(['alias', 'unset', 'mine']);
  expect(await made.run(['alias', 'unset', 'late'])).toMatchObject({ code: 0 });
  expect(json(await made.run(['alias', 'list', '-o', 'json']))).toEqual([]);
});

it('lets a typed option replace that of an alias, wherever it is typed, and no second typed one', async () => {
  const made = home();
  await made.run(['alias', 'set', 'mine', '-p sandbox campaigns list -o ids --limit 2']);
  for (const line of ['-o json mine --limit 1', 'mine -ojson --limit=1'])
    expect(json(await made.run(line.split(' '))), line).toHaveLength(1);
  expect((await made.run(['mine', '--limit', '1', '--limit', '3'])).stderr).toContain('two, 1 and 3');
  expect((await made.run(['-p', 'other', 'mine'])).stderr).toContain('no profile "other"');
});

it('says of an alias that it cannot run, and refuses one that runs another program', async () => {
  const made = home();
  const set = (line: string) => made.run(['alias', 'set', 'foo', line]);
  expect((await set('notacommand at all')).stderr).toContain('"notacommand" is not a command');
  expect((await set('sales frob')).stderr).toContain('"sales frob" is not a command');
  for (const line of ['subs list --last 7d', '-p sandbox customers show $1', '$1 list', 'report revenue', 'sales'])
    expect((await set(line)).stderr).toBe('');
  expect((await set('!cops-hello $1')).code).toBe(2);
});

it('holds no consent, and nothing that says a repetition is meant', async () => {
  const made = home();
  for (const option of ['--again', '--no-strict-ids', '--idempotency-key same-key-1234', '--mode-unproven', '-qy'])
    expect(await made.run(['alias', 'set', 'sure', `subscriptions cancel $1 ${option}`]), option).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give it with each use'),
    });
});
