import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { execPath } from 'node:process';
import type { Readable, Writable } from 'node:stream';

/**
 * Starts a script of ours in a process of its own, which can be ended in the middle of a query. The executable that has
 * Node inside runs only scripts it knows: a new one goes into `scripts/release/entry.ts` too.
 */
export function spawnScript(script: string): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
}
