import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where Linux keeps files in memory: what a test makes sure of on the disk costs nothing there. */
const MEMORY = '/dev/shm';
/** More than all tests keep at a time. A container may have next to nothing there. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Gives the tests of a run one folder for all that they make, which goes with the run. */
export default function setup(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(path.join(before === undefined && hasMemory() ? MEMORY : tmpdir(), 'cops-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
