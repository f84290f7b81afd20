import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/base/transport.js';
import { baseUrlWarning, checkBaseUrl, proxyFor } from '../../../src/service/http/base-url.js';
import { openTransport } from '../../../src/service/http/client.js';
import { declined, html, midBody, ok, redirect, slow, startService } from '../../fixtures/service/service.js';
import { deadPort, GET, KEY, POST, withService } from './helpers.js';

const LIMITS = { timeoutMs: 2_000 };

describe('a request on the wire', () => {
  it('has the key, the fixed headers and the query exactly as given', async () => {
    await withService(
      async (service, transport) => {
        const query = [
          ['campaign_filter', 'A'],
          ['campaign_filter', 'B&C'],
          ['metadata_filter', '{"name":"n é","value":"+"}'],
        ] as const;
        await transport.send({ ...GET, query }, LIMITS);
        await transport.send(POST, LIMITS);
        const [get, post] = service.requests;
        expect(get?.url).toBe(
          '/api/v2/customers/CUST0000000000000000?campaign_filter=A&campaign_filter=B%26C&metadata_filter=%7B%22name%22%3A%22n%20%C3%A9%22%2C%22value%22%3A%22%2B%22%7D',
        );
        expect(get?.headers).toMatchObject({ 'x-api-key': KEY, accept: 'application/json', 'user-agent': 'cops/test' });
        expect(get?.headers['content-type']).toBeUndefined();
        expect(get?.headers['accept-encoding']).toBeUndefined();
        expect(get?.body).toBe('');
        expect(post?.headers['content-type']).toBe('application/json');
        expect(post?.body).toBe(POST.body);
      },
      { key: KEY, handler: () => ok() },
    );
  });

  it('is not repeated, and a redirect is not followed', async () => {
    const other = await startService({ handler: () => ok() });
    await withService(async (service, transport) => {
      service.script(redirect(`${other.baseUrl}/x`, 307));
      expect((await transport.send(POST, LIMITS)).status).toBe(307);
      expect(service.requests).toHaveLength(1);
      expect(other.requests).toHaveLength(0);
    });
    await other.close();
  });

  it('is sent once also on a connection that the service closed meanwhile', async () => {
    await withService(async (service, transport) => {
      for (let round = 0; round < 20; round += 1) {
        service.script({ ...ok(), closeAfter: true }, ok());
        await transport.send(GET, LIMITS);
        const before = service.requests.length;
        const result = await transport.send(POST, LIMITS).catch((error: TransportError) => error);
        const arrived = service.requests.length - before;
        expect(arrived).toBeLessThanOrEqual(1);
        if (result instanceof TransportError && result.stage === 'not_sent') expect(arrived).toBe(0);
        if (arrived === 0) service.script();
        while (service.requests.length % 2 === 1) await transport.send(GET, LIMITS).catch(() => {});
      }
    });
  });
});

describe('a request without a whole answer', () => {
  const failure = async (
    reaction: Parameters<Parameters<typeof withService>[0]>[0]['script'] extends (...r: (infer R)[]) => void
      ? R
      : never,
    more = {},
  ) => {
    let error: unknown;
    await withService(async (service, transport) => {
      service.script(reaction);
      error = await transport.send(POST, { timeoutMs: 300, ...more }).catch((thrown: unknown) => thrown);
    });
    return error;
  };

  it.each([
    ['reset', 'drop', 'ECONNRESET'],
    ['end', 'close', 'UND_ERR_SOCKET'],
    ['silence', 'silence', 'TIMEOUT'],
    ['late answer', slow(ok(), 900), 'TIMEOUT'],
    ['endless body', { ...ok(), trickle: { bytes: 1, everyMs: 40 } }, 'TIMEOUT'],
  ] as const)('is lost after %s', async (_name, reaction, reason) => {
    expect(await failure(reaction)).toMatchObject({ stage: 'lost', reason });
  });

  it('is lost after half a body, and after a body that is cut by compression', { tags: ['thorough'] }, async () => {
    expect(await failure(midBody())).toMatchObject({ stage: 'lost' });
    const zipped = { body: Buffer.from([1, 2, 3]), headers: { 'content-encoding': 'gzip' } };
    expect(await failure(zipped)).toMatchObject({ stage: 'lost', reason: 'BAD_ENCODING' });
    const huge = { body: '{}', headers: { 'content-length': '600000000' } };
    expect(await failure(huge)).toMatchObject({ stage: 'lost', reason: 'TOO_LARGE' });
    const bomb = { body: gzipSync(Buffer.alloc(65 << 20)), headers: { 'content-encoding': 'gzip' } };
    expect(await failure(bomb, { timeoutMs: 20_000 })).toMatchObject({ stage: 'lost', reason: 'TOO_LARGE' });
  });

  it('is proven not sent when the connection was refused, the name unknown or the abort came first', async () => {
    const port = await deadPort();
    for (const [baseUrl, signal, reason] of [
      [`http://127.0.0.1:${port}/v2`, undefined, 'ECONNREFUSED'],
      [`http://localhost:${port}/v2`, undefined, 'ECONNREFUSED'],
      [`http://127.0.0.1:${port}/v2`, AbortSignal.abort(), 'ABORTED'],
    ] as const) {
      const transport = await openTransport({ baseUrl, key: KEY, env: {}, userAgent: 'x' });
      const error = await transport
        .send(POST, { ...LIMITS, ...(signal ? { signal } : {}) })
        .catch((thrown: unknown) => thrown);
      await transport.close();
      expect(error).toMatchObject({ name: 'TransportError', stage: 'not_sent', reason });
    }
  });

  it('is lost when it is aborted in flight', async () => {
    await withService(async (service, transport) => {
      service.script('silence');
      const stop = new AbortController();
      const sent = transport.send(POST, { signal: stop.signal, timeoutMs: 30_000 }).catch((error: unknown) => error);
      await expect.poll(() => service.requests.length).toBe(1);
      stop.abort();
      expect(await sent).toMatchObject({ stage: 'lost', reason: 'ABORTED' });
    });
  });

  it('that waits behind others for a connection is not sent', async () => {
    await withService(async (service, transport) => {
      service.script('silence');
      const first = transport.send(POST, { timeoutMs: 400 }).catch((error: unknown) => error);
      const second = transport.send(POST, { timeoutMs: 100 }).catch((error: unknown) => error);
      expect(await second).toMatchObject({ stage: 'not_sent', reason: 'TIMEOUT' });
      expect(await first).toMatchObject({ stage: 'lost' });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(service.requests).toHaveLength(1);
    });
  });
});

describe('several connections', () => {
  it('carry requests at once, never more than allowed', async () => {
    await withService(
      async (service, transport) => {
        await Promise.all(Array.from({ length: 8 }, () => transport.send(GET, LIMITS)));
        expect(service.connections()).toBeLessThanOrEqual(4);
        expect(service.connections()).toBeGreaterThan(1);
      },
      { handler: () => slow(ok(), 150), connections: 4 },
    );
  });
});

describe('the trace', () => {
  it('shows the exchange without key, cards or raw gateway answers', async () => {
    await withService(async (service, transport, traced) => {
      service.script(declined(2, `never ${KEY}`));
      const body = `{"payment":{"credit_card":{"card_number":"4111111111111111","card_code":"987"}},"echo":"${KEY}"}`;
      await transport.send({ ...POST, query: [['q', KEY]], body }, LIMITS);
      const text = traced.join('\n');
      expect(text).toMatch(
        /> POST http:\/\/127\.0\.0\.1:\d+\/api\/v2\/product_sales\/PS100000000000000000\/refund\?q=\*\*\*\*cdef/,
      );
      expect(text).toMatch(/x-api-key: \*\*\*\*cdef/);
      expect(text).toMatch(/< 402 in \d+ ms, \d+ bytes, api_call_id CALL\d+, code 2/);
      expect(text).not.toMatch(new RegExp(`${KEY}|4111111111111111|987|RAW-GATEWAY`));
    });
  });

  it('shows failures, and control characters of the other side as text', async () => {
    await withService(async (service, transport, traced) => {
      service.script('drop', { ...html(), headers: { 'content-type': 'text/html', 'x-odd': 'a\u009bb' } });
      await transport.send(GET, LIMITS).catch(() => {});
      await transport.send(GET, LIMITS);
      expect(traced.join('\n')).toMatch(/no answer after \d+ ms.*may have arrived/);
      expect(traced.join('\n')).toContain('x-odd: a\\u009bb');
    });
  });
});

describe('the base URL', () => {
  it.each([
    ['https://api.example.com/api/v2/', 'https://api.example.com/api/v2'],
    ['http://localhost:8080/v2', 'http://localhost:8080/v2'],
    ['http://127.5.5.5/v2', 'http://127.5.5.5/v2'],
    ['http://[::1]:99/v2', 'http://[::1]:99/v2'],
  ])('%s is taken', (text, href) => {
    expect(checkBaseUrl(text, 'a test')).toBe(href);
  });

  it.each([
    'http://api.example.com/v2',
    ' https://api.example.com/v2 ',
    'http://127.0.0.1.example.com/v2',
    'http://localhost.example.com/v2',
    'http://0.0.0.0/v2',
    'ftp://127.0.0.1/v2',
    'https://user:pass@api.example.com/v2',
    'https://api.example.com/v2?x=1',
    'https://api.example.com/v2#x',
    'api.example.com/v2',
    'javascript:alert(1)',
    '',
  ])('%s is refused', (text) => {
    expect(() => checkBaseUrl(text, 'a test')).toThrowError(expect.objectContaining({ kind: 'usage' }));
  });

  it('is doubted when nothing says version 2', () => {
    expect(baseUrlWarning(new URL('https://api.example.com/api/v2'))).toBeUndefined();
    expect(baseUrlWarning(new URL('https://api.example.com/2'))).toBeUndefined();
    expect(baseUrlWarning(new URL('https://api.example.com/api/v1'))).toMatch(/version 2/);
    expect(baseUrlWarning(new URL('https://api.example.com'))).toMatch(/version 2/);
  });

  it('and a key that no header can carry are refused before anything is sent', async () => {
    for (const key of ['', 'a b', 'a\nb', 'ké']) {
      const opened = openTransport({ baseUrl: 'https://api.example.com/v2', key, env: {}, userAgent: 'x' });
      await expect(opened).rejects.toMatchObject({ kind: 'not_authorised' });
    }
  });
});

describe('the choice of a proxy', () => {
  const https = new URL('https://api.example.com/v2');
  const proxy = { HTTPS_PROXY: 'http://proxy.example:3128' };
  it.each([
    [https, {}, undefined],
    [https, proxy, 'http://proxy.example:3128/'],
    [https, { https_proxy: 'proxy.example:3128' }, 'http://proxy.example:3128/'],
    [https, { HTTP_PROXY: 'http://proxy.example:3128' }, undefined],
    [https, { ...proxy, NO_PROXY: 'other.example' }, 'http://proxy.example:3128/'],
    [https, { ...proxy, NO_PROXY: 'ample.com' }, 'http://proxy.example:3128/'],
    [https, { ...proxy, NO_PROXY: 'other,example.com' }, undefined],
    [https, { ...proxy, NO_PROXY: '.example.com' }, undefined],
    [https, { ...proxy, no_proxy: '*.example.com:443' }, undefined],
    [https, { ...proxy, no_proxy: 'api.example.com:8443' }, 'http://proxy.example:3128/'],
    [https, { ...proxy, NO_PROXY: '*' }, undefined],
    [new URL('https://[::1]:8443/v2'), { ...proxy, NO_PROXY: '::1' }, undefined],
    [new URL('https://[::1]:8443/v2'), { ...proxy, NO_PROXY: '[::1]:8443' }, undefined],
    [new URL('http://127.0.0.1/v2'), { HTTP_PROXY: 'http://proxy.example:1' }, undefined],
    [new URL('http://127.0.0.1/v2'), { HTTP_PROXY: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1/'],
  ])('%s with %o', (target, env, chosen) => {
    expect(proxyFor(target, env)?.href).toBe(chosen);
  });

  it('names a proxy that is no URL', () => {
    expect(() => proxyFor(https, { HTTPS_PROXY: 'socks5://x:1' })).toThrow(/HTTPS_PROXY/);
  });
});
