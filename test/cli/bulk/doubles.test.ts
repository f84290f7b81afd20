/** What a damaged journal, or the same run given twice at once, must never lead to: a row that is done twice. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, id, listHandler, ok, type Reaction } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { json, pair } from '../helpers.js';
import { linesOf, resealed } from './journals.js';

const ids = (count: number) => Array.from({ length: count }, (_, n) => id(`SUB${100 + n}X`));
const CANCEL = ['bulk', 'subscriptions', 'cancel'];

/** @param previewMs how long each preview after the first takes; with one the mode is live, since a test key shows none */
async function setting(rows: number, answer: () => Reaction, previewMs = 0) {
  let previews = 0;
  const isLive = previewMs > 0;
  const { service, home } = await pair(
    (request): Reaction => {
      if (request.method !== 'GET') return answer();
      const delayMs = previews++ === 0 ? 0 : previewMs;
      return { ...(ok({ id: request.path.split('/')[2], live_mode: isLive }) as object), delayMs };
    },
    isLive ? 'live' : 'test',
  );
  const list = path.join(home.folder, 'ids.txt');
  writeFileSync(list, ids(rows).join('\n'));
  const journal = path.join(home.folder, 'run.journal');
  const posts = () =>
    service.requests
      .filter(({ method }) => method === 'POST')
      .map((one) => one.path.replace(/^.*(?=\/subscriptions)/, ''));
  const doubled = () => posts().filter((one, index, all) => all.indexOf(one) !== index);
  return { service, home, list, journal, posts, doubled };
}

describe('a journal whose end is not what it was', () => {
  const DAMAGE: Readonly<Record<string, (text: string) => string | Buffer>> = {
    'an older copy': (text) => text.split('\n').slice(0, 4).join('\n').concat('\n'),
    'a cut tail': (text) => text.slice(0, Math.floor(text.length * 0.6)),
    'a zeroed tail': (text) =>
      Buffer.concat([Buffer.from(text.slice(0, Math.floor(text.length / 2))), Buffer.alloc(999)]),
    'a bad byte in the last whole line': (text) => `${text.slice(0, -60)}\u0001${text.slice(-59)}`,
    'a dropped line': (text) =>
      text
        .split('\n')
        .filter((_, index) => index !== 5)
        .join('\n'),
    'a dropped line, sealed anew': (text) => resealed(linesOf(text).filter((_, index) => index !== 3)),
    'only its header': (text) => `${text.split('\n')[0]}\n`,
  };

  it.each(Object.entries(DAMAGE))('%s: no row is sent again', { timeout: 60_000 }, async (_, damage) => {
    // What the service did is not known of any row, so the history has them all as unknown.
    const { home, list, journal, posts, doubled } = await setting(8, () => ({ status: 500, body: '{"code":0}' }));
    expect((await home.run([...CANCEL, '--ids', list, '--journal', journal])).code).toBe(9);
    expect(posts()).toHaveLength(8);
    writeFileSync(journal, damage(readFileSync(journal, 'utf8')));
    const ran = await home.run(['bulk', 'resume', journal]);
    expect([9, 11]).toContain(ran.code);
    expect(doubled()).toEqual([]);
    expect(posts()).toHaveLength(8);
  });

  it('a history that is gone: what was open is unknown', { timeout: 60_000 }, async () => {
    const { home, list, journal, posts } = await setting(4, () => ok({ result: 'success' }));
    await home.run([...CANCEL, '--ids', list, '--journal', journal]);
    const lines = linesOf(readFileSync(journal, 'utf8')).filter(({ type }) => type !== 'result');
    writeFileSync(journal, resealed(lines));
    const env = { COPS_CONFIG_DIR: path.join(home.folder, 'config-2') };
    const ran = await home.run(['bulk', 'resume', journal, '-o', 'json'], { env });
    expect([ran.code, json(ran)]).toEqual([9, expect.objectContaining({ unknown: 4 })]);
    expect(posts()).toHaveLength(4);
  });
});

describe('the same given twice at once', { tags: ['thorough'] }, () => {
  it.each([
    ['a file, with a preview that outlasts the other run', 2500, 0],
    ['a file, the second a little later', 0, 250],
  ] as const)('%s: no row is done twice', { timeout: 60_000 }, async (_, previewMs, laterMs) => {
    const { home, list, doubled, posts } = await setting(
      60,
      () => ({ ...(ok({ result: 'success' }) as object), delayMs: 15 }),
      previewMs,
    );
    const later = async () => {
      await new Promise((resolve) => setTimeout(resolve, laterMs));
      return home.run(line);
    };
    const line = [...CANCEL, '--ids', list, '--yes', '--expect', '60'];
    const [one, two] = await Promise.all([home.run(line), later()]);
    expect(doubled()).toEqual([]);
    expect([one.code, two.code]).toContain(0);
    expect(new Set(posts()).size).toBe(60);
  });

  it.each(['lost', 'under way'])('one write to an item that a run has open with another sum (%s)', async (how) => {
    const sale = id('PSALE1');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service, home } = await pair(async (request) => {
      if (request.method === 'GET') return ok({ id: sale, live_mode: false, amount: '20.00', iso_currency: 'USD' });
      if (how === 'lost') return { status: 500, body: '{"code":0}' };
      await held;
      return ok({ result: 'success' });
    });
    const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
    const rows = path.join(home.folder, 'rows.csv');
    writeFileSync(rows, `id,amount\n${sale},5.00\n`);
    const run = home.run(['bulk', 'product-sales', 'refund', '--input', rows, '-d', 'amount={amount}']);
    await expect.poll(posts, { timeout: 20_000 }).toBeGreaterThan(0);
    if (how === 'lost') await run;
    // What was lost again is not what the run has open.
    if (how === 'lost') await home.run(['product-sales', 'refund', sale, '--amount', '5.00', '--again']);
    const sent = posts();
    for (const more of [[], ['--amount', '6']]) {
      const ran = await home.run(['product-sales', 'refund', sale, ...more]);
      expect([ran.code, ran.stderr]).toEqual([12, expect.stringContaining('write of a bulk run to the same item')]);
    }
    expect(posts()).toBe(sent);
    release();
    await home.run(['product-sales', 'refund', sale, '--amount', '6', '--again']);
    expect(posts()).toBeGreaterThan(sent);
    await run;
  });

  it('several ids, the same service under another name: no row is done twice', { timeout: 60_000 }, async () => {
    const { service, home, doubled } = await setting(
      1,
      () => ({ ...(ok({ result: 'success' }) as object), delayMs: 20 }),
      2500,
    );
    const line = ['subscriptions', 'cancel', ...ids(20), '--yes'];
    const env = { COPS_BASE_URL: service.baseUrl.replace('127.0.0.1', 'localhost').replace(/\/v2$/, '//v2') };
    await Promise.all([home.run(line), home.run(line, { env })]);
    expect(doubled()).toEqual([]);
  });
});

it('a row that never arrived is found not done by its absence in the list of calls, and sent again', async () => {
  const clock = new QuickClock();
  const calls: { id: string; created_date_unix: number; live_mode: boolean; raw_request: string }[] = [];
  let isLost = true;
  const { service, home } = await pair((request): Reaction => {
    const head = { code: 1, api_call_id: id(`CALL${calls.length}`), api_call_unix: Math.floor(clock.now() / 1000) };
    const call = calls.find((one) => request.path === `/api_calls/${one.id}`);
    if (call) return { json: { ...head, ...call } };
    if (request.path.startsWith('/api_calls')) {
      const { body } = listHandler({ items: calls })(request) as Answer;
      return { body: String(body).replace(/(?<="api_call_unix":)\d+/, String(head.api_call_unix)) };
    }
    if (request.method === 'GET') return { json: { ...head, id: ids(3)[1], live_mode: false, enabled: false } };
    const customer = request.path.split('/')[2];
    if (isLost && customer === ids(3)[1]) return 'drop';
    calls.push({
      ...{ id: head.api_call_id, created_date_unix: head.api_call_unix, live_mode: false },
      raw_request: `POST ${request.path} ${request.body}`,
    });
    return { json: { ...head, customer_id: customer, result: 'success' } };
  });
  const list = path.join(home.folder, 'ids.txt');
  const journal = path.join(home.folder, 'run.journal');
  writeFileSync(list, ids(3).join('\n'));
  const run = (...line: string[]) => home.run(line, { clock });
  const line = ['bulk', 'customers', 'enable', '--ids', list, '--journal', journal, '--concurrency', '1'];
  expect((await run(...line)).code).toBe(9);
  isLost = false;
  await clock.sleep(21 * 60_000);
  const looked = await run('bulk', 'reconcile', journal, '-o', 'json');
  expect(json(looked), looked.stdout).toMatchObject([{ line: 2, proposal: 'not_done' }]);
  expect(looked.stdout).toContain('no call with its key arrived around that time');
  expect((await run('bulk', 'reconcile', journal, '--apply')).code).toBe(0);
  const sent = service.requests.length;
  expect((await run('bulk', 'retry-failed', journal)).code).toBe(0);
  const posted = service.requests.slice(sent).filter(({ method }) => method === 'POST');
  expect(posted.map((one) => one.path)).toEqual([expect.stringContaining(ids(3)[1] ?? '')]);
});
