import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import type { ServiceRequest, Transport } from '../../../src/base/transport.js';
import { openTransport } from '../../../src/service/http/client.js';
import type { WritePolicy } from '../../../src/service/http/retry.js';
import { type Service, type ServiceOptions, startService } from '../../fixtures/service/service.js';

export const KEY = 'test_key_0123456789abcdef';
export const IDEMPOTENCY = '3f0f8a52-4f0e-4a34-9c5e-8f2b1d7c6a01';

/** A policy without real waits; the waits that were asked for are kept. */
export function policy(more: Partial<WritePolicy> = {}): WritePolicy & { waits: number[] } {
  const waits: number[] = [];
  return {
    timeoutMs: 2_000,
    maxRetries: 3,
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    random: () => 0.5,
    hasKey: true,
    context: { doing: 'Refund of product sale PS1' },
    ...more,
    waits,
  };
}

export const POST: ServiceRequest = {
  method: 'POST',
  path: '/product_sales/PS100000000000000000/refund',
  query: [],
  body: `{"refund_amount":10.00,"idempotency_key":"${IDEMPOTENCY}"}`,
};

export const GET: ServiceRequest = { method: 'GET', path: '/customers/CUST0000000000000000', query: [] };

/** A service and a transport to it, both closed when `body` is done. */
export async function withService(
  body: (service: Service, transport: Transport, traced: string[]) => Promise<void>,
  options: ServiceOptions & { connections?: number } = {},
): Promise<void> {
  const service = await startService(options);
  const traced: string[] = [];
  const transport = await openTransport({
    baseUrl: service.baseUrl,
    key: KEY,
    env: {},
    userAgent: 'cops/test',
    trace: (line) => traced.push(line),
    ...(options.connections ? { connections: options.connections } : {}),
  });
  try {
    await body(service, transport, traced);
  } finally {
    await transport.close();
    await service.close();
  }
}

/** A port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const service = await startService();
  await service.close();
  return service.port;
}

/** The time that work sleeps until it ends: the clock moves only while nothing else is under way. */
export async function sleptBy(work: () => Promise<unknown>): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const uptime = vi.spyOn(process, 'uptime').mockImplementation(() => performance.now() / 1000);
  const from = performance.now();
  let isOver = false;
  const end = work()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  for (let idle = 0; !isOver; idle++) {
    await turn();
    if (idle < 5 || vi.getTimerCount() === 0) continue;
    vi.advanceTimersToNextTimer();
    idle = 0;
  }
  await end;
  const slept = performance.now() - from;
  uptime.mockRestore();
  vi.useRealTimers();
  return slept;
}
