import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/base/errors/nearest.js';

const WORDS = ['list', 'get', 'create', 'subscriptions', 'subscription-renewals', 'pending create', 'Europe/Berlin'];

it.each([
  ['lst', 'list'],
  ['lits', 'list'],
  ['LIST', 'list'],
  ['subscribtions', 'subscriptions'],
  ['pend', 'pending create'],
  ['europe/berln', 'Europe/Berlin'],
])('%s means %s', (typed, meant) => {
  expect(nearest(typed, WORDS)).toEqual([meant]);
});

it.each(['', 'x', 'delete', 'zzzzzzzz', `list${'x'.repeat(200)}`])('%j means none of them', (typed) => {
  expect(nearest(typed, WORDS)).toEqual([]);
});

it('puts the nearest first, and at most as many as are wanted', () => {
  const close = ['amount_gross', 'amount_net', 'amounts'];
  expect(nearest('amount', close, 2)).toEqual(['amount_gross', 'amount_net']);
  expect(nearest('amount_nett', close, 2)).toEqual(['amount_net']);
});

it('ends a sentence, or adds nothing', () => {
  expect(`No.${didYouMean('gte', WORDS)}`).toBe('No. Did you mean get?');
  expect(didYouMean('zzzzzzzz', WORDS)).toBe('');
});
