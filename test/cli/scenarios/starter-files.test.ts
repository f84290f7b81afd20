/** @module-tag thorough */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

/* The scenarios that `cops test --init` lays down are documentation, and hold. */

let home: Home;
let folder: string;
beforeAll(async () => {
  home = new Home();
  folder = path.join(home.folder, 'shop');
  expect((await home.run(['test', '--init', folder])).code).toBe(0);
});
afterAll(() => home.remove());

describe('the scenarios to begin with', () => {
  it('are twelve files, which are not laid down over others', async () => {
    expect(readdirSync(folder)).toHaveLength(12);
    expect((await home.run(['test', '--init', folder])).code).toBe(11);
    expect(readdirSync(folder)).toHaveLength(12);
  });

  it('all hold', async () => {
    const ran = await home.run(['test', folder, '-o', 'json'], { timeoutMs: 200_000 });
    const ends = JSON.parse(ran.stdout) as { name: string; status: string }[];
    expect(ends.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(ends.length).toBeGreaterThan(12);
    expect(ran.code).toBe(0);
  }, 240_000);

  it('hold for other data and other chances too', async () => {
    const ran = await home.run(['test', folder, '--seed', '7', '-o', 'json'], { timeoutMs: 200_000 });
    const ends = JSON.parse(ran.stdout) as { name: string; status: string }[];
    expect(ends.filter(({ status }) => status !== 'passed')).toEqual([]);
  }, 240_000);
});
