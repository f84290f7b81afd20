import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitise, sanitiseLines } from '../../../src/items/text/inert.js';
import type { Format } from '../../../src/screen/output-formats.js';
import { row } from '../../../src/screen/spreadsheets.js';
import { list, one, show } from '../../unit/output/helpers.js';

/** Text that a hostile or careless shop could hold. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\r',
        '\n',
        '\t',
        '\u202e',
        '\u200e',
        '\u2066',
        '\u007f',
        '\ufeff',
        '\u{e0041}',
        '"',
        ',',
        '\\',
        'a',
        '日',
        '👩‍👧',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
const item = fc.record({
  id: fc.oneof(
    fc.constant('aaaaaaaaaaaaaaaaaaaa'),
    text.filter((value) => value !== '' && !/[\r\n]/.test(value)),
  ),
  status: text,
  amount: fc.double(),
  iso_currency: text,
  created_date_unix: fc.oneof(fc.integer(), text),
  customer: fc.oneof(fc.record({ email: text, name: text }), fc.dictionary(text, text, { maxKeys: 3 })),
  sales: fc.array(text, { maxLength: 3 }),
});

/** Lone surrogates have no UTF-8. */
const asUtf8 = (value: string): string => Buffer.from(value).toString();

/** What no terminal may be sent, but for line feeds. */
const ALIVE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0001}\u{e0020}-\u{e007f}]/u;
const FORMATS: Format[] = ['table', 'json', 'jsonl', 'csv', 'tsv', 'yaml', 'ids'];

test('nothing alive reaches a terminal, in any format, from items or messages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...FORMATS),
      fc.boolean(),
      fc.integer({ min: 20, max: 200 }),
      async (items, format, wide, width) => {
        const raws = items.map((value) => JSON.stringify(value));
        const out = { interactive: true, width };
        const shown = [
          await show(list(raws), format, { wide }, out),
          await show(one(raws[0] ?? '{}'), format, {}, out),
        ];
        for (const { text: seen } of shown) {
          expect(format === 'tsv' ? seen.replaceAll('\t', '') : seen).not.toMatch(ALIVE);
        }
      },
    ),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(sanitise(value)).not.toMatch(ALIVE);
      expect(sanitise(value)).not.toContain('\n');
      expect(sanitiseLines(value)).not.toMatch(ALIVE);
    }),
    { numRuns: process.env.COPS_LONG === '1' ? 2000 : 700 },
  );
});

test('json on a terminal stays the same JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 3 }), async (items) => {
      const expected = JSON.parse(JSON.stringify(items));
      const { text: seen } = await show(
        list(items.map((value) => JSON.stringify(value))),
        'json',
        {},
        { interactive: true },
      );
      expect(JSON.parse(seen)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test('json and jsonl in a pipe hold every byte that came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 4 }), async (items) => {
      const raws = items.map((value) => JSON.stringify(value));
      expect((await show(list(raws), 'jsonl')).text).toBe(asUtf8(raws.map((raw) => `${raw}\n`).join('')));
      const whole = (await show(list(raws), 'json')).text;
      expect(whole.split('\n').slice(1, -2).join('\n')).toBe(asUtf8(raws.join(',\n')));
    }),
    { numRuns: 200 },
  );
});

/** An independent reader of RFC 4180, line feeds between rows. */
function readCsv(csv: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let value = '';
  let quoted = false;
  for (let i = 0; i < csv.length; i++) {
    const letter = csv[i] as string;
    if (quoted) {
      if (letter !== '"') value += letter;
      else if (csv[i + 1] === '"') value += csv[++i];
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === ',' || letter === '\n') {
      cells.push(value);
      value = '';
      if (letter === '\n') {
        rows.push(cells);
        cells = [];
      }
    } else value += letter;
  }
  return rows;
}

test('csv read by another reader gives the same cells', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      expect(readCsv(rows.map((cells) => row(cells, 'csv')).join(''))).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

test('tsv has one line a row and gives the same cells back', () => {
  const back: Record<string, string> = { t: '\t', n: '\n', r: '\r', '\\': '\\' };
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
      const lines = rows
        .map((cells) => row(cells, 'tsv'))
        .join('')
        .split('\n');
      expect(lines.length).toBe(rows.length + 1);
      const read = lines
        .slice(0, -1)
        .map((line) =>
          line.split('\t').map((cell) => cell.replace(/\\(.)/g, (_, letter: string) => back[letter] ?? '')),
        );
      expect(read).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

test('yaml read by a YAML reader gives the same values', async () => {
  const { parse } = await import('yaml');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }), async (values) => {
      const raws = values.map((value) => JSON.stringify(value));
      const { text: seen } = await show(list(raws), 'yaml');
      expect(parse(seen)).toEqual(JSON.parse(asUtf8(`[${raws.join(',')}]`)));
    }),
    { numRuns: 200 },
  );
});
