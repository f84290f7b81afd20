/** @module-tag thorough */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import Libsql from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadFamily } from '../../../src/catalogue/index.js';
import { schemaOf } from '../../../src/items/schema/catalogue.js';
import { type Service, startService } from '../../fixtures/export-service/service.mjs';
import { exportFrom, FROM, inputFor, TO, temporary } from './harness.js';

const ROWS = 700;
let folder: Awaited<ReturnType<typeof temporary>>;
let service: Service;
beforeAll(async () => {
  service = await startService({ rows: ROWS, from: FROM, to: TO });
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

const items = () => service.state.rows.map((row) => JSON.parse(row.text));

/** The text of one file of a zip. */
function inZip(zip: Buffer, name: string): string {
  const at = zip.indexOf(name) - 30;
  return inflateRawSync(zip.subarray(at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28))).toString('utf8');
}

/** The cells of csv text, by RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/gy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const cell = match[1] ?? '';
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (match[2] === '\n') rows.push([]);
    if (pattern.lastIndex >= text.length) break;
  }
  return rows.filter((row) => row.length > 0 && !(row.length === 1 && row[0] === ''));
}

describe('csv and tsv', () => {
  it('flatten known fields in a stable order and keep the rest in _other', async () => {
    const out = folder.path('a.csv');
    await exportFrom(service.url, inputFor(out, { format: 'csv', schema: schemaOf(inputFor(out).family) }));
    const [header, ...rows] = parseCsv(await readFile(out, 'utf8'));
    expect(header).toEqual([
      'id',
      'created_date_unix',
      'amount',
      'iso_currency',
      'live_mode',
      'product.id',
      'product.price',
      'product.name',
      'metadata',
      '_other',
    ]);
    expect(rows).toHaveLength(ROWS);
    for (const [i, item] of items().entries()) {
      const row = rows[i] as string[];
      expect(row[0]).toBe(item.id);
      expect(row[6]).toBe(`${i % 500}.50`);
      expect(JSON.parse(row[8] as string)).toEqual(item.metadata);
      const other = JSON.parse(row[9] as string);
      expect(other['product.sku']).toBe(item.product.sku);
      expect(other.campaign_name).toBe(item.campaign_name);
      expect(other.customer).toEqual(item.customer);
    }
  });

  it('take chosen columns, with digits as they came', async () => {
    const out = folder.path('a.tsv');
    await exportFrom(
      service.url,
      inputFor(out, { format: 'tsv', columns: ['amount', 'product', 'customer.last_name', 'none'] }),
    );
    const lines = (await readFile(out, 'utf8')).split('\n');
    expect(lines[0]).toBe('amount\tproduct\tcustomer.last_name\tnone');
    expect(lines[4]?.split('\t')[0]).toBe('3.03');
    expect(JSON.parse(lines[4]?.split('\t')[1] as string)).toEqual(items()[3].product);
    expect(lines[4]?.split('\t').slice(2)).toEqual(["O'Neil 3", '']);
  });

  it('guard against formulas only with the switch, and never touch numbers', async () => {
    const evil = await startService({
      dates: [FROM + 5],
      onRequest: (state) => {
        state.rows = [
          { id: 'x', unix: FROM + 5, text: '{"id":"=1+1","amount":-5.00,"iso_currency":"\\t@a","live_mode":null}' },
        ];
        return undefined;
      },
    });
    const columns = ['id', 'amount', 'iso_currency'];
    await exportFrom(evil.url, inputFor(folder.path('a.csv'), { format: 'csv', columns }));
    await exportFrom(evil.url, inputFor(folder.path('b.csv'), { format: 'csv', columns, csvSafe: true }));
    await evil.close();
    expect((await readFile(folder.path('a.csv'), 'utf8')).split('\n')[1]).toBe('=1+1,-5.00,\t@a');
    expect((await readFile(folder.path('b.csv'), 'utf8')).split('\n')[1]).toBe("'=1+1,-5.00,'\t@a");
  });
});

describe('cells of files for spreadsheets', () => {
  const texts = ['\n=1', '\r=1', '\t=1', '\uff1d1', '\uff20x', ' =1', '\u200b=1', '\ufeff+1', '\u00a0-1', '=1'];

  it.each(['csv', 'tsv', 'xlsx'] as const)('are inert in %s, whatever stands before the sign', async (format) => {
    const rows = texts.map((text, at) => ({
      id: `x${at}`,
      unix: FROM + 5,
      text: JSON.stringify({ id: `x${at}`, iso_currency: text, live_mode: null }),
    }));
    const evil = await startService({
      dates: rows.map(() => FROM + 5),
      onRequest: (state) => {
        state.rows = rows;
        return undefined;
      },
    });
    const file = folder.path(`inert.${format}`);
    const excel = { separator: ',', decimal: '.' } as const;
    const columns = ['id', 'iso_currency'];
    await exportFrom(evil.url, inputFor(file, { format, columns, ...(format === 'xlsx' ? {} : { excel }) }));
    await evil.close();
    if (format === 'xlsx') {
      const sheet = inZip(await readFile(file), 'xl/worksheets/sheet1.xml');
      const cells = [...sheet.matchAll(/<c r="B(?!1")\d+"([^>]*)>/g)].map(([, marks]) => marks);
      expect(cells).toHaveLength(texts.length);
      for (const marks of cells) expect(marks).toContain(' s="');
      return;
    }
    const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
    const mark = format === 'csv' ? ',' : '\t';
    for (const at of texts.keys()) expect(text.split(`x${at}${mark}`)[1]).toMatch(/^"?'/);
  });
});

describe('gzip', () => {
  it('holds the same lines, with the same bytes every time', async () => {
    await exportFrom(service.url, inputFor(folder.path('plain.jsonl')));
    await exportFrom(service.url, inputFor(folder.path('a.jsonl.gz'), { gzip: true }));
    await exportFrom(service.url, inputFor(folder.path('b.jsonl.gz'), { gzip: true, concurrency: 3 }));
    const zipped = await readFile(folder.path('a.jsonl.gz'));
    expect(gunzipSync(zipped).equals(await readFile(folder.path('plain.jsonl')))).toBe(true);
    expect(zipped.equals(await readFile(folder.path('b.jsonl.gz')))).toBe(true);
    expect([...zipped.subarray(4, 10)]).toEqual([0, 0, 0, 0, 0, 255]);
  });
});

describe('parquet', async () => {
  const nested = { format: 'parquet', family: await loadFamily('subscription_renewals') } as const;
  it('has typed columns and everything else in _other', async () => {
    const out = folder.path('a.parquet');
    const report = await exportFrom(service.url, inputFor(out, nested));
    const file = await asyncBufferFromFile(out);
    const metadata = await parquetMetadataAsync(file);
    expect(Number(metadata.num_rows)).toBe(ROWS);
    const rows = await parquetReadObjects({ file });
    for (const [i, item] of items().entries()) {
      const row = rows[i] as Record<string, unknown>;
      expect(row.id).toBe(item.id);
      expect(row.created_date_unix).toEqual(new Date(item.created_date_unix * 1000));
      expect(row.amount).toBeCloseTo(item.amount, 10);
      expect(row.live_mode).toBe(false);
      const { price, ...product } = item.product;
      expect(row.product).toMatchObject({ ...product, quantity: BigInt(product.quantity) });
      // The reader makes doubles of decimals, and not always the nearest.
      expect((row.product as { price: number }).price).toBeCloseTo(price, 10);
      expect(row.sales).toEqual(item.sales);
      expect(row.metadata).toEqual(item.metadata);
    }
    expect(report.manifest.file?.bytes).toBe((await readFile(out)).length);
    await exportFrom(service.url, inputFor(folder.path('b.parquet'), { ...nested, concurrency: 2 }));
    expect((await readFile(out)).equals(await readFile(folder.path('b.parquet')))).toBe(true);
  });

  /** The row that an item with these members becomes. */
  async function rowOf(text: string): Promise<Record<string, unknown>> {
    const odd = await startService({
      dates: [FROM + 5],
      onRequest: (state) => {
        state.rows = [{ id: 'x', unix: FROM + 5, text }];
        return undefined;
      },
    });
    const out = folder.path('a.parquet');
    await exportFrom(odd.url, inputFor(out, { ...nested, schema: schemaOf(nested.family), restart: true }));
    await odd.close();
    const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(out) });
    return row as Record<string, unknown>;
  }

  it('keeps what a typed column cannot hold', async () => {
    const row = await rowOf(
      '{"id":7,"amount":12345678901234567890.25,"created_date_unix":"soon","iso_currency":null,"live_mode":false}',
    );
    expect(row.amount).toBeNull();
    // Text holds every digit of a number.
    expect(row.id).toBe('7');
    expect(row._other).toBe('{"amount":12345678901234567890.25,"created_date_unix":"soon"}');
  });

  it.each([
    ['an unknown member of an object', '"product":{"name":"P","colour":"red"}', '{"product.colour":"red"}'],
    ['a member of another type', '"product":{"name":"P","quantity":1.5}', '{"product.quantity":1.5}'],
    ['an array where an object was', '"product":[ ]', '{"product":[ ]}'],
    ['an object where a list was', '"sales":{"0":"a"}', '{"sales":{"0":"a"}}'],
    ['an odd element of a list', '"sales":["a",{"id":"b"}]', '{"sales":["a",{"id":"b"}]}'],
    [
      'an unknown member inside a list',
      '"metadata":[{"name":"n","value":"v","more":[1,{"a":"}"}]}]',
      '{"metadata":[{"name":"n","value":"v","more":[1,{"a":"}"}]}]}',
    ],
  ])('keeps %s', async (_, member, other) => {
    const row = await rowOf(`{"id":"a","live_mode":false,${member}}`);
    expect(row._other).toBe(other);
  });

  it('tells nothing, empty and null apart, and takes whitespace and escapes', async () => {
    const row = await rowOf(
      '{"id":"a","live_mode":false,"product":{ "name" : "A \\u00e9 \\"b\\"" , "price":null },"metadata":[ ],"sales":[ "x" , null ]}',
    );
    expect(row.product).toMatchObject({ name: 'A é "b"', price: null, sku: null });
    expect(row.metadata).toEqual([]);
    expect(row.sales).toEqual(['x', null]);
    expect(row.payment_type ?? null).toBeNull();
    expect(row._other).toBeNull();
  });
});

describe('a folder', () => {
  it('gets a file a window below the month in which it lies', async () => {
    const out = `${folder.path('lake')}/`;
    const report = await exportFrom(service.url, inputFor(out));
    const months = (await readdir(out)).sort();
    expect(months).toEqual(['01', '02', '03', '04', '05', '06'].map((month) => `date=2025-${month}`));
    let all = '';
    for (const month of months) {
      for (const name of (await readdir(`${out}/${month}`)).sort()) {
        const text = await readFile(`${out}/${month}/${name}`, 'utf8');
        for (const line of text.trimEnd().split('\n')) {
          const unix = JSON.parse(line).created_date_unix;
          expect(new Date(unix * 1000).toISOString().slice(0, 7)).toBe(month.slice(5));
        }
        all += text;
      }
    }
    expect(all).toBe(service.state.rows.map((row) => `${row.text}\n`).join(''));
    expect(report.manifest.windows.filter((window) => window.file).length).toBeGreaterThan(5);
  });

  it('takes parquet as well', async () => {
    const out = `${folder.path('lake')}/`;
    await exportFrom(service.url, inputFor(out, { format: 'parquet' }));
    const [name] = await readdir(`${out}date=2025-03`);
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(`${out}date=2025-03/${name}`) });
    expect(rows.length).toBeGreaterThan(50);
  });
});

describe('sqlite', () => {
  const read = (path: string) => {
    const database = new Libsql(path, { readonly: true } as Libsql.Options);
    const rows = database.prepare('SELECT * FROM subscription_renewals ORDER BY rowid').all() as Record<
      string,
      unknown
    >[];
    database.close();
    return rows;
  };

  it('has typed columns and the JSON, a row an item', async () => {
    const out = folder.path('a.sqlite');
    await exportFrom(service.url, inputFor(out, { format: 'sqlite' }));
    const rows = read(out);
    expect(rows).toHaveLength(ROWS);
    expect(rows[3]).toMatchObject({ id: items()[3].id, amount: 3.03, live_mode: 0, product_price: 3.5 });
    expect(rows.map((row) => row._json)).toEqual(service.state.rows.map((row) => row.text));
  });

  it('replaces rows by id where the table is there already', async () => {
    const out = folder.path('a.sqlite');
    await exportFrom(service.url, inputFor(out, { format: 'sqlite' }));
    const before = read(out);
    await exportFrom(service.url, inputFor(out, { format: 'sqlite', restart: true }));
    expect(read(out)).toEqual(before);
  });
});

describe('standard output', () => {
  it('gets every line', async () => {
    const stdout = new PassThrough({ highWaterMark: 1000 });
    const chunks: Buffer[] = [];
    stdout.on('data', (chunk) => chunks.push(chunk));
    const report = await exportFrom(service.url, inputFor('-'), { stdout });
    expect(report.exitCode).toBe(0);
    expect(Buffer.concat(chunks).toString()).toBe(service.state.rows.map((row) => `${row.text}\n`).join(''));
  });
});

describe('a target that is there', () => {
  it('is not overwritten without --restart', async () => {
    const out = folder.path('mine.jsonl');
    await writeFile(out, 'precious\n');
    await expect(exportFrom(service.url, inputFor(out))).rejects.toMatchObject({ kind: 'usage' });
    expect(await readFile(out, 'utf8')).toBe('precious\n');
    await mkdir(folder.path('full'));
    await writeFile(folder.path('full/x'), 'precious\n');
    await expect(exportFrom(service.url, inputFor(`${folder.path('full')}/`))).rejects.toMatchObject({ kind: 'usage' });
  });
});
