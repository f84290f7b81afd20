import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { type Ran, ROOT } from './in-process.js';

/** The built program, for tests that need a process of its own; another copy (an installed package) can be named. */
export const PROGRAM = process.env.COPS_NO_PROCESS
  ? '/a test that starts the program is to be tagged "process"'
  : (process.env.COPS_TEST_PROGRAM ?? path.join(ROOT, 'bin/cops.js'));

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
  /** Standard input stays open until `onStart` ends it. */
  readonly openInput?: boolean;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Called with the process once it runs (to kill it, to close a pipe). */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the built program as a process. */
export function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(Object.entries(options.env ?? {}).filter((entry) => entry[1] !== undefined));
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: options.cwd ?? ROOT,
      env: env as NodeJS.ProcessEnv,
      stdio: [options.input === undefined && !options.openInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 30_000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    if (options.input !== undefined) {
      child.stdin?.on('error', () => {});
      child.stdin?.end(options.input);
    }
    options.onStart?.(child);
  });
}
