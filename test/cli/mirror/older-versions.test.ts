/** @module-tag thorough */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/open.js';
import { familiesOfReport } from '../../../src/data/report/answer-report.js';
import { errorOf, home as newHome } from '../helpers.js';
import { Home } from '../program.js';

/* Mirrors that another version of the program has made: brought over by the next sync, or refused with the way out. */

let home: Home;
const run = (...words: string[]) => home.run(['-p', 'sandbox', ...words], { cwd: home.folder });

/** Changes the file as another version would have left it. */
async function altered(sql: string): Promise<void> {
  const database = await openDatabase({ file: path.join(home.folder, 'm.sqlite'), what: 'x', journal: 'delete' });
  database.exec(sql);
  database.close();
}

async function asked(sql: string): Promise<unknown[]> {
  const database = await openDatabase({ file: path.join(home.folder, 'm.sqlite'), what: 'x', readonly: true });
  try {
    return database.query(sql).all();
  } finally {
    database.close();
  }
}

/** What a report of refunds rests on. */
const LISTS = familiesOfReport('refunds').map((name) => name.replaceAll('_', '-'));

beforeAll(async () => {
  home = new Home();
  expect((await run('sync', 'm.sqlite', ...LISTS, '-q')).code).toBe(0);
});
afterAll(() => home.remove());

describe('a mirror of an older version', () => {
  it('whose indexes are others is read, and has those of this one after the next sync', async () => {
    const indexes = "SELECT name, sql FROM sqlite_master WHERE name GLOB '_asked_*' ORDER BY name";
    const before = await asked(indexes);
    expect(before.length).toBeGreaterThan(10);
    await altered('DROP INDEX _asked_raw_sales; DROP INDEX _asked_raw_pending_refunds');
    await altered('CREATE INDEX _asked_raw_pending_refunds ON raw_pending_refunds (status)');
    const refunds = () => run('report', 'refunds', '--from', '2020-01-02', '--mirror', 'm.sqlite', '-o', 'csv');
    const slow = await refunds();
    expect((await run('sync', 'm.sqlite', ...LISTS, '-q')).code).toBe(0);
    expect(slow).toMatchObject({ code: 0, stdout: (await refunds()).stdout });
    expect(await asked(indexes)).toEqual(before);
  });

  it('whose views are others, or lack a column that nobody has shown, gives the same report and stays as it is', async () => {
    const refunds = () => run('report', 'refunds', '--from', '2020-01-02', '--mirror', 'm.sqlite', '-o', 'csv');
    const before = await refunds();
    const views = await asked("SELECT name FROM sqlite_master WHERE type = 'view'");
    await altered((views as string[][]).map(([name]) => `DROP VIEW "${name}";`).join(' '));
    await altered('DROP INDEX _asked_raw_pending_refunds; ALTER TABLE raw_pending_refunds DROP COLUMN reason');
    await altered('CREATE VIEW refunds AS SELECT 1 AS id');
    const bytes = readFileSync(path.join(home.folder, 'm.sqlite'));
    expect(await refunds()).toMatchObject({ code: 0, stdout: before.stdout });
    expect(readFileSync(path.join(home.folder, 'm.sqlite')).equals(bytes)).toBe(true);
    expect((await run('sync', 'm.sqlite', ...LISTS, '-q')).code).toBe(0);
    expect(await refunds()).toMatchObject({ code: 0, stdout: before.stdout });
  });

  it.each([
    ['last', 0, /an older cops.*/, 'Sync into a new file'],
    ['next', 99, /a newer cops.*/, 'cops update'],
  ])('of the %s layout is refused with the way out, and left as it is', async (_which, layout, message, hint) => {
    await altered(`UPDATE _mirror SET value = '${layout}' WHERE name = 'layout'`);
    for (const words of [
      ['sql', 'select 1'],
      ['report', 'refunds'],
      ['sync', 'm.sqlite', 'pending-refunds'],
    ]) {
      const ran = await run(...words, ...(words[0] === 'sync' ? [] : ['--mirror', 'm.sqlite']), '-o', 'json');
      expect(ran).toMatchObject({ code: 11, stdout: '' });
      expect(errorOf(ran)).toMatchObject({
        message: expect.stringMatching(message),
        hint: expect.stringContaining(hint),
      });
    }
    await altered("UPDATE _mirror SET value = '1' WHERE name = 'layout'");
    expect((await run('sql', 'select 1', '--mirror', 'm.sqlite', '-q')).code).toBe(0);
  });
});

it('a file that is not a mirror is refused', async () => {
  const other = newHome();
  const file = path.join(other.folder, 'x.sqlite');
  const database = await openDatabase({ file, what: 'x', journal: 'delete' });
  database.exec('CREATE TABLE x (y)');
  database.close();
  const ran = await run('sql', 'select * from x', '--mirror', file, '-o', 'json');
  expect(ran).toMatchObject({ code: 11, stdout: '' });
  expect(errorOf(ran).message).toContain('is not a mirror');
});
