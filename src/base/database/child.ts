import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { env, execPath } from 'node:process';
import type { Readable, Writable } from 'node:stream';

/** The environment variables that Node and SQLite need. A query needs no others, and must never see keys. */
const NEEDED = /^(PATH|LD_LIBRARY_PATH|DYLD_\w+|TMPDIR|SQLITE_TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR)$/i;

/**
 * The first line of such a script: it ends with the process that started it, even if that is killed in the middle of a
 * query. A query blocks its thread, so another thread watches. It may start late, so it is told who the parent is.
 */
export const ENDS_WITH_PARENT = `new (require('node:worker_threads').Worker)(
  "const { workerData } = require('node:worker_threads');" +
    "setInterval(() => process.ppid === workerData || process.kill(process.pid, 'SIGKILL'), 1000)",
  { eval: true, workerData: process.ppid },
).unref();`;

/**
 * Starts one of our scripts in its own process, which can be killed in the middle of a query. The single executable
 * that bundles Node runs only scripts it knows: add a new one to `scripts/release/entry.ts` too.
 */
export function spawnScript(script: string): ChildProcessByStdio<Writable, Readable, null> {
  const needed = Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
  return spawn(execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'], env: needed });
}
