/** Where a JMESPath expression is wrong. */
import { describe, expect, it } from 'vitest';
import { openQuery } from '../../../src/screen/jmespath.js';

describe('--query', () => {
  it('is refused where it is longer than anybody types', async () => {
    await expect(openQuery('['.repeat(50_000))).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/50000 characters/),
    });
  });

  it.each([
    ['[?status=', /character 10: it ends too early/, /two equals signs/],
    ['[?status==', /character 11: it ends too early/, /JMESPath/],
    ['[].{a', /character 6: it ends too early/, /JMESPath/],
    ['foo bar', /character 5: "bar" is not allowed there/, /JMESPath/],
    ['[0]]', /character 4: "\]" is not allowed there/, /JMESPath/],
    ['', /character 1: it ends too early/, /JMESPath/],
  ])('says where %j is wrong', async (expression, message, hint) => {
    await expect(openQuery(expression)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(message),
      facts: expect.objectContaining({ hint: expect.stringMatching(hint) }),
    });
  });
});
