import { describe, expect, it } from 'vitest';
import { ok, refusal } from '../fixtures/service/service.js';
import { A, KEY, pair } from './helpers.js';

/* `api -i` and `-H`: what is seen of an answer, and what may be said in a request. */

describe('cops api -H', () => {
  it('sends headers besides its own, for reads and writes, in any case', async () => {
    const { service, home } = await pair(() => ok({ id: A, live_mode: false }));
    const headers = ['-H', 'X-Trace: one two', '-H', 'Accept: application/vnd.shop+json'];
    expect((await home.run(['api', 'GET', `/campaigns/${A}`, ...headers])).code).toBe(0);
    expect((await home.run(['api', 'POST', '/projects', '-d', 'name=x', '--yes', ...headers])).code).toBe(0);
    for (const method of ['GET', 'POST']) {
      const seen = service.requests.find((request) => request.method === method)?.headers;
      expect(seen).toMatchObject({ 'x-trace': 'one two', accept: 'application/vnd.shop+json', 'x-api-key': KEY });
    }
  });

  it.each([
    ...['x-api-key', 'X-API-Key', 'Authorization', 'Host', 'Content-Type', 'content-length', 'Transfer-Encoding'],
    ...[
      'Connection',
      'X-HTTP-Method-Override',
      'X-HTTP-Method',
      'X-Method-Override',
      'X-Original-URL',
      'X-Rewrite-URL',
    ],
    ...['Cookie', 'Proxy-Authorization', 'X-Forwarded-Host', 'Forwarded', 'Expect', 'Idempotency-Key', 'x-token'],
  ])('refuses %s, and nothing is sent', async (name) => {
    const { service, home } = await pair(() => ok({ id: A }));
    const ran = await home.run(['api', 'GET', `/campaigns/${A}`, '-H', `${name}: x`]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(service.requests).toEqual([]);
  });

  it.each(['nothing', ': x', 'a b: c', 'x-a: é', 'x-a: b\r\nx-api-key: other'])(
    'refuses an invalid header: %j',
    async (text) => {
      const { service, home } = await pair(() => ok({ id: A }));
      expect((await home.run(['api', 'GET', `/campaigns/${A}`, '-H', text])).code).toBe(2);
      expect(service.requests).toEqual([]);
    },
  );

  // No process can be given such a word.
  it('refuses an invalid header: a NUL', { tags: ['inside'] }, async () => {
    const { service, home } = await pair(() => ok({ id: A }));
    expect((await home.run(['api', 'GET', `/campaigns/${A}`, '-H', 'x\u0000: y'])).code).toBe(2);
    expect(service.requests).toEqual([]);
  });

  it('shows them in a dry run and as curl', async () => {
    const { home } = await pair(() => ok({ id: A }));
    const line = ['api', 'GET', `/campaigns/${A}`, '-H', "X-Trace: it's"];
    expect(JSON.parse((await home.run([...line, '--dry-run', '-o', 'json'])).stdout).headers).toMatchObject({
      'x-trace': "it's",
    });
    expect((await home.run([...line, '--curl'])).stdout).toContain(`-H 'x-trace: it'\\''s'`);
  });
});

describe('cops api -i', () => {
  it('shows status and headers before the answer', async () => {
    const { home } = await pair(() => ok({ id: A, name: 'One' }));
    const ran = await home.run(['api', 'GET', `/campaigns/${A}`, '-i']);
    const [head = '', ...rest] = ran.stdout.split('\n\n');
    expect(head).toMatch(/^HTTP 200\n/);
    expect(head).toMatch(/^content-type: application\/json/m);
    expect(JSON.parse(rest.join('\n\n'))).toMatchObject({ id: A, name: 'One' });
  });

  it('shows those of a refusal too, which ends as usual', async () => {
    const { home } = await pair(() => refusal(400, 'E0001', 'No.'));
    const ran = await home.run(['api', 'GET', `/campaigns/${A}`, '-i']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('HTTP 400');
  });

  it('is for one answer', async () => {
    const { home } = await pair(() => ok({ id: A }));
    expect((await home.run(['api', 'GET', '/campaigns', '--paginate', '-i'])).code).toBe(2);
  });
});
