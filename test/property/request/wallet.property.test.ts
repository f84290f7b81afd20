import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WALLET_IDENTIFIERS } from '../../../src/catalogue/terms.js';
import { fromService, toService } from '../../../src/service/request/wallet.js';

const word = fc.stringMatching(/^[a-z][a-z0-9]{2,10}$/).filter((value) => value !== 'wallet');
const identifiers: string[] = Object.values(WALLET_IDENTIFIERS).flat().map(String);

/** JSON whose names and texts hold the identifiers of the spec, whole and as parts. */
const piece = fc.oneof(
  fc.constantFrom(
    ...identifiers,
    'wallet',
    'wallet@wallet.com',
    'my wallet_accounts',
    'name',
    'notation',
    'payment_type',
    'metadata',
  ),
  fc.string({ maxLength: 6 }),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    piece,
    fc.constantFrom(null, true, 1.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      piece.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
})).value;

it('what goes out comes back byte for byte, with any word', () => {
  fc.assert(
    fc.property(json, word, fc.constantFrom(0, 1), (value, brand, indent) => {
      const body = JSON.stringify(value, null, indent);
      fc.pre(!body.includes(brand));
      const sent = toService({ method: 'POST', path: '/x', query: [], body }, brand).body ?? '';
      expect(fromService(sent, brand)).toBe(body);
    }),
    { numRuns: 500 },
  );
});

it('changes no free text: values stay under names that are no identifiers', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('name', 'email', 'message', 'description', 'wallet_account_email', 'value'),
      piece,
      word,
      (name, text, brand) => {
        const sent =
          toService({ method: 'POST', path: '/x', query: [], body: JSON.stringify({ [name]: text }) }, brand).body ??
          '';
        expect(Object.values(JSON.parse(sent) as Record<string, unknown>)).toEqual([text]);
      },
    ),
    { numRuns: 300 },
  );
});

it('replaces every identifier that the spec lists in its place, both ways', () => {
  const { families, events, filters, fields } = WALLET_IDENTIFIERS as unknown as Record<string, readonly string[]>;
  for (const family of families ?? [])
    expect(toService({ method: 'GET', path: `/${family}`, query: [] }, 'acme').path).toBe(`/acme${family.slice(6)}`);
  for (const filter of filters ?? []) {
    expect(toService({ method: 'GET', path: '/x', query: [[filter, 'v']] }, 'acme').query).toEqual([
      [`acme${filter.slice(6)}`, 'v'],
    ]);
  }
  for (const field of [...(filters ?? []), ...(fields ?? [])]) {
    expect(fromService(`{"acme${field.slice(6)}":"acme"}`, 'acme')).toBe(`{"${field}":"acme"}`);
  }
  for (const event of events ?? [])
    expect(fromService(`{"notation":"acme${event.slice(6)}"}`, 'acme')).toBe(`{"notation":"${event}"}`);
  expect(fromService('{"payment_type":"acme","payment_type_filter":["acme"]}', 'acme')).toBe(
    '{"payment_type":"wallet","payment_type_filter":["wallet"]}',
  );
  expect(
    (families ?? []).length + (events ?? []).length + (filters ?? []).length + (fields ?? []).length,
  ).toBeGreaterThanOrEqual(11);
});
