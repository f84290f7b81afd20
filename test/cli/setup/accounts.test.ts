/** @module-tag sweep */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, home as newHome } from '../helpers.js';
import { filesOf } from './helpers.js';

const LONG = process.env.COPS_LONG === '1';

interface Plan {
  readonly steps: readonly unknown[];
  readonly drift: readonly unknown[];
  readonly summary: string;
}

type Kind = readonly [seed: number, size: number, live: 'full' | 'empty'];

const SAMPLE: readonly Kind[] = [
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
