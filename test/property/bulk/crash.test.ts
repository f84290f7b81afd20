import { describe, expect, it } from 'vitest';
import { checkClaims, Disk, dice, type Faults, Machine, Service, stateOf, work } from './world.js';

const HOUR = 3_600_000;
const RUNS = process.env.COPS_LONG === '1' ? 1500 : 60;
const START = 1_800_000_000_000;

/** One journal from its first run to its end through crashes, bad connections, waits and rotated keys. */
async function story(seed: number): Promise<{ middle: number; crashes: number; runs: number }> {
  const roll = dice(seed);
  const share = () => (roll() < 0.5 ? 0 : roll() * 0.2);
  const faults: Faults = {
    dropBefore: share(),
    dropAfter: share(),
    notSent: share(),
    throttled: roll() < 0.2 ? 0.5 : share(),
    broken: share() / 2,
    halfBody: share() / 2,
    refused: share() / 2,
    declined: share() / 2,
    early: share() / 2,
  };
  let real = START;
  let offset = 0;
  const service = new Service(faults, roll, () => real);
  const disk = new Disk();
  let minted = 0;
  let credential = 'key-1';
  const keyless = roll() < 0.15;
  let middle = 0;
  let crashes = 0;
  let runs = 0;
  for (let round = 0; round < 40; round++) {
    const last = round > 25;
    const machine = new Machine(roll, last || roll() < 0.15 ? -1 : 2 + Math.floor(roll() * 120));
    const first = disk.content.length === 0;
    let end: Awaited<ReturnType<typeof work>>;
    runs++;
    try {
      end = await work({
        disk,
        service,
        machine,
        credential,
        now: () => real + offset,
        first,
        keyless,
        mint: () => `00000000-0000-4000-8000-${String(++minted).padStart(12, '0')}`,
      });
    } catch (error) {
      // A header that was torn: nothing was ever sent under it.
      if (service.executed.size > 0 || !/no header/.test(String(error))) throw error;
      disk.content = Buffer.alloc(0);
      continue;
    }
    if (end === 'died') {
      crashes++;
      if (service.executed.size > 0) middle++;
    }
    // What waits is over by now, also in a process that is dead: a request that left arrives.
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (disk.content.length > 0 && end !== 'died') {
      const state = await stateOf(disk);
      checkClaims(state, service);
      if (state.count('not_started', 'open', 'not_sent', 'rate_limited') === 0) return { middle, crashes, runs };
    }
    const wait = roll();
    real += wait < 0.6 ? 60_000 : wait < 0.8 ? 22 * HOUR : 30 * HOUR;
    if (roll() < 0.1) offset += roll() < 0.5 ? 50 * HOUR : -2000 * HOUR;
    if (roll() < 0.1) credential = `key-${round + 2}`;
  }
  const state = await stateOf(disk);
  checkClaims(state, service);
  throw new Error(
    `not through after 40 rounds: ${state.count('not_started')} not started, ${state.count('open')} open`,
  );
}

describe('bulk runs through crashes', () => {
  it(`executes nothing twice, loses nothing, claims nothing wrong (${RUNS} stories)`, {
    timeout: 600_000,
  }, async () => {
    let middle = 0;
    let crashes = 0;
    let runs = 0;
    const base = Number(process.env.COPS_SEED ?? 1000);
    for (let seed = base; seed < base + RUNS; seed++) {
      try {
        const told = await story(seed);
        middle += told.middle;
        crashes += told.crashes;
        runs += told.runs;
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
    process.stdout.write(
      `${runs} runs, ${crashes} crashes, ${Math.round((100 * middle) / crashes)} % of them in the middle\n`,
    );
    expect(crashes).toBeGreaterThan(RUNS / 2);
    expect(middle / crashes).toBeGreaterThan(0.9);
  });
});
