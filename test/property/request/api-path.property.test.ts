/** However a path is spelled: it is judged as the operation that a forgiving server takes it for, or it is not sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import { knownOperation, plainPath } from '../../../src/cli/commands/api/path.js';

const ID = 'AAAAAAAAAAAAAAAAAAA1';
const PLAIN = `/transactions/${ID}/refund`;

const coded = (letter: string): string => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** One way to write a path otherwise that some server reads as the same path. */
const twist = fc.oneof(
  fc
    .constantFrom('/v2', '/v2.0', '/V2', '/api', '/api/v2', '/.', '/x/..', '//', '/', '/%76%32')
    .map((front) => (path: string) => front + (path.startsWith('/') || front.endsWith('/') ? '' : '/') + path),
  fc
    .constantFrom(
      '/',
      '//',
      '/.',
      ';',
      ';x=1',
      ';jsessionid=9',
      '.json',
      '.',
      '..',
      '%20',
      '%00',
      '%2F',
      '%5C',
      '\\',
      ' ',
    )
    .map((end) => (path: string) => path + end),
  fc
    .constantFrom('\t', '\n', '\u200b', '\u00ad', '%0a', '\ufeff', '+', ':', ',')
    .map((end) => (path: string) => path + end),
  fc.nat(60).chain((at) =>
    fc
      .constantFrom<(letter: string) => string>(
        coded,
        (letter) => coded(letter).toUpperCase(),
        (letter) => coded(coded(letter)[0] as string) + coded(letter).slice(1),
        (letter) => letter.toUpperCase(),
        (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
      )
      .map((change) => (path: string) => {
        // An id is of the letters that it has: in others it names another item.
        const places = [...path.matchAll(/[a-z]/g)].map(({ index }) => index);
        const place = places[at % Math.max(1, places.length)];
        if (place === undefined) return path;
        return path.slice(0, place) + change(path[place] as string) + path.slice(place + 1);
      }),
  ),
  fc
    .tuple(
      fc.nat(3),
      fc.constantFrom('//', '/./', '/;x/', '%2f', '%2F', '%5c', '\\', '/\\', '/%2e/', '/x/../', '\u2215', '\uff0f'),
    )
    .map(([at, slash]) => (path: string) => {
      const places = [...path.matchAll(/\//g)].map(({ index }) => index);
      const place = places[at % Math.max(1, places.length)];
      return place === undefined ? path : path.slice(0, place) + slash + path.slice(place + 1);
    }),
);

async function judged(path: string): Promise<string> {
  try {
    const plain = plainPath(path);
    const known = await knownOperation('POST', plain);
    return known ? `${known.operation.action} ${known.ids.join(' ')} by ${plain}` : 'unknown';
  } catch (error) {
    if (error instanceof CopsError && error.kind === 'usage') return 'refused';
    throw error;
  }
}

describe('a path that is spelled otherwise', () => {
  it('is judged and sent as the plain one, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(twist, { minLength: 1, maxLength: 3 }), async (twists) => {
        const path = twists.reduce((text, change) => change(text), PLAIN);
        expect(['refused', `refund ${ID} by ${PLAIN}`], JSON.stringify(path)).toContain(await judged(path));
      }),
      { numRuns: 2000 },
    );
  });

  it('is one that any server reads alike, once it is plain', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.webPath()), (text) => {
        let plain: string;
        try {
          plain = plainPath(text);
        } catch (error) {
          expect(error).toBeInstanceOf(CopsError);
          return;
        }
        expect(new URL(`http://service${plain}`).pathname).toBe(plain);
        expect(decodeURIComponent(plain)).toBe(plain);
        expect(plainPath(plain)).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });
});
