/** @module-tag sweep */
import { execFileSync } from 'node:child_process';
import { lstatSync, renameSync, symlinkSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import readXlsx from 'read-excel-file/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../../../src/data/export/export-journal.js';
import { learntOf } from '../../../src/data/export/learnt.js';
import { mergeShards } from '../../../src/data/export/merge.js';
import { schemaFrom } from '../../../src/data/export/settle.js';
import { writeXlsx } from '../../../src/data/export/sinks/xlsx.js';
import type { ExportInput } from '../../../src/data/export/types.js';
import type { Schema } from '../../../src/items/schema/types.js';
import { type Service, startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
let service: Service;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(async () => {
  await service.close();
  await folder.remove();
});

/** A service whose items are these, a minute apart. */
async function serve(texts: readonly string[], step = 60): Promise<void> {
  const rows = texts.map((text, i) => ({ id: String(i), unix: FROM + 5 + i * step, text }));
  service = await startService({ rows: 0, from: FROM, to: TO });
  service.state.rows = rows;
}

/** Items of which the last have a member more, and one amount is longer than its column. */
function growing(count: number, late: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const amount = i === count - 1 ? '123456789012345678.123456' : `${i}.${String(i % 100).padStart(2, '0')}`;
    const more = i >= count - late ? `,"shipped":{"carrier":"C${i}","cost":1.5},"note":"n${i}"` : '';
    return `{"id":"id${i}","created_date_unix":${FROM + i},"amount":${amount},"iso_currency":"USD","live_mode":false${more}}`;
  });
}

/** The sum of the amounts of `growing`, in exact decimals. */
function sumOf(count: number): string {
  const units = growing(count, 0).map((text) => {
    const [whole = '', fraction = ''] = (/"amount":([\d.]+)/.exec(text)?.[1] ?? '').split('.');
    return BigInt(whole + fraction.padEnd(6, '0'));
  });
  const total = String(units.reduce((sum, one) => sum + one, 0n));
  return `${total.slice(0, -6)}.${total.slice(-6)}`;
}

async function duck(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const python = (script: string, ...args: string[]) =>
  execFileSync('python3', ['-c', script, ...args], { encoding: 'utf8' }).trim();

describe('a field that comes after the columns were settled', () => {
  it('stands in _other of one csv, and the manifest names it with the command that writes it anew', async () => {
    await serve(growing(400, 20));
    const out = folder.path('a.csv');
    const learnt = learntOf(folder.path('data'), 'acme');
    const { manifest } = await exportFrom(service.url, inputFor(out, { format: 'csv' }), { learnt });
    const [header = '', ...rows] = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect(header).not.toContain('note');
    expect(rows.at(-1)).toContain('""note"":""n399""');
    expect(manifest.late?.map(({ path, items }) => [path, items])).toEqual([
      ['shipped', 20],
      ['note', 20],
    ]);
    expect(manifest.notes.join()).toContain('cops export subscription-renewals --from 2025-01-10 --to 2025-06-20');
    // The profile knows better now.
    await exportFrom(service.url, inputFor(out, { format: 'csv', restart: true }), { learnt });
    const [wider = ''] = (await readFile(out, 'utf8')).split('\n');
    expect(wider.split(',').slice(-4)).toEqual(['shipped.carrier', 'shipped.cost', 'note', '_other']);
  });

  it('is named by the manifest as well where rows are added to a csv', async () => {
    await serve(growing(100, 0));
    const out = folder.path('a.csv');
    await exportFrom(service.url, inputFor(out, { format: 'csv' }));
    const unix = (i: number) => (i < 100 ? FROM + 5 + i * 60 : TO + i);
    service.state.rows = growing(140, 20).map((text, i) => ({ id: String(i), unix: unix(i), text }));
    const { manifest } = await exportFrom(service.url, inputFor(out, { format: 'csv', sinceLast: true }));
    expect(await readFile(out, 'utf8')).toContain('""note"":""n139""');
    expect(manifest.late?.map(({ path, items }) => [path, items])).toEqual([
      ['shipped', 20],
      ['note', 20],
    ]);
  });

  it('gets a column in SQLite', async () => {
    await serve(growing(400, 20));
    const out = folder.path('a.sqlite');
    const { manifest } = await exportFrom(service.url, inputFor(out, { format: 'sqlite' }));
    const said = python(
      'import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);print(c.execute("select count(note), count(shipped_carrier), sum(shipped_cost_minor), count(_other) from subscription_renewals").fetchall())',
      out,
    );
    expect(said).toBe('[(20, 20, 3000, 1)]');
    expect(manifest.late?.map(({ path }) => path)).toEqual(['amount']);
    expect(manifest.schema?.map(({ name }) => name)).toContain('note');
  });

  it('gets a column in the part of a folder that shows it, with its type', async () => {
    await serve(growing(400, 20), 30_000);
    const out = `${folder.path('lake')}/`;
    const { manifest } = await exportFrom(service.url, inputFor(out, { format: 'parquet' }));
    const [row] = await duck(
      `select count(note) n, sum(amount)::varchar amount, count(_other) other from read_parquet('${out}*/*.parquet', union_by_name=true)`,
    );
    expect(row).toMatchObject({ n: 20n, other: 0n });
    expect(row?.amount).toBe(sumOf(400));
    expect(manifest.late).toEqual([]);
  });
});

describe('amounts and moments', () => {
  it('are exact in Parquet, whatever their digits', async () => {
    await serve(growing(200, 0));
    const out = folder.path('a.parquet');
    await exportFrom(service.url, inputFor(out, { format: 'parquet' }));
    const types = await duck(`describe select amount, created_date_unix from '${out}'`);
    expect(types.map((row) => row.column_type)).toEqual(['DECIMAL(38,6)', 'TIMESTAMP WITH TIME ZONE']);
    const [row] = await duck(
      `select sum(amount)::varchar total, epoch_ms(min(created_date_unix)) earliest from '${out}'`,
    );
    expect(row).toEqual({ total: sumOf(200), earliest: BigInt(FROM) * 1000n });
  });

  it('are counted in minor units in SQLite, by currency, and left NULL where that is not exact', async () => {
    const item = (i: number, amount: string, currency: string) =>
      `{"id":"a${i}","amount":${amount},"iso_currency":${currency},"live_mode":false}`;
    await serve([
      item(1, '10.00', '"USD"'),
      item(2, '500', '"JPY"'),
      item(3, '1.234', '"KWD"'),
      item(4, '1.005', '"USD"'),
      item(5, '5.00', 'null'),
      item(6, '-0.01', '"EUR"'),
      item(7, '500.5', '"JPY"'),
    ]);
    const out = folder.path('a.sqlite');
    await exportFrom(service.url, inputFor(out, { format: 'sqlite' }));
    const said = python(
      'import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);print([r[0] for r in c.execute("select amount_minor from subscription_renewals order by id")])',
      out,
    );
    expect(said).toBe('[1000, 500, 1234, None, None, -1, None]');
  });

  it('are shown in csv in the zone in use, or as they came', async () => {
    await serve(['{"id":"a","created_date_unix":1753000000,"amount":10.00,"cancelled_unix":0}']);
    const csv = async (more: object) => {
      await exportFrom(service.url, inputFor(folder.path('a.csv'), { format: 'csv', restart: true, ...more }));
      return (await readFile(folder.path('a.csv'), 'utf8')).split('\n')[1];
    };
    expect(await csv({ tz: 'Europe/Berlin' })).toContain('a,2025-07-20T10:26:40+02:00,10.00,');
    expect(await csv({ tz: 'UTC' })).toContain('a,2025-07-20T08:26:40Z,10.00,');
    expect(await csv({ times: 'unix' })).toMatch(/^a,1753000000,10.00,.*,0,$/);
    expect(await csv({ tz: 'Europe/Berlin', excel: { separator: ';', decimal: ',' } })).toContain(
      'a;2025-07-20 10:26:40;10,00;',
    );
  });

  it('lets a spreadsheet program make no number or day of what is neither', async () => {
    const texts = ['02113', '12345678901234567890', '12/28', 'MAR15', '+15550100', '10.4', 'é02', '12\\u0031'];
    await serve([
      `{"id":"a","texts":"x",${texts.map((text, i) => `"t${i}":"${text}"`).join()},"big":12345678901234567890}`,
    ]);
    const out = folder.path('excel.csv');
    await exportFrom(service.url, inputFor(out, { format: 'csv', excel: { separator: ';', decimal: ',' } }));
    expect(await readFile(out, 'utf8')).toContain(
      "x;'02113;'12345678901234567890;'12/28;'MAR15;'+15550100;'10.4;é02;121;'12345678901234567890;",
    );
  });
});

describe('a workbook', () => {
  it('is opened by another library with every value, and has the same bytes each time', async () => {
    const long = '12345678901234567890';
    await serve([
      `{"id":"a","created_date_unix":1753000000,"amount":10.25,"iso_currency":"=1+1","live_mode":false,"big":${long},"text":"<&> _x0041_ \\u0007 é"}`,
      '{"id":"b","amount":-3.5,"live_mode":false}',
    ]);
    const out = folder.path('a.xlsx');
    await exportFrom(service.url, inputFor(out, { format: 'xlsx' }));
    const [{ data = [] } = {}] = (await readXlsx(out)) as unknown as { data?: unknown[][] }[];
    const [header = [], first = [], second = []] = data;
    const at = (name: string) => header.indexOf(name);
    expect(first[at('created_date')]).toEqual(new Date(1_753_000_000_000));
    expect([first[at('amount')], second[at('amount')]]).toEqual([10.25, -3.5]);
    expect(first[at('iso_currency')]).toBe('=1+1');
    expect(String(first[at('big')])).toBe(long);
    expect(second[at('live_mode')]).toBe(false);
    const bytes = await readFile(out);
    await exportFrom(service.url, inputFor(out, { format: 'xlsx', restart: true }));
    expect(bytes.equals(await readFile(out))).toBe(true);
  });

  it('show each text of an item, whatever XML makes of its characters', async () => {
    await serve([]);
    const texts = [
      'plain',
      '',
      ' blank before',
      'blank behind ',
      'a & b < c > d &amp;',
      'Ørsted – 李 № 7',
      '\u00e9t\u00e9 \u00a0 \u0085',
      '_x0041_ and _y_x',
      'tab\tline\nquote"back\\slash',
      '\uff1d1+1',
      '=1+1',
      '\ufeff mark \ufffd',
      '1e3',
      'long '.repeat(5000),
    ];
    const items = texts.map((text, i) => `${JSON.stringify({ id: `i${i}`, text, list: [text], of: { text } })}\n`);
    const lines = {
      async *[Symbol.asyncIterator]() {
        yield [Buffer.from(items.join(''))];
      },
    };
    const schema: Schema = [
      { name: 'id', type: 'id' },
      { name: 'text', type: 'text' },
      { name: 'list', type: 'list', element: { name: 'element', type: 'text' } },
      { name: 'of', type: 'json' },
    ];
    const out = folder.path('texts.xlsx');
    await writeXlsx(out, lines, schema, inputFor(out));
    const [{ data = [] } = {}] = (await readXlsx(out, { trim: false })) as unknown as { data?: unknown[][] }[];
    const wanted = texts.map((text) => [text, JSON.stringify([text]), JSON.stringify({ text })]);
    expect(data.slice(1).map(([, ...cells]) => cells.slice(0, 3).map((cell) => cell ?? ''))).toEqual(wanted);
  });

  it('continues in another sheet when one is full', async () => {
    await serve([]);
    const lines = {
      async *[Symbol.asyncIterator]() {
        yield [Buffer.from('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n')];
      },
    };
    const out = folder.path('b.xlsx');
    await writeXlsx(out, lines, [{ name: 'id', type: 'text' }], inputFor(out), 2);
    const sheets = (await readXlsx(out)) as unknown as { sheet: string; data: unknown[][] }[];
    expect(sheets.map(({ data }) => data.map(([id]) => id))).toEqual([
      ['id', 'a', 'b'],
      ['id', 'c'],
    ]);
  });
});

describe('the columns of one export', () => {
  it('are taken over by another, so that all shards have the same', async () => {
    await serve(growing(400, 20));
    const one = await exportFrom(service.url, inputFor(folder.path('a.csv'), { format: 'csv' }));
    service.state.rows = service.state.rows.slice(390);
    const schema = one.manifest.schema ?? [];
    await exportFrom(service.url, inputFor(folder.path('b.csv'), { format: 'csv', schema }));
    const header = async (name: string) => (await readFile(folder.path(name), 'utf8')).split('\n')[0];
    expect(await header('b.csv')).toBe(await header('a.csv'));
    expect(await readdir(folder.dir)).not.toContain('b.csv.export');
  });
});

describe('shards that have learnt different columns', () => {
  const item = (i: number, more: string) =>
    `{"id":"id${i}","created_date_unix":${FROM + i},"amount":1.50,"live_mode":false${more}}`;
  const texts = (more: string) => Array.from({ length: 300 }, (_, i) => item(i, more));
  const MORE = ['', ',"note":"n"'] as const;

  type Format = ExportInput['format'];
  const shard = (out: string, format: Format, index: number, more: Partial<ExportInput> = {}) =>
    exportFrom(service.url, inputFor(out, { format, shard: { index, count: 2 }, ...more }));

  /** The targets of two shards, each of which met items with these members. */
  async function shards(format: Format, ending = `.${format}`, more: readonly [string, string] = MORE) {
    await serve(texts(more[0]), 40_000);
    const outs = [1, 2].map((index) => folder.path(`s${index}${ending}`)) as [string, string];
    await shard(outs[0], format, 1);
    service.state.rows = service.state.rows.map((row, i) => ({ ...row, text: texts(more[1])[i] as string }));
    await shard(outs[1], format, 2);
    return outs;
  }
  const manifestsOf = (outs: readonly string[]) => outs.map((out) => `${out}.manifest.json`);

  it.each(['csv', 'tsv', 'parquet', 'xlsx'] as const)('are told how to get the same ones: %s', async (format) => {
    const outs = await shards(format);
    const { faults, items, widened } = await mergeShards(outs);
    expect(items).toBe(300);
    expect(widened).toEqual([]);
    expect(faults).toEqual([expect.stringContaining(`${outs[0]}: it lacks columns of other shards`)]);
    expect(faults[0]).toContain(`and --schema ${outs[1]}.manifest.json --restart`);
    const schema = await schemaFrom(manifestsOf([outs[1]]));
    await shard(outs[0], format, 1, { schema, restart: true });
    expect((await mergeShards(outs)).faults).toEqual([]);
  });

  it('take those of both where neither has all', async () => {
    const outs = await shards('csv', '.csv', [',"note":"n"', ',"colour":"red"']);
    const { faults } = await mergeShards(outs);
    const words = manifestsOf(outs).map((path) => `--schema ${path}`);
    expect(faults).toHaveLength(2);
    for (const fault of faults) expect(fault).toContain(`and ${words.join(' ')} --restart`);
    const schema = await schemaFrom(manifestsOf(outs));
    for (const [i, out] of outs.entries()) await shard(out, 'csv', i + 1, { schema, restart: true });
    expect((await mergeShards(outs)).faults).toEqual([]);
    const headers = await Promise.all(outs.map(async (out) => (await readFile(out, 'utf8')).split('\n')[0]));
    expect(headers[0]).toBe(headers[1]);
    expect(headers[0]).toMatch(/,note,colour,_other$/);
  });

  it('get them at once in SQLite', async () => {
    const outs = await shards('sqlite');
    expect(await mergeShards(outs)).toMatchObject({ faults: [], widened: [outs[0]], items: 300 });
    const script =
      'import json,sqlite3,sys;c=sqlite3.connect(sys.argv[1]);c.execute("attach ? as b",(sys.argv[2],));print(json.dumps(c.execute("select count(*), count(note) from (select id, note from main.subscription_renewals union all select id, note from b.subscription_renewals)").fetchone()))';
    const [all, noted] = JSON.parse(python(script, ...outs)) as [number, number];
    expect(all).toBe(300);
    expect(noted).toBeGreaterThan(0);
    expect(noted).toBeLessThan(300);
    expect(await mergeShards(outs)).toMatchObject({ faults: [], widened: [] });
  });

  it('get them in the manifest behind a link, which stays', async () => {
    const outs = await shards('sqlite');
    const [narrow = ''] = manifestsOf(outs);
    renameSync(narrow, `${narrow}.kept`);
    symlinkSync(`${narrow}.kept`, narrow);
    expect(await mergeShards(outs)).toMatchObject({ faults: [], widened: [outs[0]] });
    expect(lstatSync(narrow).isSymbolicLink()).toBe(true);
    expect(await mergeShards(outs)).toMatchObject({ faults: [], widened: [] });
  });

  it.each([
    ['jsonl', '.jsonl'],
    ['parquet', '/'],
  ] as const)('are whole as they are, where files have columns of their own or none: %s', async (format, ending) => {
    const outs = await shards(format, ending);
    expect(await mergeShards(outs)).toMatchObject({ faults: [], widened: [], items: 300 });
  });

  it('are no whole with one whose moments are shown otherwise', async () => {
    const outs = await shards('csv', '.csv', ['', '']);
    expect((await mergeShards(outs)).faults).toEqual([]);
    await shard(outs[0], 'csv', 1, { times: 'unix', restart: true });
    expect((await mergeShards(outs)).faults).toEqual([expect.stringContaining('times differs')]);
  });
});

describe('a manifest of an older version, without columns', () => {
  async function old(out: string, format: ExportInput['format']): Promise<void> {
    await serve(growing(100, 0));
    await exportFrom(service.url, inputFor(out, { format }));
    const path = `${out.replace(/\/$/, '')}.manifest.json`;
    const { schema: _, times: __, excel: ___, ...before } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, seal(before));
    const unix = (i: number) => (i < 100 ? FROM + 5 + i * 60 : TO + i);
    service.state.rows = growing(140, 20).map((text, i) => ({ id: String(i), unix: unix(i), text }));
  }
  const goOn = (out: string, format: ExportInput['format']) =>
    exportFrom(service.url, inputFor(out, { format, sinceLast: true }));

  it('is not gone on from in a csv file, whose header nobody can name', async () => {
    const out = folder.path('a.csv');
    await old(out, 'csv');
    const bytes = await readFile(out);
    await expect(goOn(out, 'csv')).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('older version'),
      facts: { hint: expect.stringContaining('--restart') },
    });
    expect(bytes.equals(await readFile(out))).toBe(true);
    const again = await exportFrom(service.url, inputFor(out, { format: 'csv', restart: true }));
    expect(again.manifest.items).toBe(100);
  });

  it.each([
    ['jsonl', 'a.jsonl'],
    ['sqlite', 'a.sqlite'],
    ['csv', 'a/'],
  ] as const)('is gone on from where files name their fields: %s', async (format, name) => {
    const out = folder.path(name);
    await old(out, format);
    const { manifest } = await goOn(out, format);
    expect(manifest.items).toBe(140);
  });
});
