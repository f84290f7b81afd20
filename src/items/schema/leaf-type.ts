import type { LeafType } from '../../catalogue/leaf-types.js';
import { isCountry } from '../../catalogue/value-formats.js';
import type { Lossless } from '../json/lossless.js';
import { isMoneyName, learnParsed } from './learn.js';

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MONTH = /^(?:(?:0[1-9]|1[0-2])\/(?:\d\d|20\d\d)|20\d\d-(?:0[1-9]|1[0-2]))$/;
/** Without such a name, `12/28` may mean anything. */
const MONTH_NAME = /(?:^|_)(?:exp|expir\w*|month|valid\w*)(?:_|$)/i;
const COUNTRY_NAME = /(?:^|_)country(?:_code)?$/i;
/** A number written as a string. A longer one identifies something: a parcel, an account. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;

/**
 * The type that a value suggests for its field, where nothing describes the field; undefined for anything but a single
 * value.
 *
 * @param name the field's own name, without its path
 */
export function learntType(name: string, value: Lossless): LeafType | undefined {
  if (value === null || value === '' || Array.isArray(value) || value instanceof Map) return undefined;
  switch (learnParsed(name, value).type) {
    case 'boolean':
      return 'flag';
    case 'timestamp':
      return 'instant';
    case 'id':
      return 'id';
    case 'integer':
    case 'decimal':
      return isMoneyName(name) ? 'money' : 'count';
    default:
      return typeof value === 'string' ? typeOfText(name, value) : 'text';
  }
}

function typeOfText(name: string, text: string): LeafType {
  if (DAY.test(text)) return 'day';
  if (MONTH.test(text) && MONTH_NAME.test(name)) return 'month';
  if (COUNTRY_NAME.test(name) && isCountry(text)) return 'country';
  return isMoneyName(name) && NUMBER.test(text) ? 'money' : 'text';
}

/** The one type that all values of a field suggest; text where they differ, undefined where there are none. */
export function learntTypeOfAll(name: string, values: Iterable<Lossless>): LeafType | undefined {
  let all: LeafType | undefined;
  for (const value of values) {
    const one = learntType(name, value);
    if (one === undefined || one === all) continue;
    if (all !== undefined) return 'text';
    all = one;
  }
  return all;
}
