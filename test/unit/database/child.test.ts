/** @module-tag process */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ENDS_WITH_PARENT } from '../../../src/base/database/child.js';

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a query ends with the program that started it, even if that is killed', async () => {
  const query = `${ENDS_WITH_PARENT} console.log(process.pid); setTimeout(() => { for (;;); }, 200);`;
  const program = spawn(process.execPath, [
    '-e',
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(query)}], { stdio: 'inherit' })`,
  ]);
  const [said] = await once(program.stdout, 'data');
  const pid = Number(String(said));
  await new Promise((go) => setTimeout(go, 500));
  expect(lives(pid)).toBe(true);
  program.kill('SIGKILL');
  try {
    await expect.poll(() => lives(pid)).toBe(false);
  } finally {
    if (lives(pid)) process.kill(pid, 'SIGKILL');
  }
});
