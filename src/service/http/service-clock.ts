import type { Reply, Transport } from '../../base/transport.js';

/** How far the service's clock is ahead of ours, milliseconds, by each thing that tells it. */
export interface Skew {
  /** By `api_call_unix` (service.md#envelopes). */
  readonly call?: number;
  /** By the header `Date`. */
  readonly date?: number;
}

/** Two clocks that went equally fast never differ by more than this: whole seconds, and answers that took long. */
export const CLOCK_DOUBT_MS = 5 * 60_000;

/** The service forgets idempotency keys after 24 hours (service.md#idempotency); an hour is left for clocks that differ. Milliseconds. */
export const KEY_LIFE_MS = 23 * 3_600_000;

/** What answers tell of the service's clock. */
export class ServiceClock {
  #skew: Skew = {};
  #lastDate = '';

  /** The latest that was told; empty before the first answer that tells anything. */
  get skew(): Skew {
    return this.#skew;
  }

  /** @param now our clock when the answer came, milliseconds */
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
/** Bytes in which an envelope names it, and in which its value ends. */
const HEAD = 4096;
const VALUE = 32;

/** The first `api_call_unix` of an answer, milliseconds: its envelope's, which stands before what it holds. */
function callTime(body: Buffer): number | undefined {
  const text = body.toString('latin1', 0, HEAD + VALUE);
  const at = text.indexOf(CALL_TIME) + CALL_TIME.length;
  if (at < CALL_TIME.length || at > HEAD) return undefined;
  const seconds = /^\s*:\s*(\d{1,12})(?![\d.eE])/.exec(text.slice(at, at + VALUE))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** Whether one clock jumped against the other between two looks; false where nothing tells both. */
export function jumped(then: Skew, now: Skew): boolean {
  return differ(then.call, now.call) || differ(then.date, now.date);
}

function differ(before: number | undefined, after: number | undefined): boolean {
  return before !== undefined && after !== undefined && Math.abs(after - before) > CLOCK_DOUBT_MS;
}

/** Whether a look told anything. */
export function isTold(skew: Skew): boolean {
  return skew.call !== undefined || skew.date !== undefined;
}

/** A way to the service that notes what its answers tell of its clock. */
export function watchClock(transport: Transport, clock: ServiceClock, now: () => number): Transport {
  return {
    async send(request, options) {
      const reply = await transport.send(request, options);
      // Records of calls hold the times of other calls.
      if (!request.path.startsWith('/api_calls')) clock.note(reply, now());
      return reply;
    },
    close: () => transport.close(),
  };
}
