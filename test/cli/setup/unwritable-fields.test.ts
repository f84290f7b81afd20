/** @module-tag sweep */
import { describe, expect, it } from 'vitest';
import { errorOf, json } from '../helpers.js';
import type { Ran } from '../program.js';
import { sandboxHome } from './helpers.js';

const COPY = ['-p', 'sandbox', 'products', 'copy', 'Coffee Club', '--to', 'sandbox:live', '--yes'] as const;
const BOTH = ['--from', 'sandbox:test', '--to', 'sandbox:live'] as const;

interface Told {
  readonly cannot: readonly string[];
  readonly ids: Readonly<Record<string, string>>;
}

describe('what no write takes', () => {
  it('is named by every copy and by the difference, in data and in text, a line each', async () => {
    const { home, setup } = await sandboxHome('--live-data', 'empty');
    const fields = ['metadata', 'subscription_profile', 'shipping_attributes', 'third_party_shop'];
    const ran = await home.run([...COPY]);
    const first = json<Told>(ran);
    for (const line of first.cannot) expect(ran.stderr.replace(/\s+/g, ' ')).toContain(line);
    const id = first.ids['products/Coffee Club'] ?? '';
    const there = await home.run(['-p', 'sandbox', '--live', 'products', 'get', id, '-o', 'json']);
    expect(json(there)).toMatchObject({ id, name: 'Coffee Club' });
    for (const field of fields)
      expect(first.cannot).toContainEqual(expect.stringContaining(`products: ${field} of Coffee Club: left behind: `));
    const again = await home.run([...COPY]);
    expect(json<Told>(again).ids).toMatchObject({ 'products/Coffee Club': id });
    expect(again.stderr).toContain('has already everything that can be written');
    for (const field of fields)
      expect(json<Told>(again).cannot).toContainEqual(
        expect.stringContaining(`products: ${field} of Coffee Club: differs, and stays so: `),
      );
    const shown = await home.run([...COPY, '-o', 'table']);
    expect(shown.stdout).toContain(id);
    expect(shown.stderr).not.toContain('differs, and stays so');
    for (const field of fields)
      expect(shown.stdout).toMatch(new RegExp(`^ {2}products: ${field} of Coffee Club: `, 'm'));
    const diff = await setup('diff', ...BOTH, 'products', '-o', 'table');
    // What is made in two steps is one new object.
    const whole = await setup('diff', ...BOTH, '-o', 'table');
    expect(whole.stdout).toContain('  + Score order\n');
    expect(whole.stdout).not.toContain('~ Score order');
    expect(diff.stdout).toContain('  products: subscription_profile of Coffee Club: differs, and stays so: ');
    expect(diff.stdout.match(/\d+ to create/g)).toHaveLength(1);
    expect(diff.stderr).not.toMatch(/to create|plan:/);
  }, 120_000);

  it('is told by a pull as not in the files, and nothing of what has no such fields', async () => {
    const { home, setup } = await sandboxHome();
    const pulled = json<{ not_in_files: string[] }>(await setup('pull', 'shop', 'products'));
    expect(pulled.not_in_files).toContainEqual(
      expect.stringMatching(/^products: subscription_profile of Coffee Club.*: no write of a product takes it$/),
    );
    const text = await home.run(['-p', 'sandbox', 'setup', 'pull', 'shop', 'products', '-o', 'table'], {
      cwd: home.folder,
    });
    expect(text.stdout).toMatch(/^NOT IN FILES$/m);
    const whole = await setup('pull', 'whole');
    expect(whole.stderr).toMatch(
      /No file can hold keys and passwords, nor .*campaigns.*To see why: cops -p sandbox setup graph/s,
    );
    expect(text.stdout).toMatch(/^ {2}products: metadata of /m);
    expect(json(await setup('pull', 'shop', 'payment-profiles'))).toMatchObject({ not_in_files: [] });
  }, 60_000);

  it('does not differ where two accounts of the sandbox are alike', async () => {
    const { setup } = await sandboxHome();
    expect(json<Told>(await setup('diff', ...BOTH, 'products')).cannot).toEqual([]);
  }, 60_000);
});

describe('a picture that only one side has, or another one', () => {
  const image = (mode: string, name: string) =>
    ['-p', 'sandbox', mode, 'products', 'images', 'create', 'Gift Card', '--yes', '--no-strict-ids', '-d'].concat(
      `image_url=https://shop.example.com/${name}.png`,
    );

  it('is named by diff, by copy and by the plan of a folder, and none of them says that all is there', async () => {
    const { home, setup } = await sandboxHome();
    expect((await home.run(image('--test', 'g1'))).code).toBe(0);
    for (const there of [[], image('--live', 'g2')]) {
      if (there.length > 0) expect((await home.run(there)).code).toBe(0);
      const diff = await setup('diff', ...BOTH, 'products', '-o', 'table');
      expect(diff.stdout).toContain('  products: images of Gift Card: differs, and stays so: ');
      expect(diff.stdout).toContain('0 to create, 0 to edit, 0 to delete, 1 cannot be set.');
      expect(diff.stdout).toContain('(sandbox live now → as in sandbox test)');
      expect(diff).toMatchObject({ code: 0 });
      expect(diff.stderr).toMatch(/Compared: every object of products. Not compared: .*addresses of pictures/s);
      const copied = await home.run([
        ...['-p', 'sandbox', '--test', 'products', 'copy', 'Gift Card', '--to', 'sandbox:live'],
      ]);
      expect(copied.stderr).toContain('products: images of Gift Card: differs, and stays so: ');
      expect(copied.stderr).not.toContain('has it all already');
      expect((await setup('pull', 's', 'products', '--test')).code).toBe(0);
      expect(json<Told>(await setup('plan', 's', '--live')).cannot).toEqual([
        expect.stringContaining('products/Gift Card: image_url differs and can only be set when it is created: '),
      ]);
      expect(json<Told>(await setup('plan', 's', '--test')).cannot).toEqual([]);
    }
  }, 120_000);

  it('counts what only the other side has', async () => {
    const { home, setup } = await sandboxHome();
    const made = ['products', 'create', '--name', 'Only here', '--price', '1.00', '--yes'];
    expect((await home.run(['-p', 'sandbox', '--live', ...made])).code).toBe(0);
    const diff = await setup('diff', ...BOTH, 'products', '-o', 'table');
    expect(diff.stdout).toContain('0 to delete, 1 only in sandbox:live. Nothing to do.');
    expect(diff.code).toBe(13);
  }, 60_000);
});

it('gives the whole line that writes over what differs there', async () => {
  const { home } = await sandboxHome();
  const live = ['-p', 'sandbox', '--live', 'products', 'edit', 'Vitamin Plan', '-d', 'price=99.00', '--yes'];
  expect((await home.run([...live, '--no-strict-ids'])).code).toBe(0);
  const copied = await home.run([
    ...['-p', 'sandbox', 'products', 'copy', 'Vitamin Plan', '--to', 'sandbox:live', '-o', 'json'],
  ]);
  expect(copied.code).toBe(10);
  expect(errorOf(copied).hint).toBe(
    "The service's version stays. To overwrite it: cops -p sandbox products copy 'Vitamin Plan' --to sandbox:live -o json --overwrite-drift",
  );
}, 60_000);

describe('a copied product that stands in a group', () => {
  interface Group {
    readonly name: string;
    readonly products: readonly (string | { readonly id: string })[];
  }

  async function groupsOf(run: (...words: string[]) => Promise<Ran>) {
    const list = json<{ id: string }[]>(await run('product-groups', 'list', '-o', 'json'));
    const names = new Map(
      json<{ id: string; name: string }[]>(await run('products', 'list', '-o', 'json')).map((one) => [
        one.id,
        one.name,
      ]),
    );
    const groups = new Map<string, (string | undefined)[]>();
    for (const { id } of list) {
      const group = json<Group>(await run('product-groups', 'get', id, '-o', 'json'));
      groups.set(group.name, group.products.map((one) => names.get(typeof one === 'string' ? one : one.id)).sort());
    }
    return groups;
  }

  it('is put into it there, beside what is in it, and the group is made where there is none', async () => {
    const { home } = await sandboxHome('--live-data', 'empty');
    const test = (...words: string[]) => home.run(['-p', 'sandbox', ...words]);
    const live = (...words: string[]) => test('--live', ...words);
    const inTest = await groupsOf(test);
    const [name, members] = [...inTest].find(([, all]) => all.includes('Coffee Club') && all.length > 1) ?? ['', []];
    const other = members.find((one) => one !== 'Coffee Club') ?? '';
    const first = await home.run([...COPY]);
    expect(first.code, first.stderr).toBe(0);
    expect(json<Told>(first).cannot.join()).not.toContain('product_group');
    expect((await groupsOf(live)).get(name)).toEqual(['Coffee Club']);
    const plan = await test('products', 'copy', other, '--to', 'sandbox:live', '--dry-run', '-o', 'json');
    expect(json(plan)).toMatchObject({ summary: '1 to create, 1 to edit, 0 to delete', notes: [] });
    const second = await test('products', 'copy', other, '--to', 'sandbox:live', '--yes');
    expect(second.code, second.stderr).toBe(0);
    expect((await groupsOf(live)).get(name)).toEqual(['Coffee Club', other].sort());
    const again = await home.run([...COPY]);
    expect(json(again)).toMatchObject({ steps: 0, drift: [] });
    // What the list held there was never known here: a promotion does not write over it unasked.
    const promoted = json<{ drift: string[] }>(
      await test('setup', 'promote', ...BOTH, 'product-groups', 'products', '--yes', '-o', 'json'),
    );
    expect(promoted.drift).toEqual(members.length > 2 ? [`product-groups/${name}`] : []);
  }, 120_000);

  it('is named where its group is none of what is promoted or pulled', async () => {
    const { setup } = await sandboxHome('--live-data', 'empty');
    const line = expect.stringMatching(
      /^products: product_group of .*: left behind: put there with cops product-groups edit$/,
    );
    expect(json<Told>(await setup('diff', ...BOTH, 'products')).cannot).toContainEqual(line);
    expect(json<Told>(await setup('diff', ...BOTH, 'products', 'product-groups')).cannot).not.toContainEqual(line);
    const pull = async (...names: string[]) =>
      json<{ not_in_files: string[] }>(await setup('pull', `s${names.length}`, ...names)).not_in_files.join();
    expect(await pull('products')).toContain('put there with cops product-groups edit');
    expect(await pull('products', 'product-groups')).not.toContain('product_group');
  }, 120_000);
});
