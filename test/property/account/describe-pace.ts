import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SharedPace } from '../../../src/service/http/pacer.js';

/** A key that nobody used yet, and the clock that all its users go by. */
export interface PaceGround {
  now: number;
  /** A process that keeps at most this rate; it fails the test where the pace cannot be kept. */
  join(rate: number): SharedPace;
  remove(): Promise<void>;
}

const NOON = Date.parse('2026-11-21T12:00:00Z');
/** A turn that begins a little early in the fractions of a millisecond is none. */
const HAIR = 0.05;
/** So much may be lost with a process that dies, milliseconds, or one turn where that is longer. */
const AHEAD_MS = 50;
/** How long one who takes no turns may hold others to its rate, milliseconds, or two turns where that is longer. */
const HOLDS_MS = 2000;

const steps = fc.array(
  fc.record({ user: fc.nat(3), wanted: fc.integer({ min: 1, max: 40 }), pass: fc.oneof(fc.constant(0), fc.nat(700)) }),
  { minLength: 1, maxLength: 40 },
);

/** The moments at which turns begin that one takes now. */
async function turnsOf(ground: PaceGround, pace: SharedPace, wanted: number): Promise<number[]> {
  const waits = await pace.reserve(wanted);
  expect(waits.length).toBeGreaterThan(0);
  expect(waits.length).toBeLessThanOrEqual(wanted);
  for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(0);
  return waits.map((ms) => ground.now + ms);
}

/** No more than so many within any second, and none before another that was taken earlier. */
function expectPace(turns: readonly number[], rate: number): void {
  for (const [at, turn] of turns.entries()) {
    const later = turns[at + rate];
    if (later !== undefined) expect(later - turn).toBeGreaterThanOrEqual(1000 - HAIR);
    const next = turns[at + 1];
    if (next !== undefined) expect(next - turn).toBeGreaterThanOrEqual(1000 / rate - HAIR);
  }
}

async function over<T>(
  make: () => Promise<PaceGround>,
  arbitrary: fc.Arbitrary<T>,
  act: (ground: PaceGround, value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const ground = await make();
    ground.now = NOON;
    await act(ground, value).finally(() => ground.remove());
  });
  await fc.assert(property, { numRuns: process.env.COPS_LONG === '1' ? runs * 20 : runs });
}

/** What a pacer relies on in a pace that others keep too, whatever keeps it. */
export function describePace(kind: string, make: () => Promise<PaceGround>): void {
  describe(`a pace kept in ${kind}`, () => {
    it('lets no more than its rate begin in a second, over all who use the key', () =>
      over(
        make,
        fc.record({ rate: fc.integer({ min: 1, max: 60 }), steps }),
        async (ground, { rate, steps: all }) => {
          const users = [0, 1, 2, 3].map(() => ground.join(rate));
          const turns: number[] = [];
          for (const { user, wanted, pass } of all) {
            turns.push(...(await turnsOf(ground, users[user] as SharedPace, wanted)));
            ground.now += pass;
          }
          expectPace(turns, rate);
        },
        30,
      ));

    it('gives turns to all who ask at once, none of them twice', () =>
      over(
        make,
        fc.record({ rate: fc.integer({ min: 1, max: 60 }), users: fc.integer({ min: 2, max: 4 }) }),
        async (ground, { rate, users }) => {
          const taken = await Promise.all(Array.from({ length: users }, () => turnsOf(ground, ground.join(rate), 1)));
          expectPace(
            taken.flat().sort((a, b) => a - b),
            rate,
          );
        },
        8,
      ));

    it('wastes no turn that somebody waits for', () =>
      over(
        make,
        fc.record({
          rate: fc.integer({ min: 1, max: 60 }),
          wanted: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        }),
        async (ground, { rate, wanted }) => {
          const users = [ground.join(rate), ground.join(rate)] as const;
          const turns: number[] = [];
          for (const [at, many] of wanted.entries())
            turns.push(...(await turnsOf(ground, users[at % 2] as SharedPace, many)));
          const last = turns.at(-1) as number;
          expect(last - ground.now).toBeCloseTo((turns.length - 1) * (1000 / rate), 1);
        },
        20,
      ));

    it('lets nobody begin while a refusal holds', () =>
      over(
        make,
        fc.record({
          rate: fc.integer({ min: 1, max: 60 }),
          pauses: fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 5 }),
          steps,
        }),
        async (ground, { rate, pauses, steps: all }) => {
          const users = [0, 1, 2, 3].map(() => ground.join(rate));
          let until = 0;
          const turns: number[] = [];
          for (const [at, { user, wanted, pass }] of all.entries()) {
            const pause = at % 3 === 0 ? pauses[at / 3] : undefined;
            if (pause !== undefined) {
              await (users[(user + 1) % 4] as SharedPace).pause(pause);
              until = Math.max(until, ground.now + pause);
            }
            const own = await turnsOf(ground, users[user] as SharedPace, wanted);
            for (const turn of own) expect(turn).toBeGreaterThanOrEqual(until - HAIR);
            turns.push(...own);
            ground.now += pass;
          }
          expectPace(turns, rate);
        },
        20,
      ));

    it('keeps to the slowest rate of those who take turns', () =>
      over(
        make,
        fc.record({ slow: fc.integer({ min: 1, max: 30 }), more: fc.integer({ min: 1, max: 30 }), many: fc.nat(20) }),
        async (ground, { slow, more, many }) => {
          const [first, quick] = [ground.join(slow), ground.join(slow + more)];
          const turns = await turnsOf(ground, first, 1);
          for (let at = 0; at < many; at++)
            turns.push(...(await turnsOf(ground, at % 3 === 2 ? first : quick, 1 + (at % 2))));
          expectPace(turns, slow);
        },
        20,
      ));

    it('gives back the share of one that dies', () =>
      over(
        make,
        fc.record({
          rate: fc.integer({ min: 1, max: 60 }),
          slow: fc.integer({ min: 1, max: 60 }),
          wanted: fc.integer({ min: 1, max: 100_000 }),
        }),
        async (ground, { rate, slow, wanted }) => {
          // It takes what it can, and is never heard of again.
          await ground.join(slow).reserve(wanted);
          const own = ground.join(rate);
          const spacing = 1000 / Math.min(rate, slow);
          const [first = 0] = await turnsOf(ground, own, 1);
          expect(first - ground.now).toBeLessThanOrEqual(Math.max(AHEAD_MS, spacing) + HAIR);
          // Once it has taken none for a while, its own rate holds nobody.
          ground.now += AHEAD_MS + 2 * spacing + Math.max(HOLDS_MS, 2 * spacing) + 1;
          const [a = 0] = await turnsOf(ground, own, 1);
          const [b = 0] = await turnsOf(ground, own, 1);
          expect(b - a).toBeCloseTo(1000 / rate, 1);
        },
        20,
      ));
  });
}
