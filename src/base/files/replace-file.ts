import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { local } from '../errors/errors.js';
import { randomBytes } from '../random.js';
import { kindOf, NoFile } from './read-file.js';

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

/** With these Windows refuses to replace or remove a file that another program has open. */
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

const pausesOn = (system: string): readonly number[] => (system === 'win32' ? PAUSES_MS : []);

const isHeld = (error: unknown): boolean => HELD.has((error as NodeJS.ErrnoException).code ?? '');
