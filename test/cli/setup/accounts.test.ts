/** @module-tag thorough */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterTest } from '../../harness/closing.js';
import { json, home as newHome } from '../helpers.js';
import { filesOf } from './helpers.js';
import { giveCaptcha, pulledFolder } from './many.js';
import { Served } from './served.js';

const LONG = process.env.COPS_LONG === '1';

interface Plan {
  readonly steps: readonly unknown[];
  readonly drift: readonly unknown[];
  readonly summary: string;
}

type Kind = readonly [seed: number, size: number, live: 'full' | 'empty'];

const SAMPLE: readonly Kind[] = [
  [1, 1, 'empty'],
  [2, 300, 'full'],
  [77, 40, 'empty'],
];
const MORE: readonly Kind[] = Array.from({ length: 30 }, (_, n) => [
  n + 3,
  [1, 100, 1500, 6000][n % 4] ?? 1,
  n % 2 === 0 ? 'full' : 'empty',
]);

describe('an account of any seed and size', () => {
  it.each(LONG ? [...SAMPLE, ...MORE] : SAMPLE)(
    'pulls to files that say nothing is to be done, the same twice: seed %d, size %d, %s',
    { timeout: 300_000 },
    async (seed, size, live) => {
      const home = newHome();
      const reset = ['sandbox', 'reset', '--seed', `${seed}`, '--size', `${size}`, '--live-data', live];
      expect(await home.run(reset, { timeoutMs: 120_000 })).toMatchObject({ code: 0 });
      for (const mode of live === 'full' ? ['test', 'live'] : ['test']) {
        const folder = path.join(home.folder, mode);
        const setup = (...words: string[]) => home.run(['-p', 'sandbox', `--${mode}`, 'setup', ...words, '-o', 'json']);
        expect(await setup('pull', folder)).toMatchObject({ code: 0 });
        const first = filesOf(folder);
        expect(Object.keys(first).length).toBeGreaterThan(50);
        expect(json<object>(await setup('pull', folder))).toMatchObject({ written: 0 });
        expect(filesOf(folder)).toEqual(first);
        const plan = await setup('plan', folder);
        expect(plan, plan.stderr).toMatchObject({ code: 0 });
        expect(json<Plan>(plan)).toMatchObject({
          steps: [],
          drift: [],
          summary: '0 to create, 0 to edit, 0 to delete',
        });
        // A folder of its own, which knows nothing of the first.
        rmSync(path.join(home.folder, 'other'), { recursive: true, force: true });
        expect(await setup('pull', path.join(home.folder, 'other'))).toMatchObject({ code: 0 });
        expect(filesOf(path.join(home.folder, 'other'))).toEqual(first);
      }
    },
  );
});

describe('an empty account', () => {
  it('becomes what the files say, to the byte, when a pull is applied to it', { timeout: 120_000 }, async () => {
    const served = closeAfterTest(await Served.start());
    const home = newHome({ CAPTCHA: 'captcha-of-the-tests' });
    const run = (...words: string[]) =>
      home.run(['setup', ...words, '-o', 'json'], { cwd: home.folder, clock: served.clock, timeoutMs: 120_000 });
    await pulledFolder(served, home, path.join(home.folder, 's'));
    const test = filesOf(path.join(home.folder, 's'));
    giveCaptcha(path.join(home.folder, 's'));
    served.home('live', home);
    const applied = await run('apply', 's', '--yes');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    const { done, steps } = json<{ done: number; steps: number }>(applied);
    expect(done).toBe(steps);
    expect(steps).toBeGreaterThanOrEqual(125);
    expect(await run('plan', 's')).toMatchObject({ code: 0 });
    expect(await run('pull', 'live')).toMatchObject({ code: 0 });
    expect(filesOf(path.join(home.folder, 'live'))).toEqual(test);
  });
});
