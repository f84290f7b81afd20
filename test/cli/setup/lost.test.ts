/** @module-tag thorough */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
let losses = 0;
let expected: { files: Readonly<Record<string, string>>; counts: Readonly<Record<string, number>>; writes: number };

const folder = () => path.join(home.folder, 's');
const JOURNAL = ['a.journal', 'a.journal.plan.json', 'a.journal.rows'];

beforeAll(async () => {
  served = await Served.start();
  home = new Home({ CAPTCHA: 'captcha-of-the-tests' });
  await pulledFolder(served, home, folder());
  giveCaptcha(folder());
  families = familiesIn(folder());
  served.home('live', home);
  served.forget();
  const ran = await run('setup', 'apply', 's', '--yes', '--journal', 'a.journal');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
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
function lose({ where, how, isHit }: Loss): void {
  const steps = new Map<string, { n: number; sent: number }>();
  served.fate = ({ method, body, path: place }) => {
    if (method === 'GET') return undefined;
    const key = /"idempotency_key":"([^"]+)"/.exec(body)?.[1] ?? `${place} ${body}`;
    const step = steps.get(key) ?? { n: steps.size + 1, sent: 0 };
    steps.set(key, step);
    step.sent++;
    if (!isHit(step.n) || (how === 'once' && step.sent > 1)) return undefined;
    losses++;
    return { lost: where };
  };
}

/** An apply that loses answers, and is gone on with over a whole line: the same end, no object twice. */
async function story(loss: Loss): Promise<void> {
  await served.reset();
  losses = 0;
  // This process lives on: what another story did would count as done at the same time.
  home.env.COPS_CONFIG_DIR = path.join(home.folder, `config-${++stories}`);
  rmSync(path.join(folder(), '.cops', 'env-live.json'), { force: true });
  for (const file of JOURNAL) rmSync(path.join(home.folder, file), { force: true });
  lose(loss);
  let last = await run('setup', 'apply', 's', '--yes', '--journal', 'a.journal');
  expect(losses).toBeGreaterThanOrEqual(Math.floor(expected.writes / SHARE) - 1);
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
const SAMPLE: readonly Loss[] = [
  { where: 'after', how: 'once', isHit: () => true },
  { where: 'after', how: 'always', isHit: every(3) },
  { where: 'before', how: 'always', isHit: every(7) },
];
const ALL: readonly Loss[] = (['before', 'after'] as const).flatMap((where) =>
  (['once', 'always'] as const).flatMap((how) =>
    Array.from({ length: SHARE }, (_, offset) => ({ where, how, isHit: every(offset) })),
  ),
);

describe('an apply whose answers are lost', () => {
  it.each(LONG ? [...SAMPLE, ...ALL] : SAMPLE)(
    'comes to the same end: $where, $how',
    { timeout: 120_000 },
    async (loss) => {
      await story(loss);
    },
  );
});
