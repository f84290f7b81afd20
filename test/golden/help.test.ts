/** Help that people and scripts rely on, held against files that can be read in a review. */
import { afterAll, expect, it } from 'vitest';
import { Home } from '../cli/program.js';
import { golden } from './file.js';

const home = new Home();
afterAll(() => home.remove());

const PAGES: Readonly<Record<string, readonly string[]>> = {
  root: ['--help'],
  subscriptions: ['subscriptions', '--help'],
  'customers-payment-methods': ['customers', 'payment-methods', '--help'],
  'api-calls': ['api-calls', '--help'],
  'products-list': ['products', 'list', '--help'],
  'subscriptions-cancel': ['subscriptions', 'cancel', '--help'],
  'product-sales-refund': ['help', 'product-sales', 'refund'],
  'customers-create': ['customers', 'create', '--help'],
  'ai-assistants-create': ['ai-assistants', 'create', '--help-all'],
  'bigquery-query': ['bigquery', 'query', '-h'],
  dates: ['help', 'dates'],
  'exit-codes': ['help', 'exit-codes'],
  live: ['help', 'live'],
};

for (const [name, args] of Object.entries(PAGES)) {
  it(`cops ${args.join(' ')}`, async () => {
    const ran = await home.run(args);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(golden(`help/${name}.txt`, ran.stdout));
  });
}

it('is the same whatever the terminal, the zone and the language', async () => {
  const plain = await home.run(['subscriptions', 'cancel', '--help']);
  const other = await home.run(['subscriptions', 'cancel', '--help'], {
    env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8', COLUMNS: '40', TERM: 'dumb' },
  });
  expect(other).toEqual(plain);
});

it('names every exit code of the table in its topic', async () => {
  const { stdout } = await home.run(['help', 'exit-codes']);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 130, 143]) {
    expect(stdout).toMatch(new RegExp(`(^|[\\s,(])${code}\\b`, 'm'));
  }
});

it('never shows the spellings that are only forgiven', async () => {
  for (const args of [['--help'], ['subscription_profile', '--help'], ['customers', '--help']]) {
    const { stdout } = await home.run(args);
    const usage = stdout.split('\n').filter((line) => /^\s*(cops|[a-z-]+ <|Usage)/.test(line));
    for (const line of usage) expect(line).not.toMatch(/cops [a-z-]*_[a-z]|retrieve|\bls\b|\brm\b/);
  }
});
