import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The built program under test; another copy (an installed package) can be named. */
export const PROGRAM = process.env.COPS_TEST_PROGRAM ?? path.join(ROOT, 'bin/cops.js');

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
  /** Standard input stays open until `onStart` ends it. */
  readonly openInput?: boolean;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Called with the process once it runs (to kill it, to close a pipe). */
  readonly onStart?: (child: ChildProcess) => void;
}

/** An empty home for the program: own configuration and data folders, no variable of this machine. */
export class Home {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'cops-test-'));
  readonly env: Record<string, string>;

  constructor(extra: Readonly<Record<string, string>> = {}) {
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      COPS_CONFIG_DIR: path.join(this.folder, 'config'),
      COPS_DATA_DIR: path.join(this.folder, 'data'),
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      ...extra,
    };
  }

  /** Runs the built program with the words of a command line. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return runProgram(args, { ...options, env: { ...this.env, ...options.env } });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A home whose profile is a key of the environment against a loopback service, in a declared mode. */
export function homeFor(
  baseUrl: string,
  mode: 'test' | 'live' = 'test',
  extra: Readonly<Record<string, string>> = {},
): Home {
  return new Home({ COPS_BASE_URL: baseUrl, COPS_API_KEY: 'key_of_the_tests_0001', COPS_MODE: mode, ...extra });
}

function runProgram(args: readonly string[], options: RunOptions): Promise<Ran> {
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
