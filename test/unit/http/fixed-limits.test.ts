import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TransportError } from '../../../src/base/transport.js';
import { holesOf, parsePath, setAt } from '../../../src/service/body/data-path.js';
import { readText } from '../../../src/service/body/gather.js';
import { parseYaml } from '../../../src/service/body/parse-yaml.js';
import { FIXED, openTransport } from '../../../src/service/http/client.js';
import { isTooDeep, notOfWrite, rawAnswer, toError } from '../../../src/service/http/envelope.js';
import { makePacer } from '../../../src/service/http/pacer.js';
import { openReceiver } from '../../../src/service/http/post-to.js';
import { logRequests, makeTrace } from '../../../src/service/http/request-log.js';
import { ok } from '../../fixtures/service/service.js';
import { GET, KEY, withService } from './helpers.js';
import { fixedWindow, type Limiter, slidingWindow, tokenBucket, virtualWorld } from './pacing-world.js';

afterEach(() => void vi.restoreAllMocks());

describe('a body', () => {
  it('has list places up to 9999, and paths of at most 50 steps', () => {
    const deep = (steps: number) => parsePath(Array.from({ length: steps }, () => 'a').join('.'));
    expect(parsePath('a[9999]')).toEqual(['a', 9999]);
    expect(() => parsePath('a[10000]')).toThrow('too large');
    expect(deep(50)).toHaveLength(50);
    expect(() => deep(51)).toThrow('too deep');
  });

  it('names ten missing places one by one, and more as a run', () => {
    const holes = (missing: number) => {
      const root = {};
      setAt(root, parsePath(`a[${missing}]`), 'x');
      return holesOf(root);
    };
    expect([holes(10).length, holes(11)]).toEqual([10, ['a[0] to a[10]']]);
  });

  it('is read up to 64 MiB', async () => {
    const read = (bytes: number) =>
      readText({ readFile: async () => new Uint8Array(bytes), readStdin: async () => new Uint8Array() }, 'f').then(
        () => '',
        (error: Error) => error.message,
      );
    const most = 64 * 1024 * 1024;
    expect(await read(most + 1)).toContain('larger');
    expect(await read(most)).not.toContain('larger');
  });

  it('of YAML has 50,000 colons and commas, and 200,000 values, at most', { tags: ['thorough'] }, async () => {
    await expect(parseYaml(`"${','.repeat(50_000)}"`)).resolves.toBeDefined();
    await expect(parseYaml(`"${','.repeat(50_001)}"`)).rejects.toThrow('too many');
    // The outer list, a list of 999 values, 198 aliases of it with as many each: that leaves 801 values.
    const lines = (more: number) =>
      [`- &a\n${'  - 1\n'.repeat(999)}`, ...Array.from({ length: 198 }, () => '- *a'), '- 1\n'.repeat(more)].join('\n');
    await expect(parseYaml(lines(801))).resolves.toHaveLength(1000);
    await expect(parseYaml(lines(802))).rejects.toThrow('values');
  });
});

describe('a connection', () => {
  it('is given up after ten seconds without an answer of the proxy', async () => {
    const waits = vi.spyOn(Socket.prototype, 'setTimeout');
    const proxy = createServer().on('connect', (_request, socket) => void socket.end('HTTP/1.1 502 no\r\n\r\n'));
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const env = { https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const transport = await openTransport({ baseUrl: 'https://x.invalid/v2', key: KEY, env, userAgent: 'x' });
    await expect(transport.send(GET, { timeoutMs: 60_000 })).rejects.toThrow();
    await transport.close();
    proxy.close();
    expect(waits.mock.calls.map(([ms]) => ms)).toContain(10_000);
  });

  it('goes to the ports of http and https where an address names none', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      setImmediate(() => this.destroy(new Error('refused')));
      return this;
    });
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 502 no\r\n\r\n');
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const own = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const send = async (target: string, through: string) => {
      const env = { https_proxy: through, http_proxy: through };
      const transport = await openTransport({ baseUrl: target, key: KEY, env, userAgent: 'x' });
      await expect(transport.send(GET, { timeoutMs: 60_000 })).rejects.toThrow();
      await transport.close();
    };
    await send('https://x.invalid/v2', 'http://127.0.0.1');
    await send('https://x.invalid/v2', 'https://127.0.0.1');
    expect(
      connect.mock.calls.map(([to]) => Number([to].flat(2).map((one) => (one as { port?: unknown }).port)[0])),
    ).toEqual([80, 443]);
    connect.mockRestore();
    await send('https://x.invalid/v2', own);
    await send('http://localhost/v2', own);
    expect(asked).toEqual(['x.invalid:443', 'localhost:80']);
    proxy.close();
  });

  it('is the only one where no number is asked for', async () => {
    await withService(
      async (service, transport) => {
        await Promise.all([1, 2, 3].map(() => transport.send(GET, { timeoutMs: 60_000 })));
        expect(service.connections()).toBe(1);
      },
      { handler: () => ({ ...ok(), delayMs: 5 }) },
    );
  });

  it('is used again within a second and a half', () => {
    expect(FIXED).toMatchObject({ keepAliveTimeout: 1500, keepAliveMaxTimeout: 1500 });
  });

  it('waits as long as a timer can where it is told to wait longer', async () => {
    await withService(
      async (_service, transport) => {
        expect((await transport.send(GET, { timeoutMs: 10_000_000_000 })).status).toBe(200);
      },
      { handler: () => ({ ...ok(), delayMs: 30 }) },
    );
  });
});

describe('an answer', () => {
  it('is quoted with 2,000 characters of its message, and 80 of what makes it doubtful', () => {
    const long = 'x'.repeat(5_000);
    const said = toError({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ code: 0, message: long })) });
    expect(said.facts.serviceMessage).toHaveLength(2_000);
    const asked = [{ name: 'customer_id', value: 'A' }];
    const doubts = [{ result: `error ${long}` }, { error_code: long }, { customer_id: long }, { id: long }];
    const quoted = doubts.map((more) => /x{3,}/.exec(notOfWrite({ code: 1, ...more }, asked) ?? '')?.[0].length);
    expect(quoted).toEqual([74, 80, 80, 80]);
  });

  it('is searched for its call id, code and error code in its first 4 KiB', async () => {
    const body = (fact: string, end: number) => Buffer.from(`{"a":"${'x'.repeat(end - fact.length - 8)}",${fact}}`);
    const ends = [4096, 4097];
    const traced: string[] = [];
    const trace = makeTrace((line) => traced.push(line), KEY);
    for (const end of ends) trace.reply({ status: 200, headers: {}, body: body('"error_code":"E1"', end) }, 1);
    expect(traced.map((line) => line.includes('E1'))).toEqual([true, false]);
    const ids: unknown[] = [];
    for (const end of ends) {
      const send = async () => ({ status: 200, headers: {}, body: body('"api_call_id":"c"', end) });
      const log = { now: () => 0, write: (line: string) => void ids.push(JSON.parse(line).api_call_id) };
      await logRequests({ send, close: async () => {} }, log).send(GET, { timeoutMs: 1 });
    }
    expect(ids).toEqual(['c', null]);
  });

  it('is received up to 64 MiB', async () => {
    let size = 64 * 1024 * 1024;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': size });
      response.flushHeaders();
      response.socket?.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = await openTransport({ baseUrl, key: KEY, env: {}, userAgent: 'x' });
    const reason = () =>
      transport.send(GET, { timeoutMs: 60_000 }).then(
        () => '',
        (error: TransportError) => error.reason,
      );
    const whole = await reason();
    size++;
    expect(await reason()).not.toBe(whole);
    await transport.close();
    server.close();
  });

  it('is looked at for its nesting from 256 KiB on', () => {
    const nested = (size: number) => isTooDeep(Buffer.from('['.repeat(size)));
    expect([nested(256 * 1024 - 1), nested(256 * 1024)]).toEqual([false, true]);
  });

  it('is shown with --raw up to a million characters', () => {
    const shown = (size: number) => rawAnswer({ status: 500, headers: {}, body: Buffer.from('x'.repeat(size)) }).length;
    expect([shown(1_000_000), shown(1_000_001)]).toEqual([1_000_000, 1_000_000]);
  });

  it('of a receiver is read up to 64 KiB', async () => {
    let size = 64 * 1024;
    const server = createServer((_request, response) => void response.end('x'.repeat(size)));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const receiver = await openReceiver(address, { env: {}, version: 'x', connections: 1 });
    const read = async () => (await receiver.post('{}', {}, { timeoutMs: 10_000 })).body.length;
    expect(await read()).toBe(size);
    size++;
    expect(await read()).toBeLessThan(size);
    await receiver.close();
    server.close();
  });
});

/** The times at which requests leave, by a service with a limit: any other constant of the pacer gives others. */
async function course(limiter: Limiter, says: boolean, ms = 60_000): Promise<string> {
  const world = virtualWorld(1_780_000_000_337);
  const pacer = makePacer({ now: world.now, sleep: world.sleep });
  const start = world.now();
  let [sent, refused, sum] = [0, 0, 0];
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
      await pacer.acquire();
      await world.sleep(20);
      const now = world.now();
      const accepted = limiter.allow(now);
      const wait = says ? Math.ceil(limiter.waitMs(now) / 1000) * 1000 : undefined;
      sent++;
      sum = (sum * 31 + now - start) % 1_000_003;
      await world.sleep(20);
      if (accepted) pacer.answered();
      else {
        refused++;
        pacer.throttled(wait);
        await world.sleep(wait ?? 0);
      }
    }
  };
  for (let index = 0; index < 16; index++) void worker();
  await world.run(ms);
  stopped = true;
  return `${sent} sent, ${refused} refused, ${sum}`;
}

it('the pacer keeps its course with each kind of limit', { tags: ['thorough'] }, async () => {
  const shut: Limiter = {
    allow: (now) => now % 40_000 > 9_000 && now % 50 < 25,
    waitMs: (now) => 9_000 - (now % 40_000),
  };
  /** One limit after another, each for some seconds. */
  const inTurn = (seconds: number, ...limiters: Limiter[]): Limiter => {
    let from: number | undefined;
    const at = (now: number): Limiter => {
      from ??= now;
      return limiters[Math.min(limiters.length - 1, Math.floor((now - from) / (seconds * 1000)))] as Limiter;
    };
    return { allow: (now) => at(now).allow(now), waitMs: (now) => at(now).waitMs(now) };
  };
  let asked = 0;
  const mostly: Limiter = { allow: () => ++asked % 20 !== 0, waitMs: () => 0 };
  const none: Limiter = { allow: () => false, waitMs: () => 0 };
  const limits: readonly (readonly [string, Limiter, boolean, number?])[] = [
    ['lowered', inTurn(25, tokenBucket(50, 50), tokenBucket(20, 1), tokenBucket(35, 1)), false],
    ['lowered often', inTurn(12, ...[80, 64, 50, 40, 30, 24, 60, 20].map((rate) => fixedWindow(rate))), false, 120_000],
    ['refusals by chance', inTurn(90, tokenBucket(6, 6), mostly), false, 240_000],
    ['raised', inTurn(15, tokenBucket(30, 30), tokenBucket(1000, 1000)), false],
    ['none accepted', inTurn(5, tokenBucket(10, 10), none), false, 240_000],
    ['bucket', tokenBucket(25, 25), false],
    ['bucket that says', tokenBucket(60, 60), true],
    ['large bucket', tokenBucket(20, 300), false],
    ['window', fixedWindow(50), false],
    ['long window', fixedWindow(10, 15), true],
    ['sliding', slidingWindow(40), true],
    ['slow', tokenBucket(1.5, 2), false],
    ['shut now and then', shut, false],
  ];
  const found: Record<string, string> = {};
  for (const [name, limiter, says, ms] of limits) found[name] = await course(limiter, says, ms);
  expect(found).toMatchInlineSnapshot(`
    {
      "bucket": "1569 sent, 46 refused, 237450",
      "bucket that says": "3713 sent, 57 refused, 225569",
      "large bucket": "2541 sent, 1042 refused, 362739",
      "long window": "757 sent, 20 refused, 945361",
      "lowered": "2069 sent, 103 refused, 458535",
      "lowered often": "4964 sent, 430 refused, 790883",
      "none accepted": "114 sent, 55 refused, 383990",
      "raised": "7369 sent, 37 refused, 179739",
      "refusals by chance": "1131 sent, 54 refused, 192805",
      "shut now and then": "43 sent, 36 refused, 723030",
      "sliding": "2353 sent, 61 refused, 649252",
      "slow": "127 sent, 37 refused, 5437",
      "window": "3105 sent, 104 refused, 740791",
    }
  `);
});
