import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { local } from '../errors/errors.js';
import { kindOf, NoFile } from './read-file.js';

/**
 * Makes a folder and those above it that are not there; one that is there stays as it is. Node's own way never ends below
 * `/proc`, where a folder can be made nowhere and the system says "no such file" for each: here every step up is one
 * call, and a folder that cannot be made although the one above it is there is an error at once.
 * @param mode of the folders that are made; their owner's only unless given
 * @throws the system's error, with the folder that could not be made as its `path`
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
    // What a full or read-only disk says of a folder that is there already differs by system.
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
 * link is never followed. What stands there and is no file (a pipe, a device, a link to nothing) stays.
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

/** @throws NoFile for something that bears the name and is no file; the system's error where it cannot be looked at */
export function refuseNoFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts ? !facts.isFile() : lstatSync(path, { throwIfNoEntry: false }))
    throw new NoFile(facts ? `it ${kindOf(facts)}` : 'it is a link to nothing');
}

/** With these Windows refuses to replace or remove a file that another program has open. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** A virus scanner or an index looks at each new file for a moment: it is waited for, two seconds in all. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400, 600, 600] as const;

/**
 * Does something to a file; on Windows again, while another program holds it open. Elsewhere an open file hinders nobody,
 * and these errors are final.
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

/** The same where nothing else may run in between. */
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
