import { FAMILY_INDEX } from '../../catalogue/index.js';
import { Chance } from '../store/prng.js';

/** What a client gets in place of the service's answer. */
export interface FaultAnswer {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FaultFacts {
  readonly about: string;
  /** Sent instead of any work. */
  readonly before?: FaultAnswer;
  /** Sent when the work is done. */
  readonly after?: FaultAnswer;
}

const TOO_MANY: FaultAnswer = { status: 429, message: 'Too many requests.' };
const FAILED: FaultAnswer = { status: 500, message: 'Unexpected error.' };

/** Every fault that can be injected, with its effect. */
export const FAULT_KINDS = {
  '429': { about: 'too many requests, without Retry-After; nothing is done', before: TOO_MANY },
  'retry-after': {
    about: 'too many requests, with Retry-After: 1; nothing is done',
    before: { ...TOO_MANY, headers: { 'retry-after': '1' } },
  },
  '500': { about: 'an unexpected error; nothing is done', before: FAILED },
  '500-after': { about: 'an unexpected error, although the work is done', after: FAILED },
  '503': {
    about: 'the service cannot be reached behind its gateway; nothing is done',
    before: { status: 503, message: 'Service unavailable.' },
  },
  'cut-before': { about: 'the connection is cut before the work' },
  'cut-after': { about: 'the connection is cut after the work, without an answer' },
  truncate: { about: 'the work is done, but the answer breaks off in the middle' },
  'wrong-type': { about: 'the work is done, but the answer is an HTML page' },
  slow: { about: 'the answer comes in pieces over three seconds' },
  insert: { about: 'an item is added to the list before its page is read' },
  delete: { about: 'an item is removed from the list before its page is read' },
} as const satisfies Readonly<Record<string, FaultFacts>>;

export type FaultKind = keyof typeof FAULT_KINDS;

/** One fault to inject: into a share of the requests, or into the next ones. */
export interface InjectedFault {
  readonly kind: FaultKind;
  /** The probability, 0 to 1. */
  readonly share: number;
  /** How many requests are still to be disturbed; absent for no end. */
  left?: number;
  /** Disturbs every nth request from now on, instead of a random share. */
  readonly every?: number;
  seen?: number;
  /** The words of the only paths concerned: `transactions`, `sales/search`. */
  readonly path?: string;
}

export type Faults = readonly InjectedFault[];

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

const FAMILIES: ReadonlySet<string> = new Set(FAMILY_INDEX.map(({ name }) => name));

/**
 * Reads `kind=share`, `kind=1/5`, `kind=3x` and `kind=3x@family`; the share is a number from 0 to 1 or a percentage.
 * @returns the faults, or a sentence about what is wrong.
 */
export function parseFaults(words: readonly string[]): Faults | string {
  const faults: InjectedFault[] = [];
  for (const word of words) {
    const [, kind = '', how = '1', where] = /^([^=@]*)(?:=([^@]*))?(?:@(.*))?$/s.exec(word) ?? [];
    if (!Object.hasOwn(FAULT_KINDS, kind))
      return `There is no fault called ${JSON.stringify(kind)}: give a fault with its share, such as 500=5%, or with a number of calls, such as 503=3x. Faults: ${Object.keys(FAULT_KINDS).join(', ')}.`;
    const [, times] = /^([1-9]\d{0,8})x$/.exec(how) ?? [];
    const [, every] = /^1\/([1-9]\d{0,8})$/.exec(how) ?? [];
    const share =
      times || every ? 1 / Number(every ?? 1) : how.endsWith('%') ? Number(how.slice(0, -1)) / 100 : Number(how);
    if (how === '' || !(share >= 0 && share <= 1))
      return `The share of ${kind} must be a number from 0 to 1, a percentage, every nth call (1/5), or a number of calls (3x).`;
    const path = where?.replace(/^\//, '').replace(/^[^/]*/, (family) => family.replaceAll('-', '_'));
    if (path !== undefined && !FAMILIES.has(path.split('/', 1)[0] as string))
      return `There is no family for ${JSON.stringify(`@${where}`)}: give one as in ${kind}=${how}@transactions, or the beginning of a path, @sales/search.`;
    faults.push({
      kind: kind as FaultKind,
      share,
      ...(times && { left: Number(times) }),
      ...(every && { every: Number(every) }),
      ...(path !== undefined && { path }),
    });
  }
  return faults;
}

/** The words of faults in an object by kind, as scenarios and the control server write them. */
export function faultsOf(given: object): string[] {
  return Object.entries(given).flatMap(([kind, hows]) => [hows].flat().map((how) => `${kind}=${how}`));
}

/** A fault in words: `the next 3 calls of sales`. */
export function faultReach({ share, left, path, every }: InjectedFault): string {
  const part = every === undefined ? `${Number((share * 100).toFixed(4))} % of the calls` : `one call in ${every}`;
  const calls = left === undefined ? part : `the next ${left} calls`;
  return path === undefined ? calls : `${calls} to ${path}`;
}

/** The fault for a request, if any; its path is the one below the base URL. Each is drawn separately; the first hit counts. */
export function drawFault({ faults, random }: Trouble, path: string): FaultKind | undefined {
  for (const fault of faults) {
    const isMeant = fault.left !== 0 && (!fault.path || `${path}/`.startsWith(`/${fault.path}/`));
    if (!isMeant || (fault.left === undefined && !isTurn(fault, random))) continue;
    if (fault.left !== undefined) fault.left--;
    return fault.kind;
  }
  return undefined;
}

function isTurn(fault: InjectedFault, random: () => number): boolean {
  if (fault.every === undefined) return random() < fault.share;
  fault.seen = (fault.seen ?? 0) + 1;
  return fault.seen % fault.every === 0;
}

/** What is sent before, or after, the work of a request with a fault. */
export function faultAnswer(fault: FaultKind | undefined, when: 'before' | 'after'): FaultAnswer | undefined {
  const facts: FaultFacts | undefined = fault && FAULT_KINDS[fault];
  return facts?.[when];
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
