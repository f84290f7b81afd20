/** A run that was ended in the middle and is given once more: what is done is not done again. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { id, ok } from '../../fixtures/service/service.js';
import { json, pair } from '../helpers.js';
import { linesOf, resealed } from './journals.js';

const IDS = Array.from({ length: 8 }, (_, n) => id(`SUB${100 + n}X`));

/** A service that refuses one row until it is mended. */
async function setting() {
  let isMended = false;
  const { service, home } = await pair((request) => {
    const sub = request.path.split('/')[2];
    if (request.method === 'GET') return ok({ id: sub, live_mode: false });
    if (request.path.includes(`/${IDS[4]}/`) && !isMended)
      return { status: 400, body: '{"code":0,"error_code":"E0001","message":"no"}' };
    return ok({ subscription_id: sub, live_mode: false });
  });
  const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
  const list = path.join(home.folder, 'ids.txt');
  writeFileSync(list, IDS.join('\n'));
  const mend = () => {
    isMended = true;
  };
  return { home, posts, list, mend };
}

const ONE_BY_ONE = ['--concurrency', '1', '--max-failures', '1'];
const LINES: Readonly<Record<string, (list: string) => readonly string[]>> = {
  'a file': (list) => ['bulk', 'subscriptions', 'cancel', '--ids', list, ...ONE_BY_ONE],
  'several ids': () => ['subscriptions', 'cancel', ...IDS, ...ONE_BY_ONE],
};

describe.each(Object.entries(LINES))('a run of %s that was ended in the middle', (_, lineOf) => {
  it('is not started again: the journal that continues it is named', async () => {
    const { home, posts, list } = await setting();
    const line = lineOf(list);
    expect((await home.run(line)).code).not.toBe(0);
    expect(posts()).toBe(5);
    const again = await home.run([...line, '-o', 'json']);
    expect([again.code, posts()]).toEqual([12, 5]);
    expect(again.stderr).toContain('4 of 8 rows are done');
    const [journal] = readdirSync(path.join(home.folder, 'data/journals')).filter((name) => name.endsWith('.journal'));
    expect(again.stderr).toContain(`cops bulk resume ${path.join(home.folder, 'data/journals', journal ?? '')}`);
  });

  it('is started again with --again, and once the first has ended', async () => {
    const { home, posts, list, mend } = await setting();
    const line = lineOf(list);
    await home.run(line);
    mend();
    const [name = ''] = readdirSync(path.join(home.folder, 'data/journals'));
    const resumed = await home.run(['bulk', 'resume', path.join(home.folder, 'data/journals', name)]);
    // The row that was refused is not sent again by that, and waits for nothing.
    expect([resumed.code, posts()], resumed.stderr).toEqual([10, 8]);
    const later = await home.run(line);
    expect(later.stderr).not.toContain('has not finished');
    expect(posts()).toBeGreaterThan(8);
  });

  it('with --again every row is sent', async () => {
    const { home, posts, list, mend } = await setting();
    const line = lineOf(list);
    await home.run(line);
    mend();
    const again = await home.run([...line, '--again']);
    expect([again.code, posts()], again.stderr).toEqual([0, 13]);
  });
});

it('a run that has its journal in a place of its own is listed until it has ended', async () => {
  const { home, list, mend } = await setting();
  const journal = path.join(home.folder, 'own.journal');
  await home.run(['bulk', 'subscriptions', 'cancel', '--ids', list, ...ONE_BY_ONE, '--journal', journal]);
  const listed = async () => json<{ journal: string }[]>(await home.run(['bulk', 'list', '-o', 'json']));
  expect((await listed()).map((row) => row.journal)).toEqual([journal]);
  expect((await home.run(['bulk', 'resume'])).stderr).toContain(`cops bulk resume ${journal}`);
  mend();
  await home.run(['bulk', 'resume', journal]);
  expect(await listed()).toEqual([]);
});

it('other rows, another body or an own journal elsewhere make no equal run, and the mark follows the journal', async () => {
  const { home, posts, list } = await setting();
  const line = ['bulk', 'subscriptions', 'cancel', '--ids', list, ...ONE_BY_ONE];
  await home.run([...line, '--journal', path.join(home.folder, 'one.journal')]);
  const sent = posts();
  const elsewhere = await home.run([...line, '--journal', path.join(home.folder, 'two.journal')]);
  expect([elsewhere.code, posts()], elsewhere.stderr).toEqual([12, sent]);
  expect(elsewhere.stderr).toContain('one.journal');
  writeFileSync(list, IDS.slice(5).join('\n'));
  const others = await home.run([...line, '-o', 'json']);
  expect(others.code, others.stderr).toBe(0);
  expect(json(others)).toMatchObject({ rows: 3, done: 3 });
});

it.each([['resume'], ['retry-failed']])('a dry run of %s shows the requests and sends none', async (what) => {
  const { home, posts, list } = await setting();
  const journal = path.join(home.folder, 'run.journal');
  await home.run(['bulk', 'subscriptions', 'cancel', '--ids', list, ...ONE_BY_ONE, '--journal', journal]);
  const [sent, before] = [posts(), readFileSync(journal, 'utf8')];
  const dry = await home.run(['bulk', what, journal, '--dry-run', '-o', 'json']);
  expect([dry.code, posts()], dry.stderr).toEqual([0, sent]);
  expect(json<{ url: string }[]>(dry)[0]?.url).toContain(`/${what === 'resume' ? IDS[5] : IDS[4]}/`);
  expect(dry.stderr).toContain(`Dry run: ${what === 'resume' ? '3 requests' : '1 request'}`);
  expect(readFileSync(journal, 'utf8')).toBe(before);
});

it.each([
  ['none is left', 8],
  ['some are left', 4],
])('a resume ends in the history what only the journal knows as done, where %s', async (_, done) => {
  const { home, service } = await pair((request) =>
    ok({ id: request.path.split('/')[2], subscription_id: request.path.split('/')[2], live_mode: false }),
  );
  const list = path.join(home.folder, 'ids.txt');
  const journal = path.join(home.folder, 'run.journal');
  writeFileSync(list, IDS.join('\n'));
  const ran = await home.run(['bulk', 'subscriptions', 'cancel', '--ids', list, '--journal', journal]);
  expect(ran.code, ran.stderr).toBe(0);
  if (done < 8) {
    const lines = linesOf(readFileSync(journal, 'utf8'));
    const kept = lines.filter((line) => !('row' in line) || line.row <= done);
    writeFileSync(journal, resealed(kept));
  }
  // As `kill -9` leaves it: the journal has the row's end, the history does not, and its process is gone.
  const folder = path.join(home.folder, 'config/history');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const entries = readFileSync(path.join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const ofThe = (row: string) => JSON.parse(entries.find((line) => line.includes(row)) ?? '{}').id as string;
  const first = ofThe(IDS[0] ?? '');
  const gone = entries
    .filter((line) => !(line.includes('"type":"outcome"') && line.includes(first)))
    .filter((line) => done === 8 || !IDS.slice(done).some((one) => line.includes(ofThe(one))))
    .map((line) => line.replace(/"pid":\d+/, '"pid":4194303'));
  writeFileSync(path.join(folder, name), `${gone.join('\n')}\n`);
  rmSync(path.join(home.folder, 'data/marks'), { recursive: true });
  const refused = await home.run(['subscriptions', 'cancel', IDS[0] ?? '']);
  expect(refused.code, refused.stderr).toBe(12);
  const resumed = await home.run(['bulk', 'resume', journal]);
  expect(resumed.code, resumed.stderr).toBe(0);
  const known = await home.run(['history', 'show', first, '-o', 'json']);
  expect(json(known)).toMatchObject({ outcome: 'done', settled: { as: 'done' } });
  const before = service.requests.length;
  expect((await home.run(['subscriptions', 'cancel', IDS[0] ?? ''])).code).toBe(0);
  expect(service.requests.length).toBeGreaterThan(before);
});

it('a resume sends a row that the journal has as begun if the history knows that it was never sent', async () => {
  const { home, posts, list } = await setting();
  const journal = path.join(home.folder, 'run.journal');
  await home.run(['bulk', 'subscriptions', 'cancel', '--ids', list, '--journal', journal, ...ONE_BY_ONE]);
  expect(posts()).toBe(5);
  // As after a kill between the two records of a row taken back: only the history has its end.
  const lines = linesOf(readFileSync(journal, 'utf8'));
  const last = Math.max(...lines.flatMap((line) => ('row' in line ? [line.row] : [])));
  const isEnd = (line: (typeof lines)[number]) => 'row' in line && line.row === last && 'outcome' in line;
  writeFileSync(journal, resealed(lines.filter((line) => !isEnd(line) && ('row' in line || line === lines[0]))));
  const folder = path.join(home.folder, 'config/history');
  const file = path.join(folder, readdirSync(folder)[0] ?? '');
  const entries = readFileSync(file, 'utf8');
  writeFileSync(file, entries.replaceAll('"outcome":"refused"', '"outcome":"not_sent"'));
  rmSync(path.join(home.folder, 'data/marks'), { recursive: true });
  const resumed = await home.run(['bulk', 'resume', journal, '--max-failures', '9', '-o', 'json']);
  // It is refused again, and the three after it are done.
  expect([resumed.code, posts()], resumed.stderr).toEqual([10, 9]);
  expect(json(resumed)).toMatchObject({ done: 7, refused: 1, unknown: 0 });
});

it('rows done in a run that has not ended are not sent again from a changed input, or as several ids', async () => {
  const { home, posts, list, mend } = await setting();
  const line = ['bulk', 'subscriptions', 'cancel', '--ids', list, ...ONE_BY_ONE];
  await home.run(line);
  const sent = posts();
  mend();
  writeFileSync(list, [...IDS, id('SUB999X')].join('\n'));
  for (const changed of [line, ['subscriptions', 'cancel', ...IDS.slice(0, 2)]]) {
    const ran = await home.run(changed);
    expect([ran.code, posts()], ran.stderr).toEqual([12, sent]);
    expect(ran.stderr).toContain(`${changed === line ? 4 : 2} of these rows are done in a run`);
    expect(ran.stderr).toMatch(/cops bulk report .*\.journal(.|\n)*cops bulk resume .*\.journal/);
  }
  const others = await home.run(['subscriptions', 'cancel', ...IDS.slice(5)]);
  expect(others.code, others.stderr).toBe(0);
  const meant = await home.run(['subscriptions', 'cancel', ...IDS.slice(0, 2), '--again']);
  expect([meant.code, posts()], meant.stderr).toEqual([0, sent + 5]);
});

it('the same amount in another spelling is the same row', async () => {
  let sent = 0;
  const { home } = await pair((request) => {
    const transaction = request.path.split('/')[2];
    if (request.method === 'GET')
      return ok({ id: transaction, live_mode: false, amount: '9.00', amount_refunded: '0.00', iso_currency: 'USD' });
    return ++sent === 2
      ? { status: 400, body: '{"code":0,"error_code":"E0001","message":"no"}' }
      : ok({ transaction_id: transaction, live_mode: false });
  });
  const list = path.join(home.folder, 'ids.txt');
  writeFileSync(list, IDS.slice(0, 3).join('\n'));
  const line = (amount: string) =>
    home.run(['bulk', 'transactions', 'refund', '--ids', list, '-d', `amount=${amount}`, '--yes', ...ONE_BY_ONE]);
  await line('1');
  expect(sent).toBe(2);
  const again = await line('1.00');
  expect([again.code, sent], again.stderr).toEqual([12, 2]);
  expect(again.stderr).toContain('1 of 3 rows are done');
  const other = await line('2');
  expect(sent, other.stderr).toBeGreaterThan(2);
});

it('a dry run is held to the number of rows that --expect names', async () => {
  const { home } = await setting();
  const line = ['subscriptions', 'cancel', ...IDS.slice(0, 2), '--dry-run', '--expect'];
  expect((await home.run([...line, '2'])).code).toBe(0);
  const wrong = await home.run([...line, '5']);
  expect([wrong.code, wrong.stderr]).toEqual([12, expect.stringContaining('there are 2 rows')]);
});
