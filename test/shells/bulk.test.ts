/** @module-tag tool */
/** The one question before a bulk run, and its progress, on a real terminal (command-line.md#bulk). */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pair } from '../cli/helpers.js';
import { fraud, id, ok, slow, wrote } from '../fixtures/service/service.js';
import { describeWith, onTerminal, plain } from './tools.js';

const IDS = [1, 2, 3].map((n) => id(`SALE${n}`));

/** Two sales in dollars and one in yen, each refunded in part; refunding some is fraud. */
async function liveSales(isFraud = (_sale: string) => false) {
  const { service, home } = await pair((request) => {
    const sale = request.path.split('/')[2] ?? '';
    if (request.method === 'POST') return isFraud(sale) ? fraud() : wrote('product_sale', sale);
    const currency = sale === IDS[2] ? 'JPY' : 'USD';
    return ok({ id: sale, live_mode: true, amount: 50, amount_refunded: 12.5, iso_currency: currency });
  }, 'live');
  const ids = path.join(home.folder, 'ids.txt');
  writeFileSync(ids, IDS.join('\n'));
  const journal = path.join(home.folder, 'j');
  const run = (words: readonly string[]) => home.run(words);
  return {
    env: home.env,
    run,
    ids,
    journal,
    posts: () => service.requests.filter((one) => one.method === 'POST').length,
  };
}

const refund = (...more: string[]) => ['bulk', 'product-sales', 'refund', ...more];

describeWith('expect', 'the question before a bulk run', () => {
  it('shows mode, profile, count, sums of each currency and risk, and goes ahead when the count is typed', async () => {
    const { env, ids, posts } = await liveSales();
    const ran = await onTerminal(refund('--ids', ids), [['Type 3 to go ahead', '3\\r']], { env });
    expect(ran.code, ran.screen).toBe(0);
    expect(posts()).toBe(3);
    const screen = plain(ran.screen);
    expect(screen).toMatch(/LIVE mode, profile \S+ at http:/);
    expect(screen).toContain('product-sales refund: 3 writes');
    expect(screen).toContain(`First: ${IDS.join(', ')}`);
    expect(screen).toContain('Sum: 75.00 USD and 37.50 JPY');
    expect(screen).toContain('Risk: moves money or changes what will be charged');
  });

  it.each(['2', 'y', 'yes', '', '3 ', '33'])(
    'the answer %j is not the count: 12, and nothing is sent',
    async (typed) => {
      const { env, ids, posts } = await liveSales();
      const ran = await onTerminal(refund('--ids', ids), [['Type 3 to go ahead', `${typed}\\r`]], { env });
      expect(ran.code, ran.screen).toBe(12);
      expect(plain(ran.screen)).toContain('nothing was sent');
      expect(posts()).toBe(0);
    },
  );

  it('asks although --yes was said without the count, and not when both were', async () => {
    const { env, ids, posts } = await liveSales();
    const asked = await onTerminal(refund('--ids', ids, '--yes'), [['Type 3 to go ahead', '\\003']], { env });
    expect(asked.code, asked.screen).toBe(130);
    expect(posts()).toBe(0);
    const told = await onTerminal(refund('--ids', ids, '--yes', '--expect', '3'), [], { env });
    expect([told.code, posts()], told.screen).toEqual([0, 3]);
  });

  it('of a run that goes on shows the rows that are left, and their sum alone', async () => {
    const { env, run, ids, posts, journal } = await liveSales((sale) => sale === IDS[1]);
    const begun = refund('--ids', ids, '--journal', journal, '--yes', '--expect', '3', '--concurrency', '1');
    expect((await run([...begun, '--stop-on-fraud'])).code).toBe(10);
    expect(posts()).toBe(2);
    const ran = await onTerminal(['bulk', 'resume', journal], [['Type 1 to go ahead', '1\\r']], { env });
    expect([ran.code, posts()], ran.screen).toEqual([10, 3]);
    expect(plain(ran.screen)).toContain(`First: ${IDS[2]}\n`);
    expect(plain(ran.screen)).toMatch(/Sum: 37\.50 JPY\n/);
  });

  it('asks for a retry too, and says that each is a new intention', async () => {
    let broken = true;
    const { service, home } = await pair((request) => {
      if (request.method === 'GET') return ok({ id: IDS[0], live_mode: true, amount: 5, iso_currency: 'EUR' });
      return broken ? { status: 404, json: { code: 0, message: 'no such' } } : ok({ result: 'success' });
    }, 'live');
    const [ids, journal] = [path.join(home.folder, 'ids.txt'), path.join(home.folder, 'j')];
    writeFileSync(ids, IDS.join('\n'));
    await home.run(refund('--ids', ids, '--journal', journal, '--yes', '--expect', '3'));
    broken = false;
    const posts = () => service.requests.filter((one) => one.method === 'POST').length;
    const retry = ['bulk', 'retry-failed', journal];
    const wrong = await onTerminal(retry, [['Type 3 to go ahead', 'yes\\r']], { env: home.env });
    expect([wrong.code, posts()], wrong.screen).toEqual([12, 3]);
    const ran = await onTerminal(retry, [['Type 3 to go ahead', '3\\r']], { env: home.env });
    expect([ran.code, posts()], ran.screen).toEqual([0, 6]);
    expect(plain(ran.screen)).toContain('each sent again as a new intention');
  });
});

describeWith('expect', 'ids from standard input, which then cannot answer', () => {
  it('stops with 12 after ids that were typed, says why and what confirms them', async () => {
    const { env, posts } = await liveSales();
    const steps = [
      ['Reading from the terminal', `${IDS[0]}\\r${IDS[1]}\\r`],
      [IDS[1] ?? '', '\\004'],
    ] as const;
    const ran = await onTerminal(refund('--ids', '-'), steps, { env });
    expect([ran.code, posts()], ran.screen).toEqual([12, 0]);
    expect(plain(ran.screen)).toMatch(/standard input gives the rows/);
    expect(plain(ran.screen)).toContain('--yes --expect 2');
  });

  it('stops with 12 when they come through a pipe on a terminal, and takes --yes with the count', async () => {
    const { env, ids, posts } = await liveSales();
    const through = (more: string) => ['-c', `"$0" "$1" bulk product-sales refund --ids - ${more} < ${ids}`];
    const piped = (more: string) =>
      onTerminal([...through(more), process.execPath, path.resolve('bin/cops.js')], [], { env, program: ['sh'] });
    const ran = await piped('');
    expect(ran.code, ran.screen).toBe(12);
    expect(plain(ran.screen)).toMatch(/standard input gives the rows/);
    expect(plain(ran.screen)).toContain('--yes --expect 3');
    expect(posts()).toBe(0);
    expect((await piped('--yes --expect 2')).code).toBe(12);
    expect(posts()).toBe(0);
    // The rows that were kept to be read again are gone with the run that never was.
    expect(readdirSync(path.join(env.COPS_DATA_DIR ?? '', 'journals'))).toEqual([]);
    const confirmed = await piped('--yes --expect 3');
    expect([confirmed.code, posts()], confirmed.screen).toEqual([0, 3]);
  });
});

describeWith('expect', 'the progress of a bulk run', () => {
  it('is one line that is drawn again and taken away at the end; nothing with -q', async () => {
    const many = Array.from({ length: 60 }, (_, n) => id(`SUB${n + 100}`));
    const { home } = await pair((request) =>
      request.method === 'GET' ? ok({ id: many[0], live_mode: false }) : slow(ok({ result: 'success' }), 100),
    );
    const ids = path.join(home.folder, 'ids.txt');
    writeFileSync(ids, many.join('\n'));
    const run = (name: string, ...more: string[]) =>
      onTerminal(
        ['bulk', 'subscriptions', 'suspend', '--ids', ids, '--journal', path.join(home.folder, name), ...more],
        [],
        { env: home.env },
      );
    const shown = await run('a');
    expect(shown.code, shown.screen).toBe(0);
    const drawn = shown.screen.match(/\u001b\[2K[█░]+ +\d+ % · \d+ of 60 rows · [\d.]+\/s · \d+ s left/g) ?? [];
    expect(drawn.length).toBeGreaterThan(1);
    expect(shown.screen).not.toMatch(/s left\n/);
    const quiet = await run('b', '-q');
    expect(quiet.code).toBe(0);
    expect(quiet.screen).not.toContain('rows ·');
  });
});
