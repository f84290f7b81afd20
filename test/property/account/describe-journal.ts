import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  IntentLine,
  JournalHeader,
  JournalLine,
  ResolvedLine,
  ResultLine,
} from '../../../src/account/journal/journal-lines.js';
import { JournalState } from '../../../src/account/journal/state.js';
import type { Journal, JournalPlace, JournalScan } from '../../../src/account/journal/types.js';

/** One journal that several processes may work on, and the clock that they go by. */
export interface JournalGround {
  now: number;
  /** The journal as a new process has it. */
  join(): { readonly place: JournalPlace; die(): void };
  /** How many moments a stop of the machine can leave it at: the bytes of a file. */
  moments(): number;
  /** A journal of its own, as a stop at that moment leaves this one. */
  stoppedAt(moment: number): Promise<JournalGround>;
  /** One like it with other bytes; absent where nobody can reach them. */
  edited?(change: (bytes: Buffer) => Buffer): Promise<JournalGround>;
  remove(): Promise<void>;
}

const NOON = Date.parse('2026-11-21T12:00:00Z');
const ROWS = 4;
const header: JournalHeader = {
  type: 'header',
  version: 2,
  id: 'j',
  created: new Date(NOON).toISOString(),
  profile: 'p',
  base_url: 'b',
  mode: 'test',
  family: 'f',
  action: 'a',
  risk: 'money',
  credential: 'k',
  input: { kind: 'list', sha256: 's' },
  templates: [],
  rows: ROWS,
  keyless: false,
};

/** A line of a row without its time. */
type Told = Omit<IntentLine, 'time'> | Omit<ResultLine, 'time'> | Omit<ResolvedLine, 'time'>;

const told = fc.integer({ min: 1, max: ROWS }).chain((row): fc.Arbitrary<Told> => {
  const facts = { row, line: row + 1, ids: [`id${row}`], key: `k${row}` };
  return fc.oneof(
    fc.record({ tag: fc.constantFrom('t', 'ü'), history: fc.constantFrom('h1', 'h2') }).map((more) => ({
      type: 'intent' as const,
      ...facts,
      ...more,
    })),
    fc.constantFrom('done', 'refused', 'unknown', 'rate_limited', 'not_sent').map((outcome) => ({
      type: 'result' as const,
      ...facts,
      outcome: outcome as ResultLine['outcome'],
      message: 'line\nfeed " {',
    })),
    fc.constantFrom('done' as const, 'not_done' as const).map((as) => ({
      type: 'resolved' as const,
      ...facts,
      as,
      evidence: ['it is there'],
    })),
  );
});
const lines = fc.array(fc.record({ told, durable: fc.boolean(), passed: fc.integer({ min: -5000, max: 5000 }) }), {
  maxLength: 4,
});

/** What a state says of its rows. */
function saying(state: JournalState): unknown {
  const rows = Array.from({ length: ROWS }, (_, at) => [state.stand(at + 1), state.begun(at + 1)]);
  const pending = [...state.pending].map(([row, { key, tag, history }]) => [row, key, tag, history]);
  return { rows, pending: pending.sort(), counts: state.counts() };
}

/** What journals say that end with each of these lines. */
function sayings(all: readonly JournalLine[]): unknown[] {
  return Array.from({ length: all.length + 1 }, (_, many) => {
    const state = new JournalState(header);
    for (const line of all.slice(0, many)) state.apply(line, -1);
    return saying(state);
  });
}

async function append(journal: Journal, line: Told, durable: boolean): Promise<JournalLine> {
  const whole = { ...line, time: journal.stamp() } as Exclude<JournalLine, JournalHeader>;
  if (whole.type === 'intent' && durable) await journal.intend(whole).synced;
  else await journal.append(whole, durable);
  journal.state.apply(whole, -1);
  return whole;
}

interface Written {
  readonly lines: readonly JournalLine[];
  /** Moments up to which the header, and each line, are whole. */
  readonly moments: readonly number[];
}

async function written(
  ground: JournalGround,
  all: readonly { told: Told; durable: boolean; passed: number }[],
): Promise<Written> {
  const journal = await ground.join().place.create(header);
  const done: JournalLine[] = [];
  const moments = [ground.moments()];
  let last = journal.stamp();
  for (const { told: line, durable, passed } of all) {
    ground.now += passed;
    const one = await append(journal, line, durable);
    if (one.type === 'header') throw new Error('a second header');
    // Times never go back, whatever the clock does.
    expect(one.time >= last).toBe(true);
    last = one.time;
    done.push(one);
    moments.push(ground.moments());
  }
  await journal.close();
  return { lines: done, moments };
}

const flipped = (at: number) => (bytes: Buffer) => {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
};

/** A journal that somebody changed cannot be read, or says what it said at some time, its bad end left out. */
async function expectFound(
  ground: JournalGround,
  change: (bytes: Buffer) => Buffer,
  expected: readonly unknown[],
  whole?: 'may be whole',
): Promise<void> {
  const changed = (await ground.edited?.(change)) as JournalGround;
  const scan = await changed
    .join()
    .place.scan()
    .catch((error: unknown) => error);
  if (scan instanceof Error) expect(scan).toMatchObject({ exitCode: 11 });
  else {
    const { state, torn } = scan as JournalScan;
    if (!whole) expect(torn).toBe(true);
    expect(expected).toContainEqual(saying(state));
  }
  await changed.remove();
}

async function over<T>(
  make: () => Promise<JournalGround>,
  arbitrary: fc.Arbitrary<T>,
  act: (ground: JournalGround, value: T) => Promise<void>,
  runs: number,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const ground = await make();
    await act(ground, value).finally(() => ground.remove());
  });
  await fc.assert(property, { numRuns: process.env.COPS_LONG === '1' ? runs * 20 : runs });
}

const isLate = (kept: JournalLine | undefined, line: JournalLine): boolean =>
  kept?.type === 'result' && kept.outcome === 'done' && line.type === 'result' && line.outcome !== 'done';

/** What callers rely on in a journal, whatever keeps it. */
export function describeJournal(kind: string, make: () => Promise<JournalGround>): void {
  describe(`a journal kept in ${kind}`, () => {
    it('says what was appended, to whoever reads it', () =>
      over(
        make,
        lines,
        async (ground, all) => {
          const { lines: done } = await written(ground, all);
          const seen: JournalLine[] = [];
          const { state, torn } = await ground.join().place.scan((line) => void seen.push(line));
          expect([torn, saying(state)]).toEqual([false, sayings(done).at(-1)]);
          expect(seen).toEqual([header, ...done]);
          const rows = Array.from({ length: ROWS }, (_, at) => at + 1).filter((row) => state.offset(row) >= 0);
          // What was done stays done, whatever a process that lost the run says later.
          const lastOf = (row: number) =>
            done
              .filter((line) => 'row' in line && line.row === row)
              .reduce((kept: JournalLine | undefined, line) => (isLate(kept, line) ? kept : line), undefined);
          const found: unknown[] = [];
          for await (const line of ground.join().place.lines(rows.map((row) => state.offset(row)))) found.push(line);
          expect(found).toEqual(rows.map(lastOf));
        },
        40,
      ));

    it('counts the time of a result that came too late', async () => {
      const ground = await make();
      const facts = { row: 2, line: 3, ids: ['id2'], key: 'k2' };
      const result = (outcome: ResultLine['outcome']) => ({ type: 'result' as const, ...facts, outcome });
      const intent = { type: 'intent' as const, row: 1, line: 2, ids: ['id1'], key: 'k1', tag: 't', history: 'h1' };
      const one = { durable: false };
      await written(ground, [
        { ...one, told: result('done'), passed: 0 },
        { ...one, told: result('not_sent'), passed: 1 },
        { ...one, told: intent, passed: -1 },
      ]).finally(() => ground.remove());
    });

    it('continues after a stop at any moment, with everything complete by then', { timeout: 300_000 }, () =>
      over(
        make,
        lines,
        async (ground, all) => {
          const { lines: done, moments } = await written(ground, all);
          const expected = sayings(done);
          for (let moment = 0; moment <= ground.moments(); moment++) {
            const stopped = await ground.stoppedAt(moment);
            const whole = moments.filter((one) => one <= moment).length;
            const { place } = stopped.join();
            if (whole === 0) {
              // Without its header it is no journal: nothing was sent, and nothing is touched.
              await expect(place.open('j', 'k2')).rejects.toMatchObject({ exitCode: 11 });
              expect(stopped.moments()).toBe(moment);
            } else {
              expect(saying((await place.scan()).state)).toEqual(expected[whole - 1]);
              const journal = await place.open('j', 'k2');
              expect(saying(journal.state)).toEqual(expected[whole - 1]);
              const row = { row: 1, line: 2, ids: ['id1'] };
              await append(journal, { type: 'result', ...row, outcome: 'done' }, true);
              const after = saying(journal.state);
              await journal.close();
              const { state, torn } = await stopped.join().place.scan();
              expect([torn, saying(state)]).toEqual([false, after]);
            }
            await stopped.remove();
          }
        },
        2,
      ),
    );

    it('never says another thing where a byte is changed', { timeout: 300_000 }, () =>
      over(
        make,
        lines,
        async (ground, all) => {
          if (!ground.edited) return;
          const { lines: done } = await written(ground, all);
          const expected = sayings(done);
          for (let at = 0; at < ground.moments(); at++) await expectFound(ground, flipped(at), expected.slice(0, -1));
        },
        2,
      ),
    );

    it('never says another thing where a line is missing, doubled, or in another place', () =>
      over(
        make,
        fc.record({ lines, from: fc.nat(), to: fc.nat(), copies: fc.nat(2) }),
        async (ground, { lines: all, from, to, copies }) => {
          if (!ground.edited) return;
          const { lines: done } = await written(ground, all);
          const move = (bytes: Buffer) => {
            const texts = bytes.toString('latin1').split('\n').slice(0, -1);
            const [line = ''] = texts.splice(from % texts.length, 1);
            texts.splice(to % (texts.length + 1), 0, ...Array<string>(copies).fill(line));
            return Buffer.from(texts.map((text) => `${text}\n`).join(''), 'latin1');
          };
          await expectFound(ground, move, sayings(done), 'may be whole');
        },
        40,
      ));

    it('is worked on by one process, until that ends or dies', { timeout: 60_000 }, async () => {
      const ground = await make();
      await written(ground, []);
      const first = ground.join();
      await first.place.open('j', 'k');
      await expect(ground.join().place.open('j', 'k')).rejects.toMatchObject({ exitCode: 11 });
      first.die();
      const journal = await ground.join().place.open('j', 'k');
      await journal.close();
      await expect(journal.append({ type: 'run', time: journal.stamp(), credential: 'k' }, true)).rejects.toThrow();
      await (await ground.join().place.open('j', 'k')).close();
      await ground.remove();
    });

    it('is begun once, and is the journal of no other run', async () => {
      const ground = await make();
      await expect(ground.join().place.scan()).rejects.toMatchObject({ exitCode: 11 });
      await written(ground, []);
      const before = ground.moments();
      await expect(ground.join().place.create(header)).rejects.toMatchObject({ exitCode: 2 });
      await expect(ground.join().place.open('another', 'k')).rejects.toMatchObject({ exitCode: 11 });
      expect(ground.moments()).toBe(before);
      await ground.remove();
    });

    it('keeps where a run stops by itself, as was said last', async () => {
      const ground = await make();
      await written(ground, []);
      await (await ground.join().place.open('j', 'k', { max_failures: 3, stop_on_fraud: true })).close();
      await (await ground.join().place.open('j', 'k')).close();
      await (await ground.join().place.open('j', 'k', { max_failures: 7 })).close();
      expect((await ground.join().place.scan()).state.limits).toEqual({ max_failures: 7, stop_on_fraud: true });
      await ground.remove();
    });
  });
}
