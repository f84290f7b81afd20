/** What the types of fields make of comparison, order and groups, against rules that stand here by themselves. */
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import { LEAF_TYPES, type LeafType, leafTypeOf } from '../../../src/catalogue/leaf-types.js';
import type { Field } from '../../../src/catalogue/types.js';
import { Digits, parseLossless } from '../../../src/items/json/lossless.js';
import { compareAs } from '../../../src/items/select/compare.js';
import { parseCondition } from '../../../src/items/select/condition.js';
import { fulfils } from '../../../src/items/select/fulfils.js';
import { Groups, parseGrouping } from '../../../src/items/select/groups.js';
import type { Vocabulary } from '../../../src/items/select/names.js';
import { parseSort, settledKeys } from '../../../src/items/select/order.js';

const ZONE = zoneOf('America/New_York');
const MOMENT = { now: Date.parse('2026-11-23T12:00:00Z'), zone: ZONE };

/** Values of a type in their order, each with the operand that means the same; what is equal stands together. */
const LADDERS: Readonly<
  Record<LeafType, { field: Field; steps: readonly (readonly [json: string, operand: string])[] }>
> = {
  money: {
    field: { type: 'number', means: 'money' },
    steps: [
      ['-3.10', '-3.1'],
      ['9', '9.00'],
      ['10.00', '10'],
      ['123456789012345678.91', '123456789012345678.91'],
    ],
  },
  count: {
    field: { type: 'integer' },
    steps: [
      ['2', '2'],
      ['10', '10.0'],
      ['"11"', '11'],
      ['100', '100'],
    ],
  },
  share: {
    field: { type: 'number', means: 'share' },
    steps: [
      ['0.5', '0.50'],
      ['2', '2'],
      ['10.25', '10.25'],
    ],
  },
  span: {
    field: { type: 'integer', means: 'span', unit: 'd' },
    steps: [
      ['1', '24h'],
      ['7', '1w'],
      ['14', '14d'],
      ['100', '100'],
    ],
  },
  instant: {
    field: { type: 'integer', format: 'unix' },
    steps: [
      ['999999999', '2001-09-09T01:46:39Z'],
      ['1795410000', '2026-11-23T00:00:00-05:00'],
      ['"2026-11-23T10:00:00Z"', '1795428000'],
    ],
  },
  day: {
    field: { type: 'string', means: 'day' },
    steps: [
      ['"2025-12-31"', '2025-12-31'],
      ['"2026-02-01"', '2026-02-01'],
      ['"2026-11-23"', 'today'],
    ],
  },
  month: {
    field: { type: 'string', means: 'month' },
    steps: [
      ['"12/25"', '2025-12'],
      ['"01/26"', '01/2026'],
      ['"11/2026"', '11/26'],
      ['"2026-12"', 'next month'],
      ['"02/31"', '02/31'],
    ],
  },
  country: {
    field: { type: 'string', format: 'country' },
    steps: [
      ['"DEU"', 'germany'],
      ['"FR"', 'FRA'],
      ['"USA"', 'us'],
    ],
  },
  flag: {
    field: { type: 'boolean' },
    steps: [
      ['false', 'no'],
      ['true', 'yes'],
    ],
  },
  id: {
    field: { type: 'string', format: 'id' },
    steps: [
      ['"AAAAAAAAAAAAAAAAAAA1"', 'AAAAAAAAAAAAAAAAAAA1'],
      ['"BAAAAAAAAAAAAAAAAAA1"', 'BAAAAAAAAAAAAAAAAAA1'],
    ],
  },
  text: {
    field: { type: 'string' },
    steps: [
      ['"Émile"', 'emile'],
      ['"O’Brien"', "o'brien"],
      ['"Zoë"', 'ZOE'],
    ],
  },
};
const TYPES = Object.keys(LADDERS) as LeafType[];
const vocabulary = (field: Field): Vocabulary => ({ columns: [], fields: { field } });
const item = (json: string) => parseLossless(`{"field":${json}}`);
const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

describe.each(TYPES)('a field that holds %s', (type) => {
  const { field, steps } = LADDERS[type];
  const isOrdered = LEAF_TYPES[type].ordered;

  it('is that by its entry', () => {
    expect(leafTypeOf(field)).toBe(type);
  });

  it.each(Object.keys(HOLDS).filter((sign) => isOrdered || !/[<>]/.test(sign)))(
    'is compared by %s as its steps stand',
    (sign) => {
      for (const [at, [, operand]] of steps.entries()) {
        const condition = parseCondition(`field${sign}${operand}`, vocabulary(field), MOMENT);
        const kept = steps.map(([json]) => fulfils(item(json), condition));
        expect(kept, `${sign}${operand}`).toEqual(steps.map((_, other) => HOLDS[sign]?.(other - at)));
        if (type === 'text') continue;
        const quoted = parseCondition(`field${sign}"${operand}"`, vocabulary(field), MOMENT);
        expect(
          steps.map(([json]) => fulfils(item(json), quoted)),
          `${sign}"${operand}"`,
        ).toEqual(kept);
      }
    },
  );

  it('is put in the order of its steps, whatever the order that it came in', () => {
    const values = steps.map(([json]) => JSON.parse(json.replace(/^([-\d.]+)$/, '{"digits":"$1"}')));
    const scalars = values.map((value) => (typeof value === 'object' ? new Digits(value.digits) : value));
    for (const start of [[...scalars].reverse(), [...scalars.slice(1), ...scalars.slice(0, 1)]])
      expect(start.sort((a, b) => compareAs(type, a, b))).toEqual(scalars);
  });

  it('refuses what its values are never compared by', () => {
    const refused = [...(isOrdered ? [] : ['<', '>=']), ...(LEAF_TYPES[type].contains ? [] : ['~'])];
    for (const sign of refused)
      expect(() => parseCondition(`field${sign}${steps[0]?.[1]}`, vocabulary(field), MOMENT), sign).toThrow(
        /cannot be compared/,
      );
    if (!['text', 'id'].includes(type))
      expect(() => parseCondition('field=no such thing', vocabulary(field), MOMENT)).toThrow(
        expect.objectContaining({ kind: 'usage' }),
      );
  });
});

it('knows the type of every leaf of every family whose shape was seen', async () => {
  const without: string[] = [];
  const walk = (fields: Readonly<Record<string, Field>>, path: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const below = field.fields ?? field.items?.fields;
      if (below) walk(below, `${path}${name}.`);
      else if (leafTypeOf(field) === undefined && !['any', 'object'].includes((field.items ?? field).type))
        without.push(path + name);
    }
  };
  for (const { name } of FAMILY_INDEX) walk((await loadFamily(name)).item ?? {}, `${name}.`);
  expect(without).toEqual([]);
});

it('learns from the values what nothing describes', () => {
  const none: Vocabulary = { columns: [], fields: {} };
  const keeps = (json: string, condition: string) =>
    fulfils(parseLossless(json), parseCondition(condition, none, MOMENT));
  expect(keeps('{"expiry_date":"12/25"}', 'expiry_date<today')).toBe(true);
  expect(keeps('{"expiry_date":"12/28"}', 'expiry_date<today')).toBe(false);
  expect(keeps('{"due_on":"2026-11-24"}', 'due_on>today')).toBe(true);
  expect(keeps('{"billing_country":"USA"}', 'billing_country=us')).toBe(true);
  expect(keeps('{"seats":9}', 'seats<10')).toBe(true);
  expect(() => keeps('{"seats":9}', 'seats<many')).toThrow(/not a number/);
  const [key] = settledKeys(parseSort(['card.exp'], none), [['02/27'], ['11/26'], [null]]);
  expect(key).toMatchObject({ type: 'month' });
});

it('puts what is equal by its type into one group, and months into their years', () => {
  const groupsOf = (by: string, field: Field, ...values: string[]) => {
    const groups = new Groups(parseGrouping([by], [], vocabulary(field)), ZONE);
    for (const value of values) groups.add(item(value));
    return groups.rows().map((row) => JSON.parse(row) as unknown);
  };
  expect(groupsOf('field', { type: 'string', means: 'month' }, '"12/28"', '"01/29"', '"12/2028"')).toEqual([
    { field: '12/28', count: 2 },
    { field: '01/29', count: 1 },
  ]);
  expect(groupsOf('field:year', { type: 'string', means: 'month' }, '"12/28"', '"01/29"')).toEqual([
    { 'field:year': '2028', count: 1 },
    { 'field:year': '2029', count: 1 },
  ]);
  expect(groupsOf('field', { type: 'number' }, '10.0', '9', '10')).toEqual([
    { field: 9, count: 1 },
    { field: 10, count: 2 },
  ]);
  expect(() => groupsOf('field:week', { type: 'string', means: 'month' })).toThrow(/months/);
});

it('compares texts of digits alone by their number, and words never by one', () => {
  const text = vocabulary({ type: 'string' });
  expect(fulfils(item('"9"'), parseCondition('field<10', text, MOMENT))).toBe(true);
  expect(compareAs('text', '9', '10')).toBeLessThan(0);
  expect(() => fulfils(item('"nine"'), parseCondition('field<10', text, MOMENT))).toThrow(/holds text/);
});

it('tells a value that is none of its type from one that does not fit', () => {
  const condition = parseCondition('field<today', vocabulary({ type: 'string', means: 'month' }), MOMENT);
  expect(fulfils(item('"soon"'), condition)).toBe('unknown');
  expect(fulfils(item('""'), condition)).toBe(false);
});
