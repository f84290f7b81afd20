import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mask, maskJson, maskSecrets, redact } from '../../../src/http/redact.js';

const BODY = {
  payment: { credit_card: { card_number: '4111111111111111', exp_month: 1, card_code: '123' } },
  recaptcha: { site_key: 'visible', secret_key: 's3cr3t' },
  third_party_credentials: {
    id: 'X',
    fields: [
      { id: 'user', value: 'hidden1' },
      { id: 'token', value: ['hidden2'] },
    ],
  },
  smtp: { password: { nested: ['hidden3'] }, apiKey: 'hidden4' },
  name: 'visible',
  nothing: { secret_key: null },
};

describe('masking by field name', () => {
  it('hides cards, codes, keys and credential fields, and nothing else', () => {
    const masked = JSON.stringify(maskSecrets(BODY));
    expect(masked).not.toMatch(/41111111|"123"|s3cr3t|hidden/);
    expect(masked.match(/visible/g)).toHaveLength(2);
    expect(maskSecrets(BODY)).toMatchObject({
      payment: { credit_card: { card_number: '****1111', exp_month: 1, card_code: '****' } },
      third_party_credentials: {
        fields: [
          { id: 'user', value: '****' },
          { id: 'token', value: '****' },
        ],
      },
      nothing: { secret_key: null },
    });
  });

  it('gives the same in JSON text, with every other byte as it was', () => {
    expect(JSON.parse(maskJson(JSON.stringify(BODY)))).toEqual(maskSecrets(BODY));
    const text = '{ "a" : 10.00 , "card_code":\n "1\\"23" ,"n":12345678901234567890, "é\\u0041": [ 1.50, {} , [] ] }';
    expect(maskJson(text)).toBe(text.replace('"1\\"23"', '"****"'));
  });

  it('agrees with the value form for any JSON', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const name = fc.oneof(fc.string(), fc.constantFrom('card_number', 'password', 'fields', 'value', 'secret_key'));
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(name, tie('json'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.parse(maskJson(text))).toEqual(JSON.parse(JSON.stringify(maskSecrets(value))));
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('shows nothing of what is not JSON', () => {
    expect(maskJson('card_number=4111111111111111')).toBe('[28 bytes that are not JSON]');
    expect(maskJson(`${'['.repeat(200_000)}1${']'.repeat(200_000)}`)).toMatch(/bytes that are not JSON/);
  });
});

describe('masking by value', () => {
  it('hides a secret in every form in which it may travel', () => {
    const secret = 'key/with+"signs"=123';
    const text = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
    ].join(' ');
    expect(redact(text, [secret])).toBe('****=123 ****=123 "****=123" ****=123');
    expect(redact('a 12 b', ['12'])).toBe('a 12 b');
    expect(mask('short')).toBe('****');
  });
});
