/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

/* `--coverage`: what of a set-up no scenario touched. */

let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const SETUP = {
  'cops.setup.yaml': 'version: 1\n',
  'products/mug.yaml': 'name: Mug\nprice: 8\n',
  'products/club.yaml': 'name: Club\nprice: 20\n',
  'products/ticket.yaml': 'name: Ticket\nprice: 5\n',
  'key-values/token.yaml': 'key: token\nkey_type: string\nvalue: plain\n',
};

function lay(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home.folder, 'shop', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

describe('cops test --coverage', () => {
  it('names the objects that nothing was done with, over all scenarios', async () => {
    lay({
      ...SETUP,
      'a.test.yaml': 'version: 1\nsteps: [{ run: products get Mug }]\n',
      'b.test.yaml': 'version: 1\nsteps: [{ expect: [{ list: products, where: [name=Club] }] }]\n',
    });
    const folder = path.join(home.folder, 'shop');
    const line = ['test', folder, '--setup', folder, '--coverage', '-o', 'json'];
    const ran = await home.run(line);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('2 of 4');
    expect(ran.stderr).toContain('key-values/token');
    expect(ran.stderr).toContain('products/Ticket');
    const [a, b] = JSON.parse(ran.stdout) as { coverage: { touched: string[]; untouched: string[] } }[];
    expect(a?.coverage.touched).toEqual(['products/Mug']);
    expect(b?.coverage.touched).toEqual(['products/Club']);
    const parts = await home.run([...line, '--jobs', '2'], { runAgain: (words) => home.run(words) });
    expect(parts.stderr).toContain(ran.stderr.slice(ran.stderr.indexOf('Touched')));
  });

  it('has nothing to tell without a set-up', async () => {
    lay({ 'a.test.yaml': 'version: 1\nsteps: [{ run: projects list }]\n' });
    const ran = await home.run(['test', path.join(home.folder, 'shop'), '--coverage', '-o', 'json']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('--coverage');
  });
});
