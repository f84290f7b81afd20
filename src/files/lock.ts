import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { local } from '../errors/errors.js';
import { osProcesses, type Processes, type ProcessId } from './processes.js';

export interface Lock {
  release(): Promise<void>;
}

export interface LockOptions {
  readonly processes?: Processes;
  /** How long to wait for a holder to let go, milliseconds. */
  readonly waitMs?: number;
  /** What is locked, for the message: `The journal run.journal`. */
  readonly what?: string;
}

/**
 * Takes the lock of `path`. Every process raises a flag file of its own beside it, then looks for flags of
 * others that still run; with one it lowers its flag and tries again. As no two processes share a file name,
 * a dead process's flag can be cleared by anyone at any time, and a take-over cannot hit a living holder.
 * Two at once may both step back (they wait differently long), never both go ahead.
 * @throws CopsError local (11) when somebody else holds it to the end of the wait, or the folder is not writable.
 */
export async function lock(path: string, options: LockOptions = {}): Promise<Lock> {
  const processes = options.processes ?? osProcesses();
  const deadline = performance.now() + (options.waitMs ?? 5000);
  const folder = dirname(path);
  const prefix = `${basename(path)}.lock-`;
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  for (;;) {
    const own = join(folder, `${prefix}${flagName(processes.self)}`);
    try {
      await (await open(own, 'wx', 0o600)).close();
    } catch (cause) {
      throw local(`cannot lock ${path}: ${(cause as Error).message}`, undefined, cause);
    }
    const other = await otherHolder(folder, prefix, basename(own), processes);
    if (!other) return { release: () => remove(own) };
    await remove(own);
    if (performance.now() >= deadline) {
      const holder = parseFlag(other.slice(prefix.length));
      const far = holder && processes.state(holder) === 'elsewhere';
      throw local(
        `${options.what ?? path} is in use by ${far ? 'a process on another machine' : 'another process'}` +
          ` (${holder?.pid ?? '?'})`,
        `When that process has ended and this stays, delete ${join(folder, other)}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
  }
}

async function otherHolder(
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

function flagName(id: ProcessId): string {
  return `${id.pid}-${id.started || '0'}-${id.host}-${randomBytes(4).toString('hex')}`;
}

function parseFlag(text: string): ProcessId | undefined {
  const match = /^(\d+)-([0-9a-z.]+)-([0-9a-z]+)-[0-9a-f]{8}$/.exec(text);
  if (!match) return undefined;
  const [, pid = '', started = '', host = ''] = match;
  return { pid: Number(pid), started: started === '0' ? '' : started, host };
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw local(`cannot unlock: ${error.message}`, undefined, error);
  });
}
