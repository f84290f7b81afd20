import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Entry,
  Finish,
  GatedHistory,
  HistoryOutcome,
  Intent,
  Pending,
} from '../../../src/account/history/types.js';

/** One process with the history that it shares with others. */
export interface HistoryUser {
  readonly history: GatedHistory;
  /** Ends it as `kill -9` does: what it did not record stays unrecorded. */
  die(): void;
}

/** An empty history that several processes share, and the clock that they go by. */
export interface HistoryGround {
  now: number;
  join(): HistoryUser;
  remove(): Promise<void>;
}

export const NOON = Date.parse('2026-11-21T12:00:00Z');
const TAGS = ['a', 'b', 'c'] as const;
const OUTCOMES: readonly HistoryOutcome[] = [
  'done',
  'refused',
  'payment_failed',
  'rate_limited',
  'not_sent',
  'unknown',
];
const origin = { profile: 'acme', baseUrl: 'b', mode: 'test', operation: 'o', fingerprint: 'fp' } as const;
const intentOf = (tag: string): Intent => ({ ...origin, ids: [tag], tag });

const user = fc.nat(2);
const tag = fc.constantFrom(...TAGS);
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('begin' as const), user, tag, again: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('finish' as const), at: fc.nat(), as: fc.constantFrom(...OUTCOMES) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), user }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      user,
      at: fc.nat(),
      as: fc.constantFrom('done', 'not-done'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(40 * 86_400_000) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** What a history ought to say of a write. */
interface Known {
  readonly id: string;
  readonly tag: string;
  readonly pending: Pending;
  user: HistoryUser;
  outcome: HistoryOutcome | 'running';
  ended: boolean;
}

/** The promises of a history, acted out by processes that come and go. */
class Play {
  readonly users: HistoryUser[];
  readonly known: Known[] = [];
  /** Ends that were read once. */
  readonly #ends = new Map<string, Entry>();

  constructor(private readonly ground: HistoryGround) {
    this.users = [0, 1, 2].map(() => ground.join());
  }

  async act(deed: Deed): Promise<void> {
    if (deed.do === 'begin') await this.#begin(deed.user, deed.tag, deed.again);
    else if (deed.do === 'die') this.#die(deed.user);
    else if (deed.do === 'pass') this.ground.now += deed.ms;
    else if (this.known.length > 0) {
      const one = this.known[deed.at % this.known.length] as Known;
      if (deed.do === 'finish') await this.#finish(one, { outcome: deed.as, httpStatus: 299 });
      else await this.#settle(deed.user, one, deed.as as 'done' | 'not-done');
    }
    await this.compare();
  }

  async #begin(at: number, wanted: string, again: boolean): Promise<void> {
    const one = this.users[at] as HistoryUser;
    const open = this.known.filter(({ tag: its, outcome }) => its === wanted && isOpen(outcome));
    const begun = await one.history.begin(intentOf(wanted), again ? { again } : {}).catch((error: unknown) => error);
    if (open.length > 0 && !again) {
      expect(begun).toMatchObject({ exitCode: 12 });
      return;
    }
    const pending = begun as Pending;
    expect(pending.id).toEqual(expect.any(String));
    this.known.push({ id: pending.id, tag: wanted, pending, user: one, outcome: 'running', ended: false });
  }

  async #finish(one: Known, end: Finish): Promise<void> {
    // A process that is dead records nothing.
    if (!this.users.includes(one.user)) return;
    await one.pending.finish(end);
    if (one.ended) return;
    one.ended = true;
    one.outcome = end.outcome;
  }

  #die(at: number): void {
    const gone = this.users[at] as HistoryUser;
    gone.die();
    for (const one of this.known) if (one.user === gone && one.outcome === 'running') one.outcome = 'unknown';
    this.users[at] = this.ground.join();
  }

  async #settle(at: number, one: Known, as: 'done' | 'not-done'): Promise<void> {
    const settled = await (this.users[at] as HistoryUser).history.settle(one.id, as).catch((error: unknown) => error);
    if (one.outcome === 'running') expect(settled).toMatchObject({ exitCode: 12 });
    else if (one.outcome !== 'unknown') expect(settled).toMatchObject({ exitCode: 2 });
    else one.outcome = as === 'done' ? 'done' : 'not_sent';
  }

  /** What anybody reads is what happened, and an end that was read once is never another. */
  async compare(): Promise<void> {
    const { history } = this.users[0] as HistoryUser;
    const all = new Map<string, Entry>();
    for await (const entry of history.list()) all.set(entry.id, entry);
    const unknown: string[] = [];
    for await (const { id } of history.list({ unknownOnly: true })) unknown.push(id);
    for (const { id, outcome } of this.known) {
      expect([id, all.get(id)?.outcome]).toEqual([id, outcome]);
      expect(unknown.includes(id)).toBe(outcome === 'unknown');
      expect((await history.show(id)).outcome).toBe(outcome);
    }
    // What was refused was taken back.
    const known = new Set(this.known.map(({ id }) => id));
    for (const entry of all.values()) if (!known.has(entry.id)) expect(entry.outcome).toBe('not_sent');
    expect([...(await history.openTags(origin)).keys()].sort()).toEqual(this.#openTags());
    for (const entry of all.values()) this.#keep(entry);
  }

  #openTags(): string[] {
    return [...new Set(this.known.filter(({ outcome }) => isOpen(outcome)).map((one) => one.tag))].sort();
  }

  #keep(entry: Entry): void {
    if (isOpen(entry.outcome)) return;
    const before = this.#ends.get(entry.id);
    if (before) expect(entry).toEqual(before);
    else this.#ends.set(entry.id, entry);
  }
}

const isOpen = (outcome: Entry['outcome']) => outcome === 'running' || outcome === 'unknown';

/** Runs a property over grounds of its own. */
async function over<T>(
  make: () => Promise<HistoryGround>,
  arbitrary: fc.Arbitrary<T>,
  act: (ground: HistoryGround, value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const ground = await make();
    try {
      await act(ground, value);
    } finally {
      await ground.remove();
    }
  });
  await fc.assert(property, { numRuns: process.env.COPS_LONG === '1' ? runs * 20 : runs });
}

/** What callers rely on in a history, whatever keeps it. */
export function describeHistory(kind: string, make: () => Promise<HistoryGround>): void {
  describe(`a history kept in ${kind}`, () => {
    it('admits a write once, keeps what is lost open, and replaces no end', { timeout: 120_000 }, () =>
      over(
        make,
        fc.array(deed, { maxLength: 25 }),
        async (ground, deeds) => {
          const play = new Play(ground);
          for (const one of deeds) await play.act(one);
        },
        40,
      ),
    );

    it('never admits two like writes that begin at once', () =>
      over(
        make,
        fc.array(fc.array(tag, { maxLength: 3 }), { minLength: 2, maxLength: 4 }),
        async (ground, wishes) => {
          const users = wishes.map(() => ground.join());
          const begun = await Promise.all(
            wishes.flatMap((tags, at) =>
              [...new Set(tags)].map((one) =>
                (users[at] as HistoryUser).history.begin(intentOf(one)).then(
                  () => one,
                  (error: unknown) => void expect(error).toMatchObject({ exitCode: 12 }),
                ),
              ),
            ),
          );
          const admitted = begun.filter((one) => one !== undefined);
          expect(new Set(admitted).size).toBe(admitted.length);
          const [first] = users as [HistoryUser];
          // Whoever stepped back left nothing that is open.
          expect([...(await first.history.openTags(origin)).keys()].sort()).toEqual(admitted.sort());
        },
        40,
      ));

    it('refuses what another did since a command began, and lets a later command do it again', () =>
      over(
        make,
        // Longer than the run itself takes: a clock that lags behind what has passed since the start counts as set back.
        fc.record({ before: fc.nat(100_000), after: fc.integer({ min: 60_000, max: 10_000_000 }) }),
        async (ground, { before, after }) => {
          const [other, own] = [ground.join(), ground.join()];
          const since = new Date(ground.now).toISOString();
          ground.now += before;
          await (await other.history.begin(intentOf('a'))).finish({ outcome: 'done' });
          await expect(own.history.begin(intentOf('a'), { since })).rejects.toMatchObject({ exitCode: 12 });
          await own.history.begin(intentOf('b'), { since });
          ground.now += after;
          const later = new Date(ground.now).toISOString();
          await own.history.begin(intentOf('a'), { since: later });
        },
        20,
      ));

    it('lets one of several runs do each row that they have in common', () =>
      over(
        make,
        fc.record({
          rows: fc.integer({ min: 1, max: 6 }),
          runs: fc.integer({ min: 2, max: 3 }),
          order: fc.array(fc.nat(99)),
          isQuick: fc.boolean(),
        }),
        async (ground, { rows, runs, order, isQuick }) => {
          const since = new Date(ground.now).toISOString();
          const trails = Array.from({ length: runs }, (_, at) =>
            ground.join().history.trail(origin, { journal: `j${at}`, since }),
          );
          const starts = trails.flatMap((trail) =>
            Array.from({ length: rows }, (_, row) => ({ trail, tag: `r${row}` })),
          );
          for (const place of order) starts.push(...starts.splice(place % starts.length, 1));
          const admitted = new Map<string, number>();
          const act = async (start: (typeof starts)[number]): Promise<Pending | undefined> => {
            const begun = await start.trail
              .plan({ ids: [start.tag], tag: start.tag })
              .begin()
              .catch((error: unknown) => {
                expect(error).toMatchObject({ exitCode: 12 });
              });
            if (!begun || begun.doneElsewhere) return undefined;
            admitted.set(start.tag, (admitted.get(start.tag) ?? 0) + 1);
            if (isQuick) await begun.pending.finish({ outcome: 'done' });
            return begun.pending;
          };
          // Whether its end comes at once or after all others have asked, whoever was first has the row.
          for (const pending of await Promise.all(starts.map(act))) await pending?.finish({ outcome: 'done' });
          expect(Object.fromEntries(admitted)).toEqual(Object.fromEntries(starts.map((start) => [start.tag, 1])));
        },
        25,
      ));

    it('tells a run that comes back what it began and what has an end', () =>
      over(
        make,
        fc.array(fc.constantFrom('open', ...OUTCOMES), { minLength: 1, maxLength: 8 }),
        async (ground, ends) => {
          const since = new Date(ground.now).toISOString();
          const first = ground.join();
          const trail = first.history.trail(origin, { journal: 'own', since });
          const other = ground.join().history.trail(origin, { journal: 'other', since });
          await other.plan({ ids: ['x'], tag: 'x' }).begin();
          const ids: string[] = [];
          for (const [row, end] of ends.entries()) {
            const { pending } = await trail.plan({ ids: [`r${row}`], tag: `r${row}`, key: `k${row}` }).begin();
            ids.push(pending.id);
            if (end !== 'open') await pending.finish({ outcome: end });
          }
          first.die();
          const { history } = ground.join();
          const begun: unknown[] = [];
          for await (const { id, like, key } of history.intentsOf('own')) begun.push([id, like, key]);
          expect(begun).toEqual(ids.map((id, row) => [id, `r${row}`, `k${row}`]));
          const ended = ids.filter((_, row) => ends[row] !== 'open');
          const known = await history.endedOf(new Set(ids));
          expect([...known.keys()].sort()).toEqual(ended.sort());
          for (const [row, id] of ids.entries()) if (known.has(id)) expect(known.get(id)).toBe(ends[row]);
          const again = history.trail(origin, { journal: 'own', since });
          for (const [row, end] of ends.entries()) {
            if (end !== 'open') continue;
            const id = ids[row] as string;
            const { pending, doneElsewhere } = await again.reopen(id, { ids: [`r${row}`], tag: `r${row}` });
            expect([pending.id, doneElsewhere]).toEqual([id, undefined]);
            await pending.finish({ outcome: 'done' });
            expect((await history.show(id)).outcome).toBe('done');
          }
        },
        25,
      ));
  });
}
