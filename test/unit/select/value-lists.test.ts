/** What commas, quotes and words between conditions mean, by the type of the field (command-line.md#lists). */
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { parseLossless } from '../../../src/items/json/lossless.js';
import { comparisons, conditionNames, conditionsIn, parseCondition } from '../../../src/items/select/condition.js';
import { fulfils } from '../../../src/items/select/fulfils.js';
import type { Vocabulary } from '../../../src/items/select/names.js';
import { SeenValues } from '../../../src/items/select/seen-values.js';
import { Together } from '../../../src/items/select/together.js';
import { blankConditions, commaPieces, conditionStarts, splitAtWord } from '../../../src/items/select/value-list.js';

const MOMENT = { now: Date.parse('2026-11-23T12:00:00Z'), zone: zoneOf('UTC') };
const vocabulary: Vocabulary = {
  columns: [],
  fields: {
    id: { type: 'string', format: 'id' },
    status: { type: 'string', enum: ['active', 'overdue', 'cancelled'] },
    name: { type: 'string' },
    country: { type: 'string', format: 'country' },
    amount: { type: 'number', means: 'money' },
    uses: { type: 'integer' },
    rate: { type: 'number', means: 'share' },
    enabled: { type: 'boolean' },
    at: { type: 'integer', format: 'unix' },
    until: { type: 'integer', format: 'unix' },
    expires: { type: 'string', means: 'month' },
  },
};
const condition = (text: string) => parseCondition(text, vocabulary, MOMENT);
const fits = (text: string, item: object): unknown => fulfils(parseLossless(JSON.stringify(item)), condition(text));

describe('values with commas between', () => {
  it.each([
    ['status=active,overdue', { status: 'overdue' }, { status: 'cancelled' }],
    ['country=USA,can', { country: 'CAN' }, { country: 'GBR' }],
    ['id=A1, B2', { id: 'B2' }, { id: 'C3' }],
    ['name=Coffee Club,Vitamin Plan', { name: 'Vitamin Plan' }, { name: 'Coffee' }],
    ['name~tea,mug', { name: 'Ceramic Mug' }, { name: 'Scale' }],
    ['uses=1,3', { uses: 3 }, { uses: 13 }],
    ['uses=1, 234', { uses: 234 }, { uses: 1234 }],
    ['amount=5, 10', { amount: 10 }, { amount: 5.1 }],
    ['amount=5,10,20', { amount: 20 }, { amount: 5.1 }],
    ['enabled=yes,no', { enabled: false }, { enabled: null }],
    ['at=2026-11-01,2026-11-03', { at: 1793664000 }, { at: 1793577600 }],
    ['expires=12/28,01/29', { expires: '01/29' }, { expires: '02/29' }],
    ['name=null,Mug', { name: '' }, { name: 'Tea' }],
    ['name="Course, six parts",Mug', { name: 'Course, six parts' }, { name: 'Course' }],
  ])('mean any of them: %s', (text, fit, other) => {
    expect(fits(text, fit)).toBe(true);
    expect(fits(text, other)).toBe(false);
    const unlike = text.replace(/=/, '!=');
    if (text.includes('=')) {
      expect(fits(unlike, fit)).toBe(false);
      expect(fits(unlike, other)).toBe(true);
    }
  });

  it('leave a comma to a value that has one', () => {
    expect(fits('name=Course, six parts', { name: 'Course, six parts' })).toBe(true);
    expect(fits('name="Course, six parts"', { name: 'Course' })).toBe(false);
    expect(fits("name='O, P'", { name: 'O, P' })).toBe(true);
    expect(fits("name=O'Brien,O'Neil", { name: "O'Neil" })).toBe(true);
  });

  it('say what a comma in an amount was taken for, and refuse what reads two ways', () => {
    const [one] = comparisons(condition('amount=14,50'));
    expect([one?.operand, one?.said]).toEqual(['14.50', expect.stringContaining('14.50')]);
    expect(() => condition('amount=1,234')).toThrow(/ambiguous/);
    expect(() => condition('uses=1,234')).toThrow(/ambiguous/);
    expect(() => condition('rate=7,5')).toThrow(/ambiguous/);
    expect(() => condition('status=active,gone')).toThrow(/one of/);
    expect(() => condition('amount>10,x')).toThrow();
  });

  it('name the values that no item has, also where others fit', () => {
    const seen = (text: string, items: readonly object[]) => {
      const values = new SeenValues([condition(text)]);
      for (const item of items) values.saw(parseLossless(JSON.stringify(item)));
      return [...values.listRemarks(), ...values.twoWays()];
    };
    const items = [{ name: 'Mug' }, { name: 'Tea' }];
    expect(seen('name=Mug,Tee', items)).toEqual([expect.stringContaining('name=Tee')]);
    expect(seen('name!=Mug,Tee', items)).toEqual([expect.stringContaining('name=Tee')]);
    expect(seen('name=Mug,Tea', items)).toEqual([]);
    expect(seen('name=Mug, large', [{ name: 'Mug, large' }])).toEqual([expect.stringContaining('one value')]);
    expect(seen('name=Mug, large', [{ name: 'Mug, large' }, ...items])).toEqual([expect.stringContaining('in quotes')]);
  });
});

describe('words between conditions', () => {
  it('take either side of an or, whatever the fields are', () => {
    const text = 'status=overdue or amount>100';
    expect(conditionNames(text)).toEqual(['status', 'amount']);
    expect(conditionsIn(text)).toEqual([text]);
    expect(fits(text, { status: 'overdue', amount: 1 })).toBe(true);
    expect(fits(text, { status: 'active', amount: 101 })).toBe(true);
    expect(fits(text, { status: 'active', amount: 1 })).toBe(false);
    expect(fits('status=overdue or amount>100 and uses=2', { status: 'active', amount: 101, uses: 1 })).toBe(false);
    expect(fits('amount>100 USD or uses>5', { amount: 200, iso_currency: 'GBP', uses: 1 })).toBe(false);
    expect(conditionsIn('uses=1 and rate=2')).toEqual(['uses=1', 'rate=2']);
  });

  it('leave such words to a value that has them', () => {
    expect(splitAtWord('name=Salt or pepper', 'or')).toEqual(['name=Salt or pepper']);
    expect(splitAtWord('name="a or b=c"', 'or')).toEqual(['name="a or b=c"']);
    expect(commaPieces(`a="x, y",b='z, w', c=O'Brien, d`)).toEqual(['a="x, y"', "b='z, w'", " c=O'Brien", ' d']);
  });

  it('tell conditions on one field that no item meets at once', () => {
    const together = new Together([condition('country=USA'), condition('country=GBR')]);
    together.saw(parseLossless('{"country":"USA"}'));
    expect(together.remarks()).toEqual([expect.stringContaining("'country=USA,GBR'")]);
  });
});

it('compares with the whole period of a moment', () => {
  const item = { expires: '11/26', until: 1793664000 + 5 * 86_400 };
  expect(fits('expires<={until}', item)).toBe(false);
  expect(fits('expires={until:month}', item)).toBe(true);
  expect(fits('expires<{until:month}', item)).toBe(false);
  expect(fits('at<{until:week}', { ...item, at: item.until - 7 * 86_400 })).toBe(true);
});

it.each(['""', "''", ''])('takes %j for an empty text, and for nothing else', (empty) => {
  expect(fits(`name=${empty}`, { name: '' })).toBe(true);
  expect(fits(`name!=${empty}`, { name: '' })).toBe(false);
  expect(fits(`name!=${empty}`, { name: 'x' })).toBe(true);
  expect(fits(`name=${empty}`, { name: '""' })).toBe(false);
});

it.each([
  ['id', 'BNlYgx9ScEGaeulqy72y'],
  ['status', 'active'],
  ['name', 'Coffee Club'],
  ['country', 'USA'],
  ['amount', '10.50'],
  ['uses', '3'],
  ['rate', '0.5'],
  ['enabled', 'true'],
  ['at', '2026-11-01'],
  ['until', '{at}+7d'],
  ['expires', '12/28'],
])('only a blank ends a value of %s before the next condition', (field, value) => {
  const starts = conditionStarts(vocabulary, (word) => word === 'customer');
  for (const next of ['until>{at}', 'uses>=3', 'customer.city=Leeds'])
    expect(blankConditions(`${field}=${value} ${next}`, starts)).toEqual([`${field}=${value}`, next]);
  // What is no field may belong to a text; elsewhere it is refused by its name.
  const isText = ['status', 'name'].includes(field);
  expect(blankConditions(`${field}=${value} flub=3`, starts)).toHaveLength(isText ? 1 : 2);
});
