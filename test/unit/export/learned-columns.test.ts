import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ItemLearner, learnItem, widenAll } from '../../../src/items/schema/learn.js';
import type { Schema } from '../../../src/items/schema/types.js';

const name = fc.constantFrom('id', 'amount', 'created_unix', 'note', 'customer', 'a-b', '2026-01-31');
const number = fc.constantFrom('1', '10.00', '1769850000', '12345678901234567890', '1e3', '-0.5');
const text = fc.constantFrom('"x"', '"a1b2c3d4e5f6a7b8c9d0"', '"2026-01-31T10:00:00Z"', '"é\\n\\""', 'null', 'true');
const value = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    number,
    text,
    fc.array(tie('any'), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
    fc
      .array(fc.tuple(name, tie('any')), { maxLength: 4 })
      .map((all) => `{${all.map(([key, one]) => `"${key}": ${one}`).join(',')}}`),
  ),
})).any;
/** Few names and values, so that members come again; now and then one name twice. */
const item = fc
  .array(fc.tuple(name, value), { maxLength: 6 })
  .map((all) => `{${all.map(([key, one]) => `"${key}":${one}`).join(',')}}`);
const large = fc.constant(`{${Array.from({ length: 300 }, (_, at) => `"m${at}":${at % 2}`).join(',')}}`);

it('learns of items one after another what each of them shows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: large }), { maxLength: 12 }),
      (items) => {
        const learner = new ItemLearner();
        const learnt = items.reduce<Schema>((all, one) => widenAll(all, learner.learn(Buffer.from(one))), []);
        expect(learnt).toEqual(items.reduce<Schema>((all, one) => widenAll(all, learnItem(one)), []));
      },
    ),
    { numRuns: process.env.COPS_LONG === '1' ? 1000 : 200 },
  );
});
