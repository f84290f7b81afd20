import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/errors/errors.js';
import { presentError } from '../../../src/program/present-error.js';

const plain = { json: false, debug: false, raw: false, color: false };
const full = new CopsError('refused', 'Refund of product sale PS1: the service refused the request (HTTP 400)', {
  httpStatus: 400,
  code: 0,
  errorCode: 'E0037',
  apiCallId: 'CALL0000000000000001',
  serviceMessage: 'Payment profile is invalid',
  hint: 'See `cops payment-profiles list`.',
  rawAnswer: '{"gateway_raw_response":{"x":"RAW"}}',
});

describe('an error in text', () => {
  it('says what failed, the words of the service, how to look the call up, and a hint', () => {
    expect(presentError(full, plain)).toBe(
      [
        'Error: Refund of product sale PS1: the service refused the request (HTTP 400)',
        '  The service says: "Payment profile is invalid" E0037',
        '  API call: CALL0000000000000001 (look it up: cops api-calls get CALL0000000000000001)',
        'Hint: See `cops payment-profiles list`.',
        '',
      ].join('\n'),
    );
  });

  it('shows the raw answer only when asked', () => {
    expect(presentError(full, plain)).not.toContain('RAW');
    expect(presentError(full, { ...plain, json: true })).not.toContain('RAW');
    expect(presentError(full, { ...plain, raw: true })).toContain('RAW');
    expect(presentError(full, { ...plain, raw: true, json: true })).toContain('RAW');
  });

  it('lists every fault with its path', () => {
    const faults = [
      { path: 'rates[0].rate', message: 'must be a number' },
      { path: '', message: 'too long' },
    ];
    const text = presentError(new CopsError('usage', '2 faults', { faults }), plain);
    expect(text).toContain('\n  rates[0].rate: must be a number\n  too long\n');
  });

  it('keeps control characters of the service from the terminal', () => {
    const nasty = 'a\u001b[31mred\u0007\u009b2J\u202eevil\r\nline';
    const error = new CopsError('refused', `m ${nasty}`, {
      serviceMessage: nasty,
      errorCode: nasty,
      apiCallId: nasty,
      hint: nasty,
    });
    for (const json of [false, true]) {
      expect(presentError(error, { ...plain, json }).slice(0, -1)).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
      );
    }
  });

  it('never shows a secret or a card number', () => {
    const key = 'live_key_9876543210';
    const error = new CopsError('refused', `key ${key} and card 4111 1111 1111 1111`, {
      serviceMessage: `card 4111111111111111, id 41111111111111111234, unix 1780000000000 (${encodeURIComponent(key)})`,
      more: { echoed: key },
    });
    for (const json of [false, true]) {
      const text = presentError(error, { ...plain, json, secrets: [key] });
      expect(text).not.toContain(key);
      expect(text).not.toMatch(/4111 ?1111 ?1111 ?1111[^1]/);
      expect(text).toContain('****3210');
      expect(text).toContain('****1111');
      expect(text).toContain('41111111111111111234');
      expect(text).toContain('1780000000000');
    }
  });
});

describe('an error in JSON', () => {
  it('is one line with the fixed fields', () => {
    const text = presentError(full, { ...plain, json: true });
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({
      error: {
        kind: 'refused',
        message: `${full.message}: Payment profile is invalid`,
        http_status: 400,
        code: 0,
        error_code: 'E0037',
        api_call_id: 'CALL0000000000000001',
        hint: 'See `cops payment-profiles list`.',
        exit_code: 1,
        service_message: 'Payment profile is invalid',
      },
    });
  });

  it('has null where a fact is missing, and further facts beside', () => {
    const error = new CopsError('fraud_detected', 'x', { more: { fraud_detection_created: ['F1'] } });
    expect(JSON.parse(presentError(error, { ...plain, json: true })).error).toMatchObject({
      http_status: null,
      api_call_id: null,
      fraud_detection_created: ['F1'],
      exit_code: 6,
    });
  });
});

describe('an unexpected error', () => {
  it('is internal, without its stack unless asked for', () => {
    const bug = new TypeError('x is not a function');
    const text = presentError(bug, plain);
    expect(text).toMatch(/Unexpected error: TypeError: x is not a function/);
    expect(text).not.toMatch(/present\.test/);
    expect(presentError(bug, { ...plain, debug: true })).toMatch(/present\.test/);
    expect(JSON.parse(presentError('text', { ...plain, json: true })).error.kind).toBe('internal');
  });
});
