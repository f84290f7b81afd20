import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from '../../harness/in-process.js';

/** Runs lines as `npm run check` runs its own. */
function beside(lines: Readonly<Record<string, string>>): { code: number; text: string } {
  const work = `import { runBeside } from './scripts/check.mjs';
    console.log(JSON.stringify(await runBeside(${JSON.stringify(lines)})));`;
  const words = ['--input-type=module', '--eval', work];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' }));
}

it('checks side by side fail with the first that fails, and all of them are heard', { tags: ['process'] }, () => {
  expect(beside({ a: 'echo one', b: 'echo two >&2' })).toEqual({ code: 0, text: 'one\ntwo\n' });
  expect(beside({ a: 'sleep 0.2; echo one; exit 3', b: 'exit 4', c: 'echo three', d: 'kill -9 $$' })).toEqual({
    code: 3,
    text: 'one\n\na: exit code 3\n\nb: exit code 4\nthree\n\nd: exit code 1\n',
  });
});
