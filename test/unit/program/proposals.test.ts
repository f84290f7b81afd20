/** What is left of a text without the lines that would not run, and for whom its lines are. */
import { expect, it } from 'vitest';
import {
  type CommandLine,
  cops,
  joinedTexts,
  placeholder,
  say,
  writtenLine,
} from '../../../src/base/text/command-line.js';
import { filledIn } from '../../../src/cli/guess/filled-in.js';
import { readyText, withoutWrongLines } from '../../../src/cli/program/shown-text.js';

const judge = async ({ words }: CommandLine) => (words[0] === 'bad' ? 'no' : undefined);

it.each([
  [cops`sales list --where ${'name~O B'}`, "cops sales list --where 'name~O B'"],
  [cops`sql "select 1"`, "cops sql 'select 1'"],
  [cops`customers get ${['A', 'B']}`, 'cops customers get A B'],
  [cops`bulk resume ${'a b'} ${[]}`, "cops bulk resume 'a b'"],
  [cops`profiles edit ${'x'} --test-key <env:NAME | @file>`, 'cops profiles edit x --test-key <env:NAME | @file>'],
  [cops`customers get ${'<id>'}`, "cops customers get '<id>'"],
  [cops`customers get ${placeholder('<id>')}`, 'cops customers get <id>'],
  [writtenLine("sales list --where 'a=b c'"), "cops sales list --where 'a=b c'"],
])('quotes values for the shell and leaves places as they are: %s', (line, shown) => {
  expect(line.toString()).toBe(shown);
});

it('leaves the other sentences where a line is wrong', async () => {
  const wrong = say`Did you mean "${cops`bad x`}"?`;
  expect(String(await withoutWrongLines(joinedTexts([wrong, 'Nothing was sent.'], ' '), judge))).toBe(
    'Nothing was sent.',
  );
  expect(String(await withoutWrongLines(say`Did you mean "${cops`good x`}"?`, judge))).toBe(
    'Did you mean "cops good x"?',
  );
  expect(await withoutWrongLines(wrong, judge)).toBeUndefined();
});

it('names the account of the line in each line that is of one, and in no other', async () => {
  const shown = (text: Parameters<typeof readyText>[0]) =>
    readyText(text, { profile: 'acme', mode: 'live' }, judge, undefined);
  expect(await shown(say`${cops`sales list`}; ${cops`history list`}`)).toBe(
    'cops -p acme --live sales list; cops history list',
  );
  expect(await shown(cops`login`)).toBe('cops -p acme login');
  expect(await shown(cops`sales list --test`)).toBe('cops sales list --test');
  expect(await shown(cops`customers show x`.in(undefined, 'test'))).toBe('cops --test customers show x');
});

it('puts what was typed into the places of a line, quoted', () => {
  const says = say`For one: ${cops`customers show <who>`}, ${cops`sales list --product=<value>`}`;
  expect(String(filledIn(says, ['sales', 'list', "O'Brien"], 'a b'))).toBe(
    "For one: cops customers show 'O'\\''Brien', cops sales list '--product=a b'",
  );
  expect(String(filledIn(says, ['sales'], undefined))).toBe(
    'For one: cops customers show <who>, cops sales list --product=<name>',
  );
});
