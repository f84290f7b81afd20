import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/base/transport.js';
import { parseEnvelope, toError } from '../../../src/service/http/envelope.js';
import * as answers from '../../fixtures/service/service.js';

function reply(answer: answers.Answer): Reply {
  const text = answer.json === undefined ? (answer.body ?? '') : JSON.stringify(answer.json);
  return {
    status: answer.status ?? 200,
    headers: { 'content-type': 'application/json', ...answer.headers },
    body: Buffer.from(text),
  };
}

describe('parseEnvelope', () => {
  it('gives the fields of a success, with a byte order mark too', () => {
    const plain = reply(answers.ok({ customer_id: 'C' }));
    expect(parseEnvelope(plain)).toMatchObject({ code: 1, customer_id: 'C' });
    expect(parseEnvelope({ ...plain, body: Buffer.from(`\ufeff${plain.body}`) }).code).toBe(1);
    expect(parseEnvelope({ ...plain, headers: { 'content-type': 'text/plain' } }).code).toBe(1);
  });

  it.each([
    ['empty', { body: '' }, /empty/],
    ['truncated', answers.truncated(), /cut off/],
    ['HTML', answers.html(), /HTML page/],
    ['text', { body: 'OK', headers: { 'content-type': 'text/plain; charset=x' } }, /text\/plain/],
    ['an array', { json: [{ code: 1 }] }, /array/],
    ['null', { body: 'null' }, /not an object/],
    ['a number', { body: '1' }, /not an object/],
    ['no code', { json: {} }, /code/],
    ['a nesting that fills the memory', { body: `{"code":1,"x":${'['.repeat(300_000)}` }, /nested too deeply/],
    ['a code in text', { json: { code: '1' } }, /code/],
    ['binary', { body: Buffer.from([0, 255, 254, 1]) }, /not JSON/],
  ] as [string, answers.Answer, RegExp][])('throws service_failed for %s', (_name, answer, words) => {
    expect(() => parseEnvelope(reply(answer))).toThrowError(expect.objectContaining({ kind: 'service_failed' }));
    expect(() => parseEnvelope(reply(answer))).toThrow(words);
  });
});

describe('toError', () => {
  it.each([
    ['400', answers.refusal(), 'refused', 1, undefined],
    ['401', answers.badKey(), 'not_authorised', 3, /cops whoami/],
    ['402 decline', answers.declined(2), 'payment_failed', 5, /generic decline/],
    ['402 gateway error', answers.declined(3), 'payment_failed', 5, /gateway/],
    ['402 hold', answers.declined(4), 'payment_failed', 5, /holds the transaction/],
    ['402 without JSON', answers.html(402), 'payment_failed', 5, undefined],
    ['402 fraud', answers.fraud(['FD1']), 'fraud_detected', 6, /fraud-detections get FD1/],
    ['403', answers.refusal(403), 'not_authorised', 3, /subscription:cancel/],
    ['404', answers.notFound(), 'not_found', 4, /mode/],
    ['405', answers.refusal(405), 'refused', 1, /GET and POST/],
    ['418', answers.refusal(418), 'refused', 1, undefined],
    ['429', answers.tooMany(), 'rate_limited', 7, /--rate/],
    ['500', answers.serverError(), 'service_failed', 1, /later/],
    ['599', answers.html(599), 'service_failed', 1, /later/],
    ['302', answers.redirect('https://x.example/p?key=1'), 'service_failed', 1, /https:\/\/x\.example\. Set/],
    ['200 with code 3', { json: { code: 3, message: 'm' } }, 'service_failed', 1, undefined],
    ['E0037', answers.refusal(400, 'E0037'), 'refused', 1, /payment-profiles list/],
    ['E0583', answers.duplicateKey(), 'refused', 1, /24 hours/],
    ['E0208', answers.notProcessed(), 'refused', 1, /--dry-run/],
  ] as [string, answers.Answer, string, number, RegExp | undefined][])('%s', (_name, answer, kind, exit, hint) => {
    const error = toError(reply(answer), { permission: 'subscription:cancel', doing: 'Cancel S1' });
    expect([error.kind, error.exitCode, error.facts.httpStatus]).toEqual([kind, exit, answer.status ?? 200]);
    if (hint) expect(String(error.facts.hint)).toMatch(hint);
    expect(error.message).toMatch(/^Cancel S1: |could not be understood/);
    expect(error.message + error.facts.hint + JSON.stringify(error.facts.more ?? {})).not.toMatch(/RAW-/);
  });

  it('carries what the service said', () => {
    expect(toError(reply(answers.notProcessed())).facts).toMatchObject({
      code: 0,
      errorCode: 'E0208',
      apiCallId: null,
      serviceMessage: 'Request body is not valid JSON',
      more: { api_call_processed: false, valid_json: false },
    });
    const node = answers.refusal(400, 'E0959', 'Bad node', {
      node_id: 'n7',
      invalid_setting: 'delay',
      explanation: 'too long',
    });
    const error = toError(reply(node));
    expect(error.facts.more).toEqual({ node_id: 'n7', invalid_setting: 'delay', explanation: 'too long' });
    expect(String(error.facts.hint)).toBe('Correct delay of node n7: too long');
    expect(toError(reply(answers.fraud(['A', 'B']))).facts.more).toMatchObject({ fraud_detection_created: ['A', 'B'] });
    expect(toError(reply(answers.declined())).facts.rawAnswer).toContain('RAW-GATEWAY');
  });

  it('does not trust the types of what the service said', () => {
    const odd = { status: 400, json: { code: 'x', error_code: 5, message: { a: 1 }, api_call_id: 7 } };
    expect(toError(reply(odd)).facts).toEqual({ httpStatus: 400, rawAnswer: JSON.stringify(odd.json) });
  });
});
