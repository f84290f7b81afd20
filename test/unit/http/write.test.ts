import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ServiceRequest, type Transport, TransportError } from '../../../src/base/transport.js';
import { openTransport } from '../../../src/service/http/client.js';
import type { WriteOutcome } from '../../../src/service/http/retry.js';
import { write } from '../../../src/service/http/send-write.js';
import {
  badKey,
  declined,
  duplicateKey,
  fraud,
  html,
  midBody,
  notFound,
  ok,
  type Reaction,
  redirect,
  refusal,
  serverError,
  slow,
  tooMany,
  truncated,
  wrote,
} from '../../fixtures/service/service.js';
import { deadPort, KEY, POST, policy, withService } from './helpers.js';

const ASKED = 'PS100000000000000000';
const done = wrote('product_sale', ASKED);

/** Runs one write against scripted reactions. */
async function run(reactions: Reaction[], more: Parameters<typeof policy>[0] = {}) {
  let outcome: WriteOutcome | undefined;
  let bodies: string[] = [];
  const rules = policy({ timeoutMs: 400, asked: [{ name: 'product_sale_id', value: ASKED }], ...more });
  await withService(async (service, transport) => {
    service.script(...reactions);
    outcome = await write(transport, POST, rules);
    bodies = service.requests.map((request) => request.body);
  });
  if (!outcome) throw new Error('no outcome');
  const exit = outcome.claim === 'done' ? 0 : outcome.error.exitCode;
  return { outcome, claim: outcome.claim, exit, sent: bodies.length, bodies, waits: rules.waits };
}

const REFUSALS: [name: string, reaction: Reaction, exit: number, kind: string][] = [
  ['400', refusal(400), 1, 'refused'],
  ['400 E0037', refusal(400, 'E0037'), 1, 'refused'],
  ['401', badKey(), 3, 'not_authorised'],
  ['402 decline', declined(2), 5, 'payment_failed'],
  ['402 gateway error', declined(3), 5, 'payment_failed'],
  ['402 hold', declined(4), 5, 'payment_failed'],
  ['402 fraud', fraud(), 6, 'fraud_detected'],
  ['403', refusal(403), 3, 'not_authorised'],
  ['404', notFound(), 4, 'not_found'],
  ['405', refusal(405), 1, 'refused'],
  ['409', refusal(409), 1, 'refused'],
  ['422 as HTML', html(422), 1, 'refused'],
];

const UNCLEAR: [name: string, reaction: Reaction][] = [
  ['500', serverError(500)],
  ['502 as HTML', html(502)],
  ['503', serverError(503)],
  ['200 as HTML', html(200)],
  ['200 with truncated JSON', truncated()],
  ['200 with an empty body', { body: '' }],
  ['200 with an array', { json: [1] }],
  ['200 with code 0', { json: { code: 0, message: 'no' } }],
  ['200 with code 2', { json: { code: 2, message: 'declined' } }],
  ['200 with code "1"', { json: { code: '1' } }],
  ['200 with `code` twice', { body: '{"code":0,"message":"refused","code":1}' }],
  ['200 with `code` twice, once escaped', { body: '{"code":0,"c\\u006fde":1}' }],
  ['200 with the result "error"', { json: { code: 1, product_sale_id: ASKED, result: 'error' } }],
  ['200 with the result false', { json: { code: 1, product_sale_id: ASKED, result: false } }],
  ['200 with an error code', { json: { code: 1, product_sale_id: ASKED, error_code: 'E0037', result: 'success' } }],
  ['200 about another item', { json: { code: 1, product_sale_id: 'PS199999999999999999', result: 'success' } }],
  ['200 with another id', { json: { code: 1, id: 'PS199999999999999999', result: 'success' } }],
  ['200 with a list', { json: { code: 1, results: [], total_count: 0, total_pages: 0 } }],
  ['a redirect', redirect('https://elsewhere.example/api/v2')],
  ['408', refusal(408)],
];

const LOSSES: [name: string, reaction: Reaction][] = [
  ['a reset', 'drop'],
  ['an end', 'close'],
  ['half a body', midBody()],
  ['silence', 'silence'],
  ['an answer after the time-out', slow(ok(), 1_500)],
];

describe('the outcome table of writes', () => {
  it('2xx with code 1 is done', async () => {
    const { claim, exit, sent } = await run([done]);
    expect([claim, exit, sent]).toEqual(['done', 0, 1]);
    expect((await run([{ ...done, status: 201 }])).claim).toBe('done');
  });

  it.each(REFUSALS)('%s with nothing lost is refused and never sent again', async (_name, reaction, exit, kind) => {
    const result = await run([reaction, done]);
    expect([result.claim, result.exit, result.sent]).toEqual(['refused', exit, 1]);
    expect(result.outcome.claim !== 'done' && result.outcome.error.kind).toBe(kind);
    expect(result.outcome.lostAnswer).toBe(false);
  });

  it.each(REFUSALS)('%s after a lost answer is unknown', async (_name, reaction) => {
    const result = await run(['drop', reaction, done]);
    expect([result.claim, result.exit, result.sent]).toEqual(['unknown', 9, 2]);
    expect(result.outcome.lostAnswer).toBe(true);
  });

  it.each(UNCLEAR)('%s is unknown and never sent again', async (_name, reaction) => {
    const result = await run([reaction, done]);
    expect([result.claim, result.exit, result.sent]).toEqual(['unknown', 9, 1]);
    const late = await run(['drop', reaction, done]);
    expect([late.claim, late.exit, late.sent]).toEqual(['unknown', 9, 2]);
  });

  it.each(LOSSES)('%s is sent again once with the same bytes', async (_name, loss) => {
    const result = await run([loss, done]);
    expect([result.claim, result.sent]).toEqual(['done', 2]);
    expect(new Set(result.bodies)).toEqual(new Set([POST.body]));
    const twice = await run([loss, loss, done]);
    expect([twice.claim, twice.exit, twice.sent]).toEqual(['unknown', 9, 2]);
  });

  it.each([
    ['nothing before', [duplicateKey()], 1],
    ['only 429 before', [tooMany(), duplicateKey()], 2],
    ['a lost answer before', ['drop', duplicateKey()], 2],
  ] as [string, Reaction[], number][])('E0583 with %s is unknown', async (_name, reactions, sent) => {
    const result = await run([...reactions, done]);
    expect([result.claim, result.exit, result.sent]).toEqual(['unknown', 9, sent]);
  });

  it('names a key of the user as such, and the first attempt that arrived', async () => {
    const message = async (reactions: Reaction[], ownKey: boolean) => {
      const { outcome } = await run(reactions, { ownKey });
      return outcome.claim === 'done' ? '' : outcome.error.message;
    };
    expect(await message([duplicateKey()], true)).toMatch(/key that you gave was used before/);
    expect(await message([duplicateKey()], false)).not.toMatch(/you gave/);
    expect(await message(['drop', duplicateKey()], true)).toMatch(/first attempt arrived/);
  });

  it('429 is sent again with the same bytes, Retry-After honoured', async () => {
    const result = await run([tooMany(2), tooMany(), done]);
    expect([result.claim, result.sent]).toEqual(['done', 3]);
    expect(new Set(result.bodies).size).toBe(1);
    expect(result.waits[0]).toBeGreaterThanOrEqual(2_000);
    expect(result.waits[0]).toBeLessThan(2_500);
  });

  it('429 to the end is refused when nothing was lost, else unknown', async () => {
    const plain = await run([tooMany(), tooMany(), tooMany(), tooMany(), done]);
    expect([plain.claim, plain.exit, plain.sent]).toEqual(['refused', 7, 4]);
    const lost = await run(['drop', tooMany(), tooMany(), tooMany(), done]);
    expect([lost.claim, lost.exit, lost.sent]).toEqual(['unknown', 9, 4]);
  });

  it('does not wait for hours when Retry-After asks for it', async () => {
    const result = await run([tooMany(86_400), done]);
    expect([result.claim, result.exit, result.sent, result.waits]).toEqual(['refused', 7, 1, []]);
  });

  it('without a key nothing is sent twice', async () => {
    for (const [reaction, claim, exit] of [
      ['drop', 'unknown', 9],
      ['silence', 'unknown', 9],
      [tooMany(), 'refused', 7],
    ] as [Reaction, string, number][]) {
      const result = await run([reaction, done], { hasKey: false });
      expect([result.claim, result.exit, result.sent]).toEqual([claim, exit, 1]);
    }
  });

  it('with no retries allowed nothing is sent twice', async () => {
    expect((await run(['drop', done], { maxRetries: 0 })).claim).toBe('unknown');
    expect((await run([tooMany(), done], { maxRetries: 0 })).exit).toBe(7);
  });

  it('a refused connection is not sent: nothing done', async () => {
    const port = await deadPort();
    const transport = await openTransport({
      baseUrl: `http://127.0.0.1:${port}/v2`,
      key: KEY,
      env: {},
      userAgent: 'x',
    });
    const outcome = await write(transport, POST, policy());
    await transport.close();
    expect(outcome).toMatchObject({ claim: 'not_sent', attempts: 4, lostAnswer: false });
    expect(outcome.claim !== 'done' && [outcome.error.exitCode, outcome.error.message]).toEqual([
      8,
      expect.stringMatching(/nothing was done/),
    ]);
  });

  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'])(
    'does not try a certificate again that was not accepted: %s',
    async (reason) => {
      const transport = scripted([new TransportError('not_sent', reason, 'The certificate was not accepted')]);
      const outcome = await write(transport, POST, policy());
      expect(outcome).toMatchObject({ claim: 'not_sent', attempts: 1, error: { exitCode: 8 } });
    },
  );

  it('a refused connection after a lost answer is unknown', async () => {
    const transport = scripted([new TransportError('lost', 'ECONNRESET', 'reset'), refusedConnection()]);
    const outcome = await write(transport, POST, policy());
    expect(outcome).toMatchObject({ claim: 'unknown', attempts: 4, lostAnswer: true });
  });

  it('an unsent attempt is sent again, also when it came after a loss', async () => {
    const reply = { status: 200, headers: {}, body: Buffer.from('{"code":1}') };
    const lost = new TransportError('lost', 'ECONNRESET', 'reset');
    expect(await write(scripted([refusedConnection(), reply]), POST, policy())).toMatchObject({ claim: 'done' });
    expect(await write(scripted([lost, refusedConnection(), reply]), POST, policy())).toMatchObject({ claim: 'done' });
  });

  it('does not send again when the key may be forgotten meanwhile', async () => {
    let now = 1_000_000_000_000;
    const rules = policy({
      now: () => now,
      sleep: async () => {
        now += 24 * 3_600_000;
      },
    });
    const transport = scripted([new TransportError('lost', 'ECONNRESET', 'reset')]);
    expect(await write(transport, POST, rules)).toMatchObject({ claim: 'unknown', attempts: 1 });
  });

  it('explains a refusal that names idempotency_key', async () => {
    const { outcome } = await run([refusal(400, 'E0001', 'Unknown property idempotency_key')]);
    expect(String(outcome.claim !== 'done' && outcome.error.facts.hint)).toMatch(/--idempotency-key never/);
  });

  it('says what settles an unknown outcome', async () => {
    const { outcome } = await run([serverError()], {
      settledBy: 'Read it: `cops product-sales get PS1`, field amount_refunded.',
    });
    expect(String(outcome.claim !== 'done' && outcome.error.facts.hint)).toMatch(/amount_refunded/);
  });
});

describe('an interrupt', () => {
  const real = { sleep: (ms: number, signal?: AbortSignal) => wait(ms, signal) };

  it('waits briefly for the answer of a write in flight', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('Ctrl-C')), 50);
    const result = await run([slow(done, 200)], { signal: stop.signal, timeoutMs: 5_000, graceMs: 2_000, ...real });
    expect(result.claim).toBe('done');
  });

  it('is unknown when the answer does not come in time, and nothing is sent again', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('Ctrl-C')), 50);
    const result = await run(['silence', done], { signal: stop.signal, timeoutMs: 5_000, graceMs: 50, ...real });
    expect([result.claim, result.exit, result.sent]).toEqual(['unknown', 9, 1]);
  });

  it('before anything was sent: nothing done', async () => {
    const result = await run([done], { signal: AbortSignal.abort(new Error('Ctrl-C')) });
    expect([result.claim, result.exit, result.sent]).toEqual(['not_sent', 130, 0]);
  });

  it('between attempts: unknown after a loss, nothing done after 429', async () => {
    for (const [reaction, claim] of [
      ['drop', 'unknown'],
      [tooMany(), 'not_sent'],
    ] as [Reaction, string][]) {
      const stop = new AbortController();
      const sleep = async () => {
        stop.abort(new Error('Ctrl-C'));
        throw stop.signal.reason;
      };
      const result = await run([reaction, done], { signal: stop.signal, sleep, timeoutMs: 30_000 });
      expect([result.claim, result.sent]).toEqual([claim, 1]);
    }
  });
});

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function refusedConnection(): TransportError {
  return new TransportError('not_sent', 'ECONNREFUSED', 'refused');
}

/** A transport that plays the answers in order; the last one repeats. */
function scripted(answers: (TransportError | Awaited<ReturnType<Transport['send']>>)[]): Transport {
  const queue = [...answers];
  return {
    async send(_request: ServiceRequest) {
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      if (!answer || answer instanceof TransportError) throw answer;
      return answer;
    },
    async close() {},
  };
}

describe('an answer that nobody can have meant for this write', () => {
  it.each([
    ['the id of what was made beside the one asked for', { code: 1, product_sale_id: ASKED, id: 'RF1' }],
    ['the asked id alone', { code: 1, id: ASKED, result: 'success' }],
    ['no id at all', { code: 1 }],
    ['`code` again inside', { code: 1, product_sale_id: ASKED, coupon: { code: 'A', id: 'B', result: 'error' } }],
  ])('is not one with %s', async (_name, json) => {
    expect((await run([{ json }])).claim).toBe('done');
  });

  it('comes before the request was sent: nothing is sent on that connection', async () => {
    const answer = '{"code":1,"product_sale_id":"PS100000000000000000","result":"success"}';
    const bytes = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`;
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.write(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const transport = await openTransport({ baseUrl: `http://127.0.0.1:${port}`, key: KEY, env: {}, userAgent: 'x' });
    const outcome = await write(transport, POST, policy({ maxRetries: 1 }));
    await transport.close();
    server.close();
    expect(outcome).toMatchObject({ claim: 'not_sent', error: { exitCode: 8 } });
    expect(heard).toBe('');
  });

  it('is the second answer to the request before it', async () => {
    const answer = (id: string) => `{"code":1,"product_sale_id":"${id}","result":"success"}`;
    const bytes = (id: string) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer(id).length}\r\n\r\n${answer(id)}`;
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const before = heard;
        heard += chunk;
        if (before === '') socket.write(bytes(ASKED) + bytes(ASKED));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const transport = await openTransport({ baseUrl: `http://127.0.0.1:${port}`, key: KEY, env: {}, userAgent: 'x' });
    const rules = policy({ maxRetries: 0, timeoutMs: 300 });
    const [first, second] = await Promise.all([write(transport, POST, rules), write(transport, POST, rules)]);
    await transport.close();
    server.close();
    expect(first.claim).toBe('done');
    expect(second.claim).not.toBe('done');
  });
});
