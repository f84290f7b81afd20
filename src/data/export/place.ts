import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { local, usage } from '../../base/errors/errors.js';
import type { Target } from './formats.js';
import type { Manifest } from './types.js';

/** Refuses a target that cannot take an export before anything is read for it. */
export async function checkPlace(target: Target): Promise<void> {
  const found = await stat(target.path).catch(() => undefined);
  if (!found) {
    const link = await lstat(target.path).catch(() => undefined);
    if (link) throw usage(`${target.path} is a link that leads nowhere.`, 'Name the file itself, or remove the link.');
  } else if (target.kind === 'folder') {
    if (!found.isDirectory())
      throw usage(`${target.path} is not a folder.`, 'Leave out the "/" at the end for a file.');
  } else if (found.isDirectory()) {
    throw usage(`${target.path} is a folder.`, 'End it with "/" for one file per window, or name a file in it.');
  } else if (!found.isFile()) {
    throw usage(`${target.path} is not a regular file.`, 'Use --out - for standard output.');
  }
}

/** Refuses to continue a finished export if a file is missing or has another size; `verify` checks the bytes. */
export async function checkFinished(target: Target, manifest: Manifest): Promise<void> {
  const files =
    manifest.layout === 'folder'
      ? manifest.windows.flatMap(({ file, bytes }) => (file === undefined ? [] : [[join(target.path, file), bytes]]))
      : [[target.path, manifest.file?.bytes]];
  for (const [path, bytes] of files as [string, number | undefined][]) {
    const found = await stat(path).catch(() => undefined);
    if (found && (bytes === undefined || found.size === bytes)) continue;
    throw local(
      found
        ? `${path} has ${found.size} bytes, but its manifest says ${bytes}: it was changed after the export.`
        : `${path} is gone, but its manifest is there (${target.manifest}).`,
      'Put it back, or read everything again with --restart.',
    );
  }
}
