import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { open, realpath, rename, unlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { type CopsError, local, usage } from '../errors/errors.js';
import type { Text } from '../text/command-line.js';
import { kindOf, NoFile, WHY } from './read-file.js';
import { refuseAddress } from './typed-path.js';

/**
 * Creates a folder and its missing parents; existing ones stay as they are. Node's own function never returns below
 * `/proc`, where no folder can be created and the system reports "no such file" for each. Here each step up is one
 * call, and a folder that cannot be created in an existing parent is an error at once.
 * @param mode of the new folders; private to their owner by default
 * @throws the system's error, with the folder that could not be created as its `path`
 */
export function makeFolder(folder: string, mode = 0o700): void {
  try {
    mkdirOne(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    makeFolder(above, mode);
    mkdirOne(folder, mode);
  }
}

function mkdirOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Systems differ in the error that a full or read-only disk reports for an existing folder.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Makes a new name in a folder durable. Systems that cannot sync a folder do not need it. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows cannot open folders, and its file systems journal names by themselves.
  }
}

/**
 * Replaces a file atomically: a reader sees the whole old or the whole new file, even after a crash. The new file is
 * private to its owner. The draft has an unpredictable name and is created only where nothing exists, so that a planted
 * link is never followed. Anything there that is not a file (a pipe, a device, a dangling link) stays.
 * @throws CopsError `local`, or the error that `fault` makes from the system's
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array,
  fault?: (cause: unknown) => Error,
): Promise<void> {
  const folder = dirname(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    refuseNoFile(path);
    makeFolder(folder);
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await onceFree(() => rename(draft, path));
  } catch (cause) {
    await unlink(draft).catch(() => undefined);
    throw fault?.(cause) ?? local(`cannot write ${path}: ${(cause as Error).message}`, undefined, cause);
  }
  await syncFolder(folder);
}

/** @throws NoFile for something of that name that is not a file; the system's error where it cannot be examined */
export function refuseNoFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts ? !facts.isFile() : lstatSync(path, { throwIfNoEntry: false }))
    throw new NoFile(facts ? `it ${kindOf(facts)}` : 'it is a link to nothing');
}

/** A file or folder that the command line names for writing: `--html`, `--out`, the target of a sync. */
export interface GivenTarget {
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly typed: string;
  /** The option, or the command that takes the path as an argument: `--out`. */
  readonly option: string;
  /** True for a folder, which is created if missing. */
  readonly isFolder?: boolean;
  /** Makes the error for an unsuitable target; `local` (11) by default. */
  readonly error?: (message: string, hint?: Text) => CopsError;
}

/**
 * Checks that a target can be written: a regular file or nothing yet, in an existing folder. Follows a link to its
 * file.
 * @throws CopsError `usage` (2) for a URL, an empty name and `-`; `local` (11) for a folder, a pipe, a device, a
 *   dangling link, and a parent folder that does not exist (it is never created unasked)
 */
export function checkTarget({ path, typed, option, isFolder = false, error: errorOf = local }: GivenTarget): void {
  refuseAddress(typed, option);
  if (typed === '' || typed === '-')
    throw usage(`${option} needs the name of a file.`, typed && 'For a file with this name: ./-');
  const fault = (why: string, hint?: Text) => errorOf(`${option}: ${path} ${why}: nothing was written.`, hint);
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts) {
      if (isFolder ? !facts.isDirectory() : !facts.isFile())
        throw fault(facts.isFile() ? 'is a file, not a folder' : kindOf(facts), 'Name a file, existing or new.');
      return;
    }
    if (lstatSync(path, { throwIfNoEntry: false })) throw fault('is a link to nothing');
    const folder = dirname(path);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw local(`${option}: there is no folder ${folder}: nothing was written.`, 'Make it first.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw local(`${option}: ${path} cannot be written: ${WHY[code] ?? code}.`, undefined, error);
  }
}

/**
 * Writes a file that the command line names. Every such write goes through here: checked, atomic, private to its owner.
 * Replaces the file a link points to and keeps the link.
 * @throws CopsError as `checkTarget`; `local` (11) where the write fails, which leaves the old file as it was
 */
export async function writeGiven(target: GivenTarget, text: string | Uint8Array): Promise<void> {
  checkTarget(target);
  const path = await realpath(target.path).catch(() => target.path);
  await replaceFile(path, text, (cause) => {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    return local(`${target.option}: ${target.path} cannot be written: ${WHY[code] ?? message}.`, undefined, cause);
  });
}

/** The errors with which Windows refuses to replace or remove a file that another program has open. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** A virus scanner or indexer opens each new file for a moment: wait for it, two seconds in all. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400, 600, 600] as const;

/**
 * Runs a file operation; on Windows, retries it while another program holds the file open. Elsewhere an open file
 * hinders nobody, and these errors are final.
 * @throws the system's error
 */
export async function onceFree<T>(deed: () => Promise<T>, system: string = platform()): Promise<T> {
  for (const pause of pausesOn(system)) {
    try {
      return await deed();
    } catch (error) {
      if (!isHeld(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return deed();
}

/** The same, synchronously. */
export function onceFreeSync<T>(deed: () => T, system: string = platform()): T {
  for (const pause of pausesOn(system)) {
    try {
      return deed();
    } catch (error) {
      if (!isHeld(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  return deed();
}

function pausesOn(system: string): readonly number[] {
  return system === 'win32' ? PAUSES_MS : [];
}

function isHeld(error: unknown): boolean {
  return HELD.has((error as NodeJS.ErrnoException).code ?? '');
}
