/** A run that was ended in the middle and is given once more: what is done is not done again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { id, ok } from '../../fixtures/service/service.js';
import { json, pair } from '../helpers.js';

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
  it('is not begun anew: the journal that goes on with it is named', async () => {
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

  it('is begun anew with --again, and once the first has come to its end', async () => {
    const { home, posts, list, mend } = await setting();
    const line = lineOf(list);
    await home.run(line);
    mend();
    const [name = ''] = readdirSync(path.join(home.folder, 'data/journals'));
    const resumed = await home.run(['bulk', 'resume', path.join(home.folder, 'data/journals', name)]);
    // The row that was refused is not sent again by that, and waits for nothing.
    expect([resumed.code, posts()], resumed.stderr).toEqual([10, 8]);
    const later = await home.run(line);
    expect(later.stderr).not.toContain('has not come to its end');
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
