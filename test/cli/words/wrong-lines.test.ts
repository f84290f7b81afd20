/** Lines that were typed wrongly are answered with the whole line that is meant, ready to be pasted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../program.js';

const ID = 'igwQA0zVpLauhebdvZuu';
let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.remove());

const ask = (line: readonly string[], terminal?: number) => home.run(['-p', 'sandbox', ...line], { terminal });

it.each([
  [['sync', '--to', 'x.sqlite'], 'cops -p sandbox sync x.sqlite'],
  [['sync', 'sales', '--out=x.sqlite'], 'cops -p sandbox sync x.sqlite sales'],
  [['sync', '--to', '2026-10-31'], 'cops -p sandbox sync"? A mirror always continues up to now.'],
  [['coupons', '--query', '[].id'], "cops -p sandbox coupons list --query '[].id'"],
  [
    ['customers', '--where', 'enabled=true', '--limit', '3'],
    'cops -p sandbox customers list --where enabled=true --limit 3',
  ],
  [['customers', '--where', 'enabled=true', 'list'], 'cops -p sandbox customers list --where enabled=true'],
  [['sales', '--count', 'list'], 'cops -p sandbox sales list --count'],
  [['sales', 'list', '--last', '9d', '-o', 'xlsx'], 'cops export -p sandbox sales --last 9d --out sales.xlsx'],
  [['customers', 'list', '--output=excel'], 'cops export -p sandbox customers --out customers.xlsx'],
  [
    ['sales', 'list', '--where', 'amount>9', '-o', 'xlsx'],
    "cops -p sandbox sales list --where 'amount>9' -o csv --excel > sales.csv",
  ],
  [['report', 'revenue', '-o', 'xlsx'], 'cops -p sandbox report revenue --out revenue.xlsx'],
  [['export', 'sales', '-o', 'parquet'], 'cops -p sandbox export sales --out sales.parquet'],
  [['subscriptions', 'count', '--status', 'active'], 'cops -p sandbox subscriptions list --status active --count'],
  [['refunds', 'create'], 'Refunds and voids create pending refunds: product-sales refund'],
  [['orders', 'frobnicate'], 'They are called sales here. Actions: list, create, get'],
  [['orders', ID], `cops -p sandbox sales get ${ID}`],
  [['orders', ID, 'void'], `cops -p sandbox sales void ${ID}`],
  [['sales', ID, '--status', 'paid'], `cops -p sandbox sales get ${ID}"`],
  [['sales', ID, 'void'], `cops -p sandbox sales void ${ID}`],
  [['bulk', 'subscriptions', 'edit', '--customer', 'a@example.com', '-d', 'qty=2'], 'customers show a@example.com'],
  [['cards', 'a@example.com'], 'cops -p sandbox customer-cards list --customer a@example.com'],
  [['orders', 'a@example.com', '--month', 'last'], 'sales list --customer a@example.com --month last'],
  [['customer', 'a@example.com'], 'cops -p sandbox customers show a@example.com'],
  [['coupons', 'a@example.com'], 'Hint: Actions: list, get,'],
  [['sales', 'list', '--colour', 'never'], '--no-color turns them off'],
  // A command in the singular or plural, with the action it needs.
  [['profile'], 'cops -p sandbox profiles list"?'],
  [['sandboxes'], 'cops -p sandbox sandbox status"?'],
  [['policies'], 'cops -p sandbox policy show"?'],
  // Something of a customer: in its own list, in a field, or nowhere.
  [['customers', 'orders', 'a@example.com'], 'cops -p sandbox sales list --customer a@example.com"?'],
  [['customers', 'metadata', 'a@example.com'], 'cops -p sandbox customers get a@example.com --columns metadata"?'],
  [['customers', 'sentinel', 'a@example.com'], 'cops -p sandbox sentinel get"? That belongs to the account'],
  [['coupons', 'list', '--last', '30d'], 'it shows everything: cops -p sandbox coupons list'],
] as const)('%j', async (line, whole) => {
  const ran = await ask(line);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(whole);
});

it.each([
  ['--sort', '-refunds.amount'],
  ['--sort', '-sum(refunds.amount)'],
  ['--columns', 'name,sum(refunds.amount)'],
  ['--where', 'sum(refunds.amount)>100'],
  ['--sum', 'refunds.amount'],
])('leads a total over related rows to the list of these rows: %j', async (option, value) => {
  for (const output of ['table', 'json']) {
    const ran = await ask(['customers', 'list', option, value, '-o', output]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    const [, line = ''] = /(pending-refunds list [^"]*)"?/.exec(ran.stderr) ?? [];
    expect(line.trim().split(' ')).toEqual(
      'pending-refunds list --all-time --group-by customer --sum amount --sort -amount'.split(' '),
    );
  }
});

it.each([[['sales', '--nonsense', 'x']], [['sentinel', '--query', 'x']]])('makes no line up for %j', async (line) => {
  const ran = await ask(line, 120);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).not.toContain('Did you mean');
});

describe('--all-time', () => {
  it('is what a list without a range does anyway, and that is said', async () => {
    const [asked, plain] = [await ask(['coupons', 'list', '--all-time']), await ask(['coupons', 'list'])];
    expect(asked).toMatchObject({ code: 0, stdout: plain.stdout });
    expect(asked.stderr).toContain('this list has no range; it shows everything');
  });

  it('stays what it is where there is a range', async () => {
    const ran = await ask(['products', 'list', '--all-time']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Everything from');
  });
});

it('leads an export that is to be split by month to the folder that is', async () => {
  const ran = await ask(['export', 'sales', '--split', 'month', '--out', 's.csv']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('--out <folder>/');
});
