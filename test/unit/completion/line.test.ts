import { describe, expect, it } from 'vitest';
import {
  formatAnswer,
  formatForBash,
  quoteForPowerShell,
  readBashLine,
  unquoted,
} from '../../../src/cli/completion/format.js';

const BREAKS = ' \t\n"\'@><=;|&(:';
const TAB = { type: 9, width: 80 };
const LISTING = { type: 63, width: 80 };

describe('a line of bash', () => {
  const cases: readonly (readonly [line: string, words: readonly string[], current: string, settled: string])[] = [
    ['cops ', ['cops'], '', ''],
    ['cops sub', ['cops'], 'sub', ''],
    ['cops  a\tb', ['cops', 'a'], 'b', ''],
    ['cops --output=j', ['cops'], '--output=j', '--output='],
    ['cops -d a:=b', ['cops', '-d'], 'a:=b', 'a:='],
    ['cops --body @fi', ['cops', '--body'], '@fi', ''],
    ['cops -d name=@fi', ['cops', '-d'], 'name=@fi', 'name='],
    ['cops "two words" x', ['cops', 'two words'], 'x', ''],
    ['cops two\\ words x', ['cops', 'two words'], 'x', ''],
    ["cops 'it''s' x", ['cops', 'its'], 'x', ''],
    ['cops "a \\"b\\" c" x', ['cops', 'a "b" c'], 'x', ''],
    ['cops -d "name=two w', ['cops', '-d'], 'name=two w', ''],
    ['cops -d name="two w', ['cops', '-d'], 'name=two w', 'name='],
    ["cops -d name='two w", ['cops', '-d'], 'name=two w', 'name='],
    ['ls | cops cust', ['cops'], 'cust', ''],
    ['a; cops cust', ['cops'], 'cust', ''],
    ['cops list > out x', ['cops', 'list'], 'x', ''],
    ['cops list 2> out x', ['cops', 'list'], 'x', ''],
    ['cops ""', ['cops'], '', ''],
    ['', [], '', ''],
  ];
  it.each(cases)('%s', (line, words, current, settled) => {
    expect(readBashLine(line, BREAKS)).toMatchObject({ words, current, settled });
  });

  it('knows the open quote and a redirection', () => {
    expect(readBashLine('cops "a', BREAKS).quote).toBe('"');
    expect(readBashLine("cops 'a", BREAKS).quote).toBe("'");
    expect(readBashLine('cops "a"', BREAKS).quote).toBe('');
    expect(readBashLine('cops list > o', BREAKS).redirect).toBe(true);
    expect(readBashLine('cops list > o x', BREAKS).redirect).toBe(false);
  });

  it('breaks words where this bash does', () => {
    expect(readBashLine('cops --a=b:c', ' ').settled).toBe('');
    expect(readBashLine('cops --a=b:c', ' =').settled).toBe('--a=');
  });
});

describe('replies to bash', () => {
  const reply = (line: string, ...values: string[]): string[] =>
    formatForBash({ candidates: values.map((value) => ({ value })) }, readBashLine(line, BREAKS), TAB).split('\n');

  it('replaces only what follows the last break, and says where a word ends', () => {
    expect(reply('cops --output=j', '--output=json')).toEqual(['words', 'json ', '']);
    expect(reply('cops -d customer.e', 'customer.email=')).toEqual(['words', 'customer.email=', '']);
    expect(reply('cops sub', 'subscriptions')).toEqual(['words', 'subscriptions ', '']);
  });

  it('escapes as the quotes around the cursor want it', () => {
    expect(reply('cops -p ', 'a b', 'it$s')).toEqual(['words', 'a\\ b ', 'it\\$s ', '']);
    expect(reply('cops -p "', 'a b', 'it$s"')).toEqual(['words', 'a b', 'it\\$s\\"', '']);
    expect(reply("cops -p '", "it's $x")).toEqual(['words', "it'\\''s $x", '']);
    expect(reply('cops -d "name=t', 'name=two words')).toEqual(['words', 'name=two words', '']);
  });

  it('shows what is said about each in a listing of several, cut to the width', () => {
    const candidates = [
      { value: 'list', about: 'x'.repeat(200) },
      { value: 'cancel', about: 'Cancel' },
    ];
    const [, first = '', second] = formatForBash({ candidates }, readBashLine('cops s ', BREAKS), LISTING).split('\n');
    expect(first.length).toBe(78);
    expect(second).toBe('cancel  Cancel');
    const one = formatForBash({ candidates: candidates.slice(1) }, readBashLine('cops s ', BREAKS), LISTING);
    expect(one).toBe('words\ncancel \n');
  });

  it('hands files over with the part that is no path', () => {
    const answer = { candidates: [], files: { prefix: '--body=@' } };
    expect(formatForBash(answer, readBashLine('cops --body=@dir/f', BREAKS), TAB)).toBe('files\n@\ndir/f\n');
    expect(formatForBash(answer, readBashLine('cops --body=@dir/f', ' '), TAB)).toBe('files\n--body=@\ndir/f\n');
    expect(formatAnswer(answer, '--body=@dir/f')).toBe('files\n--body=@\ndir/f\n');
  });
});

describe('what a shell is told', () => {
  it('holds nothing that a terminal or a protocol would take for its own', () => {
    const candidates = [
      { value: 'fine', about: 'a\u001b[31mb\nc\td\u202ee' },
      { value: 'bad\u001b[0m' },
      { value: 'two\nlines' },
      { value: '' },
      { value: 'fine', about: 'again' },
    ];
    expect(formatAnswer({ candidates }, '')).toBe('words\nfine\ta [31mb c d e\n');
  });

  it('is quoted for PowerShell where that reads signs of its own', () => {
    expect(quoteForPowerShell('--output=json')).toBe('--output=json');
    expect(quoteForPowerShell('@')).toBe("'@'");
    expect(quoteForPowerShell("id,it's")).toBe("'id,it''s'");
    expect(quoteForPowerShell('rates[0].')).toBe("'rates[0].'");
  });

  it('is asked for with words as they were typed', () => {
    expect(unquoted('"two wor')).toBe('two wor');
    expect(unquoted("'a'")).toBe('a');
    expect(unquoted('two\\ wor')).toBe('two wor');
    expect(unquoted('plain')).toBe('plain');
  });
});
