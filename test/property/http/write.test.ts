/**
 * The promise of writes: at most one execution per intention, and never a wrong claim, whatever the service and the
 * network do. `COPS_LONG=1` runs 2,500 random scripts instead of a seeded sample.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transport } from '../../../src/base/transport.js';
import { openTransport } from '../../../src/service/http/client.js';
import { write } from '../../../src/service/http/send-write.js';
import {
  type Answer,
  declined,
  duplicateKey,
  html,
  midBody,
  notFound,
  ok,
  type Reaction,
  type Recorded,
  refusal,
  type Service,
  serverError,
  startService,
  tooMany,
  truncated,
} from '../../fixtures/service/service.js';

type Act = 'run' | 'skip';
/** What the service does with one attempt: whether it carries it out, and what the client sees of it. */
interface Step {
  readonly act: Act;
  readonly seen: 'answer' | 'drop' | 'close' | 'half' | 'silence' | 'garbage' | '500' | '502' | 'truncated';
  /** The answer when it does not carry it out. */
  readonly refusal: '400' | '402' | '404' | '429' | '401' | '500';
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom<Act>('run', 'skip'),
  seen: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step['seen']>('answer') },
    { weight: 4, arbitrary: fc.constantFrom<Step['seen']>('drop', 'close', 'half', 'silence') },
    { weight: 1, arbitrary: fc.constantFrom<Step['seen']>('garbage', '500', '502', 'truncated') },
  ),
  refusal: fc.constantFrom<Step['refusal']>('400', '401', '402', '404', '429', '429', '500'),
});

const REFUSALS: Record<Step['refusal'], () => Answer> = {
  '400': () => refusal(400),
  '401': () => refusal(401),
  '402': () => declined(2),
  '404': () => notFound(),
  '429': () => tooMany(),
  '500': () => serverError(),
};

let service: Service;
let transport: Transport;
/** What is left of each intention's script: a request that was given up may arrive later than the next one. */
const scripts = new Map<string, Step[]>();
const bodies = new Map<string, Set<string>>();
/** Executions by idempotency key, and by intention. */
const keys = new Set<string>();
const executed = new Map<string, number>();

function serve(request: Recorded): Reaction {
  const { intention, idempotency_key: key } = request.json as { intention: string; idempotency_key?: string };
  const next = scripts.get(intention)?.shift() ?? { act: 'run', seen: 'answer', refusal: '400' };
  bodies.set(intention, (bodies.get(intention) ?? new Set()).add(request.body));
  let answer: Answer;
  // A refusal for speed, for the API key or for the path may come before the idempotency key is looked at.
  if (next.act === 'skip' && ['429', '401', '404'].includes(next.refusal)) answer = REFUSALS[next.refusal]();
  else if (key !== undefined && keys.has(key)) answer = duplicateKey();
  else {
    if (key !== undefined) keys.add(key);
    if (next.act === 'run') {
      executed.set(intention, (executed.get(intention) ?? 0) + 1);
      answer = ok({ result: 'success' });
    } else answer = REFUSALS[next.refusal]();
  }
  switch (next.seen) {
    case 'answer':
      return answer;
    case 'half':
      return midBody(answer);
    case 'garbage':
      return html();
    case '500':
      return serverError();
    case '502':
      return html(502);
    case 'truncated':
      return truncated();
    default:
      return next.seen;
  }
}

beforeAll(async () => {
  service = await startService({ handler: serve });
  transport = await openTransport({ baseUrl: service.baseUrl, key: 'test_key_0123456789', env: {}, userAgent: 'x' });
});

afterAll(async () => {
  await transport.close();
  await service.close();
});

let intentions = 0;
const claims = new Map<string, string>();

function verify(intention: string): void {
  const runs = executed.get(intention) ?? 0;
  const claim = claims.get(intention);
  expect(runs).toBeLessThanOrEqual(1);
  if (claim === 'done') expect(runs).toBe(1);
  else if (claim !== 'unknown') expect(runs).toBe(0);
  expect(bodies.get(intention)?.size ?? 0).toBeLessThanOrEqual(1);
}

async function check(steps: Step[], drops: number, hasKey: boolean, maxRetries: number): Promise<void> {
  intentions += 1;
  const intention = `I${intentions}`;
  scripts.set(intention, [...steps]);
  service.dropConnections(drops);
  const body = JSON.stringify({ intention, ...(hasKey ? { idempotency_key: `key-${intention}-000000` } : {}) });
  const outcome = await write(
    transport,
    { method: 'POST', path: '/things', query: [], body },
    { timeoutMs: 100, maxRetries, hasKey, now: Date.now, random: () => 0, sleep: async () => {} },
  );
  service.dropConnections(0);
  claims.set(intention, outcome.claim);
  verify(intention);
  if (outcome.claim === 'unknown') expect(outcome.error.exitCode).toBe(9);
  if (!hasKey) expect(outcome.attempts).toBe(1);
  expect(outcome.attempts).toBeLessThanOrEqual(maxRetries + 1);
}

const long = process.env.COPS_LONG === '1';

it('at most one execution per intention and never a wrong claim', { timeout: long ? 600_000 : 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(0, 0, 0, 1, 2),
      fc.constantFrom(true, true, true, false),
      fc.integer({ min: 0, max: 4 }),
      check,
    ),
    long ? { numRuns: 2_500 } : { numRuns: 150, seed: 20260101 },
  );
  // What arrived late counts too.
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const intention of claims.keys()) verify(intention);
  // The scripts must have been able to fail: many ran, and many were not answered.
  expect(executed.size).toBeGreaterThan(50);
});
