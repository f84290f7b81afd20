/** @module-tag thorough */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';

/* `sandbox seed`: what must be there, by name. */

let home: Home;
beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  await laySandbox(String(home.env.COPS_DATA_DIR), Date.now(), FEW);
});
afterEach(() => home.remove());

const SHOP = `version: 1
products:
  Seeded Club:
    price: 20
    price_subscription: 15
    subscription_profile: { frequency: unit, frequency_unit: { unit: months, value: 1 }, overdue_limit: 3 }
  Seeded Mug: { price: 8.5 }
customers:
  Jane Doe: { email: jane@example.com, country: USA }
  Old Hand: { state: disabled }
  Other One: {}
sales:
  mugs: { customer: Jane Doe, products: { Seeded Mug: 2 } }
  open order: { customer: Jane Doe, products: { Seeded Mug: 1 }, state: pending }
  bad card: { customer: Jane Doe, products: { Seeded Mug: 1 }, state: declined }
  gone back: { customer: Jane Doe, products: { Seeded Mug: 1 }, state: refunded }
  taken back: { customer: Jane Doe, products: { Seeded Mug: 1 }, state: voided, tax_amount: 1.5 }
subscriptions:
  good: { customer: Jane Doe, product: Seeded Club }
  pausing: { customer: Jane Doe, product: Seeded Club, state: suspended }
  ended: { customer: Jane Doe, product: Seeded Club, state: cancelled }
  late: { customer: Other One, product: Seeded Club, state: overdue }
`;

interface Row {
  readonly family: string;
  readonly name: string;
  readonly id: string;
  readonly outcome: string;
}

function write(text: string): string {
  const file = path.join(home.folder, 'shop.yaml');
  writeFileSync(file, text);
  return file;
}
const seed = (text: string, ...words: string[]) => home.run(['sandbox', 'seed', write(text), '-o', 'json', ...words]);
async function seeded(text: string, ...words: string[]): Promise<Row[]> {
  const ran = await seed(text, ...words);
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
}
const get = async (family: string, id = '', ...words: string[]) =>
  JSON.parse((await home.run([family, 'get', id, '-o', 'json', ...words])).stdout);
const counted = async () => (await home.run(['sandbox', 'status', '-o', 'json', '--query', 'items'])).stdout;

describe('sandbox seed', () => {
  it('makes what a file names, each in its state, and the same file again makes nothing', async () => {
    const rows = await seeded(SHOP);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['made']));
    const id = (name: string) => rows.find((row) => row.name === name)?.id;
    expect(await get('customers', id('Old Hand'))).toMatchObject({ enabled: false, email: 'old.hand@example.com' });
    for (const [name, status] of [
      ['mugs', 'paid'],
      ['open order', 'pending'],
      ['bad card', 'failed'],
      ['taken back', 'voided'],
    ] as const)
      expect(await get('sales', id(name))).toMatchObject({ status, customer: { email: 'jane@example.com' } });
    expect(await get('sales', id('gone back'))).toMatchObject({ status: 'paid', amount_refunded: 8.5 });
    expect(await get('sales', id('mugs'))).toMatchObject({ amount: 17 });
    for (const [name, status] of [
      ['good', 'active'],
      ['pausing', 'suspended'],
      ['ended', 'cancelled'],
      ['late', 'overdue'],
    ] as const)
      expect(await get('subscriptions', id(name))).toMatchObject({ status });
    const before = await counted();
    const again = await seeded(SHOP);
    expect(again).toEqual(rows.map((row) => ({ ...row, outcome: 'there' })));
    expect(await counted()).toBe(before);
  });

  it('changes what differs, and what is in another state', async () => {
    const first = await seeded(SHOP);
    const other = SHOP.replace('price: 8.5', 'price: 9')
      .replace('country: USA', 'country: CAN')
      .replace('state: suspended', 'state: active');
    const rows = await seeded(other);
    expect(rows.filter(({ outcome }) => outcome === 'changed').map(({ name }) => name)).toEqual([
      'Seeded Mug',
      'Jane Doe',
      'pausing',
    ]);
    expect(rows.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    const refused = await seed(other.replace('state: cancelled', 'state: active'));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(':21:3');
  });

  it('takes what is there already by its own name, and --live works in live mode', async () => {
    const club = JSON.parse((await home.run(['products', 'get', 'Coffee Club', '-o', 'json'])).stdout);
    const text = 'version: 1\nproducts:\n  Coffee Club: { sku: seeded-1 }\n';
    expect(await seeded(text)).toMatchObject([{ id: club.id, outcome: 'changed' }]);
    const [live] = await seeded('version: 1\nproducts:\n  Only live: { price: 5 }\n', '--live');
    expect(await get('products', live?.id, '--live')).toMatchObject({ name: 'Only live' });
    expect((await home.run(['products', 'get', live?.id ?? ''])).code).toBe(4);
  });

  it('leaves nothing behind under --dry-run, and where an entry is refused', async () => {
    const before = await counted();
    expect(await seed(SHOP, '--dry-run')).toMatchObject({ code: 0 });
    expect(await seed(SHOP.replace('state: pending', 'coupon_code: none-such'))).not.toMatchObject({ code: 0 });
    expect(await seed(SHOP.replace('customer: Other One', 'customer: Nobody'))).toMatchObject({ code: 2 });
    expect(await seed(SHOP.replace('product: Seeded Club }', 'product: Seeded Mug }'))).toMatchObject({ code: 2 });
    expect(await counted()).toBe(before);
  });

  it.each([
    ['a key that is not known', 'version: 1\ngoods: {}\n', '2:1'],
    [
      'a state that there is not',
      'version: 1\nsales:\n  a: { customer: x, products: { y: 1 }, state: lost }\n',
      '3:41',
    ],
    ['a field that is not known', 'version: 1\nproducts:\n  A:\n    prise: 3\n', '4:5'],
    ['a value that its field cannot have', 'version: 1\nproducts:\n  A:\n    price: much\n', '4:5'],
    ['a field of a profile', 'version: 1\nproducts:\n  A:\n    subscription_profile:\n      often: 3\n', '5:7'],
    ['a name that stands twice', 'version: 1\nproducts:\n  A: {}\n  A: {}\n', ''],
    ['no YAML', 'version: [1\n', ''],
  ])('names %s by line and column', async (_about, text, place) => {
    const ran = await seed(text);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(place);
  });

  it('prints a JSON Schema with the families that it knows', async () => {
    const ran = await home.run(['sandbox', 'seed', '--schema']);
    expect(Object.keys(JSON.parse(ran.stdout).properties)).toEqual([
      'version',
      'products',
      'customers',
      'sales',
      'subscriptions',
    ]);
  });
});
