import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Libsql from 'libsql';
import { type Service, type ServiceOptions, startService } from '../../fixtures/export-service/service.mjs';
import type { Clock } from '../../harness/clock.js';
import { runInProcess } from '../../harness/in-process.js';
import { PROGRAM } from '../../harness/process.js';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly said: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A list service and a folder in which the built program exports it; programs can be met at a count of requests. */
export class Runs {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'cops-export-'));
  #deed: { readonly at: number; readonly run: () => void } | undefined;

  private constructor(readonly service: Service) {}

  static async against(options: ServiceOptions): Promise<Runs> {
    let runs: Runs | undefined;
    const service = await startService({
      ...options,
      onRequest: (state, url) => {
        if (runs) runs.#count(state.requests.length);
        return options.onRequest?.(state, url);
      },
    });
    runs = new Runs(service);
    return runs;
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  #env(more: Record<string, string> = {}): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      COPS_API_KEY: 'test-key',
      COPS_BASE_URL: this.service.url,
      COPS_MODE: 'test',
      COPS_CONFIG_DIR: this.path('config'),
      COPS_DATA_DIR: this.path('data'),
      TZ: 'UTC',
      ...more,
    };
  }

  /** Starts the built program as a process; `through` are words of a shell before it (a limit, say). */
  start(
    args: readonly string[],
    options: { env?: Record<string, string>; through?: string; cwd?: string } = {},
  ): Running {
    const words = [PROGRAM, ...args];
    const env = this.#env(options.env);
    const cwd = options.cwd ?? this.folder;
    const child = options.through
      ? spawn('bash', ['-c', `${options.through}; exec "$0" "$@"`, process.execPath, ...words], { cwd, env })
      : spawn(process.execPath, words, { cwd, env });
    let out = '';
    let said = '';
    child.stdin.end();
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, out, said }));
    });
    return { child, ended };
  }

  /** Runs a command line to its end: in this process, unless it goes through a shell. */
  async run(
    args: readonly string[],
    options: { env?: Record<string, string>; through?: string; cwd?: string; clock?: Clock } = {},
  ): Promise<Ended> {
    if (options.through || process.env.COPS_TEST_PROGRAM) return this.start(args, options).ended;
    const { stdout, stderr, ...end } = await runInProcess(args, {
      env: this.#env(options.env),
      cwd: options.cwd ?? this.folder,
      timeoutMs: 60_000,
      ...(options.clock ? { clock: options.clock } : {}),
    });
    return { ...end, out: stdout, said: stderr };
  }

  /** Resolves when so many more requests have come; `deed` is done at once then. */
  after(requests: number, deed: () => void = () => {}): Promise<void> {
    return new Promise((resolve) => {
      this.#deed = {
        at: this.service.state.requests.length + Math.max(1, Math.round(requests)),
        run: () => {
          deed();
          resolve();
        },
      };
    });
  }

  /** Nothing is waited for any more. */
  forget(): void {
    this.#deed = undefined;
  }

  async close(): Promise<void> {
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #count(requests: number): void {
    const deed = this.#deed;
    if (!deed || requests < deed.at) return;
    this.#deed = undefined;
    deed.run();
  }
}

export interface JournalRecord {
  readonly window: string;
  readonly from: number;
  readonly to: number;
  readonly total_count: number;
  readonly file?: string;
}

/** What the journal of a stopped export calls finished: windows in the target, and those that wait beside it. */
export function finishedIn(work: string): { written: JournalRecord[]; kept: number } {
  let text = '';
  try {
    text = readFileSync(path.join(work, 'journal'), 'utf8');
  } catch {
    // Killed before there was one.
  }
  const entries = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return {
    written: entries.filter(({ t }) => t === 'done').map(({ record }) => record),
    kept: entries.filter(({ t }) => t === 'part').length,
  };
}

/** How the service is asked for a window, to find its requests again. */
export function askedFor({ from, to }: Pick<JournalRecord, 'from' | 'to'>): string {
  return `?date_start=${from}&date_end=${to}&`;
}

/** All that a target holds, as one digest: bytes of a file, names and bytes of a folder, the dump of a database. */
export function contentOf(target: string): string {
  const hash = createHash('sha256');
  if (target.endsWith('.sqlite')) hash.update(dumpOf(target));
  else if (statSync(target).isFile()) hash.update(readFileSync(target));
  else {
    const entries = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const name of entries.map((entry) => path.join(entry.parentPath, entry.name)).sort()) {
      hash.update(`${path.relative(target, name)}\0`).update(readFileSync(name));
    }
  }
  return hash.digest('hex');
}

function dumpOf(file: string): string {
  const database = new Libsql(file, { readonly: true } as Libsql.Options);
  try {
    const schema = database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all() as {
      name: string;
      type: string;
    }[];
    const rows = schema
      .filter(({ type }) => type === 'table')
      .map(({ name }) => database.prepare(`SELECT rowid, * FROM "${name}" ORDER BY rowid`).raw().all());
    return JSON.stringify([schema, rows]);
  } finally {
    database.close();
  }
}

/** Like Math.random, the same every time. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export interface ManifestFile {
  readonly complete: boolean;
  readonly schema?: unknown;
  readonly late?: unknown;
  readonly unproven: readonly string[];
  readonly items: number;
  readonly requests: number;
  readonly refused_429: number;
  readonly windows: readonly {
    readonly window: string;
    readonly from: number;
    readonly to: number;
    readonly total_count: number | null;
    readonly unique: number;
    readonly items: number;
    readonly readings: number;
    readonly bytes: number;
    readonly sha256: string;
    readonly unproven?: string;
  }[];
  readonly notes: readonly string[];
  readonly range: { readonly from: number; readonly to: number } | null;
}

export function manifestOf(target: string): ManifestFile {
  return JSON.parse(readFileSync(`${target.replace(/\/$/, '')}.manifest.json`, 'utf8'));
}
