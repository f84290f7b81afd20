import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

/** Values of each kind that a cell can have, texts longer than a page, and fields that come late. */
const oddItem = (i: number): string => {
  const odd = [
    ...['12345678901234567890', '-0', '-0.0', '1e5', '0.1', '123456789.12345678', '9007199254740993', '5.00'],
    ...[
      '"\\ud800 \\u0000 \\"é\\""',
      '"日本"',
      '""',
      'true',
      'null',
      '{}',
      '[]',
      '[1, {"a": "\\u00e9\\/"}]',
      '{"b":[2]}',
    ],
    `"${'long '.repeat(5000)}"`,
  ];
  const [value, amount] = [odd[i % odd.length], ['1.5', '0.001', '-3', '"2.00"', 'null'][i % 5]];
  const late = i > 200 ? `,"late_${i % 3}":${i}` : '';
  const status = ['"active"', '"Paid"', '""', 'null', '["x"]'][i % 5];
  return `{"id":"id${i}","iso_currency":"${i % 7 ? 'EUR' : 'JPY'}","amount":${amount},"status":${status},"x":${value},"y":{"z":${value}}${late}}`;
};

it('stores the rows of a long list as it stores them one by one, also in the place of others', async () => {
  const sales = await loadFamily('sales');
  const single = new RawTable(database, sales, []);
  const other = await openToSync(path.join(folder, 'long.sqlite'), OWNER, '0.0.0');
  try {
    const long = new RawTable(other, sales, []);
    for (const from of [0, 300]) {
      const rows = Array.from({ length: 600 }, (_, i) => ({ id: `id${i + from}`, text: oddItem(i + from * 3) }));
      for (const { id, text } of rows) single.put(id, text, 4, 7);
      other.transaction(() => {
        long.putAll(
          rows.map(({ id, text }) => ({ id, bytes: Buffer.from(text), window: 4 })),
          7,
        );
        expect(readdirSync(folder)).toContain('long.sqlite-annex_0');
      });
    }
    const cells = (of: Database) => {
      const names = viewColumns(of, 'raw_sales').sort();
      const shown = names.map((name) => `"${name}", typeof("${name}")`).join(', ');
      return [names, ...of.prepare(`SELECT ${shown} FROM raw_sales ORDER BY id`).all()];
    };
    const inexact = (of: Database) => of.prepare('SELECT * FROM _inexact ORDER BY id, name').all();
    expect(cells(other)).toEqual(cells(database));
    expect(inexact(other)).toEqual(inexact(database));
    expect(other.prepare('PRAGMA integrity_check').all()).toEqual([['ok']]);
    expect(() =>
      other.transaction(() => {
        const bytes = Buffer.from(oddItem(1));
        long.putAll(
          Array.from({ length: 300 }, (_, i) => ({ id: `new${i}`, bytes, window: 4 })),
          7,
        );
        throw new Error('stopped');
      }),
    ).toThrow('stopped');
    expect(long.count()).toBe(900);
    expect(readdirSync(folder)).not.toContain('long.sqlite-annex_0');
  } finally {
    other.close();
  }
});
