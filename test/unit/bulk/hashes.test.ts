import { describe, expect, it } from 'vitest';
import { withIntent } from '../../../src/account/journal/state.js';

const sumOf = (ids: readonly string[]) => ids.reduce(withIntent, 0);

describe('the sum of the intents of a row', () => {
  it('is the same in any order', () => {
    expect(sumOf(['a0', 'b1', 'c2'])).toBe(sumOf(['c2', 'a0', 'b1']));
  });

  it('does not let two equal changes cancel each other', () => {
    const id = (time: string, tail: string) => `261121-${time}-${tail}`;
    const [one, other] = ['013921', '024033'];
    expect(sumOf([id(one, 'k3f9x'), id(other, 'p7qrs')])).not.toBe(sumOf([id(one, 'p7qrs'), id(other, 'k3f9x')]));
    expect(sumOf([id(one, 'k3f9x'), id(one, 'k3f9x')])).not.toBe(sumOf([]));
  });
});
