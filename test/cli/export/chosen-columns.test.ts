/** @module-tag thorough */
/** Columns that an export chooses are checked as those of a list are, before a row is written. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import readXlsx from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, json } from '../helpers.js';
import { Home } from '../program.js';

let cops: Home;
beforeAll(() => {
  cops = new Home({ COPS_PROFILE: 'sandbox' });
});
afterAll(() => cops.remove());

const exported = (file: string, columns: string, ...more: string[]) =>
  cops.run(['export', 'transactions', '--last', '60d', '--out', file, '--columns', columns, ...more], {
    cwd: cops.folder,
  });
const fileOf = (name: string) => path.join(cops.folder, name);

describe('columns of an export', () => {
  it('are the words of lists, and what the items carry themselves', async () => {
    const ran = await exported('words.csv', 'id,created,amount,customer.email', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    const [head, ...rows] = readFileSync(fileOf('words.csv'), 'utf8').trim().split('\n');
    expect(head).toBe('id,created_date_unix,amount,customer.email');
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(row).toMatch(/^\w{20},\d{4}-\d\d-\d\dT[^,]+,[\d.]+,\S+@\S+$/);
    // The columns are those of the file: what is said about it is whole.
    expect(json(ran)).toMatchObject({ out: 'words.csv', items: rows.length, complete: true });
  });

  it('name a time with and without its unit, as those of a list do', async () => {
    const ran = await exported('times.csv', 'id,created_date');
    expect(ran.code, ran.stderr).toBe(0);
    expect(readFileSync(fileOf('times.csv'), 'utf8')).toMatch(/^id,created_date_unix\n\w+,2\d{3}-/);
    const list = await cops.run(['transactions', 'list', '--last', '60d', '--columns', 'id,created_date', '-o', 'csv']);
    expect(list.stdout, list.stderr).toMatch(/^id,created_date_unix\n\w+,2\d{3}-/);
  });

  it.each([
    ['a.csv', 'id,nonsense'],
    ['b.tsv', 'id,emial'],
    ['c.xlsx', 'id,amout'],
    ['-', 'id,nonsense'],
  ])('that no item has are refused before anything is written: %s %s', async (file, columns) => {
    const ran = await exported(file, columns, ...(file === '-' ? ['--format', 'csv'] : []));
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain(`"${columns.split(',')[1]}"`);
    expect(ran.stderr).toMatch(/The nearest (is|are)|It has/);
    if (file === '-') return;
    expect(existsSync(fileOf(file))).toBe(false);
    // The line put right is no other export that was begun.
    const right = await exported(file, 'id,amount');
    expect(right.code, right.stderr).toBe(0);
  });

  it('of other lists lead to the line that reads them', async () => {
    const refused = await exported('far.csv', 'id,amount,sale.internal_id', '-o', 'json');
    expect(refused.code, refused.stderr).toBe(2);
    expect(errorOf(refused).hint).toBe(
      'cops transactions list --last 60d --columns id,amount,sale.internal_id -o csv > far.csv',
    );
    const shown = await cops.run(
      ['transactions', 'list', '--last', '60d', '--columns', 'id,amount,sale.internal_id', '-o', 'csv'],
      { cwd: cops.folder },
    );
    expect(shown.code, shown.stderr).toBe(0);
  });

  it('go into a workbook in their order, alone', async () => {
    const ran = await exported('chosen.xlsx', 'amount,id,created');
    expect(ran.code, ran.stderr).toBe(0);
    const [sheet] = (await readXlsx(fileOf('chosen.xlsx'))) as unknown as { data: unknown[][] }[];
    const [head, first] = sheet?.data ?? [];
    expect(head).toEqual(['amount', 'id', 'created_date']);
    expect(first).toHaveLength(3);
  });

  it.each(['whole.parquet', 'whole.sqlite', 'whole.jsonl', 'whole/'])(
    'do not go with a format that holds every field, which names the way: %s',
    async (file) => {
      const refused = await exported(file, 'id,amount', '-o', 'json');
      expect(refused.code).toBe(2);
      expect(errorOf(refused).hint).toContain(
        'cops export transactions --last 60d --columns id,amount -o json --out whole.csv',
      );
    },
  );
});
