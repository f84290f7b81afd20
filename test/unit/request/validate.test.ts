import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/catalogue/types.js';
import { faultsOfBody } from '../../../src/items/checks/validate.js';

const body = {
  closed: true,
  complete: true,
  fields: {
    name: { type: 'string', required: true, minLength: 2, maxLength: 4 },
    kind: { type: 'string', enum: ['one', 'two'] },
    owner: { type: 'string', format: 'id', nullable: true },
    count: { type: 'integer', min: 1, max: 10 },
    at: { type: 'integer', format: 'unix' },
    price: { type: 'number', min: 0 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    inner: { type: 'object', fields: { flag: { type: 'boolean', required: true } } },
    loose: { type: 'object', open: true },
  },
} as const satisfies Body;

describe('the faults of a body', () => {
  it.each([
    [{}, { place: ['name'], kind: 'missing' }],
    [
      { name: 'ab', nme: 1 },
      { place: ['nme'], kind: 'unknown', known: Object.keys(body.fields) },
    ],
    [{ name: 5 }, { place: ['name'], kind: 'type', expected: 'string', received: 'number' }],
    [{ name: null }, { place: ['name'], kind: 'type', expected: 'string', received: 'null' }],
    [{ name: 'a' }, { place: ['name'], kind: 'length', min: 2, max: 4, actual: 1 }],
    [
      { name: 'ab', kind: 'three' },
      { place: ['kind'], kind: 'value', allowed: ['one', 'two'], given: 'three' },
    ],
    [
      { name: 'ab', owner: 'x' },
      { place: ['owner'], kind: 'format', format: 'id', given: 'x' },
    ],
    [
      { name: 'ab', count: 1.5 },
      { place: ['count'], kind: 'fraction' },
    ],
    [
      { name: 'ab', count: 11 },
      { place: ['count'], kind: 'range', min: 1, max: 10, actual: 11 },
    ],
    [
      { name: 'ab', at: 1_700_000_000_000 },
      { place: ['at'], kind: 'unix' },
    ],
    [
      { name: 'ab', price: Number.POSITIVE_INFINITY },
      { place: ['price'], kind: 'type', expected: 'number', received: 'infinite' },
    ],
    [
      { name: 'ab', tags: [] },
      { place: ['tags'], kind: 'count', min: 1, max: 2, actual: 0 },
    ],
    [
      { name: 'ab', tags: [true] },
      { place: ['tags', 0], kind: 'type', expected: 'string', received: 'boolean' },
    ],
    [
      { name: 'ab', inner: [] },
      { place: ['inner'], kind: 'type', expected: 'object', received: 'array' },
    ],
    [
      { name: 'ab', inner: {} },
      { place: ['inner', 'flag'], kind: 'missing' },
    ],
    [
      { name: 'ab', inner: { flag: true, x: 1 } },
      { place: ['inner', 'x'], kind: 'unknown', known: ['flag'] },
    ],
  ])('%j', (value, fault) => {
    expect(faultsOfBody(body, value)).toEqual([fault]);
  });

  it('are none where the service takes it, or where nothing is known', () => {
    expect(faultsOfBody(body, { name: 'ab', owner: null, loose: { x: 1 }, idempotency_key: 'k' })).toEqual([]);
    expect(faultsOfBody({ ...body, complete: false }, { name: 'ab', more: 1 })).toEqual([]);
    expect(faultsOfBody(undefined, { anything: 1 })).toEqual([]);
  });

  it('are the same the second time, when the schema is at hand', () => {
    expect(faultsOfBody(body, {})).toEqual(faultsOfBody(body, {}));
  });
});
