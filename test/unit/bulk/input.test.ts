import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkedRows, checkInput } from '../../../src/bulk/check.js';
import {
  fileSource,
  keepStream,
  kindByContent,
  kindByName,
  listSource,
  type RowSource,
} from '../../../src/bulk/input.js';
import { RowMapper } from '../../../src/bulk/map-row.js';
import type { PlannedRow, RowRecord } from '../../../src/bulk/types.js';
import type { Family, Operation } from '../../../src/catalogue/types.js';
import { serialise, type TreeObject } from '../../../src/items/json/tree.js';
import { canonicalBody, intentionTag } from '../../../src/items/secrets/mask-body.js';
import { failure } from '../safety/tools.js';

const dir = mkdtempSync(join(tmpdir(), 'cops-bulk-'));
let files = 0;
function file(content: string | Buffer, ending = 'txt'): string {
  const path = join(dir, `f${++files}.${ending}`);
  writeFileSync(path, content);
  return path;
}

const ID = (n: number) => `sub${String(n).padStart(17, '0')}`;

const refund: Operation = {
  action: 'refund',
  method: 'POST',
  path: '/subscription_renewals/{subscription_renewal_id}/refund',
  operationId: 'Refund',
  summary: 'refunds',
  risk: 'irreversible',
  body: {
    closed: true,
    complete: true,
    fields: {
      amount: { type: 'number' },
      note: { type: 'string' },
      flag: { type: 'boolean' },
      card: { type: 'object', fields: { card_number: { type: 'string', secret: true } } },
    },
  },
  rules: [],
  example: '',
  evidence: 'spec',
};
const family: Family = {
  name: 'subscription_renewals',
  summary: '',
  columns: [{ path: 'id' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [refund],
};

function mapper(templates: string[] = [], base?: TreeObject, empty?: 'skip' | 'null', operation = refund) {
  return new RowMapper({
    family,
    operation,
    templates,
    ...(base ? { base } : {}),
    ...(empty ? { empty } : {}),
    tagOf: (ids, body) => intentionTag('o', ids, canonicalBody(body)),
  });
}

async function flat(rows: AsyncIterable<Iterable<PlannedRow>>): Promise<PlannedRow[]> {
  const list: PlannedRow[] = [];
  for await (const some of rows) list.push(...some);
  return list;
}

async function planned(
  source: RowSource,
  templates: string[] = [],
  base?: TreeObject,
  empty?: 'skip' | 'null',
): Promise<PlannedRow[]> {
  const checked = await checkInput(source, mapper(templates, base, empty), 100);
  return flat(checkedRows(source, mapper(templates, base, empty), checked.marks));
}

const text = (rows: PlannedRow[]) => rows.map((row) => [row.line, ...row.ids, serialise(row.body)].join(' '));

describe('id lists', () => {
  it.each([
    ['plain', `${ID(1)}\n${ID(2)}\n`],
    ['no last line end', `${ID(1)}\n${ID(2)}`],
    ['CRLF and blank lines', `${ID(1)}\r\n\r\n  \r\n${ID(2)}\r\n`],
    ['byte order mark', `\ufeff${ID(1)}\n${ID(2)}\n`],
    ['UTF-16', Buffer.from(`\ufeff${ID(1)}\r\n${ID(2)}\r\n`, 'utf16le')],
  ])('%s', async (_name, content) => {
    const rows = await planned(fileSource(file(content), 'ids'));
    expect(rows.map((row) => row.ids[0])).toEqual([ID(1), ID(2)]);
    expect(rows.map((row) => row.row)).toEqual([1, 2]);
  });

  it('names every bad and repeated id with its line, and sends nothing', async () => {
    const error = await failure(planned(fileSource(file(`${ID(1)}\nshort\n\n${ID(1)}\n`), 'ids')));
    expect(error.exitCode).toBe(2);
    expect(error.message).toMatch(/2 faults/);
    expect(error.message).toMatch(/line 2, .*short/);
    expect(error.message).toMatch(/line 4: is the same as line 1/);
  });

  it.each([
    ['empty', '', 2],
    ['binary', Buffer.from([0xff, 0x00, 0x80, 0x01]), 11],
    ['zeros', Buffer.alloc(30), 11],
    ['broken UTF-8', Buffer.from([0x61, 0xc3, 0x28]), 11],
  ])('%s is one clear error', async (_name, content, code) => {
    expect((await failure(planned(fileSource(file(content), 'ids')))).exitCode).toBe(code);
  });

  it('a missing file is one too', async () => {
    expect((await failure(planned(fileSource(join(dir, 'none'), 'ids')))).exitCode).toBe(11);
  });
});

describe('rows', () => {
  const CSV = `id,amount,note\n${ID(1)},5.00,"a ""b"",\nc"\n\n${ID(2)},,x\n`;

  it('reads CSV by field names; digits stay, line numbers are those of the file', async () => {
    const rows = await planned(fileSource(file(CSV), 'csv'), [], undefined, 'skip');
    expect(text(rows)).toEqual([`2 ${ID(1)} {"amount":5.00,"note":"a \\"b\\",\\nc"}`, `5 ${ID(2)} {"note":"x"}`]);
  });

  it.each([
    ['a template', 'id,sum', ['amount={sum}'], 'amount'],
    ['a template of JSON', 'id,sum', ['amount:={sum}'], 'amount'],
    ['a template with more in it', 'id,sum', ['note=for {sum}'], 'note'],
    ['a column', 'id,amount', [], 'amount'],
  ] as const)('an empty cell in %s is a fault, unless it is said what it means', async (_, head, templates, field) => {
    for (const cell of ['', '  ']) {
      const source = () => fileSource(file(`${head}\n${ID(1)},${cell}\n`), 'csv');
      const error = await failure(planned(source(), [...templates]));
      expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(`line 2, ${field}: `) });
      expect(error.message).toContain('--empty skip');
      expect(text(await planned(source(), [...templates], undefined, 'skip'))).toEqual([`2 ${ID(1)} {}`]);
      const nulls = await planned(source(), [...templates], undefined, 'null');
      expect(text(nulls)).toEqual([`2 ${ID(1)} {"${field}":null}`]);
    }
  });

  it('a null of JSON Lines inside a text is empty as well, alone it is null', async () => {
    const source = () => fileSource(file(`{"id":"${ID(1)}","who":null}\n`), 'jsonl');
    expect((await failure(planned(source(), ['note=for {who}']))).exitCode).toBe(2);
    expect(text(await planned(source(), ['note={who}']))).toEqual([`1 ${ID(1)} {"note":null}`]);
  });

  it('reads TSV and JSON Lines', async () => {
    const tsv = await planned(fileSource(file(`subscription_renewal_id\tamount\n${ID(1)}\t5\n`), 'tsv'));
    expect(text(tsv)).toEqual([`2 ${ID(1)} {"amount":5}`]);
    const jsonl = `{"id":"${ID(1)}","amount":5.10}\n\n{"id":"${ID(2)}","card":{"card_number":"4"}}\n`;
    expect(text(await planned(fileSource(file(jsonl), 'jsonl')))).toEqual([
      `1 ${ID(1)} {"amount":5.10}`,
      `3 ${ID(2)} {"card":{"card_number":"4"}}`,
    ]);
  });

  it('fills templates; a cell is only ever text, never a file or a path', async () => {
    const csv = `id,sum,who\n${ID(1)},7.50,@/etc/passwd\n${ID(2)},100,"={id}"\n`;
    const rows = await planned(fileSource(file(csv), 'csv'), ['amount={sum}', 'note=for {who} {{x}}', 'flag=true']);
    expect(text(rows)).toEqual([
      `2 ${ID(1)} {"amount":7.50,"note":"for @/etc/passwd {x}","flag":true}`,
      `3 ${ID(2)} {"amount":100,"note":"for ={id} {x}","flag":true}`,
    ]);
  });

  it('leaves out columns that no template names', async () => {
    const used = mapper(['amount={sum}']);
    const source = fileSource(file(`id,sum,note\n${ID(1)},7,secret plan\n`), 'csv');
    const checked = await checkInput(source, used, 10);
    expect(serialise(checked.first[0]?.body)).toBe('{"amount":7}');
    expect([...used.ignored]).toEqual(['note']);
  });

  it.each([
    ['an unknown column', `id,amuont\n${ID(1)},5\n`, [], /line 2, amuont/],
    ['a bad number', `id,amount\n${ID(1)},five\n`, [], /line 2, amount/],
    ['a missing id', `id,amount\n,5\n`, [], /line 2, id: is missing/],
    ['no id column', `amount\n5\n`, [], /no column for the subscription_renewal_id: their columns are amount/],
    ['a template without its column', `id\n${ID(1)}\n`, ['amount={sum}'], /line 2, amount: there is no column sum/],
    ['a short line', `id,amount\n${ID(1)}\n`, [], /line 2: 1 cells/],
    ['an open quote', `id,amount\n"${ID(1)},5\n`, [], /Quote Not Closed/],
    ['a doubled column', `id,id\n${ID(1)},5\n`, [], /id: is there twice/],
    ['an idempotency key', `id,idempotency_key\n${ID(1)},0123456789\n`, [], /idempotency_key/],
    ['the same row twice', `id,amount\n${ID(1)},5\n${ID(1)},5\n`, [], /line 3: is the same as line 2/],
  ] as const)('%s is told with its line', async (_name, content, templates, message) => {
    const error = await failure(planned(fileSource(file(content), 'csv'), [...templates]));
    expect(error.exitCode).toBe(2);
    expect(error.message).toMatch(message);
  });

  it.each(['a=@file', 'card.card_number=4111111111111111', 'noequals', '__proto__.x=1'])(
    'refuses the template %s',
    (template) => {
      expect(() => mapper([template])).toThrow();
    },
  );

  it('two part refunds of one item are two rows', async () => {
    const rows = await planned(fileSource(file(`id,amount\n${ID(1)},5\n${ID(1)},6\n`), 'csv'));
    expect(rows).toHaveLength(2);
  });

  it('stops when the input changes between check and run', async () => {
    const path = file(`${ID(1)}\n${ID(2)}\n`);
    const source = fileSource(path, 'ids');
    const { marks } = await checkInput(source, mapper(), 1);
    for (const content of [`${ID(1)}\n${ID(3)}\n`, `${ID(1)}\n`, `${ID(1)}\n${ID(2)}\n${ID(4)}\n`]) {
      writeFileSync(path, content);
      expect((await failure(flat(checkedRows(source, mapper(), marks)))).exitCode).toBe(11);
    }
  });

  it('knows kinds by name and by content', async () => {
    expect(kindByName('a.CSV')).toBe('csv');
    expect(kindByName('a.ndjson')).toBe('jsonl');
    expect(kindByName('a.txt')).toBeUndefined();
    expect(await kindByContent(file('\n{"a":1}\n'), 'x')).toBe('jsonl');
    expect(await kindByContent(file('a\tb\n'), 'x')).toBe('tsv');
    expect(await kindByContent(file('a,b\n'), 'x')).toBe('csv');
  });

  it('keeps a stream for its owner only, never over another file', async () => {
    const path = join(dir, 'kept');
    await keepStream(Readable.from(['a\n']), path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await failure(keepStream(Readable.from(['b\n']), path))).exitCode).toBe(11);
  });

  it('finds a repeated row among very many, in little memory', { timeout: 60_000 }, async () => {
    const many = 60_000;
    const source: RowSource = {
      kind: 'ids',
      name: 'many',
      async *rows() {
        for (let row = 1; row <= many; row++)
          yield [{ row, line: row, id: row === many ? ID(5) : ID(row) } satisfies RowRecord];
      },
    };
    const error = await failure(checkInput(source, mapper(), 1));
    expect(error.message).toMatch(`line ${many}: is the same as line 5`);
  });

  it('takes the ids of a command line', async () => {
    const rows = await planned(listSource([ID(1), ID(2)]), [], { amount: 5 });
    expect(text(rows)).toEqual([`1 ${ID(1)} {"amount":5}`, `2 ${ID(2)} {"amount":5}`]);
  });
});
