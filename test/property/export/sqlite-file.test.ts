/** A SQLite file holds the values of its items, laid down as pages or merged into a table that is there. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import type { Cell } from '../../../src/base/database/types.js';
import { mergeSqlite, writeSqlite } from '../../../src/data/export/sinks/sqlite-file.js';
import { type Lossless, parseLossless, textOf } from '../../../src/items/json/lossless.js';
import { learnItem, widenAll } from '../../../src/items/schema/learn.js';
import type { Schema } from '../../../src/items/schema/types.js';
import { temporary } from '../../unit/export/harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

const FAMILY = { name: 'things', idField: 'id' };
const RUNS = process.env.COPS_LONG === '1' ? 2000 : 60;

const linesOf = (items: readonly string[]) =>
  async function* () {
    for (let at = 0; at < items.length; at += 100) yield [Buffer.from(`${items.slice(at, at + 100).join('\n')}\n`)];
  };

async function read(file: string): Promise<{ check: Cell[]; rows: Record<string, Cell>[]; pages: Cell | undefined }> {
  const database = await openDatabase({ file, what: 'The file', readonly: true });
  try {
    const statement = database.prepare('SELECT * FROM things ORDER BY id');
    const rows = statement.all().map((row) => Object.fromEntries(row.map((cell, i) => [statement.columns[i], cell])));
    const check = database.prepare('PRAGMA integrity_check').all().flat();
    return { check, rows, pages: database.prepare('PRAGMA page_count').get()?.[0] };
  } finally {
    database.close();
  }
}

/** The value in a column of its own, or as it came in `_other`. */
function expectValue(row: Record<string, Cell>, name: string, value: Lossless) {
  const cell = row[name] ?? null;
  const text = textOf(value);
  if (cell === null) {
    if (value !== null && !(value instanceof Map))
      expect(String(row._other)).toContain(`${JSON.stringify(name)}:${text}`);
  } else if (typeof cell === 'bigint') expect(cell).toBe(BigInt(text));
  else if (typeof cell === 'number') expect(cell + 0).toBe(Number(JSON.parse(text)) + 0);
  // One of the engines reads a text up to its first NUL.
  else expect([String(value), String(value).split('\0')[0], text]).toContain(cell);
}

async function bothWays(items: readonly string[], schema: Schema) {
  const [fresh, merged] = ['fresh.sqlite', 'merged.sqlite'].map((name) => folder.path(name)) as [string, string];
  for (const file of [fresh, merged]) rmSync(file, { force: true });
  const made = await writeSqlite(fresh, linesOf(items), schema, FAMILY);
  const waiting = folder.path('rows');
  const half = items.slice(0, items.length / 2);
  await mergeSqlite(merged, waiting, linesOf(half), schema, FAMILY, false);
  const written = await mergeSqlite(merged, waiting, linesOf(items), schema, FAMILY, false);
  const [ours, theirs] = [await read(fresh), await read(merged)];
  expect(ours.check).toEqual(['ok']);
  expect(theirs.check).toEqual(['ok']);
  expect(ours.rows).toEqual(theirs.rows);
  expect(ours.rows.map(({ _json }) => _json).sort()).toEqual([...items].sort());
  for (const row of ours.rows) {
    for (const [name, value] of parseLossless(String(row._json)) as Map<string, Lossless>)
      if (name !== 'id' || (typeof value === 'string' && value !== '')) expectValue(row, name, value);
  }
  expect(made.items).toBe(items.length);
  expect(written).toEqual(made);
  return ours;
}

const number = fc.oneof(
  fc.integer().map(String),
  fc.bigInt(-(2n ** 70n), 2n ** 70n).map(String),
  fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.constantFrom('-0', '0.0', '-0.00', '10.00', '1e3', '140737488355328', '-140737488355329', '9223372036854775808'),
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '\u0000', '"\\\n', 'a'.repeat(57), 'a'.repeat(58), 'ż'.repeat(9000), 'x'.repeat(60_000)),
);
const value = fc.oneof(
  number,
  text.map((one) => JSON.stringify(one)),
  fc.constantFrom('true', 'false', 'null', '[]', '[1,"a"]', '{}', '{"b":1}', '{"iso_currency":"JPY","amount":5}'),
);
const members = fc.dictionary(
  fc.constantFrom('amount', 'iso_currency', 'n', 'created_unix', 'note', 'person', 'list', 'z'),
  value,
);
const item = members.map((found) =>
  Object.entries({ ...found, iso_currency: found.iso_currency ?? '"USD"' }).map(
    ([name, json]) => `${JSON.stringify(name)}:${json}`,
  ),
);

it('for items of any values, with fields that come late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 12 }), fc.nat(3), async (rows, known) => {
      const items = rows.map((fields, i) => `{${[`"id":"id${i}"`, ...fields].join(',')}}`);
      const schema = items.slice(0, known).map(learnItem).reduce(widenAll, learnItem('{"id":"a"}'));
      await bothWays(items, schema);
    }),
    { numRuns: RUNS },
  );
});

it('for no items at all', async () => {
  expect((await bothWays([], learnItem('{"id":"a","n":1}'))).rows).toEqual([]);
});

it('for ids that are missing, empty, a number or a list', async () => {
  const items = ['{"n":1}', '{"id":"","n":2}', '{"id":7,"n":3}', '{"id":null,"n":4}', '{"id":[1],"n":5}'];
  expect((await bothWays(items, learnItem('{"id":"a","n":1}'))).rows.length).toBe(items.length);
});

it('for so many rows that pages stand three deep', async () => {
  const items = Array.from({ length: 5500 }, (_, i) => `{"id":"${i}","note":"${String(i % 10).repeat(4950)}"}`);
  const { rows } = await bothWays(items, learnItem(items[0] as string));
  expect(rows.length).toBe(5500);
});
