/**
 * Every list of the seeded account in Parquet and SQLite: each value that an item shows, in a column of its own type.
 * @module-tag sweep
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_INDEX } from '../../../src/catalogue/index.js';
import type { Manifest } from '../../../src/data/export/types.js';
import { FEW, laySandbox } from '../../harness/seeded.js';
import { Home } from '../program.js';

const home = new Home();
const sandbox = (...words: string[]) => home.run(['-p', 'sandbox', ...words]);
// The account with three objects a family at least.
beforeAll(() => laySandbox(path.join(home.folder, 'data'), Date.now(), FEW));
afterAll(() => home.remove());

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Item = { readonly [name: string]: Json };
type Row = Record<string, unknown>;

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Names of fields; whatever else stands in their place is data. */
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name);

/** Each value of an item that is no record, and no empty one, by its path. */
function leavesOf(item: Item, above = ''): [path: string, value: Json][] {
  return Object.entries(item).flatMap(([name, value]): [string, Json][] => {
    const at = `${above}${name}`;
    if (value === null) return [];
    const below = isRecord(value) ? Object.keys(value) : [];
    return below.length > 0 && below.every(isName) ? leavesOf(value as Item, `${at}.`) : [[at, value]];
  });
}

/** What all values at one path are, as a name of the types below. */
function kindOf(name: string, values: readonly Json[]): string {
  const kinds = new Set(
    values.map((value) => {
      if (typeof value === 'number') {
        if (!Number.isInteger(value)) return 'decimal';
        return /_unix$/.test(name) ? 'timestamp' : 'integer';
      }
      if (typeof value !== 'string') return Array.isArray(value) ? 'list' : isRecord(value) ? 'object' : typeof value;
      return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value) ? 'moment' : 'string';
    }),
  );
  if (kinds.size === 2 && kinds.has('integer') && kinds.has('decimal')) return 'decimal';
  return kinds.size === 1 ? ([...kinds][0] as string) : 'several';
}

const PARQUET: Readonly<Record<string, readonly string[]>> = {
  boolean: ['BOOLEAN'],
  // An amount of whole units is an amount nevertheless.
  integer: ['INT64', 'DECIMAL'],
  decimal: ['DECIMAL'],
  timestamp: ['TIMESTAMP'],
  // The catalogue may know that a text is no moment, whatever it looks like.
  moment: ['TIMESTAMP', 'UTF8'],
  string: ['UTF8'],
  list: ['LIST', 'UTF8'],
  object: ['UTF8'],
  several: ['UTF8'],
};
const SQLITE: Readonly<Record<string, readonly string[]>> = {
  boolean: ['INTEGER'],
  integer: ['INTEGER', 'REAL'],
  decimal: ['REAL'],
  timestamp: ['INTEGER'],
};

/** The columns of a Parquet file by path, objects taken apart. */
function columnsOf(schema: readonly SchemaElement[]): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const walk = (above: string, named: boolean) => {
    const {
      name,
      num_children: children = 0,
      type,
      converted_type: converted,
      logical_type: logical,
    } = schema[at++] as SchemaElement;
    const own = named ? `${above}${name}` : above;
    const told = logical?.type === 'TIMESTAMP' ? 'TIMESTAMP' : (converted ?? type ?? '');
    const isList = converted === 'LIST';
    if (own !== '' && (children === 0 || isList)) found.set(own, told.startsWith('TIMESTAMP') ? 'TIMESTAMP' : told);
    for (let left = children; left > 0; left--) walk(isList || own === '' ? own : `${own}.`, !isList && named);
  };
  const count = schema[at++]?.num_children ?? 0;
  for (let left = count; left > 0; left--) walk('', true);
  return found;
}

/** Without what is null, and records of nothing else. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one) ?? null);
  if (!isRecord(value)) return value ?? undefined;
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const own = bare(one);
    return own === undefined ? [] : [[name, own] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Whether a cell holds what the item shows. */
function holds(cell: unknown, value: unknown): boolean {
  if (value === undefined || value === null) return bare(cell) === undefined;
  if (cell instanceof Date)
    return cell.getTime() === (typeof value === 'number' ? value * 1000 : Date.parse(`${value}`));
  // The reader makes floats of decimals; that they are exact is shown elsewhere.
  if (typeof value === 'number') return Number(cell).toFixed(6) === value.toFixed(6);
  if (typeof value === 'boolean') return cell === value || cell === Number(value);
  if (typeof value === 'string') return cell === value;
  if (typeof cell === 'string') return JSON.stringify(JSON.parse(cell)) === JSON.stringify(value);
  if (Array.isArray(value)) {
    return Array.isArray(cell) && cell.length === value.length && value.every((one, i) => holds(cell[i], one));
  }
  const [own, shown] = [bare(cell) ?? {}, bare(value) ?? {}] as [Row, Row];
  const names = new Set([...Object.keys(own), ...Object.keys(shown)]);
  return isRecord(own) && [...names].every((name) => holds(own[name], shown[name]));
}

const lists = FAMILY_INDEX.filter(({ actions }) => actions.some(({ action }) => action === 'list'));

/** The list's whole content in each format, of one span of time: the account keeps what was asked of it meanwhile. */
async function exportAll(command: string, files: readonly string[]): Promise<void> {
  let range = ['--all-time'];
  for (const out of files) {
    const line = ['export', command, '--out', out];
    const ranged = await sandbox(...line, ...range);
    const ran = ranged.code === 2 ? await sandbox(...line) : ranged;
    expect(ran.code, ran.stderr).toBe(0);
    const manifest = JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')) as Manifest;
    if (manifest.range) range = ['--from', String(manifest.range.from), '--to', String(manifest.range.to)];
  }
}

async function readParquet(file: string): Promise<{ columns: Map<string, string>; rows: Row[] }> {
  const buffer = await asyncBufferFromFile(file);
  const { schema } = await parquetMetadataAsync(buffer);
  return { columns: columnsOf(schema), rows: await parquetReadObjects({ file: buffer }) };
}

function readSqlite(file: string, table: string): { columns: Map<string, string>; rows: Row[] } {
  const database = new Libsql(file);
  try {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').raw().all(table) as string[][];
    const rows = database.prepare(`SELECT * FROM "${table}"`).all() as Row[];
    return { columns: new Map(columns as [string, string][]), rows };
  } finally {
    database.close();
  }
}

let shown = 0;

describe('the columns of each list', () => {
  it.each(lists)('$command', async ({ name, command }) => {
    const file = (ending: string) => path.join(home.folder, `${name}.${ending}`);
    await exportAll(command, ['jsonl', 'parquet', 'sqlite'].map(file));
    const lines = readFileSync(file('jsonl'), 'utf8').split('\n').slice(0, -1);
    const items = lines.map((line) => JSON.parse(line) as Item);
    const [parquet, sqlite] = [await readParquet(file('parquet')), readSqlite(file('sqlite'), name)];
    expect([parquet.rows.length, sqlite.rows.length]).toEqual([items.length, items.length]);
    if (items.length > 0) shown++;
    const values = new Map<string, Json[]>();
    for (const item of items) {
      for (const [at, value] of leavesOf(item)) values.set(at, [...(values.get(at) ?? []), value]);
    }
    const faults: string[] = [];
    for (const [at, all] of values) {
      const kind = kindOf(at, all);
      const inParquet = parquet.columns.get(at) ?? 'nothing';
      if (!PARQUET[kind]?.includes(inParquet)) faults.push(`Parquet: ${at} is ${inParquet}, shows ${kind}`);
      const column = at.replaceAll('.', '_');
      const inSqlite = sqlite.columns.get(column) ?? 'nothing';
      if (!(SQLITE[kind] ?? ['TEXT']).includes(inSqlite)) faults.push(`SQLite: ${at} is ${inSqlite}, shows ${kind}`);
    }
    for (const [i, item] of items.entries()) {
      const { _other: other, ...cells } = parquet.rows[i] as Row;
      if (other !== null && other !== undefined) faults.push(`Parquet: row ${i} keeps ${String(other)}`);
      for (const name of new Set([...Object.keys(cells), ...Object.keys(item)])) {
        if (!holds(cells[name], item[name]))
          faults.push(`Parquet: row ${i} has not ${name} ${JSON.stringify(item[name])}`);
      }
      const row = sqlite.rows[i] as Row;
      if (row._other !== null) faults.push(`SQLite: row ${i} keeps ${String(row._other)}`);
      for (const [at, value] of leavesOf(item)) {
        if (!holds(row[at.replaceAll('.', '_')], value)) faults.push(`SQLite: row ${i} has not ${at} ${String(value)}`);
      }
    }
    expect(faults.slice(0, 10)).toEqual([]);
  });

  it('were looked at on items of nearly all of them', () => {
    expect(lists.length).toBeGreaterThanOrEqual(66);
    expect(shown).toBeGreaterThanOrEqual(60);
  });
});
