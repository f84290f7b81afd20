import { describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/data/mirror/mirror-query.js';

describe('what was typed at the prompt', () => {
  it.each([
    ['select 1', [], 'select 1'],
    ['select 1;', ['select 1'], ''],
    ['select 1; select 2;', ['select 1', 'select 2'], ''],
    ['select 1; select', ['select 1'], ' select'],
    ["select ';';", ["select ';'"], ''],
    ['select 1 as ";";', ['select 1 as ";"'], ''],
    ['select 1 as [;];', ['select 1 as [;]'], ''],
    ["select 'a;\n", [], "select 'a;\n"],
    ["select 'it''s;", [], "select 'it''s;"],
    ["select 'it''s;';", ["select 'it''s;'"], ''],
    ['select 1; -- one;', ['select 1'], ''],
    ['select 1 -- one;\n;', ['select 1 -- one;'], ''],
    ['select /* ; */ 1;', ['select /* ; */ 1'], ''],
    ['/* begun; ', [], '/* begun; '],
    ['/* begun; */ ;', [], ''],
    [';;;\n', [], ''],
    ['  \n', [], ''],
  ] as [string, string[], string][])('%j is cut at its ends', (text, whole, rest) => {
    expect(statementsOf(text)).toEqual({ whole, rest });
  });
});
