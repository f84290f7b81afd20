/** @module-tag sweep */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zoneOf } from '../../src/base/time/zones.js';
import { allFamilies } from '../../src/catalogue/index.js';
import { LEAF_TYPES, type LeafType } from '../../src/catalogue/leaf-types.js';
import type { Family } from '../../src/catalogue/types.js';
import { Digits, type Lossless, parseLossless } from '../../src/items/json/lossless.js';
import { learntType, learntTypeOfAll } from '../../src/items/schema/leaf-type.js';
import { compareAs } from '../../src/items/select/compare.js';
import { parseCondition } from '../../src/items/select/condition.js';
import { fulfils } from '../../src/items/select/fulfils.js';
import { nameOf, typeAt, type Vocabulary, vocabularyOf } from '../../src/items/select/names.js';
import { modeOf } from '../../src/sandbox/store/kinds.js';
import type { OpenedSandbox } from '../../src/sandbox/store/open-store.js';
import { layFor, SOME } from '../harness/seeded.js';

/*
 * Every leaf that items of the sandbox show has a type, and is put in order and compared as a rule says that is written
 * here by itself: by the name of the leaf and the form of its values.
 */

type Plain = string | number | boolean;

const families = await allFamilies();
const START = Date.parse('2026-03-10T10:00:00Z') / 1000;
const ZONE = zoneOf('UTC');
const MOMENT = { now: START * 1000, zone: ZONE };
const dataDir = mkdtempSync(join(tmpdir(), 'types-'));
let opened: OpenedSandbox;
/** Values of each leaf, by family. */
const leaves = new Map<string, Map<string, Plain[]>>();

beforeAll(async () => {
  opened = await layFor(dataDir, START, 1, SOME);
  for (const { name } of families) {
    const found = new Map<string, Plain[]>();
    leaves.set(name, found);
    for (const { value } of opened.store.all(name, modeOf(name, false))) collect(value, '', found);
  }
});
afterAll(() => {
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function collect(value: unknown, path: string, into: Map<string, Plain[]>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, path, into);
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value)) collect(member, path === '' ? name : `${path}.${name}`, into);
  else if (value !== null && value !== undefined && value !== '')
    into.set(path, [...(into.get(path) ?? []), value as Plain]);
}

type Kind = 'number' | 'moment' | 'month' | 'day' | 'country' | 'flag' | 'word';

const KIND_OF: Readonly<Record<LeafType, Kind>> = {
  money: 'number',
  count: 'number',
  share: 'number',
  span: 'number',
  instant: 'moment',
  month: 'month',
  day: 'day',
  country: 'country',
  flag: 'flag',
  id: 'word',
  text: 'word',
};

/** What the values of a leaf are, from its name and their form alone. */
function kindOf(path: string, values: readonly Plain[]): Kind {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const all = (form: RegExp): boolean => values.every((value) => form.test(String(value)));
  if (values.every((value) => typeof value === 'boolean')) return 'flag';
  if (/_unix$/.test(name)) return 'moment';
  if (name === 'expiry_month' || name === 'expiry_year') return 'number';
  if (values.every((value) => typeof value === 'number')) return 'number';
  if (name === 'expiry_date') return 'month';
  if (name === 'country') return 'country';
  return all(/^\d{4}-\d\d-\d\d$/) ? 'day' : 'word';
}

const plainWord = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase().replaceAll('ł', 'l');

/** Below, equal or above zero, as the kind says. */
function orderOf(kind: Kind, a: Plain, b: Plain): number {
  const rank = (value: Plain): number | string => {
    const [month = '', year = ''] = String(value).split('/');
    if (kind === 'month') return (Number(year) % 100) * 12 + Number(month);
    if (kind === 'flag') return Number(value);
    if (kind === 'number' || kind === 'moment') return Number(value);
    return plainWord(String(value));
  };
  const [left, right] = [rank(a), rank(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Some of many values: the least, the largest, and those between, each once. */
function spread(values: readonly Plain[]): Plain[] {
  const all = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const step = Math.max(1, Math.floor(all.length / 6));
  return all.filter((_, at) => at % step === 0 || at === all.length - 1).slice(0, 8);
}

const lossless = (value: Plain): Exclude<Lossless, null | unknown[]> & (string | boolean | Digits) =>
  typeof value === 'number' ? new Digits(String(value)) : value;

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '!=': (order) => order !== 0,
};

/** Where two words are numbers both, they go by their numbers. */
const areNumbers = (...words: Plain[]): boolean =>
  words.every((word) => /^-?\d{1,18}(\.\d{1,10})?$/.test(String(word)));

const vocabulary = (family: Family): Vocabulary => {
  const list = family.operations.find(({ action }) => action === 'list');
  return list ? vocabularyOf(family, list) : { columns: family.columns, fields: family.item ?? {} };
};

describe.each(families.map((family) => ({ family, name: family.name })))('$name', ({ family, name }) => {
  const known = vocabulary(family);
  const typed = () =>
    [...(leaves.get(name) ?? [])].map(([path, values]) => {
      const type = typeAt(known, path) ?? learntTypeOfAll(nameOf(path), values.map(lossless));
      return { path, values, type, kind: kindOf(path, values) };
    });

  it('has a type for each leaf, which its name and its values bear out', () => {
    const wrong = typed().filter(({ type, kind }) => type === undefined || KIND_OF[type] !== kind);
    expect(wrong.map(({ path, type, kind, values }) => `${path}: ${type}, not ${kind} (${values[0]})`)).toEqual([]);
  });

  it('puts the values of each leaf in the order of their type', () => {
    for (const { path, values, type, kind } of typed())
      for (const a of spread(values))
        for (const b of spread(values)) {
          const numbers = kind === 'word' && type === 'text' && areNumbers(a, b);
          const order = orderOf(numbers ? 'number' : kind, a, b);
          const found = Math.sign(compareAs(type, lossless(a), lossless(b)));
          if (order !== 0 || kind !== 'word') expect(found, `${path}: ${a} and ${b}`).toBe(order);
        }
  });

  it('compares the values of each leaf by their type', () => {
    for (const { path, values, type, kind } of typed()) {
      if (type === undefined) continue;
      const types = values.map((value) => typeAt(known, path) ?? learntType(nameOf(path), lossless(value)) ?? type);
      const isOrdered = types.every((one) => LEAF_TYPES[one].ordered);
      const signs = Object.keys(HOLDS).filter((sign) => isOrdered || ['=', '!='].includes(sign));
      for (const operand of spread(values))
        for (const sign of signs) {
          // Unquoted, a comma parts several values.
          const one = /^[^"<]*,[^"<]*$/.test(String(operand)) && !/[<>]/.test(sign) ? `"${operand}"` : operand;
          const condition = parseCondition(`${path}${sign}${one}`, known, MOMENT);
          for (const value of spread(values)) {
            const numbers = kind === 'word' && areNumbers(value, operand);
            const order = orderOf(numbers ? 'number' : kind, value, operand);
            const item = parseLossless(JSON.stringify(nested(path, value)));
            const says = `${value} ${path}${sign}${operand}`;
            // Words are larger or smaller than words.
            const isRefused =
              type === 'text' && /[<>]/.test(sign) && areNumbers(operand) && /^\p{L}/u.test(String(value));
            if (isRefused)
              expect(() => fulfils(item, condition), says).toThrow(expect.objectContaining({ kind: 'usage' }));
            else expect(fulfils(item, condition), says).toBe(HOLDS[sign]?.(order));
          }
        }
    }
  });
});

function nested(path: string, value: Plain): object {
  const [step = '', ...rest] = path.split('.');
  return { [step]: rest.length === 0 ? value : nested(rest.join('.'), value) };
}

it('a card expires at the end of its month', () => {
  const cards = leaves.get('customer_cards')?.get('expiry_date') ?? [];
  expect(new Set(cards).size).toBeGreaterThan(20);
  const family = families.find(({ name }) => name === 'customer_cards') as Family;
  for (const today of ['2026-02-28', '2026-03-01', '2026-03-31', '2028-02-29', '2028-12-31', '2029-01-01'])
    for (const said of cards) {
      const [month = '', year = ''] = String(said).split('/');
      // The first moment of the month behind it.
      const over = Date.UTC(2000 + (Number(year) % 100), Number(month), 1);
      const begun = Date.parse(`${today}T00:00:00Z`);
      const moment = { now: begun + 9 * 3_600_000, zone: ZONE };
      const item = parseLossless(JSON.stringify({ expiry_date: said }));
      for (const operand of ['today', today]) {
        const condition = parseCondition(`expiry_date<${operand}`, vocabulary(family), moment);
        expect(fulfils(item, condition), `${said} on ${today}`).toBe(over <= begun);
      }
    }
});
