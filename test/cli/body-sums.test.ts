/** Sums in a body of JSON or YAML are read as those of cells and options are (command-line.md#bodies). */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../fixtures/service/service.js';
import { A, errorOf, pair } from './helpers.js';

const ITEM = { id: A, live_mode: false, amount: 90, amount_total: 90, amount_refunded: 0, iso_currency: 'USD' };

async function account() {
  const { service, home } = await pair(() => ok(ITEM));
  const sent = () => service.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(home.folder, name), text);
    return `@${name}`;
  };
  const run = (words: readonly string[], input?: string) =>
    home.run([...words, '--yes', '-o', 'json'], { cwd: home.folder, ...(input === undefined ? {} : { input }) });
  return { run, sent, file };
}

const CREATE = ['products', 'create', '-d', 'name=Cup', '-d', 'iso_currency=USD'];

/** What a sum is written as in JSON and in YAML, and what is wrong with it. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['"14,50"', '14,50', /comma: write 14\.50/],
  ['"1.000"', '1.000', /reads two ways, as 1 and as 1000/],
  ['1.000', '"1.000"', /reads two ways, as 1 and as 1000/],
  ['"1,234"', '1,234', /reads two ways/],
  ['"$14.50"', '$14.50', /number/],
  ['14.505', '14.505', /reads two ways/],
  ['14.5055', '14.5055', /4 digits behind the point/],
];

it.each(WRONG)('refuses %s (YAML: %s) before anything is sent', async (json, yaml, says) => {
  const { run, sent, file } = await account();
  const lines: (readonly [readonly string[], string?])[] = [
    [[...CREATE, '--body', `{"price":${json}}`]],
    [[...CREATE, '--body', file('b.json', `{"price":${json}}`)]],
    [[...CREATE, '--body', file('b.yaml', `price: ${yaml}\n`)]],
    [[...CREATE, '--body', '-'], `{"price":${json}}`],
    [[...CREATE, '-d', `price:=${json}`]],
    [[...CREATE, '-d', `price:=${file('p.json', json)}`]],
  ];
  for (const [words, input] of lines) {
    const ran = await run(words, input);
    expect(ran.code, `${words.join(' ')}: ${ran.stderr}`).toBe(2);
    expect(JSON.stringify(errorOf(ran)), words.join(' ')).toMatch(says);
  }
  expect(sent()).toEqual([]);
});

it.each([
  ['"14.50"', '14.50'],
  ['14.50', '14.50'],
  ['1000', '1000'],
])('sends %s as the number %s', async (json, number) => {
  const { run, sent } = await account();
  const ran = await run([...CREATE, '--body', `{"price":${json}}`]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(sent()[0]).toContain(`"price":${number}`);
});

it('takes as many digits as the currency has that the body names', async () => {
  const { run, sent } = await account();
  const create = (currency: string, price: string) =>
    run(['products', 'create', '--body', `{"name":"Cup","iso_currency":"${currency}","price":${price}}`]);
  expect((await create('JPY', '10.5')).code).toBe(2);
  expect((await create('USD', '10.505')).code).toBe(2);
  expect(sent()).toEqual([]);
  expect((await create('KWD', '10.505')).code).toBe(0);
  expect(sent()[0]).toContain('"price":10.505');
});

it('reads the rows of a bulk file in the same way', async () => {
  const { run, sent, file } = await account();
  for (const [json, , says] of WRONG.filter(([one]) => !one.startsWith('"$'))) {
    const rows = file('rows.jsonl', `{"name":"Cup","iso_currency":"USD","price":${json}}\n`).slice(1);
    const ran = await run(['bulk', 'products', 'create', '--input', rows]);
    expect(ran.code, ran.stderr).toBe(2);
    expect(`${ran.stderr}${ran.stdout}`).toMatch(says);
  }
  expect(sent()).toEqual([]);
});
