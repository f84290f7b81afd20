/** @module-tag sweep */
/** Lines of runs over many rows: in another order, with another kind of file, and those that go on after a stop. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { id, ok, refusal } from '../../fixtures/service/service.js';
import { SOME } from '../../harness/seeded.js';
import { A, B, errorOf, home, json, pair } from '../helpers.js';
import { Home } from '../program.js';
import { homesOf } from '../words/seeded-homes.js';

const SANDBOX = ['-p', 'sandbox'];

const shop = new Home();
afterAll(() => shop.remove());

const seeded = homesOf(SOME);

describe('a bulk run', () => {
  it.each([
    [['bulk', 'cancel', 'subscriptions', 'two.csv'], 'cops bulk subscriptions cancel two.csv'],
    [['bulk', 'retry', 'run.journal'], 'cops bulk retry-failed run.journal'],
    [['subscriptions', 'cancel', '--csv', 'two.csv'], 'cops bulk subscriptions cancel --csv two.csv'],
    [['bulk', 'nothing', 'rows.tsv'], 'cops bulk subscriptions suspend --input rows.tsv'],
  ])('that is said in another order has its line: %j', async (line, hint) => {
    const ran = await home().run(line);
    expect([ran.code, ran.stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(hint)]);
  });

  it('is accepted if the family comes first', async () => {
    const ran = await home().run([...SANDBOX, 'subscriptions', 'bulk', 'cancel', 'none.csv']);
    expect(ran.stderr).toContain('subscriptions bulk is read as bulk subscriptions.');
    expect(ran.stderr).toContain('none.csv is read as --input none.csv.');
    expect(ran.code).toBe(11);
  });
});

it('says how a table with a header is read where bare ids are expected', async () => {
  const place = home();
  for (const text of ['id\n', 'subscription_id\n', `id,why\n${A},x\n`]) {
    const file = path.join(place.folder, 'cancel.csv');
    writeFileSync(file, text);
    const ran = await place.run([...SANDBOX, 'bulk', 'subscriptions', 'cancel', '--ids', file]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('with a header, use --input');
  }
});

it('shows in a dry run of many whole addresses, and keys only in short', async () => {
  const made = home();
  const ran = await made.run([...SANDBOX, 'subscriptions', 'suspend', A, A.replace(/.$/, 'x'), '--dry-run'], {
    terminal: 110,
  });
  expect(ran.stdout, ran.stderr).toContain(`/subscriptions/${A}/suspend`);
  expect(ran.stdout).toMatch(/idempotency_key: [0-9a-f]{8}…/);
});

it('names the columns that are not sent because no field of the action is documented', async () => {
  const made = seeded();
  const id = 'AAAAAAAAAAAAAAAAAAA1';
  writeFileSync(path.join(made.folder, 'rows.csv'), `id,why\n${id},a@example.com\n`);
  const line = ['bulk', 'subscriptions', 'cancel', '--input', path.join(made.folder, 'rows.csv'), '--dry-run'];
  const ran = await made.run([...SANDBOX, ...line]);
  expect(ran.stderr).toContain('no field of this action is documented: why.');
});

it('does not offer to send rows again whose ids the service does not know', async () => {
  const { home } = await pair((request) =>
    request.method === 'POST' ? refusal(404, 'E0404') : ok({ id: A, live_mode: false }),
  );
  const [file, journal] = [path.join(home.folder, 'ids.txt'), path.join(home.folder, 'j')];
  writeFileSync(file, `${A}\n${B}\n`);
  const run = ['bulk', 'subscriptions', 'suspend', '--ids', file, '--journal', journal, '--yes', '-o', 'json'];
  const resume = ['bulk', 'resume', journal, '-o', 'json'];
  for (const line of [run, resume]) {
    const ran = await home.run(line);
    expect(ran.code).not.toBe(0);
    expect(errorOf(ran).hint).toContain('does not know the ids of the refused rows');
    expect(errorOf(ran).hint).not.toContain('retry-failed');
    expect(json<{ next: string[] }>(ran).next).toEqual([]);
  }
  expect(json<{ next: string[] }>(await home.run(['bulk', 'status', journal, '-o', 'json'])).next).toEqual([]);
});

it('names the journal that is not at its end, and says what became of rows in flight', async () => {
  const { home } = await pair(() => refusal(400, 'no'));
  const ids = Array.from({ length: 6 }, (_, at) => A.replace(/.$/, String(at)));
  const line = ['subscriptions', 'suspend', ...ids, '--max-failures', '2', '--concurrency', '1', '--yes'];
  const ran = await home.run([...line, '-o', 'table']);
  expect(ran.stderr).toContain(
    'stopped after too many failures (rows in flight were finished); 0 done, 2 refused, 4 not started',
  );
  const hint = errorOf(await home.run(['bulk', 'resume', '-o', 'json'])).hint ?? '';
  expect(hint).toMatch(/^Did you mean "cops bulk resume \S+\.journal --max-failures 2"\?$/);
  expect((await home.run(['bulk', 'status', /resume (\S+)/.exec(hint)?.[1] ?? ''])).code).toBe(0);
});

describe('bulk resume without a journal', () => {
  const IDS = [1, 2, 3].map((n) => id(`SUB${n}`));

  /** A run of three rows that stopped after the first failure. */
  async function stopped() {
    const now = { fails: true };
    const { home: own } = await pair(({ method }) => {
      if (method === 'GET') return ok({ id: IDS[0], live_mode: false });
      return now.fails ? refusal(404, 'E0001', 'no such') : ok({ result: 'success' });
    });
    const ids = path.join(own.folder, 'ids.txt');
    writeFileSync(ids, IDS.join('\n'));
    const start = ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--concurrency', '1', '--max-failures', '1'];
    const begin = async () => own.run([...start, '--again']);
    expect((await begin()).stderr).toContain('cops bulk resume');
    now.fails = false;
    return { own, begin, now };
  }

  it('takes the only one that is not at its end, for a person, and names it', async () => {
    const { own } = await stopped();
    const ran = await own.run(['bulk', 'resume'], { terminal: 100 });
    expect(ran.stderr).toMatch(/The only unfinished journal:\S*\s.*\.journal/);
    const [row] = JSON.parse((await own.run(['bulk', 'list', '-o', 'json'])).stdout) as object[];
    expect(row).toMatchObject({ done: 2, refused: 1, not_started: 0 });
  });

  it('names the line and does nothing in a script, and where there are two', async () => {
    const { own, begin, now } = await stopped();
    const script = await own.run(['bulk', 'resume']);
    expect([script.code, script.stderr]).toEqual([2, expect.stringContaining('Did you mean "cops bulk resume ')]);
    now.fails = true;
    await begin();
    const two = await own.run(['bulk', 'resume'], { terminal: 100 });
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('1 more is unfinished')]);
  });
});

it('names the profile in the lines that resume a run', async () => {
  const ids = path.join(shop.folder, 'ids.txt');
  writeFileSync(ids, ['A', 'B', 'C'].map((one) => id(one)).join('\n'));
  const bulk = ['bulk', 'subscriptions', 'cancel', '--ids', ids, '--concurrency', '1', '--max-failures', '1'];
  const ran = await shop.run([...SANDBOX, ...bulk]);
  expect(ran.stderr).toContain('cops -p sandbox bulk resume ');
  const bare = await shop.run(['bulk', 'resume']);
  expect(bare.stderr).toContain('Did you mean "cops -p sandbox --test bulk resume ');
  const [row] = JSON.parse((await shop.run(['bulk', 'list', '-o', 'json'])).stdout) as { journal: string }[];
  const limited = await shop.run(['bulk', 'list', '--limit', '1', '-o', 'json']);
  expect(JSON.parse(limited.stdout)).toHaveLength(1);
  expect((await shop.run(['bulk', 'subscriptions', 'cancel', 'x', '--limit', '1'])).code).toBe(2);
  const status = await shop.run(['bulk', 'status', row?.journal ?? '', '-o', 'json']);
  expect(JSON.parse(status.stdout).next[0]).toMatch(/^cops -p sandbox --test bulk resume /);
  expect(row).toMatchObject({ failed: 1 });
});

it('leads a file of rows for a single write to the run over many', async () => {
  const ran = await shop.run([...SANDBOX, 'subscriptions', 'cancel', '--input', 'rows.csv']);
  expect(ran.stderr).toContain('Did you mean "cops -p sandbox bulk subscriptions cancel --input rows.csv"?');
});

it('sends nothing of what items show where an action has no fields that are known', async () => {
  const rows = path.join(shop.folder, 'rows.csv');
  writeFileSync(rows, `id,status,customer.email,why\n${id('A')},active,a@b.c,asked\n`);
  const ran = await shop.run([...SANDBOX, 'bulk', 'subscriptions', 'cancel', '--input', rows, '--dry-run']);
  expect(ran.stderr).toContain('Columns left out: status, customer.email.');
  expect(ran.stderr).toContain('no field of this action is documented: why.');
  expect((JSON.parse(ran.stdout) as { body: object }[])[0]?.body).toEqual({});
  const asked = await shop.run([
    ...SANDBOX,
    'bulk',
    'subscriptions',
    'cancel',
    '--input',
    rows,
    '-d',
    'why={why}',
    '--dry-run',
  ]);
  expect((JSON.parse(asked.stdout) as { body: object }[])[0]?.body).toEqual({ why: 'asked' });
  const reason = await shop.run([
    ...SANDBOX,
    'bulk',
    'subscriptions',
    'cancel',
    '--input',
    rows,
    '--reason',
    '{why}',
    '--dry-run',
  ]);
  expect(reason.code).toBe(2);
  expect(reason.stderr).toContain('one text for all rows');
  expect(ran.stdout).not.toContain('active');
});
