import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { World } from '../../base/world.js';

/**
 * Runs a program on this process's streams. Ctrl-C at the terminal reaches both, and the program decides what it means;
 * a signal to this process alone is forwarded.
 */
export const runOnStreams = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onSignal: World['onSignal'],
): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, [...args], { stdio: 'inherit', env });
    const undo = onSignal((signal) => {
      if (signal === 'SIGTERM') child.kill(signal);
    });
    child.once('error', (error) => {
      undo();
      reject(error);
    });
    child.once('close', (code, signal) => {
      undo();
      resolve(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
    });
  });
