import { describe, expect, test } from 'vitest';
import { compact, indent, stripEnvelope } from '../../../src/items/json/item-json.js';
import { Digits, get, leafPaths, parseLossless, textOf } from '../../../src/items/json/lossless.js';
import { cellText, Picker } from '../../../src/items/json/pick-values.js';
import { JsonFault } from '../../../src/items/json/scan.js';

describe('texts', () => {
  test('compact gives the same string back when there is nothing to take away', () => {
    const raw = '{"a":" x ","b":[1,2]}';
    expect(compact(raw)).toBe(raw);
    expect(compact(' { "a" : " x " ,\r\n "b" : [ 1 , 10.00 ] } ')).toBe('{"a":" x ","b":[1,10.00]}');
  });

  test('indent keeps digits and empty containers', () => {
    expect(indent('{"a":10.00,"b":[ ],"c":{},"d":[1]}')).toBe(
      '{\n  "a": 10.00,\n  "b": [],\n  "c": {},\n  "d": [\n    1\n  ]\n}',
    );
  });

  test('a string that ends in backslashes ends where it ends', () => {
    expect(compact('["a\\\\" , "\\"" , " "]')).toBe('["a\\\\","\\""," "]');
  });

  test('an item of a single retrieval loses the envelope’s members only', () => {
    expect(stripEnvelope('{"api_call_id":"x","api_call_unix":1,"code":1,"id":"i","amount":10.00,"o":{"code":2}}')).toBe(
      '{"id":"i","amount":10.00,"o":{"code":2}}',
    );
    expect(stripEnvelope('{}')).toBe('{}');
    expect(() => stripEnvelope('[]')).toThrow(JsonFault);
  });
});

describe('lossless values', () => {
  const raw =
    '{"n":10.00,"big":12345678901234567890,"l":[{"r":5},{"r":6.0}],"o":{"p":{"q":"x"}},"e":{},"__proto__":{"z":1}}';

  test('keep numbers, order and dangerous names', () => {
    expect(textOf(parseLossless(raw))).toBe(raw);
  });

  test('are reached by dotted paths', () => {
    const value = parseLossless(raw);
    expect(get(value, 'n')).toEqual(new Digits('10.00'));
    expect(get(value, 'l[1].r')).toEqual(new Digits('6.0'));
    expect(get(value, 'l.0.r')).toEqual(new Digits('5'));
    expect(get(value, 'o.p.q')).toBe('x');
    expect(get(value, 'o.p.q.none')).toBeUndefined();
    expect(get(value, 'toString')).toBeUndefined();
  });

  test('flatten to paths in order', () => {
    expect(leafPaths(parseLossless(raw))).toEqual(['n', 'big', 'l', 'o.p.q', 'e', '__proto__.z']);
  });

  test('a picker takes several at once', () => {
    expect(new Picker(['l[1].r', 'n', 'o', 'none', 'o.p.q', 'n']).pick(raw)).toEqual([
      '6.0',
      '10.00',
      '{"p":{"q":"x"}}',
      undefined,
      '"x"',
      '10.00',
    ]);
  });

  test('the last of repeated names counts', () => {
    expect(new Picker(['a.b', 'a']).pick('{"a":{"b":1},"a":{"c":2}}')).toEqual([undefined, '{"c":2}']);
  });

  test.each([
    [undefined, ''],
    ['null', ''],
    ['"a\\nb"', 'a\nb'],
    ['""', ''],
    ['10.00', '10.00'],
    ['true', 'true'],
    ['{ "id" : "x", "name": "y z" }', '{"id":"x","name":"y z"}'],
  ])('the cell of %j is %j', (text, shown) => {
    expect(cellText(text)).toBe(shown);
  });
});
