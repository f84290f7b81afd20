import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that others write to all the time. */
const OTHERS = /^(?:\.git|\.cops|node_modules)$/;

/**
 * A text that is another one after each change of these files and of what is below these folders. Looking is slower than
 * being told, but sees every file system, and the way editors put a new file in the place of the old one.
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
