import { describe, expect, it } from 'vitest';
import type { ByField, FamilyRelation } from '../../../src/catalogue/relations.js';
import { parseLossless } from '../../../src/items/json/lossless.js';
import { followRelation } from '../../../src/items/select/follow.js';

const relation = (by: Partial<ByField>, more: Partial<FamilyRelation> = {}): FamilyRelation => ({
  word: 'customer',
  also: [],
  to: 'customers',
  many: false,
  evidence: 'assumed',
  by: { kind: 'field', path: 'customer', ...by },
  ...more,
});
const read = (item: object) => parseLossless(JSON.stringify(item));
const followed = (item: object, by: Partial<ByField> = {}, many = false) =>
  followRelation(read(item), relation(by, { many }));

describe('what an item tells of a relation', () => {
  it.each([
    [{ customer: 'A' }, {}],
    [{ customer: { id: 'A', name: 'Jane' } }, {}],
    [{ customer: ['A', 'A'] }, {}],
    [{ customer_id: 'A' }, { or: ['customer_id'] }],
    [{ billing: { last: 'A' } }, { path: 'billing.last' }],
    [{ flow: [{}, { to: ['A'] }] }, { path: 'flow.to' }],
  ])('is the id that it holds: %j', (item, by) => {
    expect(followed(item, by)).toEqual({ state: 'known', ids: ['A'] });
  });

  it.each([
    [{ customer: null }, {}],
    [{ customer: '' }, {}],
    [{ customer: [] }, {}],
    [{ customer: { id: null } }, {}],
    [{ billing: null }, { path: 'billing.last' }],
    [{ flow: [] }, { path: 'flow.to' }],
  ])('is that there is none: %j', (item, by) => {
    expect(followed(item, by)).toEqual({ state: 'none' });
  });

  it.each([
    [{}, {}],
    [{ customer: {} }, {}],
    [{ customer: 7 }, {}],
    [{ customer: ['A', 'B'] }, {}],
    [{ customer: [{ id: 'A' }, { name: 'Jane' }] }, {}],
    [{ billing: {} }, { path: 'billing.last' }],
    [{ billing: 'A' }, { path: 'billing.last' }],
    [{ flow: [{}, {}] }, { path: 'flow.to' }],
    [{ customer: 'A' }, { when: { path: 'type', values: ['customer'] } }],
  ])('is unknown, never none, where it cannot be told: %j', (item, by) => {
    expect(followed(item, by)).toMatchObject({ state: 'unknown' });
  });

  it('takes an id by the kind that stands beside it', () => {
    const when = { path: 'type', values: ['customer'] };
    expect(followed({ type: 'customer', customer: 'A' }, { when })).toEqual({ state: 'known', ids: ['A'] });
    expect(followed({ type: 'sale', customer: 'A' }, { when })).toEqual({ state: 'none' });
  });

  it('is every id of a list where there are many', () => {
    expect(followed({ customer: [{ id: 'A' }, { id: 'B' }] }, {}, true)).toEqual({ state: 'known', ids: ['A', 'B'] });
  });
});
