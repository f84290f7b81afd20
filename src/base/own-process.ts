import { spawn } from 'node:child_process';
import type { ProgramEnd } from './world.js';

/**
 * Runs this program again in its own process, without standard input.
 * @param signal kills it
 * @returns how it ended; code null where a signal killed it
 */
export function runAgain(
  { execPath, execArgv, argv: [, script = ''] }: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>,
  words: readonly string[],
  signal: AbortSignal,
): Promise<ProgramEnd> {
  // A single-file executable is its own script.
  const own = script === '' || script === execPath ? [] : [...execArgv, script];
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [...own, ...words], { stdio: ['ignore', 'pipe', 'pipe'], signal, windowsHide: true });
    const pieces: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (piece: Buffer) => void pieces[name].push(piece));
    const text = (name: 'stdout' | 'stderr') => Buffer.concat(pieces[name]).toString();
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout: text('stdout'), stderr: text('stderr') }));
  });
}
