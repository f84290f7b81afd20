import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that other programs write to constantly. */
const OTHERS = /^(?:\.git|\.cops|node_modules)$/;

/**
 * A string that differs after each change of these files and of anything below these folders. Polling is slower than
 * notifications, but works on every file system, and with editors that replace a file.
 */
export function marksOfFiles(paths: readonly string[]): string {
  return paths.map(marksAt).join('\n');
}

function marksAt(path: string): string {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts?.isDirectory()) return `${path} ${facts?.mtimeMs} ${facts?.size} ${facts?.ino}`;
  return readdirSync(path)
    .filter((name) => !OTHERS.test(name))
    .map((name) => marksAt(join(path, name)))
    .join('\n');
}
