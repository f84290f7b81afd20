import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GatedHistory, HistoryOutcome, Pending } from '../../../src/account/history/types.js';
import type { Gate } from '../../../src/account/history/write-gate.js';
import { PolicyGate } from '../../../src/account/policy/gate.js';
import type { CountedWrites } from '../../../src/account/policy/types.js';
import { operationNamed } from '../../../src/catalogue/index.js';

/** One process of those who are limited together. */
export interface LimitedUser {
  counted(): Promise<CountedWrites>;
  history(gate: Gate): GatedHistory;
  die(): void;
}

/** Records without a write, shared by processes that keep to one policy, and the clock that they go by. */
export interface LimitsGround {
  now: number;
  /** Where the policy is. */
  readonly configDir: string;
  setPolicy(text: string): void;
  join(): LimitedUser;
  remove(): Promise<void>;
}

const START = Date.parse('2026-03-27T20:00:00Z');
/** Zones, each with the time of UTC at which its day is about to end. */
const ZONES = {
  UTC: '23:30',
  'Asia/Kolkata': '18:00',
  'Europe/Berlin': '22:30',
  'America/New_York': '03:30',
  'Pacific/Auckland': '10:30',
} as const;
const NOT_DONE: readonly HistoryOutcome[] = ['refused', 'payment_failed', 'fraud_detected', 'rate_limited', 'not_sent'];
const OUTCOMES: readonly HistoryOutcome[] = ['done', 'unknown', ...NOT_DONE];
const origin = {
  profile: 'acme',
  baseUrl: 'b',
  mode: 'live',
  operation: 'transactions refund',
  fingerprint: 'fp',
} as const;
const policyOf = (zone: string, limit: string) => `zone: ${zone}\nrules:\n  - {name: day, ${limit}}\n`;

let serial = 0;

/** Asks for a refund of so many cents of an item of 1000 USD. */
async function refund(ground: LimitsGround, user: LimitedUser, cents: number): Promise<Pending> {
  const known = await operationNamed(origin.operation);
  if (!known) throw new Error('there is no such operation');
  const item: Record<string, string> = {
    amount: '1000.00',
    amount_total: '1000.00',
    amount_refunded: '0',
    iso_currency: 'USD',
  };
  const gate = new PolicyGate({
    configDir: ground.configDir,
    now: () => ground.now,
    counted: () => user.counted(),
    asked: {
      profile: 'acme',
      credential: 'fp',
      mode: 'live',
      who: 'person',
      operation: origin.operation,
      risk: 'money',
    },
    ...known,
    item: async () => (path) => item[path],
  });
  const tag = `t${++serial}`;
  return user.history(gate).begin({ ...origin, ids: [tag], tag, body: { amount: (cents / 100).toFixed(2) } });
}

const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      user: fc.nat(2),
      cents: fc.integer({ min: 1, max: 6000 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('finish' as const), at: fc.nat(), as: fc.constantFrom(...OUTCOMES) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), user: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.oneof(fc.nat(2_400_000), fc.nat(9 * 3_600_000)) }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

interface Moved {
  readonly cents: number;
  readonly time: number;
  readonly user: LimitedUser;
  readonly pending: Pending;
  outcome?: HistoryOutcome;
}

const dayIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  return (moment: number) => format.format(moment);
};

/** Writes under a limit, one after another, beside a count of our own. */
async function play(
  ground: LimitsGround,
  deeds: readonly Deed[],
  passes: (before: readonly Moved[], cents: number) => boolean,
) {
  const users = [0, 1, 2].map(() => ground.join());
  const moved: Moved[] = [];
  for (const one of deeds) {
    if (one.do === 'pass') ground.now += one.ms;
    else if (one.do === 'die') {
      users[one.user]?.die();
      users[one.user] = ground.join();
    } else if (one.do === 'finish') {
      const write = moved[one.at % Math.max(1, moved.length)];
      if (!write || !users.includes(write.user)) continue;
      await write.pending.finish({ outcome: one.as });
      write.outcome ??= one.as;
    } else {
      const user = users[one.user] as LimitedUser;
      const counting = moved.filter(({ outcome }) => outcome === undefined || !NOT_DONE.includes(outcome));
      const asked = refund(ground, user, one.cents);
      if (passes(counting, one.cents)) moved.push({ cents: one.cents, time: ground.now, user, pending: await asked });
      else await expect(asked).rejects.toMatchObject({ exitCode: 12 });
    }
  }
}

async function over<T>(
  make: () => Promise<LimitsGround>,
  arbitrary: fc.Arbitrary<T>,
  act: (ground: LimitsGround, value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const ground = await make();
    ground.now = START;
    await act(ground, value).finally(() => ground.remove());
  });
  await fc.assert(property, { numRuns: process.env.COPS_LONG === '1' ? runs * 20 : runs });
}

/** What limits rely on, whatever keeps the writes that they count. */
export function describeLimits(kind: string, make: () => Promise<LimitsGround>): void {
  describe(`limits that count writes kept in ${kind}`, () => {
    it("sum what is done, open and unknown in the day of the rule's zone, to the cent", { timeout: 120_000 }, () =>
      over(
        make,
        fc.record({
          zone: fc.constantFrom(...(Object.keys(ZONES) as (keyof typeof ZONES)[])),
          most: fc.integer({ min: 1000, max: 20_000 }),
          deeds: fc.array(deed, { maxLength: 25 }),
        }),
        async (ground, { zone, most, deeds }) => {
          ground.setPolicy(policyOf(zone, `most_a_day: {USD: ${(most / 100).toFixed(2)}}`));
          ground.now = Date.parse(`2026-03-27T${ZONES[zone]}:00Z`);
          const dayOf = dayIn(zone);
          await play(ground, deeds, (before, cents) => {
            const today = before.filter(({ time }) => dayOf(time) === dayOf(ground.now));
            return today.reduce((sum, one) => sum + one.cents, cents) <= most;
          });
        },
        40,
      ),
    );

    it('count the writes of any hour', { timeout: 120_000 }, () =>
      over(
        make,
        fc.record({ most: fc.integer({ min: 1, max: 4 }), deeds: fc.array(deed, { maxLength: 20 }) }),
        async (ground, { most, deeds }) => {
          ground.setPolicy(policyOf('UTC', `writes_an_hour: ${most}`));
          await play(
            ground,
            deeds,
            (before) => before.filter(({ time }) => time >= ground.now - 3_600_000).length < most,
          );
        },
        20,
      ),
    );

    it.each(Object.entries(ZONES))("begin anew with the day of the rule's zone: %s", async (zone, time) => {
      const ground = await make();
      ground.now = Date.parse(`2026-03-27T${time}:00Z`);
      ground.setPolicy(policyOf(zone, 'most_a_day: {USD: 100}'));
      const user = ground.join();
      await refund(ground, user, 10_000);
      ground.now += 30 * 60_000 - 1;
      await expect(refund(ground, user, 1)).rejects.toMatchObject({ exitCode: 12 });
      ground.now += 1;
      await refund(ground, user, 10_000);
      await expect(refund(ground, user, 1)).rejects.toMatchObject({ exitCode: 12 });
      await ground.remove();
    });

    it('count a write for an hour', async () => {
      const ground = await make();
      ground.now = START;
      ground.setPolicy(policyOf('UTC', 'writes_an_hour: 1'));
      const user = ground.join();
      await refund(ground, user, 1);
      ground.now += 3_600_000;
      await expect(refund(ground, user, 1)).rejects.toMatchObject({ exitCode: 12 });
      ground.now += 1;
      await refund(ground, user, 1);
      await ground.remove();
    });

    it('are not passed by many who ask at once', { timeout: 120_000 }, () =>
      over(
        make,
        fc.record({
          users: fc.integer({ min: 2, max: 4 }),
          each: fc.integer({ min: 1, max: 2 }),
          fit: fc.integer({ min: 1, max: 3 }),
        }),
        async (ground, { users, each, fit }) => {
          ground.setPolicy(policyOf('UTC', `most_a_day: {USD: ${fit * 60 + 40}}`));
          const asked = Array.from({ length: users }, () => ground.join()).flatMap((user) =>
            Array.from({ length: each }, () => refund(ground, user, 6000)),
          );
          const ends = await Promise.allSettled(asked);
          const admitted = ends.filter(({ status }) => status === 'fulfilled').length;
          expect(admitted).toBe(Math.min(fit, users * each));
          for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ exitCode: 12 });
        },
        8,
      ),
    );

    it('let the next one in after one died at its turn', { timeout: 60_000 }, async () => {
      const ground = await make();
      ground.now = START;
      ground.setPolicy(policyOf('UTC', 'most_a_day: {USD: 100}'));
      const dead = ground.join();
      const counted = await dead.counted();
      // It dies while it has the turn; what is told to it then nobody hears.
      await new Promise<void>((resolve) => {
        const held = counted.exclusively(() => new Promise(() => resolve()));
        held.catch(() => undefined);
      });
      dead.die();
      await refund(ground, ground.join(), 6000);
      await expect(refund(ground, ground.join(), 6000)).rejects.toMatchObject({ exitCode: 12 });
      await ground.remove();
    });
  });
}
