import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import { loadFamily } from '../../../src/catalogue/index.js';
import { openToSync } from '../../../src/data/mirror/mirror.js';
import { RawTable } from '../../../src/data/mirror/mirror-table.js';
import { viewColumns } from '../../../src/data/mirror/views.js';

const OWNER = { service: 'https://shop.example.com/api/v2', account: 'abc', mode: 'test' } as const;
let folder: string;
let database: Database;
let added: number;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cops-table-'));
  const opened = await openToSync(path.join(folder, 'm.sqlite'), OWNER, '0.0.0');
  added = 0;
  database = {
    ...opened,
    exec: (sql) => {
      added += sql.match(/ADD COLUMN/g)?.length ?? 0;
      opened.exec(sql);
    },
  };
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const item = (id: string, more: object = {}) => JSON.stringify({ id, iso_currency: 'EUR', amount: 1.5, ...more });

it('makes the columns of a table without rows at once, and adds what comes later', async () => {
  const table = new RawTable(database, await loadFamily('sales'), []);
  table.expect([{ raw: item('a', { x: 1 }) }, { raw: item('b', { y: { z: 2 } }) }]);
  expect(added).toBe(0);
  expect(viewColumns(database, 'raw_sales')).toEqual(expect.arrayContaining(['amount_minor', 'x', 'y_z']));
  table.put('a', item('a', { x: 1 }), 0, 1);
  table.put('b', item('b', { y: { z: 2 } }), 0, 1);
  expect(added).toBe(0);
  table.expect([{ raw: item('c', { later: 3 }) }]);
  table.put('c', item('c', { later: 3 }), 0, 1);
  expect(added).toBe(1);
  expect(database.prepare('SELECT id, amount_minor, x, y_z, later FROM raw_sales ORDER BY id').all()).toEqual([
    ['a', 150, 1, null, null],
    ['b', 150, null, 2, null],
    ['c', 150, null, null, 3],
  ]);
});

it('opens a table again as it is', async () => {
  const sales = await loadFamily('sales');
  new RawTable(database, sales, []).put('a', item('a', { x: 1 }), 4, 1);
  const again = new RawTable(database, sales, []);
  expect([added, again.count(), again.idsOf(4)]).toEqual([0, 1, ['a']]);
  again.put('b', item('b', { x: 2 }), 4, 1);
  expect(database.prepare('SELECT x FROM raw_sales ORDER BY id').all()).toEqual([[1], [2]]);
  again.remove('a');
  again.remove('b');
  again.put('c', item('c', { late: 3 }), 4, 1);
  expect(database.prepare('SELECT id, x, late FROM raw_sales').all()).toEqual([['c', null, 3]]);
});
