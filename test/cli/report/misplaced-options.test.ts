/** @module-tag sweep */
/** A report or a query in other words, as a file, of a mirror that is not named or not there: answered, or led to the line. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../fixtures/service/service.js';
import { FEW, laySandbox, SOME } from '../../harness/seeded.js';
import { errorOf, home, json, pair } from '../helpers.js';
import { Home } from '../program.js';
import { REPORT_FAMILIES } from '../report/families.js';
import { account, clock } from '../words/due-subscriptions.js';
import { homesOf } from '../words/seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const REPORTED = REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'));

const seeded = homesOf(SOME);

it('names the list that answers where a report has an option that no list has', async () => {
  const { home } = await pair(() => ok());
  const ran = await home.run(['report', 'shipping', '--quarter', '2026-Q3', '--explain', '-p', 'sandbox']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('cops -p sandbox shipping list --group-by status --sum amount --quarter 2026-Q3');
});

it.each([
  [['--html'], 'report retention --html retention.html'],
  [['--out', 'x.json'], 'report retention -o json > x.json'],
  [['--html', 'a.html', '--out', 'b.html'], 'One is enough'],
])('says what the page of a report needs: %j', async (options, hint) => {
  const ran = await home().run(['-p', 'sandbox', 'report', 'retention', ...options]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(hint);
});

it('creates the mirror that a report needs', { tags: ['thorough'] }, async () => {
  const { home } = await account();
  const ran = await home.run(['report', 'refunds', '-o', 'json'], { clock });
  expect(ran.stderr).toContain('as of');
  expect(json<{ report: string }>(ran).report).toBe('refunds');
  // A day that nobody has synced is not a day without refunds.
  const ahead = await home.run(['report', 'refunds', '--day', '2040-01-31', '-o', 'json'], { clock });
  expect(ahead.stderr).toContain('--day is read as --from 2040-01-31 --to 2040-01-31.');
  expect(ahead.stderr).toContain('before the period begins (2040-01-31T00:00:00Z)');
  expect(ahead.code).toBe(10);
});

describe('a report that is to become a file', () => {
  it.each([
    [['--out=my r.json', '--year', '2026'], "report revenue --year 2026 -o json > 'my r.json'"],
    [['--html', '--month', '2026-10'], 'report revenue --month 2026-10 --html revenue.html'],
  ])('%j is offered with all that was typed', async (options, line) => {
    const ran = await seeded().run([...SANDBOX, 'report', 'revenue', ...options]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`cops -p sandbox ${line}`);
  });

  it('is the journal of the close where that is asked for', async () => {
    const made = seeded();
    const run = (words: readonly string[]) => made.run([...SANDBOX, ...words], { cwd: made.folder });
    expect((await run(['sandbox', 'reset', '--size', '300', '--yes'])).code).toBe(0);
    expect((await run(['-q', 'sync', 'm.sqlite', ...REPORTED])).code).toBe(0);
    const line = ['--month', 'last', '--mirror', 'm.sqlite'];
    const journal = await run(['report', 'journal', ...line]);
    expect(journal.stderr).toContain('--journal hledger');
    expect(journal.stdout.split('\n').length).toBeGreaterThan(50);
    expect(journal.stdout).toBe((await run(['report', 'close', ...line, '--journal', 'hledger'])).stdout);
    const csv = await run(['report', 'ledger', ...line, '-o', 'csv']);
    expect(csv.stdout).toBe((await run(['report', 'close', ...line, '--journal', 'csv'])).stdout);
  });
});

describe('a question to a mirror that is not named', () => {
  let made: Home;
  const run = (words: readonly string[]) => made.run([...SANDBOX, ...words], { cwd: made.folder });
  beforeAll(async () => {
    made = new Home();
    await laySandbox(made.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
    expect((await run(['-q', 'sync', 'all.sqlite'])).code).toBe(0);
  });
  afterAll(() => made.remove());

  it('goes to the one that was synced last where the profile has none of its own', async () => {
    for (const words of [
      ['sql', 'select count(*) as n from customers'],
      ['report', 'revenue', '--month', 'last'],
    ]) {
      const ran = await run(words);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toMatch(/Using the mirror that was synced last: --mirror \S*all\.sqlite/);
    }
    // Another mode has none: what was synced in test is nothing to it.
    expect((await run(['--live', 'sql', 'select 1'])).code).toBe(11);
  });

  it('has the column named that is near, of all tables that a query asks', async () => {
    const wrong = await run(['sql', 'select emial, totl from customers']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('Did you mean "cops -p sandbox sql \'select email, totl from customers\'"?');
  });

  it.each([
    "select strftime('%Y-%m', date) as month, count(*) from payments group by 1",
    "select strftime('%Y-%m', created_date) as month, count(*) from customers group by 1",
    'select amount from payments',
    'select customer from payments',
    "select count(*) from customers where emial = 'emial'",
  ])('puts no other column in the place of the one that was asked: %s', async (query) => {
    const wrong = await run(['sql', query]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toContain('Did you mean');
    expect(wrong.stderr).toContain('--tables');
  });

  it('leads what is to come to the forecast', async () => {
    const due = await run(['report', 'due', '--next', '30d']);
    expect([due.code, due.stderr]).toEqual([0, expect.stringContaining('forecast')]);
    const other = await run(['report', 'mrr', '--next', '30d']);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('report forecast')]);
  });

  it('is answered by --yes, which makes it', async () => {
    const other = home();
    await laySandbox(other.env.COPS_DATA_DIR ?? '', Date.now(), FEW);
    const ran = await other.run([...SANDBOX, '--yes', 'sql', 'select count(*) as n from customers', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)[0].n).toBeGreaterThan(0);
  });
});

it('takes a file before a query for the mirror', async () => {
  const made = home();
  const file = path.join(made.folder, 'all.sqlite');
  const synced = await made.run([...SANDBOX, 'sync', file, 'products', 'coupons']);
  expect(synced.code, synced.stderr).toBe(0);
  expect(synced.stderr).toMatch(
    /Done: 2 lists with \d+ items are up to date in \S+all\.sqlite \(\d+ added, 0 changed, 0 gone; \d+ requests\)\./,
  );
  expect(synced.stderr).toContain(`To query it, use --mirror: cops -p sandbox sql --mirror ${file} --tables`);
  const ran = await made.run([...SANDBOX, 'sql', file, 'select count(*) as n from coupons', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`${file} is read as --mirror ${file}.`);
  expect(json(ran)).toEqual([{ n: expect.any(Number) }]);
  const quoted = await made.run([
    ...SANDBOX,
    'sql',
    '--mirror',
    file,
    'select id from coupons where coupon_code = "2026-10"',
  ]);
  expect(quoted.code).not.toBe(0);
  expect(quoted.stderr).toContain('Put texts in single quotes');
  expect(quoted.stderr).toContain("coupon_code = '\\''2026-10'\\''");
  // A file of this machine is read: no key is needed, and none asked for.
  const keyless = await made.run(['sql', '--mirror', file, 'select count(*) as n from coupons', '-o', 'json']);
  expect(keyless.code, keyless.stderr).toBe(0);
  expect(json(keyless)).toEqual(json(ran));
  const report = await made.run(['report', 'revenue', '--mirror', file, '--last', '1d']);
  expect(report.stderr).toContain(`From ${file}, test mode`);
  expect((await made.run(['sql', 'select 1'])).code).toBe(3);
  expect((await made.run(['-p', 'nobody', 'sql', '--mirror', file, 'select 1'])).code).not.toBe(0);
  const bare = await made.run([...SANDBOX, 'sql', 'select', '1']);
  expect(bare.code).toBe(2);
  expect(errorOf(await made.run([...SANDBOX, 'sql', 'select', '1', '-o', 'json'])).hint).toContain(
    'Put the query in quotes',
  );
});
