/**
 * @module-tag process
 * @module-tag sweep
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from '../helpers.js';
import { Home, type Ran } from '../program.js';
import { filesOf } from './helpers.js';
import { folderOf } from './many.js';
import { type Fate, Served } from './served.js';

const LONG = process.env.COPS_LONG === '1';
/** More of them make more places for a kill, which a few kills do not fill. */
const OBJECTS = LONG ? 200 : 100;
const KILLS = LONG ? 200 : 4;

let served: Served;
let home: Home;
let families: readonly string[];
/** What an apply that nothing befalls leads to, and how much it asks for. */
let expected: { files: Readonly<Record<string, string>>; counts: Readonly<Record<string, number>>; requests: number };

const folder = () => path.join(home.folder, 's');
const journal = () => path.join(home.folder, 'a.journal');
const APPLY = ['setup', 'apply', 's', '--yes', '--journal', 'a.journal', '-o', 'json'] as const;
const RESUME = ['setup', 'resume', 'a.journal', '--yes', '-o', 'json'] as const;

beforeAll(async () => {
  served = await Served.start();
  home = new Home();
  families = await folderOf(OBJECTS, served, home, folder());
  served.home('live', home);
  served.forget();
  const ran = await run(APPLY);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expected = { requests: served.seen.length, counts: served.liveCounts(families), files: await pulledAgain() };
  const sum = Object.values(expected.counts).reduce((all, one) => all + one, 0);
  expect(sum).toBe(OBJECTS);
}, 120_000);

afterAll(async () => {
  await served.close();
  home.remove();
  if (total.kills < 20) return;
  const share = Math.round((100 * total.inTheMiddle) / total.kills);
  process.stdout.write(`${total.kills} kills of an apply of ${OBJECTS} objects, ${share} % of them between writes\n`);
  expect(share).toBeGreaterThan(50);
});

const total = { kills: 0, inTheMiddle: 0 };

function run(words: readonly string[], meet?: (kill: () => void) => void): Promise<Ran> {
  const onStart = meet && ((child: { kill: (signal: 'SIGKILL') => void }) => meet(() => child.kill('SIGKILL')));
  return home.spawn(words, { cwd: home.folder, timeoutMs: 120_000, ...(onStart ? { onStart } : {}) });
}

/** What the account holds now, as files; what is known of ids goes with the folder. */
async function pulledAgain(): Promise<Readonly<Record<string, string>>> {
  const again = path.join(home.folder, 'again');
  rmSync(again, { recursive: true, force: true });
  const ran = await home.run(['setup', 'pull', 'again'], { cwd: home.folder });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return filesOf(again);
}

/** Everything as before the first apply. */
async function startAnew(): Promise<void> {
  await served.reset();
  rmSync(path.join(folder(), '.cops', 'env-live.json'), { force: true });
  for (const file of [journal(), `${journal()}.plan.json`, `${journal()}.rows`]) rmSync(file, { force: true });
}

/** Runs a command and ends it at a request: before its work is done, after it, or once it is answered. */
async function killedAt(words: readonly string[], at: number, phase: number, delay: number): Promise<Ran> {
  served.forget();
  let kill = () => {};
  const fates: readonly (() => Fate)[] = [
    () => ({ before: kill, lost: 'before' }),
    () => ({ done: kill, lost: 'after' }),
    () => ({ after: () => void setTimeout(kill, delay) }),
  ];
  let isDead = false;
  served.fate = ({ n }) => {
    if (isDead) return { lost: 'before' };
    if (n !== at) return undefined;
    isDead = phase < 2;
    return fates[phase]?.();
  };
  const ran = await run(words, (end) => {
    kill = end;
  });
  if (ran.code === null) {
    total.kills++;
    if (served.writes.length > 0) total.inTheMiddle++;
  }
  return ran;
}

/** Like Math.random, the same every time. */
function seeded(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Another apply does not go over what a killed one left on its way. */
async function refusedUntilResumed(): Promise<void> {
  const known = path.join(folder(), '.cops', 'env-live.json');
  if (!existsSync(known) || !JSON.parse(readFileSync(known, 'utf8')).open) return;
  served.forget();
  const ran = await home.run(['setup', 'apply', 's', '--yes', '-o', 'json'], { cwd: home.folder });
  // What was about to be done may all be done.
  expect([0, 12], ran.stderr).toContain(ran.code);
  expect(served.writes).toEqual([]);
}

/** An apply that is killed and gone on with, until it ends. */
async function story(seed: number): Promise<void> {
  await startAnew();
  const roll = seeded(seed);
  const again = roll() < 0.2;
  let words: readonly string[] = APPLY;
  for (let round = 0; round < 9; round++) {
    const last = round === 8 || (round > 0 && roll() < 0.2);
    const at = last ? Number.POSITIVE_INFINITY : 1 + Math.floor(roll() * expected.requests);
    const ran = await killedAt(words, at, Math.floor(roll() * 3), roll() * 6);
    if (ran.code === 0) break;
    if (ran.code !== null) throw new Error(`round ${round}: exit code ${ran.code}: ${ran.stderr}`);
    if (again) await refusedUntilResumed();
    words = existsSync(journal()) ? RESUME : APPLY;
    if (words === APPLY) rmSync(`${journal()}.plan.json`, { force: true });
  }
  served.forget();
  const open = await home.run(['history', 'list', '--unknown', '-o', 'json']);
  expect(json(open), open.stderr).toEqual([]);
  expect(served.liveCounts(families)).toEqual(expected.counts);
  expect(await pulledAgain()).toEqual(expected.files);
  const plan = await home.run(['setup', 'plan', 's', '-o', 'json'], { cwd: home.folder });
  expect(plan, plan.stderr).toMatchObject({ code: 0 });
}

describe(`an apply of ${OBJECTS} objects that is killed`, () => {
  it(`comes to the same end, and makes no object twice (${KILLS} kills)`, { timeout: 3_600_000 }, async () => {
    const base = Number(process.env.COPS_SEED ?? 1);
    for (let seed = base; total.kills < KILLS; seed++) {
      try {
        await story(seed);
        if (LONG) process.stdout.write(`seed ${seed}: ${total.kills} kills, ${total.inTheMiddle} between writes\n`);
      } catch (error) {
        throw new Error(`COPS_SEED=${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
});
