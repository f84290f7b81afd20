import { expect, it } from 'vitest';
import { askedFields } from '../../../src/service/body/body-changes.js';

it('asks for the same whatever else a list holds', () => {
  const once = askedFields({ coupon: ['a'], amount: 1 }, { coupon: ['a', 'b'], amount: 2 });
  const later = askedFields({ coupon: ['a', 'c'], amount: 1 }, { coupon: ['a', 'c', 'b'], amount: 2 });
  expect(once).toEqual({ coupon: { gains: ['b'], loses: [] }, amount: 2 });
  expect(later).toEqual(once);
});

it('tells an addition from a removal, and keeps a mere order as it was asked', () => {
  expect(askedFields({ coupon: ['a', 'b'] }, { coupon: ['a'] })).toEqual({ coupon: { gains: [], loses: ['b'] } });
  expect(askedFields({ coupon: ['a', 'b'] }, { coupon: ['b', 'a'] })).toEqual({ coupon: ['b', 'a'] });
});
