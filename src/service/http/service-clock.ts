import type { Reply, Transport } from '../../base/transport.js';

/** How far the service's clock is ahead of ours, in milliseconds, by each source. */
export interface Skew {
  /** By `api_call_unix` (service.md#envelopes). */
  readonly call?: number;
  /** By the header `Date`. */
  readonly date?: number;
}

/** Two clocks of equal speed never differ by more than this, given whole seconds and slow answers. */
export const CLOCK_DOUBT_MS = 5 * 60_000;

/**
 * The service forgets idempotency keys after 24 hours (service.md#idempotency); this leaves an hour for clocks that
 * differ. In milliseconds.
 */
export const KEY_LIFE_MS = 23 * 3_600_000;

/** What answers reveal about the service's clock. */
export class ServiceClock {
  #skew: Skew = {};
  #lastDate = '';

  /** The latest observation; empty before the first answer that reveals anything. */
  get skew(): Skew {
    return this.#skew;
  }

  /** @param now our clock when the answer came, in milliseconds */
  note(reply: Reply, now: number): void {
    const { date } = reply.headers;
    const call = callTime(reply.body);
    const isNew = date !== undefined && date !== this.#lastDate;
    if (!isNew && call === undefined) return;
    const at = isNew ? Date.parse(date) : Number.NaN;
    if (isNew) this.#lastDate = date;
    this.#skew = {
      ...this.#skew,
      ...(call === undefined ? {} : { call: call - now }),
      ...(Number.isNaN(at) ? {} : { date: at - now }),
    };
  }
}

const CALL_TIME = '"api_call_unix"';
/** Bytes searched for its name in an envelope, and bytes added for its value. */
const HEAD = 4096;
const VALUE = 32;

/** The first `api_call_unix` of an answer, in milliseconds: the envelope's own, which precedes its contents. */
function callTime(body: Buffer): number | undefined {
  const text = body.toString('latin1', 0, HEAD + VALUE);
  const at = text.indexOf(CALL_TIME) + CALL_TIME.length;
  if (at < CALL_TIME.length || at > HEAD) return undefined;
  const seconds = /^\s*:\s*(\d{1,12})(?=[\s,}])/.exec(text.slice(at, at + VALUE))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Whether one clock jumped relative to the other between two observations; false where no source has both. */
export function jumped(then: Skew, now: Skew): boolean {
  return differ(then.call, now.call) || differ(then.date, now.date);
}

function differ(before: number | undefined, after: number | undefined): boolean {
  return before !== undefined && after !== undefined && Math.abs(after - before) > CLOCK_DOUBT_MS;
}

/** Whether an observation contains anything. */
export function isTold(skew: Skew): boolean {
  return skew.call !== undefined || skew.date !== undefined;
}

/** Wraps a transport to record what its answers reveal about the service's clock. */
export function watchClock(transport: Transport, clock: ServiceClock, now: () => number): Transport {
  return {
    async send(request, options) {
      const reply = await transport.send(request, options);
      // Call records hold the times of other calls.
      if (!request.path.startsWith('/api_calls')) clock.note(reply, now());
      return reply;
    },
    close: () => transport.close(),
  };
}
