import fc from 'fast-check';

/** One JSON value written in two ways: without whitespace, and with odd whitespace around its tokens. */
export interface Written {
  readonly tight: string;
  readonly loose: string;
}

const space = fc
  .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '   '), { maxLength: 2 })
  .map((parts) => parts.join(''));

const digits = fc.oneof(
  fc.constantFrom('0', '-0', '10.00', '1e5', '1E+05', '-0.10', '12345678901234567890', '1e-400', '9007199254740993'),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

/** A string literal, now and then with every character as a `\u` escape, so that names are not found by their bytes. */
export const literal = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.integer({ min: 0, max: 3 }))
    .map(([value, how]) =>
      how > 0 || value.length === 0
        ? JSON.stringify(value)
        : `"${[...Array(value.length).keys()].map((i) => `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`,
    );

const name = fc.oneof(
  fc.constantFrom('id', 'live_mode', 'results', 'code', 'api_call_id', 'total_count', '__proto__', '', 'a"b', 'é\\'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('"results":[', '}],{"id":"x"', '\\', '\\"', '\u2028', '\u0000', 'ends in \\'),
);

const scalar = fc
  .oneof(digits, literal(word), fc.constantFrom('true', 'false', 'null'))
  .map((text): Written => ({ tight: text, loose: text }));

function joined(open: string, close: string, parts: readonly Written[], spaces: readonly string[]): Written {
  const at = (i: number): string => spaces[i % Math.max(1, spaces.length)] ?? '';
  return {
    tight: `${open}${parts.map((part) => part.tight).join(',')}${close}`,
    loose: `${open}${at(0)}${parts.map((part, i) => `${part.loose}${at(i + 1)}`).join(`,${at(2)}`)}${close}`,
  };
}

export const { value, object } = fc.letrec<{ value: Written; object: Written; array: Written }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('array')),
  array: fc
    .tuple(fc.array(tie('value'), { maxLength: 5 }), fc.array(space, { maxLength: 4 }))
    .map(([parts, spaces]) => joined('[', ']', parts, spaces)),
  object: fc
    .tuple(fc.array(fc.tuple(literal(name), space, tie('value')), { maxLength: 6 }), fc.array(space, { maxLength: 4 }))
    .map(([members, spaces]) =>
      joined(
        '{',
        '}',
        members.map(([key, gap, member]) => ({
          tight: `${key}:${member.tight}`,
          loose: `${key}${gap}:${gap}${member.loose}`,
        })),
        spaces,
      ),
    ),
}));

export { space };
