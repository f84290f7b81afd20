/** A refund asked for as a percent: the sum is known before anything is asked or sent, or nothing is sent. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok, type Recorded, wrote } from '../fixtures/service/service.js';
import { A, B, errorOf, home, json, pair } from './helpers.js';

const PAID = { amount_original_total: 53.81, amount_total: 53.81, amount_refunded: 0, iso_currency: 'EUR' };
const FAMILIES = ['subscription-renewals', 'product-sales', 'transactions', 'tax', 'shipping'] as const;

async function account(item: object = {}, mode: 'test' | 'live' = 'test') {
  const made = await pair(
    ({ method }) =>
      method === 'POST' ? wrote('refund', A) : ok({ id: A, live_mode: mode === 'live', ...PAID, ...item }),
    mode,
  );
  return { ...made, run: (line: string) => made.home.run(line.split(' ')) };
}
const sent = (requests: readonly Recorded[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => /"amount":([^,}]*)/.exec(String(body))?.[1]);

describe('--amount 50%', () => {
  it.each(FAMILIES)('of %s is sent as the sum, rounded down to the cent, and said', async (family) => {
    const { service, run } = await account();
    const ran = await run(`${family} refund ${A} --amount 50%`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('50% of 53.81 EUR is 26.905, rounded down to 26.90 EUR.');
    expect(sent(service.requests)).toEqual(['26.90']);
  });

  it.each([
    ['JPY', 1001, '33.3%', '333'],
    ['KWD', 10.001, '50%', '5.000'],
    ['USD', 10, '100%', '10.00'],
    ['USD', 0.3, '99.99%', '0.29'],
  ])('has the digits of %s', async (iso_currency, amount, percent, sum) => {
    const { service, run } = await account({ iso_currency, amount_original_total: amount, amount_total: amount });
    const ran = await run(`transactions refund ${A} --amount ${percent}`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(sent(service.requests)).toEqual([sum]);
  });

  it.each(['half', 'Half'])('is the same as --amount %s', async (half) => {
    const { service, run } = await account();
    for (const line of [`tax refund ${A} --amount ${half}`, `shipping refund ${A} -d amount=${half}`]) {
      const ran = await run(line);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr).toContain('50% of 53.81 EUR is 26.905, rounded down to 26.90 EUR.');
    }
    expect(sent(service.requests)).toEqual(['26.90', '26.90']);
  });

  it('gives back no more in a bulk run', async () => {
    const { service, home: cops } = await account();
    writeFileSync(path.join(cops.folder, 'r.csv'), `id,paid,currency\n${A},53.81,EUR\n`);
    const line = ['bulk', 'transactions', 'refund', '--input', 'r.csv', '-d', 'amount={paid}*0.5', '--yes'];
    const ran = await cops.run(line, { cwd: cops.folder });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('are rounded down to the digits');
    expect(sent(service.requests)).toEqual(['26.90']);
  });

  it.each([
    ['1/3', 10, '1/3 of 10 EUR is 3.3333333333, rounded down to 3.33 EUR.', '3.33'],
    ['1/3', 9.99, '1/3 of 9.99 EUR is 3.33 EUR.', '3.33'],
    ['2 / 3', 10, '2/3 of 10 EUR is 6.6666666666, rounded down to 6.66 EUR.', '6.66'],
    ['3/3', 10, '3/3 of 10 EUR is 10.00 EUR.', '10.00'],
  ])('takes a fraction: %s of %s', async (share, amount, said, sum) => {
    const { service, home: cops } = await account({ amount_original_total: amount, amount_total: amount });
    const ran = await cops.run(['tax', 'refund', A, '--amount', share]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(said);
    expect(sent(service.requests)).toEqual([sum]);
    expect((await cops.run(['tax', 'refund', A, '--amount', '4/3'])).code).toBe(2);
    expect((await cops.run(['tax', 'refund', A, '--amount', '1/0'])).code).toBe(2);
  });

  it('is understood as -d amount=50% too, and the last word counts', async () => {
    const { service, run } = await account();
    expect((await run(`tax refund ${A} -d amount=50%`)).code).toBe(0);
    expect((await run(`shipping refund ${A} -d amount=50% --amount 10%`)).code).toBe(0);
    expect(sent(service.requests)).toEqual(['26.90', '5.38']);
  });

  it('is a sum in the question of a live refund', async () => {
    const { service, run } = await account({}, 'live');
    const ran = await run(`subscription-renewals refund ${A} --amount 50%`);
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain('50% of 53.81 EUR is 26.905, rounded down to 26.90 EUR.');
    expect(sent(service.requests)).toEqual([]);
  });

  it('is a sum in a dry run on the sandbox', async () => {
    const cops = home({ COPS_PROFILE: 'sandbox' });
    const list = ['subscription-renewals', 'list', '--where', 'amount_total>5', '--where', 'amount_refunded=0'];
    const [first] = json<{ id: string; amount_total: number }[]>(
      await cops.run([...list, '--where', 'iso_currency=USD', '--limit', '1', '-o', 'json']),
    );
    const line = ['subscription-renewals', 'refund', first?.id ?? '', '--amount', '50%', '--dry-run', '-o', 'json'];
    const ran = await cops.run(line);
    expect(ran.code, ran.stderr).toBe(0);
    const half = Math.floor((first?.amount_total ?? 0) * 50 + 1e-6) / 100;
    expect(json<{ body: { amount: number } }>(ran).body.amount).toBe(half);
  });
});

describe('a percent that could mean another sum is refused, with nothing sent', () => {
  const hints: readonly (readonly [string, object, string, RegExp])[] = [
    [
      'part is refunded',
      { amount_refunded: 3.81, amount_total: 50 },
      '50%',
      /26\.90 is 50% of the 53\.81 paid, 25\.00/,
    ],
    ['the currency is unknown', { iso_currency: undefined }, '50%', /Give the amount/],
    ['the refunded part is not told', { amount_refunded: undefined }, '50%', /Give the amount/],
    ['the sum is below a cent', { amount_original_total: 0.01, amount_total: 0.01 }, '50%', /Give the amount/],
    ['more than all', {}, '101%', /at most 100%/],
    ['nothing', {}, '0%', /more than 0%/],
  ];
  it.each(hints)('%s', async (_what, item, percent, hint) => {
    const { service, run } = await account(item);
    const ran = await run(`subscription-renewals refund ${A} --amount ${percent} -o json`);
    expect(ran.code).toBe(2);
    expect(errorOf(ran).hint).toMatch(hint);
    expect(sent(service.requests)).toEqual([]);
  });

  it('of several ids, and of a dry run that reads nothing', async () => {
    const { service, run } = await account();
    for (const line of [`tax refund ${A} ${B} --amount 50%`, `tax refund ${A} --amount 50% --dry-run`])
      expect(await run(line)).toMatchObject({ code: 2, stdout: '' });
    expect(service.requests).toEqual([]);
  });

  it('of a row of a bulk run', async () => {
    const { service, home: cops } = await account();
    const ran = await cops.run(['bulk', 'tax', 'refund', '--input', '-', '-o', 'json'], {
      input: `id,amount\n${A},50%\n`,
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('a percentage works only in the refund of a single item');
    expect(sent(service.requests)).toEqual([]);
  });

  it('of an amount that is no part of anything', async () => {
    const { service, run } = await account();
    const ran = await run('products create --name Tea --price 50%');
    expect(ran.code).toBe(2);
    expect(service.requests).toEqual([]);
  });
});
