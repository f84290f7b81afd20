/** What is called as something that is there already is told before it is made. */
import { expect, it } from 'vitest';
import { FEW } from '../harness/seeded.js';
import { homesOf } from './words/seeded-homes.js';

const seeded = homesOf(FEW);
const SANDBOX = ['-p', 'sandbox'];

it('says it of a product, a coupon, a group and a template, and makes what the service takes', async () => {
  const home = seeded();
  const make = (...line: string[]) => home.run([...SANDBOX, ...line], { terminal: 200 });
  const group = ['customer-groups', 'create', '--name', 'Old friends'];
  const first = await make(...group);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).not.toContain('is taken');
  const second = await make(...group);
  expect(second.code).toBe(0);
  expect(second.stderr).toMatch(
    /"Old friends" is taken in customer-groups \(this makes another one\): cops -p sandbox customer-groups get \w{20}/,
  );
  const product = await make('products', 'create', '--name', 'Coffee Club', '--price', '9', '--sku', 'NEW-SKU-1');
  expect(product.stderr).toContain('"Coffee Club" is taken in products');
  const coupon = await make('coupons', 'create', '-d', 'code=OLD2020', '-d', 'coupon_profile=Season');
  expect(coupon.stderr).toContain('"OLD2020" is taken in coupons (the service takes each once)');
  expect(coupon.code).toBe(1);
});
