/** Rows of a spreadsheet name what they mean: by the number of an order, in any column, for every part of one. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Home } from '../program.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
afterAll(() => home.remove());

const file = (name: string, text: string): string => {
  const at = path.join(home.folder, name);
  writeFileSync(at, text);
  return at;
};

interface Sale {
  readonly internal_id: string;
  readonly product_sales: readonly string[];
}

const paid = async (): Promise<Sale[]> => {
  const ran = await home.run(['sales', 'list', '--last', '60d', '--where', 'amount>5', '-o', 'json']);
  const sales = JSON.parse(ran.stdout) as Sale[];
  return sales.filter(({ product_sales: parts, internal_id: number }) => parts.length === 1 && /^O-\d+$/.test(number));
};

const bodies = async (input: string, ...more: string[]) => {
  const ran = await home.run(['bulk', 'product-sales', 'refund', '--input', input, '--dry-run', ...more]);
  return { ran, urls: ran.stdout.match(/product_sales\/\w{20}/g)?.map((url) => url.slice(-20)) };
};

it.each(['Order No.', 'order', 'Bestellung', 'name', 'Sale number'])('in a column called %s', async (column) => {
  const [one, two] = await paid();
  const rows = `${column};Customer;Amount\n#${one?.internal_id};x;1,00\n\n${two?.internal_id};y;2.00\n`;
  const { ran, urls } = await bodies(file('r.csv', rows), '-d', 'amount={Amount}');
  expect(ran.code, ran.stderr).toBe(0);
  expect(urls).toEqual([one?.product_sales[0], two?.product_sales[0]]);
  expect(ran.stderr).toMatch(/line 2: "#O-\d+" is \w{20} \(/);
});

it('in a list of bare words, and in one line', async () => {
  const [one, two] = await paid();
  const ids = file('ids.txt', `${one?.internal_id}\n#${two?.internal_id}\n`);
  const ran = await home.run(['bulk', 'product-sales', 'refund', '--ids', ids, '-d', 'amount=1', '--dry-run']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain(one?.product_sales[0]);
  const line = await home.run(['product-sales', 'refund', `${one?.internal_id}`, `#${two?.internal_id}`, '--dry-run']);
  expect(line.stdout).toContain(two?.product_sales[0]);
});

it('says which row names nothing, and which two mean the same', async () => {
  const [one] = await paid();
  const none = await bodies(
    file('n.csv', `Order;Amount\nO-999999;1\n${one?.internal_id};1\n`),
    '-d',
    'amount={Amount}',
  );
  expect(none.ran.code).toBe(2);
  expect(none.ran.stderr).toContain('line 2: "O-999999" names no item of product-sales');
  const twice = await bodies(
    file('t.csv', `Order;Amount\n#${one?.internal_id};1\n${one?.internal_id};1\n`),
    '-d',
    'amount={Amount}',
  );
  expect(twice.ran.code, twice.ran.stdout).toBe(2);
  expect(twice.ran.stderr).toMatch(/line 3/);
});
