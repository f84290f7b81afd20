import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type InProcessOptions, type Ran, type Running, runInProcess, startInProcess } from './in-process.js';
import { type ProcessOptions, runProcess } from './process.js';
import { laySandbox } from './seeded.js';

export const KEY = 'key_of_the_tests_0001';

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

  /**
   * Runs the words of a command line: in this process, from the sources. Where a process is asked for (`onStart`,
   * `openInput`), or `COPS_TEST_PROGRAM` names a built program for all runs, it is a process.
   */
  run(args: readonly string[], options: InProcessOptions & ProcessOptions = {}): Promise<Ran> {
    const asProcess = options.onStart !== undefined || options.openInput === true;
    if (asProcess || (process.env.COPS_TEST_PROGRAM !== undefined && !faked(options))) return this.spawn(args, options);
    return this.#inside(args, options);
  }

  /** Starts the words of a command line in this process, to be typed to, interrupted or looked at. */
  start(args: readonly string[], options: InProcessOptions = {}): Running {
    return startInProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs the built program as a process of its own: for kills, pipes, disks, start-up, and two at once. */
  spawn(args: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
    return runProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  async #inside(args: readonly string[], options: InProcessOptions): Promise<Ran> {
    const env = { ...this.env, ...options.env };
    const { COPS_DATA_DIR: dataDir = '' } = env;
    // The command `sandbox` lays it out itself.
    const asksIt = env.COPS_PROFILE === 'sandbox' || args.includes('sandbox');
    const isUsual = options.nodeVersion === undefined && args[0] !== 'sandbox';
    if (asksIt && isUsual && dataDir !== '' && !existsSync(dataDir)) await laySandbox(dataDir, options.clock?.now());
    return runInProcess(args, { ...options, env });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether a run asks for something that only a run in this process has. */
function faked(options: InProcessOptions): boolean {
  const { terminal, stdout, stderr, clock, uuid, random, nodeVersion, openPager, program } = options;
  return [terminal, stdout, stderr, clock, uuid, random, nodeVersion, openPager, program].some(
    (given) => given !== undefined,
  );
}

/** A home whose profile is a key of the environment against a loopback service, in a declared mode. */
export function homeFor(
  baseUrl: string,
  mode: 'test' | 'live' = 'test',
  extra: Readonly<Record<string, string>> = {},
): Home {
  return new Home({ COPS_BASE_URL: baseUrl, COPS_API_KEY: KEY, COPS_MODE: mode, ...extra });
}
