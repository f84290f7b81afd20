import { describe, expect, test } from 'vitest';
import { slicePage } from '../../../src/items/json/item-json.js';
import { JsonFault } from '../../../src/items/json/scan.js';

const page = (text: string, idField?: string) => slicePage(Buffer.from(text), idField);

describe('an answer of a list', () => {
  const answer = `{"api_call_id":"abcdefghij0123456789","api_call_unix":1700000000,"code":1,"current_count":2,
    "current_page":1,"results":[{"id":"a","amount":10.00,"live_mode":true},{"id":12345678901234567890}],
    "total_count":4312,"total_pages":173}`;

  test('gives the envelope and the exact items', () => {
    const found = page(answer);
    expect(found).toMatchObject({
      hasResults: true,
      api_call_unix: 1700000000,
      total_count: 4312,
      total_pages: 173,
    });
    expect(Object.fromEntries(found.scalars)).toMatchObject({
      code: 1,
      api_call_id: 'abcdefghij0123456789',
      current_count: 2,
      current_page: 1,
    });
    expect(found.items.map((item) => item.raw)).toEqual([
      '{"id":"a","amount":10.00,"live_mode":true}',
      '{"id":12345678901234567890}',
    ]);
    expect(found.items.map((item) => item.id)).toEqual(['a', '12345678901234567890']);
    expect(found.items.map((item) => item.liveMode)).toEqual([true, undefined]);
  });

  test('takes another field for the id', () => {
    expect(page('{"results":[{"id":"a","key":"k\\u0031"}]}', 'key').items[0]?.id).toBe('k1');
  });

  test('tolerates a byte order mark', () => {
    expect(page('\ufeff{"results":[1]}').items[0]?.raw).toBe('1');
  });

  test.each([
    ['in a string', '{"message":"\\"results\\":[1]","results":[2]}', ['2']],
    ['in another object', '{"x":{"results":[1]},"results":[2]}', ['2']],
    ['in a longer name', '{"my_results":[1],"results":[2],"results_2":[3]}', ['2']],
    ['in an item', '{"results":[{"results":[1]}]}', ['{"results":[1]}']],
    ['with an escaped name', '{"resul\\u0074s":[3]}', ['3']],
  ])('is not fooled by results %s', (_, text, raws) => {
    expect(page(text).items.map((item) => item.raw)).toEqual(raws);
  });

  test('takes only the item’s own id and live_mode, the last of repeated ones', () => {
    const text =
      '{"results":[{"customer":{"id":"no","live_mode":false},"id":"first","i\\u0064":"last","live_mode":"true"}]}';
    expect(page(text).items[0]).toMatchObject({ id: 'last', liveMode: null });
  });

  test('tells an answer without results from an empty list', () => {
    expect(page('{"code":1,"id":"x"}').hasResults).toBe(false);
    expect(page('{"code":1,"results":null}').hasResults).toBe(false);
    expect(page('{"code":1,"results":[]}')).toMatchObject({ hasResults: true, items: [] });
  });

  test('counts are whole numbers or unknown', () => {
    expect(page('{"total_count":"5","total_pages":-1,"api_call_unix":1.5}')).toMatchObject({
      total_count: undefined,
      total_pages: undefined,
      api_call_unix: undefined,
    });
    expect(page('{"total_count":5,"total_count":6}').total_count).toBe(6);
  });

  test('keeps scalars by name, __proto__ among them', () => {
    expect([...page('{"__proto__":1,"api_call_id":null,"a":"\\n","o":{}}').scalars]).toEqual([
      ['__proto__', 1],
      ['api_call_id', null],
      ['a', '\n'],
    ]);
  });
});

describe('an answer that is no JSON', () => {
  test.each([
    [''],
    ['<html>502</html>'],
    ['[]'],
    ['null'],
    ['{"results":[{"id":"a"}'],
    ['{"results":[{"id":"a"},]}'],
    ['{"results":[{"id":"a"}{}]}'],
    ['{"results":[1],"results":[2]}'],
    ['{"a":01}'],
    ['{"a":1.}'],
    ['{"a":"\t"}'],
    ['{"a":"\\x"}'],
    ['{"a":"\\u12g4"}'],
    ['{"a":tru}'],
    ['{"a":+1}'],
    ['{"a":NaN}'],
    ["{'a':1}"],
    ['{"a":1}x'],
    ['{"a":1}{"b":2}'],
    ['{"a":[1}}'],
  ])('%j is refused with a place', (text) => {
    expect(() => page(text)).toThrow(JsonFault);
    expect(() => page(text)).toThrow(/at byte \d+\.$/);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(() => slicePage(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(/UTF-8/);
  });

  test('nesting without end is refused, not a crash', () => {
    expect(() => page(`{"a":${'['.repeat(200_000)}`)).toThrow(/too deep/);
    expect(page(`{"a":${'['.repeat(900)}${']'.repeat(900)}}`).hasResults).toBe(false);
  });
});
