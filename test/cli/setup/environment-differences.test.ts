/** @module-tag sweep */
/** Two environments compared: in whatever words, all that differs, and what is not compared. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { home } from '../helpers.js';
import { Home } from '../program.js';

const SANDBOX = ['-p', 'sandbox'];

const shop = new Home();
afterAll(() => shop.remove());

it.each([
  [['diff', 'test', 'live', 'products']],
  [['compare', 'sandbox:test', 'sandbox:live', 'products']],
  [['setup', 'diff', 'products']],
  [['setup', 'diff']],
])('%j compares test with live, and says above all what it compares', async (line) => {
  const made = home();
  const ran = await made.run([...SANDBOX, ...line]);
  expect([0, 13], ran.stderr).toContain(ran.code);
  expect(ran.stdout).toContain('"mode":"live"');
  const isWhole = line.at(-1) === 'diff';
  expect(/^Compared: every object of \d+ families\. Not compared: keys and passwords/m.test(ran.stderr)).toBe(isWhole);
});

it('prints what docs/setup.md says, as a difference and as a promotion', async () => {
  const page = readFileSync('docs/setup.md', 'utf8');
  const between = ['--from', 'sandbox:test', '--to', 'sandbox:live', '-o', 'json'];
  for (const action of ['diff', 'promote']) {
    const ran = await home().run(['setup', action, ...between]);
    const names = Object.keys(JSON.parse(ran.stdout) as object);
    expect(names).toContain(action === 'diff' ? 'from' : 'done');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  }
});

it('shows differences as what was asked for, and no error', async () => {
  const made = home();
  const line = [...SANDBOX, 'setup', 'diff', '--from', 'sandbox:test', '--to', 'sandbox:live'];
  const ran = await made.run([...line, '-o', 'table']);
  expect(ran.code).toBe(13);
  expect(ran.stderr).toContain('Differences found');
  expect(ran.stderr).not.toContain('Error:');
});

it('names what differs between two environments though nothing tells whether a write takes it', async () => {
  const diff = async () => {
    const ran = await shop.run([...SANDBOX, 'setup', 'diff', 'sandbox:test', 'sandbox:live'], { terminal: 120 });
    expect(ran.stderr).toMatch(
      /Not compared: keys and passwords, which no answer shows, .* nor .*campaigns.*project-notes/s,
    );
    return ran.stdout;
  };
  expect(await diff()).not.toContain('max_uses of SAVE10');
  await shop.run([...SANDBOX, 'coupons', 'edit', 'SAVE10', '-d', 'max_uses:=999']);
  await shop.run([...SANDBOX, 'user-shops', 'edit', 'Corner Shop', '-d', 'enabled:=false']);
  const found = await diff();
  expect(found).toContain('coupons: max_uses of SAVE10: differs, and stays so');
  expect(found).toContain('user-shops: enabled of Corner Shop: differs, and stays so');
  const folder = path.join(shop.folder, 'shop');
  const pulled = await shop.run([...SANDBOX, 'setup', 'pull', folder, '-o', 'json']);
  expect(JSON.parse(pulled.stdout).not_in_files.join('\n')).toContain('coupons: max_uses of');
});
