/** A refund's sum that its item's currency has no coin for is refused before anything is sent, however it is asked for. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../fixtures/service/service.js';
import { A, B, json, pair, home as sandboxHome } from './helpers.js';

const yen = (id: string, live: boolean) => ({
  ...{ id, live_mode: live, amount: 5000, amount_total: 5000, amount_refunded: 0, iso_currency: 'JPY' },
});

async function account(mode: 'test' | 'live', currency: Readonly<Record<string, string>> = {}) {
  const { service, home } = await pair(({ path: at }) => {
    const id = at.split('/')[2] ?? A;
    return ok({ ...yen(id, mode === 'live'), iso_currency: currency[id] ?? 'JPY' });
  }, mode);
  const posts = () => service.requests.filter(({ method }) => method !== 'GET');
  const run = (words: readonly string[], options: object = {}) => home.run(words, { cwd: home.folder, ...options });
  return { home, service, posts, run };
}

const ROWS = `id,amount\n${A},10.50\n${B},20\n`;

it('refuses it at the question', async () => {
  const { run, posts } = await account('live');
  const ran = await run(['transactions', 'refund', A, '--amount', '10.50'], { terminal: 80, input: `${A}\n` });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('JPY') });
  expect(posts()).toEqual([]);
});

it.each(['test', 'live'] as const)('refuses it in %s mode with --yes, for several ids and in a file', async (mode) => {
  const { home, run, posts } = await account(mode);
  writeFileSync(path.join(home.folder, 'r.csv'), ROWS);
  for (const words of [
    ['transactions', 'refund', A, '--amount', '10.50', '--yes'],
    ['transactions', 'refund', A, '--body', '{"amount":10.50}', '--yes'],
    ['transactions', 'refund', A, B, '--amount', '10.50', '--yes'],
    ['bulk', 'transactions', 'refund', '--input', 'r.csv', '--yes', '--expect', '2'],
  ]) {
    const ran = await run(words);
    expect(ran.code, `${words.join(' ')}: ${ran.stderr}`).toBe(2);
    expect(ran.stderr).toContain('JPY');
  }
  expect(posts()).toEqual([]);
});

it.each([
  ['transactions', 'refund', A, '--amount', '20 USD'],
  ['transactions', 'refund', A, '--amount', '$20'],
  ['transactions', 'refund', A, B, '--amount', '20 EUR'],
  ['transactions', 'refund', A, '--body', '{"amount":"$20"}'],
])('refuses a sum of another currency than the item is in: %s %s %s %s %s', async (...words) => {
  const { run, posts } = await account('test');
  const ran = await run([...words.filter((word) => typeof word === 'string'), '--yes']);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toMatch(/JPY|single write/);
  expect(posts()).toEqual([]);
  expect((await run(['transactions', 'refund', A, '--amount', '\u00a520', '--yes'])).code).toBe(0);
  expect(posts()).toHaveLength(1);
});

it('names the row alone whose item has such a currency', async () => {
  const { home, run, posts } = await account('test', { [A]: 'USD', [B]: 'JPY' });
  writeFileSync(path.join(home.folder, 'r.csv'), `id,amount\n${A},10.50\n${B},20.50\n`);
  const ran = await run(['bulk', 'transactions', 'refund', '--input', 'r.csv', '--yes']);
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain(B);
  expect(ran.stderr).not.toContain(A);
  expect(posts()).toEqual([]);
});

it('reads nothing for a whole sum, and sends a fine one where the currency has the coins', async () => {
  const { run, posts, service } = await account('test', { [A]: 'USD' });
  expect((await run(['transactions', 'refund', B, '--amount', '10', '--yes'])).code).toBe(0);
  expect(service.requests).toHaveLength(1);
  expect((await run(['transactions', 'refund', A, '--amount', '10.50', '--yes'])).code).toBe(0);
  expect(posts()).toHaveLength(2);
});

it('refuses it in a dry run where the item can be read without a request', async () => {
  const made = sandboxHome();
  const run = (words: readonly string[]) => made.run(['-p', 'sandbox', ...words], { cwd: made.folder });
  const list = ['transactions', 'list', '--all-time', '--where', 'result=approved', '--limit', '2', '-o', 'json'];
  const found = json<{ id: string; iso_currency: string }[]>(await run(list));
  const [one = '', two = ''] = found.map(({ id }) => id);
  expect(found.every(({ iso_currency: code }) => code !== 'JPY')).toBe(true);
  // Three digits are finer than any coin of these currencies; as JSON they read in one way.
  const refund = (ids: readonly string[]) =>
    run(['transactions', 'refund', ...ids, '--body', '{"amount":1.505}', '--dry-run']);
  expect((await refund([one])).code).toBe(2);
  expect((await refund([one, two])).code).toBe(2);
  writeFileSync(path.join(made.folder, 'r.jsonl'), `{"id":"${one}","amount":1.505}\n`);
  expect((await run(['bulk', 'transactions', 'refund', '--input', 'r.jsonl', '--dry-run'])).code).toBe(2);
});

it('says of a long file that only its first rows are held against the currencies', async () => {
  const { home, run } = await account('test', { [A]: 'USD' });
  const rows = Array.from({ length: 101 }, (_, at) => `Item${String(at).padStart(16, '0')},10\n`);
  writeFileSync(path.join(home.folder, 'r.csv'), `id,amount\n${rows.join('')}`);
  const ran = await run(['bulk', 'transactions', 'refund', '--input', 'r.csv', '--yes', '--expect', '101']);
  expect(ran.stderr).toMatch(/first 100 rows .* other 1 are not/);
  writeFileSync(path.join(home.folder, 's.csv'), `id,amount\n${rows.slice(1).join('')}`);
  const short = await run(['bulk', 'transactions', 'refund', '--input', 's.csv', '--yes', '--expect', '100']);
  expect(short.stderr).not.toContain('currencies');
});
