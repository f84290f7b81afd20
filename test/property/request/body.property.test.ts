import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field, Operation } from '../../../src/catalogue/types.js';
import { bodyFaults } from '../../../src/items/checks/body-faults.js';
import { JsonSyntaxFault, parseJson } from '../../../src/items/json/parse-json.js';
import { pathText, serialise, type Tree, type TreeObject } from '../../../src/items/json/tree.js';
import { canonicalBody, maskBodyText } from '../../../src/items/secrets/mask-body.js';
import { parsePath, setAt } from '../../../src/service/body/data-path.js';
import { gatherBody } from '../../../src/service/body/gather.js';

const RUNS = { numRuns: 200 };
const io = { readFile: async () => Buffer.from(''), readStdin: async () => Buffer.from('') };
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
/** Numbers as JSON may write them, digits and all. */
const numeral = fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,24})(?:\.[0-9]{1,6})?(?:[eE][+-]?[0-9]{1,2})?$/);

function entry(fields: Record<string, Field>, closed = true): Operation {
  return {
    action: 'create',
    method: 'POST',
    path: '/things',
    operationId: 'X',
    summary: '',
    risk: 'write',
    rules: [],
    example: '',
    evidence: 'spec',
    body: { closed, complete: closed, fields },
  };
}
const OPEN = entry({}, false);

describe('JSON', () => {
  const allowed = (value: unknown): boolean => !/__proto__|constructor|prototype/.test(JSON.stringify(value));

  it('reads what JSON.parse reads, and writes it back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        fc.pre(allowed(value));
        const text = JSON.stringify(value, null, indent);
        expect(JSON.parse(serialise(parseJson(text).value))).toEqual(JSON.parse(text));
        if (indent === 0) expect(parseJson(text).duplicates).toEqual([]);
      }),
      RUNS,
    );
  });

  it('refuses what JSON.parse refuses, and the other way round', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ntrue1.0e-+ \n'), maxLength: 14 });
    fc.assert(
      fc.property(noise, (text) => {
        let expected: unknown;
        let refused = false;
        try {
          expected = JSON.parse(text);
        } catch {
          refused = true;
        }
        if (refused) expect(() => parseJson(text)).toThrow(JsonSyntaxFault);
        else expect(JSON.parse(serialise(parseJson(text).value))).toEqual(expected);
      }),
      { numRuns: process.env.COPS_LONG === '1' ? 3000 : 1000 },
    );
  });

  it('keeps the digits of every number', () => {
    fc.assert(
      fc.property(fc.array(numeral), (numbers) => {
        const text = `[${numbers.join(',')}]`;
        expect(serialise(parseJson(text).value)).toBe(text);
      }),
      RUNS,
    );
  });
});

describe('-d path=value', () => {
  const path = fc
    .array(fc.oneof(name, fc.nat({ max: 3 })), { minLength: 1, maxLength: 5 })
    .filter((parts) => typeof parts[0] === 'string');

  it('puts a value where its path says and nowhere else', () => {
    fc.assert(
      fc.property(path, fc.string(), (parts, value) => {
        const steps = parsePath(pathText(parts));
        expect(steps).toEqual(parts);
        const root: TreeObject = {};
        setAt(root, steps, value);
        let place: Tree | undefined = root;
        for (const part of parts) place = (place as Record<string | number, Tree>)[part];
        expect(place).toBe(value);
        const leaves: unknown[] = [];
        JSON.stringify(root, (_, member: unknown) => {
          if (typeof member !== 'object' && member !== undefined) leaves.push(member);
          return member;
        });
        expect(leaves).toEqual([value]);
      }),
      RUNS,
    );
  });

  it('never throws anything but a usage error, whatever is written, and touches no prototype', async () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        '.',
        '[',
        ']',
        '0',
        '1',
        '=',
        ':',
        '__proto__',
        'constructor',
        '"',
        '{',
        '}',
        '@@',
      ),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 3 }), async (data) => {
        const fault = await gatherBody(OPEN, { data }, io).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (fault !== undefined) expect(fault).toMatchObject({ kind: 'usage' });
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as Record<string, unknown>).a).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a text a text, and the digits of a number', async () => {
    const fields = entry({ t: { type: 'string' }, n: { type: 'number' } });
    const text = fc.string().filter((value) => !value.startsWith('@'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, numeral),
        numeral.filter((one) => !/e/i.test(one)),
        async (written, number) => {
          const { body } = await gatherBody(fields, { data: [`t=${written}`, `n=${number}`] }, io);
          expect(serialise(body)).toBe(`{"t":${JSON.stringify(written)},"n":${number}}`);
        },
      ),
      RUNS,
    );
  });
});

describe('schemas', () => {
  const TYPES = { string: 'x', integer: 5, number: 1.5, boolean: true, object: {}, array: [] } as const;
  const type = fc.constantFrom(...(Object.keys(TYPES) as (keyof typeof TYPES)[]));
  const field = fc.record({
    name,
    type,
    required: fc.boolean(),
    given: fc.constantFrom('right', 'wrong', 'absent') as fc.Arbitrary<string>,
  });

  it('name every missing, ill-typed and unknown field, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(field, { selector: (one) => one.name, maxLength: 8 }),
        fc.uniqueArray(
          name.map((word) => `zz_unknown_${word}`),
          { maxLength: 3 },
        ),
        async (fields, unknown) => {
          const schema = entry(
            Object.fromEntries(
              fields.map((one): [string, Field] => [
                one.name,
                {
                  type: one.type,
                  ...(one.required ? { required: true } : {}),
                  ...(one.type === 'object' ? { open: true } : {}),
                },
              ]),
            ),
          );
          const body: TreeObject = {};
          const expected = [...unknown];
          for (const one of fields) {
            if (one.given === 'right') body[one.name] = TYPES[one.type] as Tree;
            if (one.given === 'wrong') body[one.name] = one.type === 'boolean' ? 'no' : (false as Tree);
            if (one.given === 'wrong' || (one.given === 'absent' && one.required)) expected.push(one.name);
          }
          for (const one of unknown) body[one] = 1;
          const { faults } = await bodyFaults(schema, body);
          expect(faults.map((fault) => fault.path).sort()).toEqual(expected.sort());
        },
      ),
      RUNS,
    );
  });
});

describe('secrets and hashes', () => {
  it('a secret never stays in a masked body, wherever it is', () => {
    const secretName = fc.constantFrom('card_number', 'card_code', 'secret_key', 'password');
    const path = fc
      .array(fc.oneof(name, fc.nat({ max: 2 })), { maxLength: 4 })
      .filter((parts) => typeof parts[0] !== 'number');
    fc.assert(
      fc.property(path, secretName, fc.stringMatching(/^S3CR3T[0-9a-z]{6}$/), (parts, key, secret) => {
        const root: TreeObject = {};
        setAt(root, [...parts, key], secret);
        const text = serialise(root).replaceAll(',undefined', '');
        expect(maskBodyText(OPEN, text)).not.toContain(secret);
        expect(maskBodyText(undefined, text)).not.toContain(secret);
      }),
      RUNS,
    );
  });

  it('the canonical text does not depend on the order of names or the key', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue(), { maxKeys: 6 }), fc.uuid(), (body, key) => {
        const shuffled = Object.fromEntries([['idempotency_key', key], ...Object.entries(body).reverse()]);
        expect(canonicalBody(shuffled)).toBe(canonicalBody({ ...body, idempotency_key: 'other' }));
      }),
      RUNS,
    );
  });
});
