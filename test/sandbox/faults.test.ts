/** @module-tag sweep */
import { afterEach, describe, expect, it } from 'vitest';
import { range, type Service, startService } from './service.js';

let service: Service | undefined;
afterEach(() => service?.stop());

const start = async (options: Parameters<typeof startService>[0]) => {
  service = await startService(options);
  return service;
};
const campaigns = { limit: 1, page: 1 };

describe('faults on demand', () => {
  it('answers 429 without Retry-After, or with it', async () => {
    const bare = await (await start({ fault: ['429=1'] })).get('/campaigns', campaigns);
    expect([bare.status, bare.headers.get('retry-after'), bare.body.code]).toEqual([429, null, 0]);
    await service?.stop();
    const told = await (await start({ fault: ['retry-after'] })).get('/campaigns', campaigns);
    expect([told.status, told.headers.get('retry-after')]).toEqual([429, '1']);
  });

  it('limits the rate', async () => {
    const limited = await start({ rateLimit: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => limited.get('/campaigns', campaigns)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(200);
  });

  it('answers 500', async () => {
    expect((await (await start({ fault: ['500'] })).get('/campaigns', campaigns)).status).toBe(500);
  });

  it('cuts the connection before the work, and after it', async () => {
    await expect((await start({ fault: ['cut-before'] })).post('/projects', { name: 'A' })).rejects.toThrow();
    await service?.stop();
    await expect((await start({ fault: ['cut-after'] })).post('/projects', { name: 'A' })).rejects.toThrow();
  });

  it('breaks an answer off in the middle', async () => {
    await expect((await start({ fault: ['truncate'] })).get('/campaigns', campaigns)).rejects.toThrow();
  });

  it('answers with another content type', async () => {
    const one = await start({ fault: ['wrong-type'] });
    const response = await fetch(`${one.url}/campaigns?limit=1&page=1`, {
      headers: { 'x-api-key': 'sandbox-key-no-secret-0000000001-test' },
    });
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('<');
  });

  it('disturbs each fifth call', async () => {
    const one = await start({ fault: ['500=1/5'] });
    const seen: number[] = [];
    for (let call = 0; call < 10; call++) seen.push((await one.get('/campaigns', campaigns)).status);
    expect(seen).toEqual([200, 200, 200, 200, 500, 200, 200, 200, 200, 500]);
  });

  it('sends a slow body whole', async () => {
    const one = await start({ fault: ['slow=100%'] });
    const began = performance.now();
    expect((await one.get('/campaigns', campaigns)).body.code).toBe(1);
    expect(performance.now() - began).toBeGreaterThan(2000);
  });

  it('waits before it answers', async () => {
    const one = await start({ latencyMs: 300 });
    const began = performance.now();
    await one.get('/campaigns', campaigns);
    expect(performance.now() - began).toBeGreaterThan(290);
  });

  it('adds and takes away items while a list is read', async () => {
    const more = await start({ fault: ['insert'] });
    const query = range(await more.now());
    const first = (await more.get('/sales', query)).body.total_count;
    expect((await more.get('/sales', query)).body.total_count).toBe(first + 1);
    await more.stop();
    const fewer = await start({ fault: ['delete'] });
    const before = (await fewer.get('/sales', query)).body.total_count;
    expect((await fewer.get('/sales', query)).body.total_count).toBe(before - 1);
  });

  it('leaves out the ends of a range where that is asked for', async () => {
    const one = await start({ rangeEnds: 'out' });
    const { body } = await one.get('/sales', range(await one.now()));
    const at = body.results[0].created_date_unix;
    expect(
      (await one.get('/sales', { date_start: at, date_end: at + 5, limit: 25, page: 1 })).body.results,
    ).not.toContainEqual(body.results[0]);
    const wider = await one.get('/sales', { date_start: at - 1, date_end: at + 1, limit: 25, page: 1 });
    expect(wider.body.results).toContainEqual(body.results[0]);
  });
});
