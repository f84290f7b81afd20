import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CopsError } from '../../../src/base/errors/errors.js';
import type { Processes } from '../../../src/base/files/lock.js';
import { damaged, Remembered } from './history.js';
import { checkClaims, Disk, dice, type Faults, Machine, ROWS, Service, stateOf, work } from './world.js';

const HOUR = 3_600_000;
const RUNS = process.env.COPS_LONG === '1' ? 3000 : 40;
const START = 1_800_000_000_000;
/** Stories in which two processes go on with copies of one journal at once; a refused one waits a moment. */
const PAIRS = process.env.COPS_LONG === '1' ? 300 : 8;

const folder = mkdtempSync(join(tmpdir(), 'cops-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Of the process that began last: a number is never given twice. */
let lastPid = 100;

interface Told {
  damages: number;
  refused: number;
  resumed: number;
}

/** One run and what befalls its files, its processes and the clocks. */
class Story {
  readonly roll: () => number;
  readonly service: Service;
  readonly history: Remembered;
  real = START;
  offset = 0;
  credential = 'key-1';
  readonly keyless: boolean;
  #minted = 0;
  readonly #running = new Set<number>();

  constructor(seed: number) {
    this.roll = dice(seed);
    const share = () => (this.roll() < 0.5 ? 0 : this.roll() * 0.2);
    const faults: Faults = {
      dropBefore: share(),
      dropAfter: share(),
      notSent: share(),
      throttled: share(),
      broken: share() / 2,
      halfBody: share() / 2,
      refused: share() / 2,
      declined: share() / 2,
      early: share() / 2,
    };
    this.service = new Service(faults, this.roll, () => this.real);
    this.history = new Remembered(() => this.real + this.offset);
    this.keyless = this.roll() < 0.15;
  }

  /** One process goes on with the journal on a disk, or begins it. */
  async process(disk: Disk, steps: number): Promise<void> {
    const machine = new Machine(this.roll, steps);
    const pid = ++lastPid;
    this.#running.add(pid);
    const processes: Processes = {
      self: { pid, started: 's', host: 'h' },
      state: (id) => (this.#running.has(id.pid) ? 'running' : 'gone'),
    };
    try {
      await work({
        disk,
        service: this.service,
        machine,
        folder,
        processes,
        credential: this.credential,
        now: () => this.real + this.offset,
        first: disk.content.length === 0 && this.service.executed.size === 0 && this.history.intents.length === 0,
        keyless: this.keyless,
        mint: () => `00000000-0000-4000-8000-${String(++this.#minted).padStart(12, '0')}`,
        guard: (journal) => this.history.guard(journal, () => machine.dead),
      });
    } finally {
      this.#running.delete(pid);
    }
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Time passes, often about as long as a key lives; clocks are put forward and back; keys are rotated. */
  pass(): void {
    const roll = this.roll();
    this.real += roll < 0.5 ? 60_000 : roll < 0.65 ? 22.9 * HOUR : roll < 0.8 ? 23.1 * HOUR : 25 * HOUR;
    if (this.roll() < 0.2) this.offset += (this.roll() - 0.5) * 60 * HOUR;
    if (this.roll() < 0.1) this.credential = `key-${this.real}`;
  }

  /** No row ran twice, whatever else is true. */
  once(): void {
    for (const [path, times] of this.service.executed) if (times > 1) throw new Error(`${path} ran ${times} times`);
  }
}

/** Local errors are refusals: nothing was sent, and the operator puts a whole copy back. */
function isRefusal(error: unknown): boolean {
  return error instanceof CopsError && error.kind === 'local';
}

async function damageStory(seed: number): Promise<Told> {
  const story = new Story(seed);
  const { roll, history } = story;
  const disk = new Disk(join(folder, 'run.journal'));
  const older: Buffer[] = [];
  // Only one of the two is damaged in a story: what both have lost nobody knows.
  const ofHistory = roll() < 0.25;
  const told: Told = { damages: 0, refused: 0, resumed: 0 };
  for (let round = 0; round < 12; round++) {
    const before = disk.content;
    const isDamaged = before.length > 0 && roll() < 0.6;
    if (isDamaged) {
      told.damages++;
      if (ofHistory) history.damage(roll);
      else disk.content = damaged(before, older, roll);
    }
    const sent = story.service.executed.size;
    try {
      await story.process(disk, roll() < 0.3 ? -1 : 2 + Math.floor(roll() * 120));
      told.resumed++;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (story.service.executed.size !== sent) throw new Error('a journal that was refused was sent from');
      told.refused++;
      disk.content = before;
    }
    story.once();
    older.push(disk.content);
    story.pass();
  }
  await story.process(disk, -1).catch((error) => {
    if (!isRefusal(error)) throw error;
  });
  story.once();
  if (disk.content.length > 0) checkClaims(await stateOf(disk), story.service);
  return told;
}

/** Returns how many rows ran. */
async function pairStory(seed: number): Promise<number> {
  const story = new Story(seed);
  const first = new Disk(join(folder, 'run.journal'));
  await story.process(first, 20 + Math.floor(story.roll() * 60));
  if (first.content.length === 0) return 0;
  for (let round = 0; round < 2; round++) {
    const copies = [1, 2, 3].map((number) => {
      const copy = new Disk(join(folder, `copy-${number}.journal`));
      copy.content = first.content;
      return copy;
    });
    const ends = await Promise.allSettled(copies.map((copy) => story.process(copy, -1)));
    for (const end of ends) {
      if (end.status === 'rejected' && !isRefusal(end.reason)) throw end.reason;
    }
    story.once();
    story.pass();
  }
  return story.service.executed.size;
}

async function each<T>(count: number, tell: (seed: number) => Promise<T>): Promise<T[]> {
  const base = Number(process.env.COPS_SEED ?? 5000);
  const told: T[] = [];
  for (let seed = base; seed < base + count; seed++) {
    try {
      told.push(await tell(seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  return told;
}

it(`sends no row of a damaged journal twice, by what the history knows (${RUNS} stories of ${ROWS} rows)`, {
  timeout: 600_000,
}, async () => {
  // The end of a row that was left unknown is lost, and the key was rotated since: found by the long run.
  await damageStory(7230);
  const told = await each(RUNS, damageStory);
  const sum = (of: keyof Told): number => told.reduce((all, one) => all + one[of], 0);
  process.stdout.write(`${sum('damages')} damages, ${sum('refused')} refused, ${sum('resumed')} gone on with\n`);
  expect(sum('refused')).toBeGreaterThan(RUNS / 10);
  expect(sum('resumed')).toBeGreaterThan(RUNS * 2);
});

it(`sends no row twice from three copies of a journal at once (${PAIRS} stories)`, { timeout: 600_000 }, async () => {
  const ran = await each(PAIRS, pairStory);
  expect(ran.filter((rows) => rows > ROWS / 4).length).toBeGreaterThan(PAIRS / 4);
});
