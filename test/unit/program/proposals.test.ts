/** What lines a text proposes, and what is left of it without the wrong ones. */
import { expect, it } from 'vitest';
import { proposalsIn, withoutWrongLines } from '../../../src/cli/program/proposals.js';

const lines = (text: string) => proposalsIn(text).map(({ words }) => words.join(' '));

it.each([
  ['Did you mean "cops sales list"?', ['sales list']],
  ['Did you mean "cops customers list --where \'name~O B\'"? More.', ['customers list --where name~O B']],
  ['cops --help lists them all.', ['--help']],
  ['cops sales tail takes --interval. Add --help.', ['sales tail']],
  ['Try: cops --help', ['--help']],
  ['First: `cops login`.', ['login']],
  ['One: cops a b, cops c d.', ['a b']],
  ['Usage: cops report [options] [name]', ['report']],
])('%s', (text, expected) => {
  expect(lines(text).slice(0, expected.length)).toEqual(expected);
});

it('leaves the other sentences where a line is wrong', async () => {
  const judge = async (words: readonly string[]) => (words[0] === 'bad' ? 'no' : undefined);
  expect(await withoutWrongLines('Did you mean "cops bad x"? Nothing was sent.', judge)).toBe('Nothing was sent.');
  expect(await withoutWrongLines('Did you mean "cops good x"?', judge)).toBe('Did you mean "cops good x"?');
  expect(await withoutWrongLines('Did you mean "cops bad x"?', judge)).toBeUndefined();
});
