import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { orElse } from '../../base/errors/errors.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A third-party executable that acts as a command: `cops-NAME` on the PATH is `cops NAME`. */
export interface Plugin {
  readonly name: string;
  readonly file: string;
}

const FILE = /^cops-([a-z][a-z0-9-]*)(?:\.exe)?$/;

/**
 * Folders of the PATH. Relative ones are left out: a file in the current folder must not become a command by accident.
 */
const foldersOf = ({ PATH = '' }: Env): string[] => PATH.split(delimiter).filter((folder) => isAbsolute(folder));

/** The first executable of that name on the PATH. */
export function findPlugin(name: string, env: Env): Plugin | undefined {
  if (!FILE.test(`cops-${name}`)) return undefined;
  const files = foldersOf(env).flatMap((folder) => ['', '.exe'].map((end) => join(folder, `cops-${name}${end}`)));
  const file = files.find(isExecutable);
  return file === undefined ? undefined : { name, file };
}

/** All plugins by name, the first on the PATH for each; reads every folder of it. */
export function allPlugins(env: Env): Plugin[] {
  const found = new Map<string, Plugin>();
  for (const folder of foldersOf(env)) {
    for (const entry of orElse(() => readdirSync(folder), [])) {
      const name = FILE.exec(entry)?.[1];
      if (name === undefined || found.has(name)) continue;
      const file = join(folder, entry);
      if (isExecutable(file)) found.set(name, { name, file });
    }
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function isExecutable(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}
