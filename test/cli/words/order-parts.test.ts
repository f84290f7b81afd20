/** The number of an order, and a product of it, name the parts of an order; sums of the question stay those of the part. */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

interface Sale {
  readonly internal_id: string;
  readonly product_sales: readonly string[];
  readonly shipping: readonly string[];
  readonly products: readonly { readonly name: string }[];
}

const sandbox = home.bind(undefined, { COPS_PROFILE: 'sandbox' });

async function orders() {
  const made = sandbox();
  const ran = await made.run(['sales', 'list', '--where', 'amount_refunded=0', '-o', 'json', '-q']);
  const sales = (JSON.parse(ran.stdout) as Sale[]).filter(({ shipping }) => shipping.length === 1);
  const run = (...line: string[]) => made.run([...line, '--dry-run', '--no-input']);
  return { run, one: sales.find(({ product_sales }) => product_sales.length === 1) as Sale };
}

it('takes the number of an order for its one part', async () => {
  const { run, one } = await orders();
  const product = await run('product-sales', 'refund', `#${one.internal_id}`, '--amount', '1');
  expect(product.stdout, product.stderr).toContain(`/product_sales/${one.product_sales[0]}/refund`);
  const shipping = await run('shipping', 'refund', one.internal_id);
  expect(shipping.stdout, shipping.stderr).toContain(`/shipping/${one.shipping[0]}/refund`);
});

it('distinguishes the parts of an order by their products, and takes no other', async () => {
  const { run, one } = await orders();
  const name = one.products[0]?.name ?? '';
  const right = await run('sales', 'refund', one.internal_id, '--item', name);
  expect(right.stdout, right.stderr).toContain(`/product_sales/${one.product_sales[0]}/refund`);
  const wrong = await run('product-sales', 'refund', one.internal_id, '--item', 'Grand Piano');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain(one.product_sales[0]);
  expect((await run('product-sales', 'refund', 'jane@example.com', '--item', name)).code).toBe(2);
  expect((await run('product-sales', 'refund', 'O-9999999')).code).toBe(2);
});
