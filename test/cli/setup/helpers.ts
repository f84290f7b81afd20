import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { home } from '../helpers.js';
import type { Home, Ran } from '../program.js';

/** Folders of data by the words that laid them out: laying one out takes longer than most of what is tested on it. */
const laidOut = new Map<string, string>();

/** A home with a small embedded sandbox of its own. */
export async function sandboxHome(...options: readonly string[]) {
  const made = home();
  const reset = ['sandbox', 'reset', '--size', '1', ...options];
  const known = laidOut.get(reset.join(' '));
  if (known === undefined) {
    const ran = await made.run(reset);
    if (ran.code !== 0) throw new Error(ran.stderr);
    laidOut.set(reset.join(' '), copyOf(dataOf(made)));
  } else {
    cpSync(known, dataOf(made), { recursive: true });
  }
  const setup = (...words: readonly string[]): Promise<Ran> =>
    made.run(['-p', 'sandbox', 'setup', ...words], { cwd: made.folder });
  return { home: made, setup, folder: path.join(made.folder, 's') };
}

const dataOf = ({ env }: Home): string => env.COPS_DATA_DIR ?? '';

/** A folder of data as it is now. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'cops-laid-'));
  cpSync(folder, copy, { recursive: true });
  return copy;
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
