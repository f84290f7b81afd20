import { lstatSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CopsError, local, usage } from '../errors/errors.js';
import type { Text } from '../text/command-line.js';
import { WHY } from './failure-reason.js';
import { kindOf } from './read-file.js';
import { replaceFile } from './replace-file.js';

/** What a line names to be written: `--html`, `--out`, the target of a sync. */
export interface GivenTarget {
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly typed: string;
  /** The option, or the command that takes it as a word: `--out`. */
  readonly option: string;
  /** True where a folder is meant, which is made where it is not there. */
  readonly isFolder?: boolean;
  /** Makes the error of what is no place for a file; local (11) unless it says otherwise. */
  readonly error?: (message: string, hint?: Text) => CopsError;
}

/** An address in the place of a file; two letters at least, since one is a drive. */
const ADDRESS = /^([a-z][a-z0-9+.-]+):\/\//i;

/** @throws CopsError usage (2) for an address, of which nothing but its scheme is repeated: it may hold a password */
export function refuseAddress(typed: string, option: string): void {
  const scheme = ADDRESS.exec(typed)?.[1];
  if (scheme === undefined) return;
  throw usage(
    `${option} takes a file or folder of this machine, not an address (${scheme}://…).`,
    `For a folder that is called so: ./${scheme}:…`,
  );
}

/**
 * Whether something can be written at a target: a regular file or nothing, in a folder that is there. A link is followed to
 * its file.
 * @throws CopsError usage (2) for an address; local (11) for a folder, a pipe, a device, a link that leads to nothing, and
 *   where the folder it is to lie in is not there: none is made unasked
 */
export function checkTarget({ path, typed, option, isFolder = false, error: errorOf = local }: GivenTarget): void {
  refuseAddress(typed, option);
  const fault = (why: string, hint?: Text) => errorOf(`${option}: ${path} ${why}: nothing was written.`, hint);
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts) {
      if (isFolder ? !facts.isDirectory() : !facts.isFile())
        throw fault(
          facts.isFile() ? 'is a file and no folder' : kindOf(facts),
          'Name a file, or one that is not there yet.',
        );
      return;
    }
    if (lstatSync(path, { throwIfNoEntry: false })) throw fault('is a link that leads to nothing');
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
 * Writes a whole file that a line names, the one way for all of them: checked, at once, its owner's only; the file behind a
 * link is replaced and the link stays.
 * @throws CopsError as `checkTarget`; local (11) where it cannot be written, with what was there left as it is
 */
export async function writeGiven(target: GivenTarget, text: string): Promise<void> {
  checkTarget(target);
  const path = await realpath(target.path).catch(() => target.path);
  await replaceFile(path, text, (cause) => {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    return local(`${target.option}: ${target.path} cannot be written: ${WHY[code] ?? message}.`, undefined, cause);
  });
}
