/** @module-tag sweep */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from '../helpers.js';
import { Home, type Ran } from '../program.js';
import { filesOf } from './helpers.js';
import { familiesIn, giveCaptcha, pulledFolder } from './many.js';
import { Served } from './served.js';

const LONG = process.env.COPS_LONG === '1';
/** Every so many steps lose their answers in one story; the stories take all steps in turn. */
const SHARE = 10;

let served: Served;
let home: Home;
let families: readonly string[];
let stories = 0;
const losses = new Map<Loss, number>();
/** What an apply that loses nothing leads to. */
let expected: { files: Readonly<Record<string, string>>; counts: Readonly<Record<string, number>>; writes: number };
/** That apply, and what the account it is told by was pulled to. */
let whole: { applied: Ran; plan: Ran; pulled: Readonly<Record<string, string>> };

const folder = () => path.join(home.folder, 's');
const JOURNAL = ['a.journal', 'a.journal.plan.json', 'a.journal.rows'];

beforeAll(async () => {
  served = await Served.start();
  home = new Home({ CAPTCHA: 'captcha-of-the-tests' });
  await pulledFolder(served, home, folder());
  const pulled = filesOf(folder());
  giveCaptcha(folder());
  families = familiesIn(folder());
  served.home('live', home);
  served.forget();
  const applied = await run('setup', 'apply', 's', '--yes', '--journal', 'a.journal');
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  whole = { applied, plan: await run('setup', 'plan', 's'), pulled };
  expected = { writes: served.writes.length, counts: served.liveCounts(families), files: await pulledAgain() };
  expect(Object.values(expected.counts).reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(100);
}, 120_000);

afterAll(async () => {
  await served.close();
  home.remove();
});

function run(...words: readonly string[]): Promise<Ran> {
  return home.run([...words, '-o', 'json'], { cwd: home.folder, clock: served.clock, timeoutMs: 120_000 });
}

async function pulledAgain(): Promise<Readonly<Record<string, string>>> {
  rmSync(path.join(home.folder, 'again'), { recursive: true, force: true });
  const ran = await run('setup', 'pull', 'again');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return filesOf(path.join(home.folder, 'again'));
}

interface Loss {
  /** The answer, or the request on its way. */
  readonly where: 'before' | 'after';
  /** The first time only, or each time that the step is sent again. */
  readonly how: 'once' | 'always';
  readonly isHit: (step: number) => boolean;
}

/** Takes answers of writes away; the steps are told apart by their keys. */
function lose(kinds: readonly Loss[]): void {
  const steps = new Map<string, { n: number; sent: number }>();
  served.fate = ({ method, body, path: place }) => {
    if (method === 'GET') return undefined;
    const key = /"idempotency_key":"([^"]+)"/.exec(body)?.[1] ?? `${place} ${body}`;
    const step = steps.get(key) ?? { n: steps.size + 1, sent: 0 };
    steps.set(key, step);
    step.sent++;
    const loss = kinds.find(({ isHit, how }) => isHit(step.n) && (how === 'always' || step.sent === 1));
    if (!loss) return undefined;
    losses.set(loss, (losses.get(loss) ?? 0) + 1);
    return { lost: loss.where };
  };
}

/** An apply that loses answers, and is gone on with over a whole line: the same end, no object twice. */
async function story(kinds: readonly Loss[]): Promise<void> {
  await served.reset();
  losses.clear();
  // This process lives on: what another story did would count as done at the same time.
  home.env.COPS_CONFIG_DIR = path.join(home.folder, `config-${++stories}`);
  rmSync(path.join(folder(), '.cops', 'env-live.json'), { force: true });
  for (const file of JOURNAL) rmSync(path.join(home.folder, file), { force: true });
  lose(kinds);
  let last = await run('setup', 'apply', 's', '--yes', '--journal', 'a.journal');
  for (const kind of kinds) expect(losses.get(kind)).toBeGreaterThanOrEqual(Math.floor(expected.writes / SHARE) - 1);
  for (let round = 0; round < 3 && last.code !== 0; round++) {
    served.forget();
    last = await run('setup', 'resume', 'a.journal', '--yes');
  }
  expect(last, last.stderr).toMatchObject({ code: 0 });
  expect(served.liveCounts(families)).toEqual(expected.counts);
  expect(await pulledAgain()).toEqual(expected.files);
  const plan = await run('setup', 'plan', 's');
  expect(plan, plan.stderr).toMatchObject({ code: 0 });
}

const every = (offset: number) => (step: number) => step % SHARE === offset;
const all = { where: 'after', how: 'once', isHit: () => true } as const;
const SAMPLE: readonly (readonly Loss[])[] = [
  [all],
  // Some steps never get an answer, others never arrive, in one apply.
  [
    { where: 'after', how: 'always', isHit: every(3) },
    { where: 'before', how: 'always', isHit: every(7) },
  ],
];
const ALL: readonly (readonly Loss[])[] = (['before', 'after'] as const).flatMap((where) =>
  (['once', 'always'] as const).flatMap((how) =>
    Array.from({ length: SHARE }, (_, offset) => [{ where, how, isHit: every(offset) }]),
  ),
);

describe('an empty account', () => {
  it('becomes what the files say, to the byte, when a pull is applied to it', () => {
    const { done, steps } = json<{ done: number; steps: number }>(whole.applied);
    expect(done).toBe(steps);
    expect(steps).toBeGreaterThanOrEqual(125);
    expect(whole.plan, whole.plan.stderr).toMatchObject({ code: 0 });
    expect(expected.files).toEqual(whole.pulled);
  });
});

describe('an apply whose answers are lost', () => {
  const stories = (LONG ? [...SAMPLE, ...ALL] : SAMPLE).map(
    (kinds) => [kinds.map(({ where, how }) => `${where}, ${how}`).join(' and '), kinds] as const,
  );
  it.each(stories)('comes to the same end: %s', { timeout: 120_000 }, async (_name, kinds) => {
    await story(kinds);
  });
});
