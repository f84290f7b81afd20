/**
 * @module-tag process
 * @module-tag sweep
 */
import { expect, it } from 'vitest';
import { home as emptyHome } from '../helpers.js';
import { ask, connected, NEWEST } from './clients.js';

it('finds, reports and asks the mirror in SQL as the commands do, and writes nothing', async () => {
  const home = emptyHome();
  expect((await home.run(['sandbox', 'reset', '--size', '300'])).code).toBe(0);
  expect((await home.run(['-p', 'sandbox', 'sync'])).code).toBe(0);
  const client = await connected(home, ['-p', 'sandbox', 'mcp'], NEWEST);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'describe',
    'read',
    'find',
    'report',
    'sql',
    'prepare',
    'commit',
  ]);

  const rows = await ask(client, 'sql', { query: 'select count(*) as n from transactions' });
  expect(rows.items[0].n).toBeGreaterThan(10);
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n limit 100010) select i from n';
  expect(await ask(client, 'sql', { query: endless })).toMatchObject({ complete: false, read: 100_000 });
  for (const query of [
    'delete from transactions',
    "attach '/tmp/x' as x",
    'select 1; drop table transactions',
    '-',
    '',
  ]) {
    expect(await ask(client, 'sql', { query }), query).toMatchObject({ outcome: 'refused' });
  }
  expect((await ask(client, 'report', {})).items.map(({ name }: { name: string }) => name)).toContain('revenue');
  expect(await ask(client, 'report', { name: 'nothing' })).toMatchObject({ outcome: 'refused' });
  expect(await ask(client, 'report', { name: 'revenue', html: '/tmp/x' })).toMatchObject({ outcome: 'refused' });

  const some = await ask(client, 'read', { operation: 'customers list', last: '90d', limit: 1 });
  const found = await ask(client, 'find', { what: some.items[0].email });
  expect(JSON.stringify(found.items)).toContain(some.items[0].id);
});
