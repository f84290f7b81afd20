/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

/* `setup rename`: the object, and all that refers to it. */

let home: Home;
const shop = () => path.join(home.folder, 'shop');
const file = (name: string) => path.join(shop(), name);
const rename = (...words: string[]) => home.run(['setup', 'rename', shop(), ...words, '-o', 'json']);

beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  await home.run(['setup', 'pull', shop()]);
});
afterEach(() => home.remove());

it('changes the object and every reference, and the service follows without a new object', async () => {
  const before = readFileSync(file('products/coffee-club.yaml'), 'utf8');
  writeFileSync(file('products/coffee-club.yaml'), `# Ours\n${before}`);
  const ran = await rename('products', 'Coffee Club', 'Tea: "Club"');
  expect(ran.code).toBe(0);
  const files = (JSON.parse(ran.stdout) as { file: string }[]).map((row) => row.file);
  expect(files).toContain('products/coffee-club.yaml');
  expect(files.length).toBeGreaterThan(1);
  const own = readFileSync(file('products/coffee-club.yaml'), 'utf8');
  expect(own.startsWith('# Ours\n')).toBe(true);
  expect(own).toContain('_was: Coffee Club\n');
  for (const name of files) expect(readFileSync(file(name), 'utf8')).not.toContain('ref: products/Coffee Club');
  expect((await home.run(['setup', 'check', shop()])).code).toBe(0);
  const count = async () => (await home.run(['products', 'list', '--query', 'length(@)', '-o', 'json'])).stdout;
  const products = await count();
  expect((await home.run(['setup', 'apply', shop(), 'products', '--yes', '-o', 'json'])).code).toBe(0);
  expect(await count()).toBe(products);
  expect((await home.run(['products', 'get', 'Tea: "Club"', '-o', 'json'])).code).toBe(0);
}, 60_000);

it.each([
  ['a family that no set-up holds', ['sales', 'A', 'B']],
  ['a name that is not there', ['products', 'None', 'B']],
  ['a name that another one has', ['products', 'Coffee Club', 'Ceramic Mug']],
  ['an empty name', ['products', 'Coffee Club', ' ']],
])('refuses %s, and changes nothing', async (_about, words) => {
  const before = readFileSync(file('products/coffee-club.yaml'), 'utf8');
  expect((await rename(...words)).code).toBe(2);
  expect(readFileSync(file('products/coffee-club.yaml'), 'utf8')).toBe(before);
});
