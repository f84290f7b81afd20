import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { home } from '../helpers.js';
import type { Ran } from '../program.js';

/** A home with a small embedded sandbox of its own. */
export async function sandboxHome(...options: readonly string[]) {
  const made = home();
  const ran = await made.run(['sandbox', 'reset', '--size', '1', ...options]);
  if (ran.code !== 0) throw new Error(ran.stderr);
  const setup = (...words: readonly string[]): Promise<Ran> =>
    made.run(['-p', 'sandbox', 'setup', ...words], { cwd: made.folder });
  return { home: made, setup, folder: path.join(made.folder, 's') };
}

/** Every file of a set-up by its path; what the machine keeps for itself is left out. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(
    paths
      .filter((name) => !name.startsWith('.cops'))
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}
