import { describe, expect, it } from 'vitest';
import { bulkLines, decideBulk, Sums } from '../../../src/bulk/confirmation.js';
import { valuesOf } from '../../../src/items/json/lossless.js';
import { failure, profile } from '../safety/tools.js';

describe('sums', () => {
  it('adds exactly, never across currencies, and reports what is missing', () => {
    const sums = new Sums();
    sums.add(valuesOf('{"iso_currency":"USD","amount":0.10,"amount_refunded":0}'), undefined);
    sums.add(valuesOf('{"iso_currency":"USD","amount":5,"amount_refunded":1}'), '0.20');
    sums.add(valuesOf('{"iso_currency":"EUR","amount":7.5,"amount_refunded":0.5}'), undefined);
    sums.add(valuesOf('{"iso_currency":"EUR"}'), undefined);
    expect(sums.text(4)).toBe('0.30 USD and 7.00 EUR over 3 of 4 rows; the others were not read or show no amount');
    expect(new Sums().text(4)).toBeUndefined();
  });
});

describe('the question', () => {
  it('shows count, mode, profile, risk and sums', () => {
    const text = bulkLines({
      profile: profile({ mode: 'live' }),
      command: 'sales void',
      risk: 'irreversible',
      rows: 10_000,
      sums: '5.00 USD',
      says: ['Refunds cannot be undone.'],
      firstIds: ['a', 'b'],
      retry: false,
    }).join('\n');
    for (const part of [
      'LIVE mode, profile acme',
      'sales void: 10,000 writes',
      '5.00 USD',
      'cannot be undone',
      'a, b, ...',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('decideBulk', () => {
  const base = {
    profile: profile({ mode: 'live', proof: 'proven' }),
    risk: 'money',
    rows: 5,
    expect: undefined,
    yes: false,
    canPrompt: false,
    counted: true,
    rowsFromStdin: false,
    single: 'ask',
  } as const;
  it.each([
    [{}, 12],
    [{ canPrompt: true }, 'ask-typed'],
    [{ yes: true }, 12],
    [{ yes: true, canPrompt: true }, 'ask-typed'],
    [{ yes: true, expect: 5 }, 'allow'],
    [{ yes: true, expect: 4 }, 12],
    [{ yes: true, counted: false }, 'allow'],
    [{ risk: 'write', single: 'allow' }, 12],
    [{ risk: 'write', single: 'allow', counted: false }, 'allow'],
    [{ profile: profile({ mode: 'test', proof: 'proven' }), single: 'allow' }, 'allow'],
    [{ profile: profile({ mode: 'test', proof: 'proven' }), single: 'allow', expect: 6 }, 12],
    [{ profile: profile({ mode: 'test' }) }, 12],
    [{ profile: profile({ mode: 'test' }), yes: true }, 'allow'],
    [{ profile: profile({ mode: 'test', modeAssumed: true }), yes: true }, 12],
  ] as const)('%#: %j', async (more, expected) => {
    const run = () => decideBulk({ ...base, ...more });
    if (expected === 12) expect((await failure(run)).exitCode).toBe(12);
    else expect(run()).toBe(expected);
  });

  it('names the whole line that confirms it', async () => {
    const argv = ['bulk', 'transactions', 'refund', '--input', 'my sheet.csv', '--yes'];
    const { hint } = (await failure(() => decideBulk({ ...base, byName: true, argv }))).facts;
    expect(String(hint)).toContain(
      "cops bulk transactions refund --input 'my sheet.csv' --yes --expect 5 --no-strict-ids",
    );
  });
});
