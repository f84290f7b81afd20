import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { env, execPath } from 'node:process';
import type { Readable, Writable } from 'node:stream';

/** What Node and SQLite need of the environment; a query needs nothing else, keys least of all. */
const NEEDED = /^(PATH|LD_LIBRARY_PATH|DYLD_\w+|TMPDIR|SQLITE_TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR)$/i;

/**
 * Starts a script of ours in a process of its own, which can be ended in the middle of a query. The executable that has
 * Node inside runs only scripts it knows: a new one goes into `scripts/release/entry.ts` too.
 */
export function spawnScript(script: string): ChildProcessByStdio<Writable, Readable, null> {
  const needed = Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
  return spawn(execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'], env: needed });
}
