/** @module-tag thorough */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/open.js';
import { FAMILY_INDEX } from '../../src/catalogue/index.js';
import { serveSandbox } from '../../src/sandbox/serve/index.js';
import { databaseFile } from '../../src/sandbox/store/open-store.js';
import { errorOf } from '../cli/helpers.js';
import { Home } from '../harness/home.js';
import { FEW, laySandbox } from '../harness/seeded.js';
import { call, type Json, TEST_KEY } from './service.js';

let home: Home;
let served: { url: string; close(): Promise<void> } | undefined;
const dataDir = () => String(home.env.COPS_DATA_DIR);
beforeEach(async () => {
  home = new Home();
  await laySandbox(dataDir(), Date.now(), FEW);
});
afterEach(async () => {
  await served?.close();
  served = undefined;
  home.remove();
});

const snapshot = (...words: string[]) => home.run(['sandbox', 'snapshot', ...words, '-o', 'json']);
const status = async (): Promise<Json> => JSON.parse((await home.run(['sandbox', 'status', '-o', 'json'])).stdout);

/** Every list of every family, in both modes, as the service shows it. */
async function allLists(url: string): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const { name } of FAMILY_INDEX) {
    if (name === 'api_calls') continue;
    const now = Math.floor(Date.now() / 1000);
    const ends = { date_start: String(now - 80 * 86_400), date_end: String(now + 60), limit: '25', page: '1' };
    for (const query of [ends, { limit: '25', page: '1' }]) {
      const answer = await call(`${url}/${name}?${new URLSearchParams(query)}`, { headers: { 'x-api-key': TEST_KEY } });
      const { api_call_id: _id, api_call_unix: _unix, ...rest } = answer.body;
      if (answer.status === 200) seen[`${name} ${Object.keys(query).length}`] = JSON.stringify(rest);
    }
  }
  return seen;
}

const post = (url: string, to: string, body: unknown) =>
  call(`${url}${to}`, { method: 'POST', headers: { 'x-api-key': TEST_KEY }, body: JSON.stringify(body) });

describe('a snapshot of the sandbox', () => {
  it('sets items, keys, what waits and the clock back, while the sandbox serves', async () => {
    served = await serveSandbox({ dataDir: dataDir(), port: 0, now: Date.now, random: Math.random });
    const { url } = served;
    const lists = await allLists(url);
    expect(Object.keys(lists).length).toBeGreaterThan(40);
    const before = await status();
    expect((await snapshot('save', 'begin')).code).toBe(0);

    expect((await post(url, '/projects', { name: 'made since' })).status).toBe(200);
    await home.run(['sandbox', 'keys', 'add', 'since']);
    await home.run(['sandbox', 'clock', 'advance', '20d']);
    const moved = await allLists(url);
    expect(moved).not.toEqual(lists);

    const file = path.join(dataDir(), 'sandbox.sqlite');
    const { ino } = statSync(file);
    const back = await snapshot('restore', 'begin');
    expect(back).toMatchObject({ code: 0 });
    expect(statSync(file).ino).toBe(ino);
    expect(await allLists(url)).toEqual(lists);
    const after = await status();
    expect(after.keys).toEqual(before.keys);
    expect(Math.abs(after.clock_offset_seconds)).toBeLessThan(3600);
    // What happened before happens again: nothing that waited is lost.
    await home.run(['sandbox', 'clock', 'advance', '20d']);
    expect((await status()).items.subscription_renewals).not.toEqual(before.items.subscription_renewals);
  });

  it('is restored by a copy of its file while nobody has the sandbox open', { tags: ['process'] }, async () => {
    // A closed database may stay open in this process for a while.
    const folder = path.join(home.folder, 'apart');
    cpSync(dataDir(), folder, { recursive: true });
    const env = { COPS_DATA_DIR: folder };
    const cops = async (...words: string[]) => {
      const ran = await home.spawn([...words, '-q'], { env });
      expect(ran.code, ran.stderr).toBe(0);
      return ran.stdout;
    };
    const lists = async () => [
      await cops('-p', 'sandbox', 'subscriptions', 'list', '--all', '-o', 'jsonl'),
      await cops('-p', 'sandbox', 'projects', 'list', '--all', '-o', 'jsonl'),
      await cops('sandbox', 'keys', 'list', '-o', 'json'),
    ];
    const file = path.join(folder, 'sandbox.sqlite');
    const before = await lists();
    const now = () => cops('sandbox', 'status', '-o', 'json').then((text) => JSON.parse(text).now);
    await cops('sandbox', 'snapshot', 'save', 'begin');
    await cops('sandbox', 'clock', 'advance', '40d');
    await cops('sandbox', 'keys', 'add', 'since');
    expect(await lists()).not.toEqual(before);
    const { ino } = statSync(file);
    await cops('sandbox', 'snapshot', 'restore', 'begin');
    expect(statSync(file).ino).not.toBe(ino);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await lists()).toEqual(before);
    expect(Math.abs(Date.parse(await now()) - Date.now())).toBeLessThan(86_400_000);
    await cops('-p', 'sandbox', 'projects', 'create', '--name', 'made later');
    await cops('sandbox', 'clock', 'advance', '40d');
    // Who opens it while it is replaced works on the new one.
    const many = ['a', 'b', 'c'].flatMap((name) => [
      cops('sandbox', 'snapshot', 'restore', 'begin'),
      cops('-p', 'sandbox', 'projects', 'create', '--name', name),
    ]);
    await Promise.all(many);
    expect(readdirSync(folder).filter((one) => /draft|journal/.test(one))).toEqual([]);
  });

  it('gives the clock as it was at the save, however long ago that was', async () => {
    const day = 86_400_000;
    await snapshot('save', 'now');
    const clock = { now: () => Date.now() + 3 * day, sleep: async () => {} };
    const ran = await home.run(['sandbox', 'snapshot', 'restore', 'now', '-o', 'json'], { clock });
    expect(Math.abs(Date.parse(JSON.parse(ran.stdout).now) - Date.now())).toBeLessThan(day / 2);
  });

  it('is listed, replaced and removed, and is its owner’s only', async () => {
    await snapshot('save', 'one');
    await snapshot('save', 'one');
    const [only, ...others] = JSON.parse((await snapshot('list')).stdout);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'one' });
    expect(statSync(only.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(only.file))).toEqual(['one.sqlite']);
    expect((await snapshot('remove', 'one')).code).toBe(0);
    expect(existsSync(only.file)).toBe(false);
  });

  it.each(['../out', '.hidden', 'a/b', '', 'x'.repeat(70), 'dot.'])('takes no name such as %j', async (name) => {
    for (const action of ['save', 'restore', 'remove']) expect((await snapshot(action, name)).code).toBe(2);
    expect(existsSync(path.join(dataDir(), 'snapshots'))).toBe(false);
  });

  it('leaves the sandbox as it is where the snapshot is missing, damaged or of another version', async () => {
    await snapshot('save', 'good');
    const file = path.join(dataDir(), 'snapshots', 'bad.sqlite');
    const digest = async () =>
      createHash('sha256')
        .update(JSON.stringify((await status()).items))
        .digest('hex');
    const before = await digest();
    expect((await snapshot('restore', 'none')).code).toBe(2);
    writeFileSync(file, 'no database at all');
    expect((await snapshot('restore', 'bad')).code).toBe(11);
    writeFileSync(file, '');
    expect((await snapshot('restore', 'bad')).code).toBe(11);
    expect(await digest()).toBe(before);
  });

  it.each([
    ['of another version', "UPDATE meta SET value = '9999' WHERE name = 'schema'"],
    ['without a clock', "DELETE FROM meta WHERE name = 'snapshot_clock'"],
    ['whose clock is no number', "UPDATE meta SET value = 'soon' WHERE name = 'snapshot_clock'"],
    ['whose clock is beyond all days', "UPDATE meta SET value = '1e300' WHERE name = 'snapshot_clock'"],
    ['that lacks a table', 'DROP TABLE items'],
    ['with one more column', 'ALTER TABLE items ADD COLUMN more TEXT'],
    ['with its columns in another order', 'DROP TABLE meta; CREATE TABLE meta (value TEXT, name TEXT)'],
    ['with a view in the place of a table', 'ALTER TABLE due RENAME TO due0; CREATE VIEW due AS SELECT * FROM due0'],
  ])('takes nothing of a file %s, and says so', async (_what, change) => {
    await snapshot('save', 'bad');
    const file = path.join(dataDir(), 'snapshots', 'bad.sqlite');
    const other = await openDatabase({ file, what: 'The snapshot', journal: 'delete' });
    other.exec(change);
    other.close();
    const before = await status();
    const ran = await snapshot('restore', 'bad');
    expect(ran.code, ran.stderr).toBe(11);
    expect(errorOf(ran).message).toContain(file);
    expect((await status()).items).toEqual(before.items);
  });

  it('takes nothing of a file whose pages are damaged, or that is the sandbox itself', async () => {
    await snapshot('save', 'bad');
    const file = path.join(dataDir(), 'snapshots', 'bad.sqlite');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length >> 1));
    const before = await status();
    expect((await snapshot('restore', 'bad')).code).toBe(11);
    rmSync(file);
    linkSync(databaseFile(dataDir()), file);
    expect((await snapshot('restore', 'bad')).code).toBe(11);
    expect((await status()).items).toEqual(before.items);
  });
});
