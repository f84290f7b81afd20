import { describe, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import { presentError } from '../../../src/cli/program/present-error.js';
import { PLAIN } from '../../../src/screen/style.js';

const plain = { json: false, debug: false, raw: false, colours: PLAIN };
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
        '  API call: cops api-calls get CALL0000000000000001',
        'Hint: See `cops payment-profiles list`.',
        '',
      ].join('\n'),
    );
  });

  it('says fraud once, and names what it made without JSON', () => {
    const error = (ids: string[]) =>
      new CopsError('fraud_detected', 'Fraud was detected (HTTP 402)', {
        hint: `Look at it with \`cops fraud-detections get ${ids[0]}\`.`,
        more: { fraud_detected: true, fraud_detection_created: ids },
      });
    expect(presentError(error(['FD1']), plain)).toBe(
      'Error: Fraud was detected (HTTP 402)\nHint: Look at it with `cops fraud-detections get FD1`.\n',
    );
    expect(presentError(error(['FD1', 'FD2']), plain)).toContain('\n  fraud_detection_created: FD1, FD2\n');
    expect(JSON.parse(presentError(error(['FD1']), { ...plain, json: true })).error).toMatchObject({
      fraud_detected: true,
      fraud_detection_created: ['FD1'],
    });
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

describe('what looks like a card', () => {
  const shown = (text: string, json: boolean, folders: readonly string[] = []) =>
    presentError(new CopsError('interrupted', 'stopped', { hint: text }), { ...plain, json, folders });

  it('is not the name of a journal, whenever it was begun', () => {
    const start = Date.UTC(2026, 10, 21);
    for (let index = 0; index < 1000; index++) {
      const iso = new Date(start + index * 7_654_321).toISOString();
      const time = iso.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
      for (const name of [`${time}-setup-apply-${1000 + index}.journal`, `${time.replace('-', '')}.journal`]) {
        const hint = `Continue with: cops setup resume /data/cops/journals/${name}`;
        for (const json of [false, true]) expect(shown(hint, json)).toContain(hint);
      }
    }
  });

  it('is a card of every scheme, however it is grouped', () => {
    const cards = (
      '4111111111111111 4222222222222 4000000000000000006 5555555555554444 2221000000000009 2720999999999996 ' +
      '2200000000000004 378282246310005 30569309025904 3530111333300000 5018000000000009 6759649826438453 ' +
      '6304000000000000 6011111111111117 6205500000000000004'
    ).split(' ');
    for (const card of cards) {
      const groups = [card, card.replace(/(\d{4})(?=\d)/g, '$1 '), card.replace(/(\d{4})(?=\d)/g, '$1-')];
      for (const spelling of groups) expect(shown(`declined ${spelling}`, false), spelling).not.toContain(spelling);
    }
  });

  it('stays in a path of cops, wherever its folder is, and in a UUID', () => {
    for (const folder of ['/home/me/4111111111111111/cops', 'C:\\Users\\me\\cops', '/a b/c+(d)']) {
      const path = `${folder}/journals/4111-1111-1111-1111-4111111111111111.journal`;
      expect(shown(`cops bulk resume ${path}`, false, [folder])).toContain(path);
      expect(shown(`cops bulk resume ${path}`, true, [folder])).toContain(JSON.stringify(path).slice(1, -1));
      expect(shown(`${path} 4111111111111111`, false, [folder])).toContain(`${path} ****1111`);
    }
    const uuid = '41111111-1111-1111-8111-111111111111';
    expect(shown(`cops sales get ${uuid}`, false)).toContain(uuid);
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
