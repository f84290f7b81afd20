/** Input and answers beyond all measure end soon, with a clear error, and take little memory. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok, serverError } from '../fixtures/service/service.js';
import { items, pair } from './helpers.js';

const MANY = Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join(',');

/** A file in the home's folder. */
function fileOf(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

it('refuses a JSON body of 300,000 names, from a file and from a row', { tags: ['thorough'] }, async () => {
  const { home, service } = await pair(() => ok());
  const body = fileOf(home.folder, 'body.json', `{${MANY}}`);
  const single = await home.run(['customer-groups', 'create', '--body', `@${body}`]);
  expect(single).toMatchObject({ code: 2, stderr: expect.stringContaining('more than 200000 values') });
  const rows = fileOf(home.folder, 'rows.jsonl', `{${MANY}}\n`);
  const bulk = await home.run(['bulk', 'customer-groups', 'create', '--input', rows, '--yes']);
  expect(bulk).toMatchObject({ code: 2, stderr: expect.stringContaining('more than 200000 values') });
  expect(service.requests).toHaveLength(0);
});

it('refuses a table of 200,000 columns', async () => {
  const { home, service } = await pair(() => ok());
  const header = Array.from({ length: 200_000 }, (_, n) => `c${n}`).join(',');
  const rows = fileOf(home.folder, 'rows.csv', `${header}\n${header}\n`);
  const ran = await home.run(['bulk', 'customer-groups', 'create', '--input', rows, '--yes']);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('more than 5000 columns') });
  expect(service.requests).toHaveLength(0);
});

it.each([
  ['lists', `[@]${'|[@,@]'.repeat(30)}`],
  ['flattened lists', `[@]${'|[@,@][]'.repeat(30)}`],
  ['hashes', `{a: @}${'|{a: @, b: @}'.repeat(30)}`],
  ['texts', `to_string(@)${"|join('', [@, @])".repeat(30)}`],
  ['comparisons', `[@]${'|[@,@]'.repeat(28)}|@ == [@, @]`],
])('refuses a --query that doubles its data (%s)', async (_name, query) => {
  const { home } = await pair(() => ok({ id: items(1)[0]?.id, live_mode: false }));
  const ran = await home.run(['campaigns', 'get', String(items(1)[0]?.id), '-o', 'json', '--query', query]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('many times as large as the data') });
});

it('takes a --query that names many fields of a large answer', async () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 'x'.repeat(100_000)]));
  const [{ id } = { id: '' }] = items(1);
  const { home } = await pair(() => ok({ id, live_mode: false, ...fields }));
  const query = `{id: id, all: join(', ', [f0, f1]), ${Object.keys(fields).map((name) => `${name}: length(${name})`)}}`;
  const ran = await home.run(['campaigns', 'get', String(id), '-o', 'json', '--query', query]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ id, f29: 100_000 });
});

it.each(['120', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'ends with 7 where a 503 asks to wait for %s, at once',
  async (asked) => {
    const { home, service } = await pair(() => ({ ...serverError(503), headers: { 'retry-after': asked } }));
    const ran = await home.run(['campaigns', 'list', '--timeout', '0.5']);
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining('--max-wait') });
    expect(service.requests).toHaveLength(1);
  },
);
