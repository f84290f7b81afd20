import { Chance } from '../store/prng.js';

/** Every fault that can be injected, with its effect. */
export const FAULT_KINDS = {
  '429': 'too many requests, without Retry-After; nothing is done',
  'retry-after': 'too many requests, with Retry-After: 1; nothing is done',
  '500': 'an unexpected error; nothing is done',
  '500-after': 'an unexpected error, although the work is done',
  'cut-before': 'the connection is cut before the work',
  'cut-after': 'the connection is cut after the work, without an answer',
  truncate: 'the work is done, but the answer breaks off in the middle',
  'wrong-type': 'the work is done, but the answer is an HTML page',
  slow: 'the answer comes in pieces over three seconds',
  insert: 'an item is added to the list before its page is read',
  delete: 'an item is removed from the list before its page is read',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** The probability of each fault, 0 to 1. */
export type Faults = ReadonlyMap<FaultKind, number>;

/** The current faults and the random sequence that draws them; the control server changes both. */
export interface Trouble {
  faults: Faults;
  random: () => number;
}

/** Random numbers from 0 to below 1; the same for the same seed. */
export function seededRandom(seed: number): () => number {
  const chance = new Chance(`faults ${seed}`);
  return () => chance.int(2 ** 32) / 2 ** 32;
}

/**
 * Reads `kind=share` arguments; the share is a number from 0 to 1 or a percentage.
 * @returns the faults, or a sentence about what is wrong.
 */
export function parseFaults(words: readonly string[]): Faults | string {
  const faults = new Map<FaultKind, number>();
  for (const word of words) {
    const [kind, share = '1'] = word.split('=', 2) as [string, string?];
    if (!Object.hasOwn(FAULT_KINDS, kind)) {
      return `There is no fault called ${JSON.stringify(kind)}: give a fault with its share, such as 500=5%. Faults: ${Object.keys(FAULT_KINDS).join(', ')}.`;
    }
    const value = share.endsWith('%') ? Number(share.slice(0, -1)) / 100 : Number(share);
    if (share === '' || !(value >= 0 && value <= 1))
      return `The share of ${kind} must be a number from 0 to 1, or 0% to 100%.`;
    faults.set(kind as FaultKind, value);
  }
  return faults;
}

/** The fault for this request, if any. Each kind is drawn separately; the first hit counts. */
export function drawFault(faults: Faults, random: () => number): FaultKind | undefined {
  for (const [kind, share] of faults) if (random() < share) return kind;
  return undefined;
}

/** Counts the requests of a second, and checks them against a limit. */
export function rateLimit(perSecond: number, clock: () => number): () => boolean {
  let from = 0;
  let count = 0;
  return () => {
    const now = clock();
    if (now - from >= 1000) [from, count] = [now, 0];
    return ++count <= perSecond;
  };
}

/** The body of an injected answer, in the form of service.md#errors. */
export function faultBody(message: string, unix: number): string {
  return JSON.stringify({
    api_call_id: null,
    api_call_unix: unix,
    code: 0,
    error_code: 'E0001',
    message,
    result: 'error',
  });
}
