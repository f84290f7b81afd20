import { describe, expect, it } from 'vitest';
import { makePacer, type Pacer } from '../../../src/service/http/pacer.js';
import {
  fixedWindow,
  type Limiter,
  slidingWindow,
  tokenBucket,
  type VirtualWorld,
  virtualWorld,
} from './pacing-world.js';

function pacerIn(world: VirtualWorld, rate?: number): Pacer {
  return makePacer({ now: world.now, sleep: world.sleep, ...(rate === undefined ? {} : { rate }) });
}

interface Load {
  readonly limiter: Limiter;
  readonly workers: number;
  readonly latencyMs: number;
  /** Whole seconds, or none. */
  readonly retryAfter?: boolean;
  readonly seconds?: number;
  readonly rate?: number;
}

/** Workers that send as fast as the pacer lets them, and what became of their requests. */
async function drive(load: Load): Promise<{ at: number; accepted: boolean }[]> {
  const world = virtualWorld(1_780_000_000_337);
  const pacer = pacerIn(world, load.rate);
  const log: { at: number; accepted: boolean }[] = [];
  const start = world.now();
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
      await pacer.acquire();
      await world.sleep((load.latencyMs / 2) * (0.8 + 0.4 * random()));
      const accepted = load.limiter.allow(world.now());
      const retryAfter = load.retryAfter ? Math.ceil(load.limiter.waitMs(world.now()) / 1000) * 1000 : undefined;
      log.push({ at: world.now() - start, accepted });
      await world.sleep(load.latencyMs / 2);
      if (accepted) pacer.answered();
      else {
        pacer.throttled(retryAfter);
        await world.sleep(retryAfter ?? 0);
      }
    }
  };
  for (let index = 0; index < load.workers; index += 1) void worker();
  await world.run((load.seconds ?? 40) * 1000);
  stopped = true;
  return log;
}

describe('a service with a limit', { tags: ['thorough'] }, () => {
  const limiters = { bucket: (rate: number) => tokenBucket(rate, rate), fixed: fixedWindow, sliding: slidingWindow };
  const cases = [5, 10, 25, 50, 100, 200].flatMap((perSecond) =>
    [false, true].flatMap((retryAfter) =>
      (['bucket', 'fixed', 'sliding'] as const).map((kind) => ({ perSecond, retryAfter, kind })),
    ),
  );
  it.each(cases)(
    'of $perSecond a second ($kind, Retry-After $retryAfter) is used to 95 % with under 2 % refused',
    async (given) => {
      const { perSecond, kind, retryAfter } = given;
      const limiter = limiters[kind](perSecond);
      const log = await drive({ limiter, workers: 32, latencyMs: 40, retryAfter, seconds: 50 });
      const late = log.filter(({ at }) => at >= 10_000);
      const accepted = late.filter((request) => request.accepted).length;
      expect(accepted / (perSecond * 40)).toBeGreaterThanOrEqual(0.95);
      expect((late.length - accepted) / late.length).toBeLessThan(0.02);
    },
  );

  it('that lowers its limit is followed down, and up again', async () => {
    const [wide, narrow] = [tokenBucket(60, 60), tokenBucket(20, 20)];
    let requests = 0;
    let from = 0;
    const limiter: Limiter = {
      allow(now) {
        from ||= now;
        requests += 1;
        const second = (now - from) / 1000;
        return (second > 20 && second < 50 ? narrow : wide).allow(now);
      },
      waitMs: () => 1000,
    };
    const log = await drive({ limiter, workers: 16, latencyMs: 60, seconds: 110 });
    const share = (begin: number, end: number, perSecond: number) => {
      const part = log.filter(({ at }) => at >= begin * 1000 && at < end * 1000);
      const accepted = part.filter((request) => request.accepted).length;
      return { used: accepted / ((end - begin) * perSecond), refused: 1 - accepted / part.length };
    };
    expect(share(35, 50, 20).used).toBeGreaterThan(0.9);
    expect(share(35, 50, 20).refused).toBeLessThan(0.05);
    expect(share(95, 110, 60).used).toBeGreaterThan(0.9);
    expect(requests).toBeGreaterThan(1_000);
  });

  it('of a long window is waited for as Retry-After says', async () => {
    const log = await drive({ limiter: fixedWindow(2, 60), workers: 8, latencyMs: 50, retryAfter: true, seconds: 240 });
    const late = log.filter(({ at }) => at > 60_000);
    const refused = late.filter((request) => !request.accepted).length;
    expect(refused / late.length).toBeLessThan(0.05);
    expect(late.length).toBeGreaterThan(250);
  });

  it('that refuses everything is asked less and less', async () => {
    const never: Limiter = { allow: () => false, waitMs: () => 1000 };
    const log = await drive({ limiter: never, workers: 16, latencyMs: 20, seconds: 120 });
    expect(log.filter(({ at }) => at > 60_000).length).toBeLessThan(40);
  });
});

describe('without a limit', () => {
  it('nothing is held back', async () => {
    const world = virtualWorld();
    const pacer = pacerIn(world);
    const start = world.now();
    for (let index = 0; index < 1_000; index += 1) {
      await pacer.acquire();
      pacer.answered();
    }
    expect(world.now()).toBe(start);
  });
});

describe('a ceiling', () => {
  it('is never passed in any second, even where a request arrives 40 ms later than the next ones', async () => {
    const always: Limiter = { allow: () => true, waitMs: () => 0 };
    const log = await drive({ limiter: always, workers: 16, latencyMs: 0, seconds: 20, rate: 7 });
    const times = log.map(({ at }) => at);
    expect(log.length).toBeGreaterThan(130);
    for (const at of times)
      expect(times.filter((other) => other >= at && other < at + 1_040).length).toBeLessThanOrEqual(7);
  });

  it('lets the first request go at once, also below one a second', async () => {
    const world = virtualWorld();
    const pacer = pacerIn(world, 0.5);
    const sent: number[] = [];
    const start = world.now();
    for (let index = 0; index < 3; index += 1) void pacer.acquire().then(() => sent.push(world.now() - start));
    await world.run(5_000);
    expect(sent).toEqual([0, 2_000, 4_000]);
  });
});

describe('waiting', () => {
  it('is first come, first served, and ends with the signal', async () => {
    const world = virtualWorld();
    const pacer = pacerIn(world, 1);
    const stop = new AbortController();
    const order: string[] = [];
    await pacer.acquire();
    void pacer.acquire().then(() => order.push('a'));
    void pacer.acquire(stop.signal).catch((error: Error) => order.push(error.message));
    void pacer.acquire().then(() => order.push('c'));
    await world.run(100);
    stop.abort(new Error('stopped'));
    await world.run(5_000);
    expect(order).toEqual(['stopped', 'a', 'c']);
    await expect(pacer.acquire(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });

  it('leaves no timer behind when nobody waits any more, and goes on afterwards', async () => {
    let waiting = 0;
    const world = virtualWorld();
    const sleep = async (ms: number, signal?: AbortSignal) => {
      waiting += 1;
      await world.sleep(ms, signal).finally(() => {
        waiting -= 1;
      });
    };
    const pacer = makePacer({ now: world.now, sleep, rate: 1 });
    const stop = new AbortController();
    await pacer.acquire();
    const waiter = pacer.acquire(stop.signal).catch(() => 'gone');
    await world.run(10);
    expect(waiting).toBe(1);
    stop.abort(new Error('stopped'));
    expect(await waiter).toBe('gone');
    await world.run(0);
    expect(waiting).toBe(0);
    let went = false;
    void pacer.acquire().then(() => {
      went = true;
    });
    await world.run(1_100);
    expect(went).toBe(true);
  });

  it.each([-86_400_000, 86_400_000])('survives a clock that jumps by %d ms', async (jump) => {
    const world = virtualWorld();
    const pacer = pacerIn(world, 10);
    let sent = 0;
    const worker = async () => {
      for (;;) {
        await pacer.acquire();
        sent += 1;
        pacer.answered();
      }
    };
    void worker();
    await world.run(2_000);
    const before = sent;
    world.jump(jump);
    await world.run(2_000);
    expect(sent - before).toBeGreaterThanOrEqual(18);
    expect(sent - before).toBeLessThanOrEqual(23);
  });
});
