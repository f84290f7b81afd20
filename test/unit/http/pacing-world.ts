/** A world with its own clock, and services with a speed limit in it: pacing is checked without waiting. */

interface Timer {
  at: number;
  order: number;
  fire: () => void;
}

export interface VirtualWorld {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves what `now` says without time passing. */
  jump(ms: number): void;
  /** Lets time pass, firing timers in order. */
  run(ms: number): Promise<void>;
}

export function virtualWorld(start = 1_780_000_000_000): VirtualWorld {
  let time = 0;
  let offset = start;
  let order = 0;
  const timers: Timer[] = [];
  return {
    now: () => Math.floor(time + offset),
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        order += 1;
        const timer = { at: time + Math.max(ms, 0), order, fire: resolve };
        timers.push(timer);
        signal?.addEventListener('abort', () => {
          timers.splice(timers.indexOf(timer), 1);
          reject(signal.reason);
        });
      }),
    jump: (ms) => {
      offset += ms;
    },
    async run(ms) {
      const end = time + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        let best: Timer | undefined;
        for (const timer of timers) {
          if (!best || timer.at < best.at || (timer.at === best.at && timer.order < best.order)) best = timer;
        }
        if (!best || best.at > end) break;
        timers.splice(timers.indexOf(best), 1);
        time = best.at;
        best.fire();
      }
      time = end;
    },
  };
}

export interface Limiter {
  /** True when a request at this moment is within the limit. */
  allow(now: number): boolean;
  /** Milliseconds until one would be. */
  waitMs(now: number): number;
}

export function tokenBucket(perSecond: number, burst: number): Limiter {
  let tokens = burst;
  let last: number | undefined;
  const fill = (now: number) => {
    tokens = Math.min(burst, tokens + ((now - (last ?? now)) / 1000) * perSecond);
    last = now;
  };
  return {
    allow(now) {
      fill(now);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    waitMs(now) {
      fill(now);
      return Math.max(0, ((1 - tokens) / perSecond) * 1000);
    },
  };
}

export function fixedWindow(perSecond: number, seconds = 1): Limiter {
  const length = seconds * 1000;
  let window = -1;
  let used = 0;
  return {
    allow(now) {
      const current = Math.floor(now / length);
      if (current !== window) {
        window = current;
        used = 0;
      }
      if (used >= perSecond * seconds) return false;
      used += 1;
      return true;
    },
    waitMs: (now) => length - (now % length),
  };
}

/** So many in the second before each request. */
export function slidingWindow(perSecond: number): Limiter {
  const served: number[] = [];
  return {
    allow(now) {
      while ((served[0] ?? now) <= now - 1000) served.shift();
      if (served.length >= perSecond) return false;
      served.push(now);
      return true;
    },
    waitMs: (now) => Math.max(0, (served[0] ?? now) + 1000 - now),
  };
}
