import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { home as emptyHome } from '../helpers.js';
import { sandboxHome } from './helpers.js';

let before = 0;
beforeAll(() => {
  before = process.umask(0);
});
afterAll(() => {
  process.umask(before);
});

it('leaves the files of a set-up to be changed by their owner only, whatever the umask', async () => {
  const { folder, setup } = await sandboxHome();
  expect(await setup('pull', 's')).toMatchObject({ code: 0 });
  const open = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((name) => (lstatSync(name).mode & 0o022) !== 0);
  expect(open).toEqual([]);
});

it('follows no planted link to where a new file would be', async () => {
  const { home, folder, setup } = await sandboxHome();
  mkdirSync(folder);
  symlinkSync('../victim', path.join(folder, 'cops.setup.yaml'));
  expect(await setup('init', 's')).toMatchObject({ code: 0 });
  expect(readdirSync(home.folder)).not.toContain('victim');
});

it('writes a completion script that nobody else can change, through no link', async () => {
  const home = emptyHome({ SHELL: '/bin/bash' });
  const victim = path.join(home.folder, 'victim');
  writeFileSync(victim, 'precious');
  const installed = await home.run(['completion', 'install', 'fish']);
  expect(installed.code, installed.stderr).toBe(0);
  const script = readdirSync(home.folder, { recursive: true, withFileTypes: true }).find(
    ({ name }) => name === 'cops.fish',
  );
  const file = path.join(script?.parentPath ?? '', 'cops.fish');
  expect(lstatSync(file).mode & 0o022).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n/, '\n# older\n'));
  symlinkSync(victim, `${file}.new`);
  expect(await home.run(['completion', 'install', 'fish'])).toMatchObject({ code: 0 });
  expect(readFileSync(victim, 'utf8')).toBe('precious');
});
