import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, snappyUncompress } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { delimited } from '../../../src/data/export/sinks/delimited.js';
import { writeParquet } from '../../../src/data/export/sinks/parquet.js';
import { Snappy } from '../../../src/data/export/sinks/snappy.js';
import type { Schema } from '../../../src/items/schema/types.js';
import { temporary } from './harness.js';

let folder: Awaited<ReturnType<typeof temporary>>;
beforeEach(async () => {
  folder = await temporary();
});
afterEach(() => folder.remove());

const linesOf = (items: readonly string[]) => Buffer.from(items.map((item) => `${item}\n`).join(''));

describe('a cell of csv', () => {
  it.each([
    ['"plain"', 'plain'],
    ['"a,b"', '"a,b"'],
    [String.raw`"say \"no\""`, '"say ""no"""'],
    [String.raw`"back\\slash"`, 'back\\slash'],
    [String.raw`"one\/two"`, 'one/two'],
    [String.raw`"tab\tstays"`, 'tab\tstays'],
    [String.raw`"two\nlines\r"`, '"two\nlines\r"'],
    [String.raw`"\b\f"`, '\b\f'],
    [String.raw`"\u00e9\u0022\ud83d\ude00"`, '"é""😀"'],
    ['"łódź, 大阪"', '"łódź, 大阪"'],
    ['""', ''],
    ['[]', '[]'],
    ['[1,2]', '"[1,2]"'],
    ['["łódź"]', '"[""łódź""]"'],
    ['{"a":"b"}', '"{""a"":""b""}"'],
    ['null', ''],
    ['12345678901234567890', '12345678901234567890'],
  ])('%s', (json, cell) => {
    const encoder = delimited({ csvSafe: false, columns: ['a'] }, [], 'csv');
    expect(encoder.encode(linesOf([`{"a":${json}}`])).toString()).toBe(`${cell}\n`);
  });

  it('stands in its column whatever members are absent or in another order', () => {
    const encoder = delimited({ csvSafe: false, columns: ['a', 'b', 'c', 'd'] }, [], 'csv');
    const items = [
      '{"a":1,"b":2,"c":3,"d":4}',
      '{"a":1,"c":3}',
      '{"d":4,"b":2}',
      '{"b":2,"x":9,"d":4}',
      '{"ab":1,"a":7}',
    ];
    expect(encoder.encode(linesOf(items)).toString()).toBe('1,2,3,4\n1,,3,\n,2,,4\n,2,,4\n7,,,\n');
  });
});

describe('a Parquet column', () => {
  const schema: Schema = [
    { name: 'id', type: 'id' },
    { name: 'kind', type: 'text' },
    { name: 'late', type: 'text' },
    { name: 'whole', type: 'integer' },
    { name: 'amount', type: 'decimal', whole: 10, scale: 2 },
    { name: 'long', type: 'decimal', whole: 30, scale: 4 },
    { name: 'flag', type: 'boolean' },
    { name: 'tags', type: 'list', element: { name: 'element', type: 'text' } },
    { name: 'made_unix', type: 'timestamp', form: 'unix' },
  ];
  // Two groups of rows; values that are all different, some the same, none, and different ones at first only.
  const items = Array.from({ length: 6001 }, (_, i) => ({
    id: `"id ${i} \\u00e9"`,
    kind: i % 3 === 0 ? undefined : `"kind ${i % 7}, łódź"`,
    late: i < 3000 ? `"one of many ${i}"` : '"the same"',
    whole: i % 2 === 0 ? `${-i}` : '-9007199254740993',
    amount: `${i % 50}.${String(i % 100).padStart(2, '0')}`,
    long: i % 4 === 0 ? '-123456789012345678901234567890.1234' : `-${i}.5`,
    flag: i % 5 === 0 ? 'null' : String(i % 2 === 0),
    tags: `[${Array.from({ length: i % 4 }, (_, at) => `"tag ${(i * at) % 11}"`).join(',')}]`,
    made_unix: `${1_700_000_000 + i}`,
  }));

  it('holds each value exactly', async () => {
    const out = folder.path('a.parquet');
    const lines = items.map(
      (item) =>
        `{${Object.entries(item)
          .flatMap(([name, json]) => (json ? [`"${name}":${json}`] : []))
          .join(',')}}`,
    );
    const written = await writeParquet(
      out,
      {
        async *[Symbol.asyncIterator]() {
          yield [linesOf(lines)];
        },
      },
      schema,
    );
    expect(written.late).toBeUndefined();
    const file = await asyncBufferFromFile(out);
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(items.length);
    for (const [i, row] of rows.entries()) {
      const { id, kind, late, whole, flag, tags, made_unix } = items[i] as (typeof items)[number];
      expect(row).toMatchObject({
        id: JSON.parse(id),
        kind: kind === undefined ? null : JSON.parse(kind),
        late: JSON.parse(late),
        whole: BigInt(whole),
        flag: JSON.parse(flag),
        tags: JSON.parse(tags),
        made_unix: new Date(Number(made_unix) * 1000),
        _other: null,
      });
    }
    // The reader makes doubles of decimals.
    expect(rows[201]?.amount).toBeCloseTo(1.01, 10);
    expect(rows[1]?.long).toBeCloseTo(-1.5, 10);
    const { row_groups } = await parquetMetadataAsync(file);
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([5000n, 1001n]);
    const statistics = row_groups[0]?.columns[3]?.meta_data?.statistics;
    expect(statistics).toMatchObject({ min_value: -9007199254740993n, max_value: 0n, null_count: 0n });
  });
});

describe('what is packed for Parquet', () => {
  const repeated = 'a word and another word, '.repeat(9000);
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('a')],
    ['one byte often', Buffer.alloc(200_000, 7)],
    ['texts alike, in several blocks', Buffer.from(repeated)],
    ['numbers', Buffer.from(Int32Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 5003).buffer)],
    [
      'what never repeats',
      Buffer.from(Uint32Array.from({ length: 30_000 }, (_, i) => Math.imul(i, 0x9e3779b1)).buffer),
    ],
    ['few, then many', Buffer.from(`${'xyz'.repeat(23)}${repeated.slice(0, 70_000)}${'xyz'.repeat(23)}`)],
  ])('%s is the same when it is unpacked', (_, bytes) => {
    const packed = Uint8Array.from(new Snappy().pack(bytes));
    const out = new Uint8Array(bytes.length);
    snappyUncompress(packed, out);
    expect(Buffer.from(out).equals(bytes)).toBe(true);
  });

  it('takes less room where it repeats', () => {
    expect(new Snappy().pack(Buffer.from(repeated)).length).toBeLessThan(repeated.length / 10);
  });
});
