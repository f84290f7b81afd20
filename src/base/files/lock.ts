import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { hostname, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CopsError, local } from '../errors/errors.js';
import { randomBytes } from '../random.js';
import { makeFolder, onceFree } from './replace-file.js';
import { startedAt } from './started-at.js';

export interface Lock {
  release(): Promise<void>;
}

export interface LockOptions {
  readonly processes?: Processes;
  /**
   * How long to wait for one holder to release the lock, in milliseconds; the wait restarts when another process takes
   * it.
   */
  readonly waitMs?: number;
  /** What is locked, for the message: `The journal run.journal`. */
  readonly what?: string;
}

/**
 * Takes the lock on `path`. Every process creates a flag file of its own next to it, then looks for flags of other live
 * processes; if it finds one, it removes its flag and tries again. No two processes share a file name, so anyone can
 * clear a dead process's flag at any time, and a take-over cannot hit a live holder. Two processes that start together
 * may both back off (for different times), but never both proceed. Waiting processes queue.
 * @throws CopsError `local` (11) when another process still holds the lock at the end of the wait, or the folder is not
 *   writable
 */
export async function lock(path: string, options: LockOptions = {}): Promise<Lock> {
  const processes = options.processes ?? osProcesses();
  const waitMs = options.waitMs ?? 5000;
  const folder = dirname(path);
  const prefix = `${basename(path)}.lock-`;
  try {
    makeFolder(folder);
  } catch (cause) {
    throw notLocked(path, cause);
  }
  const line = new Line(folder, `${basename(path)}.wait-`, processes);
  let last = '';
  let until = process.uptime() + waitMs / 1000;
  try {
    for (;;) {
      const ahead = await line.ahead();
      const other = ahead ?? (await raise(path, folder, prefix, processes));
      if (typeof other !== 'string') return other;
      // While holders come and go, the queue moves: the time limit applies to a single holder that never releases.
      if (other !== last) until = process.uptime() + waitMs / 1000;
      last = other;
      if (process.uptime() >= until) {
        const holder = (await otherFlag(folder, prefix, '', processes)) ?? other;
        throw inUse(options.what ?? path, folder, holder, processes);
      }
      await line.join(path);
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  } finally {
    await line.leave();
  }
}

/** Does some work while holding the lock on a path. @throws as `lock` does */
export async function whileLocked<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const held = await lock(path, options);
  try {
    return await work();
  } finally {
    await held.release();
  }
}

/** Creates our flag. If another process holds one, removes ours again and returns the other's name. */
async function raise(path: string, folder: string, prefix: string, processes: Processes): Promise<Lock | string> {
  const own = join(folder, `${prefix}${flagName(processes)}`);
  await makeFlag(own, path);
  const other = await otherFlag(folder, prefix, basename(own), processes);
  if (other === undefined) return { release: () => remove(own) };
  await remove(own);
  return other;
}

async function makeFlag(flag: string, path: string): Promise<void> {
  try {
    await (await open(flag, 'wx', 0o600)).close();
  } catch (cause) {
    throw notLocked(path, cause);
  }
}

const notLocked = (path: string, cause: unknown): CopsError =>
  local(`cannot lock ${path}: ${(cause as Error).message}`, undefined, cause);

/**
 * The processes that wait, in order of arrival, so that only the first creates its flag: otherwise many processes that
 * back off from each other might never get through. This only helps; exclusion comes from the flags.
 */
class Line {
  #own: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly prefix: string,
    private readonly processes: Processes,
  ) {}

  /** The flag of the process that has waited longest, unless it is ours; skips machines that we cannot query. */
  async ahead(): Promise<string | undefined> {
    const first = (await readdir(this.folder).catch(() => []))
      .filter((name) => name.startsWith(this.prefix) && parseFlag(flagOf(name)) !== undefined)
      .sort();
    for (const name of first) {
      if (name === this.#own) return undefined;
      const holder = parseFlag(flagOf(name));
      const state = holder ? this.processes.state(holder) : 'gone';
      if (state === 'running') return name;
      if (state === 'gone') await remove(join(this.folder, name));
    }
    return undefined;
  }

  async join(path: string): Promise<void> {
    if (this.#own !== undefined) return;
    this.#own = `${this.prefix}${String(Date.now()).padStart(15, '0')}_${flagName(this.processes)}`;
    await makeFlag(join(this.folder, this.#own), path);
  }

  async leave(): Promise<void> {
    if (this.#own !== undefined) await remove(join(this.folder, this.#own));
  }
}

/** The part of a flag's file name that identifies its process. */
const flagOf = (name: string): string => name.replace(/^.*\.(?:lock-|wait-\d+_)/, '');

function inUse(what: string, folder: string, flag: string, processes: Processes): CopsError {
  const holder = parseFlag(flagOf(flag));
  const far = holder && processes.state(holder) === 'elsewhere';
  return new CopsError(
    'local',
    `${what} is in use by ${far ? 'a process on another machine' : 'another process'} (${holder?.pid ?? '?'})`,
    {
      hint: `If that process has ended and this message stays, delete ${join(folder, flag)}.`,
      // Lets scripts that wait and retry tell it from a full disk.
      more: { reason: 'locked', holder: holder?.pid ?? null },
      moreIsSaid: true,
    },
  );
}

async function otherFlag(
  folder: string,
  prefix: string,
  own: string,
  processes: Processes,
): Promise<string | undefined> {
  let found: string | undefined;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === own) continue;
    const holder = parseFlag(name.slice(prefix.length));
    if (holder && processes.state(holder) === 'gone') await remove(join(folder, name));
    else found = name;
  }
  return found;
}

function flagName({ self: { pid, started, host }, began }: Processes): string {
  const mark = started || (began === undefined ? '0' : `t${began}`);
  return `${pid}-${mark}-${host}-${randomBytes(4).toString('hex')}`;
}

function parseFlag(text: string): Holder | undefined {
  const match = /^(\d+)-(?:0|t(\d+)|([0-9a-z.]+))-([0-9a-z]+)-[0-9a-f]{8}$/.exec(text);
  if (!match) return undefined;
  const [, pid, began, started = '', host = ''] = match;
  return { pid: Number(pid), started, host, began: began === undefined ? undefined : Number(began) };
}

async function remove(path: string): Promise<void> {
  await onceFree(() => unlink(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw local(`cannot unlock: ${error.message}`, undefined, error);
  });
}

/** The flags in a folder whose processes still run, or run on a machine that we cannot query. */
export async function heldFlags(folder: string, processes: Processes = osProcesses()): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => {
    if (!/\.(?:lock-|wait-\d+_)/.test(name)) return false;
    const holder = parseFlag(flagOf(name));
    return holder !== undefined && processes.state(holder) !== 'gone';
  });
}

/** A process on a machine, distinguished from a later one that reuses its number. */
export interface ProcessId {
  readonly pid: number;
  /** The operating system's start mark; empty where it provides none. */
  readonly started: string;
  /** A hash of the host name: processes of another machine cannot be queried. */
  readonly host: string;
}

/** The process of a flag. */
interface Holder extends ProcessId {
  readonly began?: number | undefined;
}

/** The process table, passed in so that tests can make processes die. */
export interface Processes {
  readonly self: ProcessId;
  /** Where there is no start mark: when this process began, by the clock (milliseconds). */
  readonly began?: number | undefined;
  /** `elsewhere`: it belongs to another machine that shares the folder, so its state is unknown. */
  state(id: Holder): 'running' | 'gone' | 'elsewhere';
}

/** The system to ask about processes: this machine's, unless a test says otherwise. */
interface ProcessFacts {
  readonly system?: string;
  readonly entryOf?: (pid: number) => TableEntry;
  readonly startOf?: (pid: number, system: string) => number | undefined;
}

/** A process that began this much later than a flag's holder is another process with the same number. */
const LATER_MS = 5000;

/** The operating system's own process table. */
export function osProcesses({
  system = platform(),
  entryOf = tableEntry,
  startOf = startedAt,
}: ProcessFacts = {}): Processes {
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const self: ProcessId = { pid: process.pid, started: entryOf(process.pid).mark, host };
  // Asked once per process: a wait checks a flag many times, and the system is slow to answer.
  const reused = new Map<string, boolean>();
  const isReused = ({ pid, began }: Holder): boolean => {
    if (began === undefined) return false;
    const key = `${pid} ${began}`;
    const known = reused.get(key) ?? (startOf(pid, system) ?? began) > began + LATER_MS;
    reused.set(key, known);
    return known;
  };
  return {
    self,
    began: self.started === '' ? Math.round(performance.timeOrigin) : undefined,
    state(id) {
      if (id.host !== host) return 'elsewhere';
      try {
        process.kill(id.pid, 0);
      } catch (error) {
        // EPERM: the process is alive, but belongs to another user.
        if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone';
      }
      const { mark, ended } = entryOf(id.pid);
      if (ended || (mark !== '' && id.started !== '' && mark !== id.started)) return 'gone';
      return isReused(id) ? 'gone' : 'running';
    },
  };
}

type TableEntry = ReturnType<typeof tableEntry>;

/**
 * What Linux reports about a process: its start in ticks plus the boot they count from (a process number is reused,
 * this pair is not), and whether all its threads have ended although nobody has collected its exit code yet.
 */
function tableEntry(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program name is in parentheses and may contain anything, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads, ticks = ''] = [fields[0], fields[17], fields[19]];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    // A remaining thread may be in the middle of a write.
    return { mark: ticks === '' ? '' : `${ticks}.${boot}`, ended: /^[ZX]$/i.test(state) && Number(threads) <= 1 };
  } catch {
    return { mark: '', ended: false };
  }
}
