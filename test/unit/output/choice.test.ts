import { describe, expect, test } from 'vitest';
import { colourLevel } from '../../../src/screen/notes.js';
import { formatNamed } from '../../../src/screen/render.js';

describe('the format', () => {
  test.each([
    ['csv', 'csv'],
    ['JSONL', 'jsonl'],
  ])('%j is %s', (word, format) => {
    expect(formatNamed(word)).toBe(format);
  });

  test('a wrong word is a usage error that names the right ones', () => {
    expect(() => formatNamed('xml')).toThrow(expect.objectContaining({ kind: 'usage' }));
    try {
      formatNamed('xml');
    } catch (error) {
      expect((error as { facts: { hint: string } }).facts.hint).toContain('table, json, jsonl, csv, tsv, yaml, ids');
    }
  });
});

describe('colour', () => {
  test.each([
    [{}, true, true, 1],
    [{}, false, true, 0],
    [{}, true, false, 0],
    [{ NO_COLOR: '1' }, true, true, 0],
    [{ NO_COLOR: '' }, true, true, 1],
    [{ FORCE_COLOR: '1' }, false, true, 1],
    [{ FORCE_COLOR: '' }, false, true, 1],
    [{ FORCE_COLOR: '0' }, true, true, 0],
    [{ FORCE_COLOR: 'false' }, true, true, 0],
    [{ FORCE_COLOR: '3' }, false, true, 3],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true, 1],
    [{ FORCE_COLOR: '1' }, false, false, 0],
    [{ CLICOLOR: '0' }, true, true, 0],
    [{ CLICOLOR: '1' }, true, true, 1],
    [{ CLICOLOR_FORCE: '1' }, false, true, 1],
    [{ CLICOLOR_FORCE: '0' }, false, true, 0],
    [{ TERM: 'dumb' }, true, true, 0],
    [{ TERM: 'xterm-256color' }, true, true, 2],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, true, true, 3],
  ])('%j, terminal %s, allowed %s: level %d', (env, isTTY, flag, level) => {
    expect(colourLevel(env, { isTTY }, flag)).toBe(level);
  });
});
