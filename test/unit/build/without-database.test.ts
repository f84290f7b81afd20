/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHouse } from '../../../scripts/house.mjs';
import { Home } from '../../harness/home.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

const home = new Home({ COPS_PROFILE: 'sandbox' });
let house: Awaited<ReturnType<typeof openHouse>>;

beforeAll(async () => {
  await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
  house = await openHouse(path.resolve(import.meta.dirname, '../../..'));
});
afterAll(async () => {
  await house.remove();
  home.remove();
});

it.each([
  ['-q sync ./m.sqlite sales'],
  ['sql', 'select count(*) from sales', '--no-sync'],
  ['report revenue --month last --yes'],
])('loads nothing of a database of a team while none is named: %s', async (line, ...more) => {
  const words = [...line.replace('.', home.folder).split(' '), ...more];
  const { files } = await house.run(words, home.env);
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file: string) => /postgres|mirror\/team\//.test(file))).toEqual([]);
});

it('is bundled with what a team alone loads', () => {
  const folder = path.resolve(import.meta.dirname, '../../../dist');
  const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const asks = chunks.filter((name) => /require\("\.\/postgres-/.test(readFileSync(path.join(folder, name), 'utf8')));
  expect(asks.length).toBeGreaterThan(0);
  expect(asks.filter((name) => !/^(open-team|team-replica)-/.test(name))).toEqual([]);
});

it.runIf(process.platform === 'linux')('loads SQLite without a report on the whole process', () => {
  const preload = path.join(home.folder, 'no-report.cjs');
  writeFileSync(preload, "process.report.getReport = () => { console.error('a report was asked for'); return {}; };\n");
  const program = path.resolve(import.meta.dirname, '../../../bin/cops.js');
  const { status, stderr } = spawnSync(process.execPath, ['--require', preload, program, 'sandbox', 'status'], {
    env: { ...process.env, ...home.env, COPS_DATA_DIR: path.join(home.folder, 'reported') },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('report')]);
});
