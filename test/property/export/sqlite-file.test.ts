/** A new SQLite file, laid down as pages, holds what the engine makes of the same items row by row. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import type { Cell } from '../../../src/base/database/types.js';
import { SqliteSink } from '../../../src/data/export/sinks/sqlite.js';
import { writeSqlite } from '../../../src/data/export/sinks/sqlite-file.js';
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

async function bothWays(items: readonly string[], schema: Schema) {
  const [pages, engine] = ['pages.sqlite', 'engine.sqlite'].map((name) => folder.path(name)) as [string, string];
  for (const file of [pages, engine]) rmSync(file, { force: true });
  const made = await writeSqlite(pages, linesOf(items), schema, FAMILY);
  const sink = new SqliteSink(engine, FAMILY, schema, true);
  await sink.open(0, []);
  const written = await sink.write(undefined, linesOf(items)());
  await sink.sync();
  await sink.close();
  const [ours, theirs] = [await read(pages), await read(engine)];
  expect(ours.check).toEqual(['ok']);
  expect(ours.rows).toEqual(theirs.rows);
  expect(made.items).toBe(theirs.rows.length);
  expect(made.late).toEqual(written.late ?? []);
  expect(made.schema).toEqual(written.schema ?? schema);
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
