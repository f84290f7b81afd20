/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { errorOf, json } from '../helpers.js';
import { sandboxHome } from './helpers.js';

const COPY = ['-p', 'sandbox', 'products', 'copy', 'Coffee Club', '--to', 'sandbox:live', '--yes'] as const;
const BOTH = ['--from', 'sandbox:test', '--to', 'sandbox:live'] as const;

interface Told {
  readonly cannot: readonly string[];
}

describe('what no write takes', () => {
  it('is named by every copy and by the difference, in data and in text, a line each', async () => {
    const { home, setup } = await sandboxHome('--live-data', 'empty');
    const fields = ['metadata', 'subscription_profile', 'shipping_attributes', 'third_party_shop'];
    const first = json<Told>(await home.run([...COPY]));
    for (const field of fields)
      expect(first.cannot).toContainEqual(expect.stringContaining(`products: ${field} of Coffee Club: left behind: `));
    const again = await home.run([...COPY]);
    expect(again.stderr).toContain('has already all of it that can be written');
    for (const field of fields)
      expect(json<Told>(again).cannot).toContainEqual(
        expect.stringContaining(`products: ${field} of Coffee Club: differs, and stays so: `),
      );
    const shown = await home.run([...COPY, '-o', 'table']);
    for (const field of fields)
      expect(shown.stdout).toMatch(new RegExp(`^ {2}products: ${field} of Coffee Club: `, 'm'));
    const diff = await setup('diff', ...BOTH, 'products', '-o', 'table');
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
    expect(text.stdout).toMatch(/^ {2}products: metadata of /m);
    expect(json(await setup('pull', 'shop', 'payment-profiles'))).toMatchObject({ not_in_files: [] });
  }, 60_000);

  it('does not differ where two accounts of the sandbox are alike', async () => {
    const { setup } = await sandboxHome();
    expect(json<Told>(await setup('diff', ...BOTH, 'products')).cannot).toEqual([]);
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
    "What is there stays as it is. To write over it: cops -p sandbox products copy 'Vitamin Plan' --to sandbox:live -o json --overwrite-drift",
  );
}, 60_000);
