import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskBodyText } from '../../../src/items/secrets/mask-body.js';
import { mask, maskJson, recordText, redact, redactJson } from '../../../src/items/secrets/redact.js';

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

describe('masking by value', () => {
  const CARD = '4111111111111111';
  it.each([
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111  1111  1111  1111',
    '41 11 11 11 11 11 11 11',
    '4111%201111%201111%201111',
    '4111+1111+1111+1111',
    '4111\u00a01111\u00a01111\u00a01111',
    Buffer.from(CARD).toString('base64'),
    Buffer.from(CARD).toString('base64').replace(/=+$/, ''),
    Buffer.from(CARD).toString('hex'),
    Buffer.from(CARD).toString('hex').toUpperCase(),
  ])('finds a card as %s', (spelling) => {
    expect(redact(`declined: ${spelling}!`, [CARD])).toBe('declined: ****1111!');
    expect(redact(`declined: ${spelling}!`, ['4111 1111 1111 1111'])).not.toContain(spelling);
  });

  it('finds a key in URLs, JSON, Base64 and hexadecimal, whatever is in it', () => {
    const odd = fc
      .string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' })
      .filter((text) => !/^[\d\s]*$/.test(text));
    fc.assert(
      fc.property(odd, (key) => {
        const spellings = [
          key,
          encodeURIComponent(key),
          encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
          JSON.stringify(key).slice(1, -1),
          Buffer.from(key).toString('base64'),
          Buffer.from(key).toString('base64url'),
          Buffer.from(key).toString('hex'),
        ];
        for (const one of spellings) expect(redact(`<${one}>`, [key])).toBe(`<${mask(key)}>`);
      }),
      { numRuns: 500, seed: 12 },
    );
  });

  it('finds a code of three or four digits where it stands alone, and no amount, id or year', () => {
    expect(redact('card 4111 1111 1111 1111, cvc 737.', [CARD, '737'])).toBe('card ****1111, cvc ****.');
    const plain = 'E0737, 737.50, 1,737, 0.737, id737, 17370';
    expect(redact(plain, ['737'])).toBe(plain);
  });

  it('leaves every byte of JSON that hides nothing, and the rest valid', () => {
    const text = '{ "a":10.00, "n": 4111111111111111, "s":"4111 1111 1111 1111", "q":737, "t":"x" }';
    expect(redactJson(text, [CARD, '737'])).toBe('{ "a":10.00, "n": "****", "s":"****1111", "q":737, "t":"x" }');
  });
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

it('stores a record as JSON, with card numbers masked in texts, names and numbers', () => {
  const record = { id: 'a', call: '4111111111111111', n: 4111111111111111, at: 1_764_230_400_000 };
  const named = { 'of 4111 1111 1111 1111': '261121-013921-23456' };
  expect(JSON.parse(recordText({ ...record, named }))).toEqual({
    ...record,
    call: '****1111',
    n: '****1111',
    named: { 'of ****1111': '261121-013921-23456' },
  });
});
