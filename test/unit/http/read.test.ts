import { describe, expect, it } from 'vitest';
import { openTransport } from '../../../src/service/http/client.js';
import { read } from '../../../src/service/http/read.js';
import { retryAfter } from '../../../src/service/http/retry.js';
import {
  badKey,
  html,
  midBody,
  notFound,
  ok,
  type Reaction,
  redirect,
  refusal,
  serverError,
  tooMany,
  truncated,
} from '../../fixtures/service/service.js';
import { deadPort, GET, KEY, policy, withService } from './helpers.js';

async function run(reactions: Reaction[], more: Parameters<typeof policy>[0] & { plain?: boolean } = {}) {
  const rules = { ...policy({ timeoutMs: 300, ...more }), ...(more.plain ? { plain: true } : {}) };
  let result: unknown;
  let sent = 0;
  await withService(async (service, transport) => {
    service.script(...reactions);
    result = await read(transport, GET, rules).catch((error: unknown) => error);
    sent = service.requests.length;
  });
  return { result, sent, waits: rules.waits };
}

describe('reads', () => {
  it.each([
    ['a reset', 'drop'],
    ['an end', 'close'],
    ['silence', 'silence'],
    ['half a body', midBody()],
    ['429', tooMany()],
    ['500', serverError()],
    ['503 as HTML', html(503)],
    ['200 as HTML', html()],
    ['200 cut off', truncated()],
    ['200 with code 0', { json: { code: 0 } }],
  ] as [string, Reaction][])('are repeated after %s', async (_name, reaction) => {
    const { result, sent } = await run([reaction, reaction, ok({ x: 1 })]);
    expect(result).toMatchObject({ status: 200 });
    expect(sent).toBe(3);
  });

  it.each([
    ['400', refusal(), 'refused', 1],
    ['401', badKey(), 'not_authorised', 3],
    ['403', refusal(403), 'not_authorised', 3],
    ['404', notFound(), 'not_found', 4],
    ['a redirect', redirect('https://x.example/'), 'service_failed', 1],
    ['a nesting without end', { body: `{"code":1,"x":${'['.repeat(300_000)}` }, 'service_failed', 1],
  ] as [string, Reaction, string, number][])('are not repeated after %s', async (_name, reaction, kind, exit) => {
    const { result, sent } = await run([reaction, ok()]);
    expect(result).toMatchObject({ kind, exitCode: exit });
    expect(sent).toBe(1);
  });

  it.each([
    ['a reset', 'drop', 'network', 8],
    ['429', tooMany(), 'rate_limited', 7],
    ['500', serverError(), 'service_failed', 1],
    ['HTML', html(), 'service_failed', 1],
  ] as [string, Reaction, string, number][])('give up after %s to the end', async (_name, reaction, kind, exit) => {
    const { result, sent, waits } = await run([reaction, reaction, reaction, reaction, ok()]);
    expect(result).toMatchObject({ kind, exitCode: exit });
    expect(sent).toBe(4);
    expect(waits).toHaveLength(3);
    expect(waits[2]).toBeGreaterThan(waits[0] ?? 0);
    expect((await run([reaction, ok()], { maxRetries: 0 })).sent).toBe(1);
  });

  it('honour Retry-After, and give up when it asks for too long', async () => {
    const { waits } = await run([tooMany(3), { ...serverError(503), headers: { 'retry-after': '4' } }, ok()]);
    expect(waits[0]).toBeGreaterThanOrEqual(3_000);
    expect(waits[1]).toBeGreaterThanOrEqual(4_000);
    expect(await run([tooMany(61), ok()])).toMatchObject({ sent: 1, waits: [], result: { kind: 'rate_limited' } });
    expect(await run([tooMany(61), ok()], { maxWaitMs: 61_000 })).toMatchObject({ sent: 2 });
  });

  it('stop with the reason of the signal', async () => {
    const reason = new Error('Ctrl-C');
    expect((await run([ok()], { signal: AbortSignal.abort(reason) })).result).toBe(reason);
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 50);
    expect((await run(['silence', ok()], { signal: stop.signal, timeoutMs: 5_000 })).result).toBe(reason);
  });

  it('take a plain document when asked to', async () => {
    expect((await run([{ json: { openapi: '3.1.0' } }], { plain: true })).result).toMatchObject({ status: 200 });
  });

  it('say that nothing listens', async () => {
    const transport = await openTransport({
      baseUrl: `http://127.0.0.1:${await deadPort()}/v2`,
      key: KEY,
      env: {},
      userAgent: 'x',
    });
    await expect(read(transport, GET, policy())).rejects.toMatchObject({ kind: 'network', exitCode: 8 });
    await transport.close();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  it.each([
    [{}, undefined],
    [{ 'retry-after': '5' }, 5_000],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': 'Sun, 01 Mar 2026 00:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 05:00:07 GMT', date: 'Sun, 01 Mar 2026 05:00:00 GMT' }, 7_000],
    [{ 'retry-after': 'Sat, 28 Feb 2026 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '99999999999999999999' }, 315_360_000_000],
  ])('%o', (headers, wait) => {
    expect(retryAfter(headers as Record<string, string>, now)).toBe(wait);
  });
});
