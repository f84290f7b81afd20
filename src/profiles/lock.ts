import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type CopsError, local } from '../errors/errors.js';
import { fileFault } from './faults.js';

/** Longest wait for another process, milliseconds. Its work under the lock takes a few. */
const PATIENCE_MS = 10_000;
/** Age after which a lock that names no owner is given up, milliseconds: naming it takes no time. */
const NAMELESS_STALE_MS = 5_000;
/** Age after which a lock of another machine, whose owner cannot be asked, is given up, milliseconds. */
const FOREIGN_STALE_MS = 30_000;
/** Age after which even a living owner is given up: it was stopped, or its number now belongs to another program. */
const OWNER_STALE_MS = 60_000;

export interface LockEffects {
  now(): number;
  sleep(ms: number): Promise<void>;
  random(): number;
}

export const realLockEffects: LockEffects = {
  now: Date.now,
  sleep: (ms) => pause(ms),
  random: Math.random,
};

/** A lock in hand. `mine()` says whether it still is: a process that was stopped for long may have lost it. */
export interface Lock {
  mine(): boolean;
}

/**
 * Runs `work` while this process alone holds the lock file `path`. `work` is synchronous, so that no signal
 * handler can run in the middle of it. A lock whose owner died is taken over.
 * @throws CopsError `local` when another process keeps the lock for more than ten seconds.
 */
export async function withLock<T>(
  path: string,
  work: (lock: Lock) => T,
  effects: LockEffects = realLockEffects,
): Promise<T> {
  const token = await acquire(path, effects);
  const mine = (): boolean => contentOf(path) === token;
  try {
    return work({ mine });
  } finally {
    if (mine()) remove(path);
  }
}

async function acquire(path: string, effects: LockEffects): Promise<string> {
  const token = JSON.stringify({ pid, host: hostname(), at: effects.now(), nonce: effects.random() });
  let waited = 0;
  for (;;) {
    if (create(path, token)) return token;
    const seen = contentOf(path);
    if (seen !== undefined && isStale(path, seen, effects.now())) breakStale(path, seen, effects.now());
    if (waited >= PATIENCE_MS) throw taken(path, seen);
    const ms = 10 + Math.floor(effects.random() * 30);
    waited += ms;
    await effects.sleep(ms);
  }
}

/**
 * False when the lock is there already. It is a symbolic link to nowhere whose target names the owner: unlike a
 * file it comes into being with its content, so that a kill cannot leave a lock without an owner.
 */
function create(path: string, token: string): boolean {
  try {
    symlinkSync(token, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It was there: that its owner may have let go of it since is no fault.
    if (code === 'EEXIST' || exists(path)) return false;
    if (code !== 'EPERM' && code !== 'ENOSYS' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP')
      throw fileFault('The configuration cannot be locked', path, error);
  }
  return createFile(path, token);
}

/** Where symbolic links are not to be had (Windows, some network file systems). */
function createFile(path: string, token: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    // Windows answers EPERM while a lock that was just removed is still closing.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || exists(path)) return false;
    throw fileFault('The configuration cannot be locked', path, error);
  }
  try {
    writeSync(descriptor, token);
  } catch (error) {
    remove(path);
    throw fileFault('The configuration cannot be locked', path, error);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function isStale(path: string, content: string, now: number): boolean {
  const age = ageOf(path, now);
  if (age === undefined) return false;
  const owner = ownerOf(content);
  if (owner === undefined) return age > NAMELESS_STALE_MS;
  if (owner.host !== hostname()) return age > FOREIGN_STALE_MS;
  return !isAlive(owner.pid) || age > OWNER_STALE_MS;
}

/**
 * Removes a stale lock. Two processes may see the same stale lock: a guard file lets one remove it, and only
 * while it still has the content that was judged, so that a lock made since is never removed.
 */
function breakStale(path: string, seen: string, now: number): void {
  const guard = `${path}.break`;
  try {
    closeSync(openSync(guard, 'wx', 0o600));
  } catch {
    const age = ageOf(guard, now);
    if (age !== undefined && age > NAMELESS_STALE_MS) remove(guard);
    return;
  }
  try {
    if (contentOf(path) === seen) remove(path);
  } finally {
    remove(guard);
  }
}

function ownerOf(content: string): { pid: number; host: string } | undefined {
  try {
    const value = JSON.parse(content) as { pid?: unknown; host?: unknown };
    if (typeof value.pid === 'number' && typeof value.host === 'string') return { pid: value.pid, host: value.host };
  } catch {
    // Still being written, or not ours: judged by age.
  }
  return undefined;
}

function isAlive(owner: number): boolean {
  try {
    kill(owner, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Distance from now in either direction, so that a clock that was set back does not keep a lock for ever. */
function ageOf(path: string, now: number): number | undefined {
  try {
    return Math.abs(now - lstatSync(path).mtimeMs);
  } catch {
    return undefined;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Not a link, or gone.
  }
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}

function taken(path: string, content: string | undefined): CopsError {
  const owner = content === undefined ? undefined : ownerOf(content);
  return local(
    `Another process${owner === undefined ? '' : ` (${owner.pid} on ${owner.host})`} keeps the configuration locked: ${path}`,
    'Nothing was changed. Try again; if no other cops is running, remove that file.',
  );
}
