import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskBodyText } from '../../../src/secrets/mask-body.js';
import { mask, maskJson, redact } from '../../../src/secrets/redact.js';

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

it.each(['$&', '$`', "$'", '$$', '$1'])('masks a secret that ends in %s without bringing it back', (ending) => {
  const secret = `sk_live_0123456789abcdef${ending}`;
  expect(redact(`before ${secret} after`, [secret])).toBe(`before ${mask(secret)} after`);
});

describe('masking by field name', () => {
  it('hides cards, codes, keys and credentials, and nothing else', () => {
    const masked = maskJson(JSON.stringify(BODY));
    expect(masked).not.toMatch(/41111111|"123"|s3cr3t|hidden/);
    expect(masked.match(/visible/g)).toHaveLength(2);
    expect(JSON.parse(masked)).toMatchObject({
      payment: { credit_card: { card_number: '****1111', exp_month: 1, card_code: '****' } },
      third_party_credentials: '****',
      nothing: { secret_key: null },
    });
  });

  it('leaves every other byte as it was', () => {
    const text = '{ "a" : 10.00 , "card_code":\n "1\\"23" ,"n":12345678901234567890, "é\\u0041": [ 1.50, {} , [] ] }';
    expect(maskJson(text)).toBe(text.replace('"1\\"23"', '"****"'));
    const plain = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string({ maxLength: 9 }), fc.integer({ max: 999_999 }), fc.boolean(), fc.constant(null)),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'name', 'key', 'value', 'é"\\'), tie('json')),
      ),
    })).json;
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent) ?? 'null';
        expect(maskJson(text)).toBe(text);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it.each(
    `card_number cardNumber card-code cvv CVV2 shop_cvc pan security_code secret_key webhookSecret client_secret
    apiKey x-api-key api_token bearer_token access_token refreshToken smtp_password passphrase private_key
    account_number routing_number authorization`.split(/\s+/),
  )('hides %s in a trace and in a dry run alike', (name) => {
    const body = { a: [{ [name]: { deep: 'hush-hush' } }], b: { [name]: 'hush-hush' } };
    expect(maskJson(JSON.stringify(body))).not.toContain('hush');
    expect(maskBodyText(undefined, JSON.stringify(body))).not.toContain('hush');
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
