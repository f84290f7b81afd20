import { afterAll, describe, expect, it } from 'vitest';
import { id, listHandler } from '../fixtures/service/service.js';
import { pair } from './helpers.js';
import { Home } from './program.js';

const offline = new Home();
afterAll(() => offline.remove());

describe('cops api-calls tail', () => {
  const now = (): number => Math.floor(Date.now() / 1000);

  it('shows each item once, however it overlaps, and none that came before', { tags: ['process'] }, async () => {
    const items: { id: string; created_date_unix: number }[] = [{ id: id('OLD'), created_date_unix: now() - 60 }];
    let looks = 0;
    const list = listHandler({ items: () => [...items].reverse(), spanDays: 2 });
    const { service, home } = await pair({
      routes: {
        'GET /api_calls': (request) => {
          looks += 1;
          // The service's clock is that of its items, whatever this machine's says.
          const answer = list(request);
          if (looks <= 4) items.push({ id: id(`N${looks}`), created_date_unix: now() });
          const body = String(answer.body).replace(/"api_call_unix":\d+/, `"api_call_unix":${now()}`);
          return { ...answer, body };
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--interval', '0.3'], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (looks < 9) return;
          clearInterval(poll);
          child.kill('SIGINT');
        }, 50);
      },
    });
    expect(ran.code).toBe(130);
    const seen = ran.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(seen).toEqual([id('N1'), id('N2'), id('N3'), id('N4')]);
    const windows = service.requests.map((request) => [
      Number(request.query.get('date_start')),
      Number(request.query.get('date_end')),
    ]);
    for (const [index, [start = 0]] of windows.entries()) {
      if (index > 0) expect(start).toBeLessThanOrEqual((windows[index - 1]?.[1] ?? 0) - 2);
    }
  });

  it('outlives a failure of the service without a gap', { tags: ['process'] }, async () => {
    const items: { id: string; created_date_unix: number }[] = [];
    let looks = 0;
    const list = listHandler({ items: () => items, spanDays: 2 });
    const { home } = await pair({
      routes: {
        'GET /api_calls': (request) => {
          looks += 1;
          if (looks === 2) items.push({ id: id('DURING'), created_date_unix: now() });
          if (looks >= 2 && looks <= 4) return { status: 503, body: '{}' };
          const answer = list(request);
          return { ...answer, body: String(answer.body).replace(/"api_call_unix":\d+/, `"api_call_unix":${now()}`) };
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--interval', '0.2', '--max-retries', '0', '-o', 'ids'], {
      onStart: (child) => {
        const poll = setInterval(() => {
          if (looks < 7) return;
          clearInterval(poll);
          child.kill('SIGINT');
        }, 50);
      },
    });
    expect(ran.stdout).toBe(`${id('DURING')}\n`);
    expect(ran.stderr).toContain('Trying again');
  });

  it('does not wait for unneeded pages once a look has failed', async () => {
    const many = Array.from({ length: 75 }, (_, at) => ({ id: id(`N${at}`), created_date_unix: now() - 5 }));
    const list = listHandler({ items: many, spanDays: 2 });
    const { home } = await pair({
      routes: {
        'GET /api_calls': (request) => {
          const page = request.query.get('page');
          if (page === '3') return { status: 429, headers: { 'retry-after': '600' }, body: '{}' };
          return page === '2' ? { status: 401, body: '{}' } : list(request);
        },
      },
    });
    const ran = await home.run(['api-calls', 'tail', '--since', '1h', '-o', 'ids'], { timeoutMs: 20_000 });
    expect(ran).toMatchObject({ code: 3, signal: null });
  });

  it.each([
    ['-o', 'json'],
    ['-o', 'yaml'],
    ['--query', '[0]'],
  ])('refuses %s %s, which wants the whole', async (...format) => {
    const ran = await offline.run(['-p', 'sandbox', 'site-logs', 'tail', ...format]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('a tail never ends');
  });
});
