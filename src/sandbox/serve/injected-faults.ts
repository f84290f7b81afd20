import { Chance } from '../store/prng.js';

/** Every kind of trouble that can be asked for, with what it does. */
export const FAULT_KINDS = {
  '429': 'too many requests, without Retry-After; nothing is done',
  'retry-after': 'too many requests, with Retry-After: 1; nothing is done',
  '500': 'an unexpected error; nothing is done',
  '500-after': 'an unexpected error, though the work is done',
  'cut-before': 'the connection is cut before the work',
  'cut-after': 'the connection is cut after the work, without an answer',
  truncate: 'the work is done, the answer breaks off in the middle',
  'wrong-type': 'the work is done, the answer is a page of HTML',
  slow: 'the answer comes in pieces over three seconds',
  insert: 'an item is added to the list before its page is read',
  delete: 'an item is taken from the list before its page is read',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** How often each kind of trouble happens, 0 to 1. */
export type Faults = ReadonlyMap<FaultKind, number>;

/** The faults that are asked for now and the chance that draws them; the control changes both. */
export interface Trouble {
  faults: Faults;
  random: () => number;
}

/** A chance from 0 to below 1 that comes the same for the same seed. */
export function seededRandom(seed: number): () => number {
  const chance = new Chance(`faults ${seed}`);
  return () => chance.int(2 ** 32) / 2 ** 32;
}

/**
 * Reads `kind=share` words; the share is a number from 0 to 1 or a percentage.
 * @returns the faults, or a sentence that says what is wrong.
 */
export function parseFaults(words: readonly string[]): Faults | string {
  const faults = new Map<FaultKind, number>();
  for (const word of words) {
    const [kind, share = '1'] = word.split('=', 2) as [string, string?];
    if (!Object.hasOwn(FAULT_KINDS, kind)) {
      return `There is no fault called ${JSON.stringify(kind)}: give one with its share, as in 500=5%. There are ${Object.keys(FAULT_KINDS).join(', ')}.`;
    }
    const value = share.endsWith('%') ? Number(share.slice(0, -1)) / 100 : Number(share);
    if (share === '' || !(value >= 0 && value <= 1))
      return `The share of ${kind} must be a number from 0 to 1, or 0% to 100%.`;
    faults.set(kind as FaultKind, value);
  }
  return faults;
}

/** The trouble that this request meets, if any; each kind is drawn on its own, the first one counts. */
export function drawFault(faults: Faults, random: () => number): FaultKind | undefined {
  for (const [kind, share] of faults) if (random() < share) return kind;
  return undefined;
}

/** Counts requests within one second: whether one more is within the limit. */
export function rateLimit(perSecond: number, clock: () => number): () => boolean {
  let from = 0;
  let count = 0;
  return () => {
    const now = clock();
    if (now - from >= 1000) [from, count] = [now, 0];
    return ++count <= perSecond;
  };
}

/** The body of an answer that a fault makes, in the shape of service.md#errors. */
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
