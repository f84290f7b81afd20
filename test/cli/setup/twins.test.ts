/** Objects of one family that have one name stand for each other in no comparison and no promotion. */
import { expect, it } from 'vitest';
import { json } from '../helpers.js';
import { sandboxHome } from './helpers.js';

const PLACES = ['--from', 'sandbox:test', '--to', 'sandbox:live'] as const;

async function withTwins(mode: '--test' | '--live') {
  const { home, setup } = await sandboxHome('--live-data', 'empty');
  const create = ['-p', 'sandbox', mode, 'customer-groups', 'create', '-d', 'name=Twins', '--yes', '-o', 'json'];
  for (const description of ['the first', 'the second']) {
    const ran = await home.run([...create, '-d', `description=${description}`]);
    expect(ran.code, ran.stderr).toBe(0);
  }
  const groups = async (where: '--test' | '--live') =>
    json<{ id: string; name: string }[]>(
      await home.run(['-p', 'sandbox', where, 'customer-groups', 'list', '--all-time', '--all', '-o', 'json']),
    );
  const ids = (await groups(mode)).filter(({ name }) => name === 'Twins').map(({ id }) => id);
  expect(ids).toHaveLength(2);
  return { home, setup, ids, groups };
}

it.each(['--test', '--live'] as const)('are named by a comparison of both accounts: %s', async (mode) => {
  const { setup, ids } = await withTwins(mode);
  const ran = await setup('diff', 'customer-groups', ...PLACES);
  expect(ran.code, ran.stdout).toBe(2);
  for (const id of ids) expect(ran.stderr).toContain(id);
});

it('are named by a promotion, which sends nothing', async () => {
  const { setup, ids, groups } = await withTwins('--test');
  const before = await groups('--live');
  const ran = await setup('promote', 'customer-groups', ...PLACES, '--yes');
  expect(ran.code, ran.stdout).toBe(2);
  for (const id of ids) expect(ran.stderr).toContain(id);
  expect(await groups('--live')).toEqual(before);
  expect((await setup('promote', 'products', ...PLACES, '--dry-run')).code).not.toBe(2);
});

it('are named by a copy, whichever of them is asked for', async () => {
  const { home } = await sandboxHome('--live-data', 'empty');
  const create = ['-p', 'sandbox', 'products', 'create', '-d', 'name=Twins', '--yes'];
  for (const price of ['10.00', '20.00']) expect((await home.run([...create, '-d', `price=${price}`])).code).toBe(0);
  const list = (mode: string) => ['-p', 'sandbox', mode, 'products', 'list', '--last', '1d', '--all', '-o', 'json'];
  const ids = json<{ id: string; name: string }[]>(await home.run(list('--test')))
    .filter(({ name }) => name === 'Twins')
    .map(({ id }) => id);
  expect(ids).toHaveLength(2);
  for (const one of [...ids, 'Twins']) {
    const ran = await home.run(['-p', 'sandbox', 'products', 'copy', one, '--to', 'sandbox:live', '--yes']);
    expect(ran.code, ran.stdout).toBe(2);
    for (const id of ids) expect(ran.stderr).toContain(id);
  }
  expect(json<unknown[]>(await home.run(list('--live')))).toEqual([]);
});
