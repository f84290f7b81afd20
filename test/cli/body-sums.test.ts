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

// A product has no currency: one that is sent all the same tells how many digits its sums have.
const CREATE = ['products', 'create', '-d', 'name=Cup', '-d', 'iso_currency=USD', '--no-validate'];

/** What a sum is written as in JSON and in YAML, and what is wrong with it. */
const WRONG: readonly (readonly [string, string, RegExp])[] = [
  ['"1.000"', '1.000', /is ambiguous, 1 or 1000/],
  ['1.000', '"1.000"', /is ambiguous, 1 or 1000/],
  ['"1,234"', '1,234', /is ambiguous/],
  ['"14,505"', '14,505', /is ambiguous/],
  ['"14.50 EUR"', '14.50 EUR', /a currency other than the body's USD/],
  ['14.505', '14.505', /is ambiguous/],
  ['14.5055', '14.5055', /4 decimals/],
  ['1e3', '1e3', /exponent/],
  ['"1.2345e1"', '"1.0E1"', /exponent/],
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
  ['"14,50"', '14.50'],
  ['"$14.50"', '14.50'],
  ['"14,50 usd"', '14.50'],
])('sends %s as the number %s', async (json, number) => {
  const { run, sent } = await account();
  const ran = await run([...CREATE, '--body', `{"price":${json}}`]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(sent()[0]).toContain(`"price":${number}`);
});

it('takes as many digits as the currency has that the body names', async () => {
  const { run, sent } = await account();
  const create = (currency: string, price: string) =>
    run([
      'products',
      'create',
      '--body',
      `{"name":"Cup","iso_currency":"${currency}","price":${price}}`,
      '--no-validate',
    ]);
  expect((await create('JPY', '10.5')).code).toBe(2);
  expect((await create('USD', '10.505')).code).toBe(2);
  expect(sent()).toEqual([]);
  expect((await create('KWD', '10.505')).code).toBe(0);
  expect(sent()[0]).toContain('"price":10.505');
});

it('reads the rows of a bulk file in the same way', async () => {
  const { run, sent, file } = await account();
  for (const [json, , says] of WRONG) {
    const rows = file('rows.jsonl', `{"name":"Cup","iso_currency":"USD","price":${json}}\n`).slice(1);
    const ran = await run(['bulk', 'products', 'create', '--input', rows]);
    expect(ran.code, ran.stderr).toBe(2);
    expect(`${ran.stderr}${ran.stdout}`).toMatch(says);
  }
  expect(sent()).toEqual([]);
});

it.each(['1e3', '1.0e1', '1.2345e1', '5E-1'])('takes %s in no option, cell, body or condition', async (sum) => {
  const { run, sent, file } = await account();
  const rows = file('r.csv', `id,amount\n${A},${sum}\n`).slice(1);
  const lines = [
    ['transactions', 'refund', A, '--amount', sum],
    ['transactions', 'refund', A, '-d', `amount=${sum}`],
    ['transactions', 'refund', A, '-d', `amount:=${sum}`],
    ['transactions', 'refund', A, '--body', `{"amount":${sum}}`],
    ['transactions', 'refund', A, '--body', `{"amount":${sum}}`, '--no-validate'],
    ['bulk', 'transactions', 'refund', '--input', rows],
    ['transactions', 'list', '--where', `amount_total>${sum}`],
    ['transactions', 'list', '--all-time', '--where', `amount_total=${sum} USD`],
    [...CREATE, '--price', sum],
    ['policy', 'add', '--most', `${sum} USD`, '--operations', 'transactions refund'],
  ];
  for (const words of lines) {
    const ran = await run(words);
    expect(ran.code, `${words.join(' ')}: ${ran.stderr}`).toBe(2);
  }
  expect(sent()).toEqual([]);
});

it('takes no body in which one name is given twice', async () => {
  const { run, sent, file } = await account();
  const twice = '{"name":"Cup","iso_currency":"USD","price":5,"price":50}';
  const rows = (text: string) => file('rows.jsonl', `${text}\n`).slice(1);
  const cells = file('cells.csv', `name;meta\nCup;"{""a"":1,""a"":2}"\n`).slice(1);
  const lines: (readonly [readonly string[], string?])[] = [
    [['products', 'create', '--body', twice]],
    [['products', 'create', '--body', twice, '--no-validate']],
    [['products', 'create', '--body', file('b.json', twice)]],
    [['products', 'create', '--body', file('b.yaml', twice)]],
    [['products', 'create', '--body', '-'], twice],
    [[...CREATE, '-d', 'metadata:=[{"name":"a","name":"b"}]']],
    [['bulk', 'products', 'create', '--input', rows(twice)]],
    [['bulk', 'products', 'create', '--input', cells, '-d', 'name={name}', '-d', 'metadata:={meta}']],
  ];
  for (const [words, input] of lines) {
    const ran = await run(words, input);
    expect(ran.code, `${words.join(' ')}: ${ran.stderr}`).toBe(2);
    expect(`${ran.stderr}${ran.stdout}`).toMatch(/twice|two/i);
  }
  expect(sent()).toEqual([]);
});
