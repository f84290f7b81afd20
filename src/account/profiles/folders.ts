import { homedir, platform } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { local } from '../../base/errors/errors.js';

/** What decides where the folders are. */
export interface FolderFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that a relative `COPS_CONFIG_DIR` or `COPS_DATA_DIR` is relative to. */
  readonly cwd: string;
  /** `linux`, `darwin`, `win32`, ...; this machine's unless given. */
  readonly platform?: string;
  /** The user's home; this user's unless given. */
  readonly home?: string;
}

/**
 * Folder of the configuration: `COPS_CONFIG_DIR`, else where `conf` puts the project `cops` without a suffix
 * (`~/.config/cops`, `~/Library/Preferences/cops`, `%APPDATA%\cops\Config`).
 */
export function configFolder(facts: FolderFacts): string {
  return folder(facts, 'COPS_CONFIG_DIR', {
    linux: ['XDG_CONFIG_HOME', ['.config'], ['cops']],
    darwin: [undefined, ['Library', 'Preferences'], ['cops']],
    win32: ['APPDATA', ['AppData', 'Roaming'], ['cops', 'Config']],
  });
}

/** Folder of data (the sandbox's database, caches): `COPS_DATA_DIR`, else the user's data folder of the system. */
export function dataFolder(facts: FolderFacts): string {
  return folder(facts, 'COPS_DATA_DIR', {
    linux: ['XDG_DATA_HOME', ['.local', 'share'], ['cops']],
    darwin: [undefined, ['Library', 'Application Support'], ['cops']],
    win32: ['LOCALAPPDATA', ['AppData', 'Local'], ['cops', 'Data']],
  });
}

type Place = readonly [variable: string | undefined, belowHome: readonly string[], own: readonly string[]];

function folder(
  facts: FolderFacts,
  variable: string,
  places: Readonly<Record<'linux' | 'darwin' | 'win32', Place>>,
): string {
  const chosen = facts.env[variable];
  if (chosen !== undefined && chosen !== '') return resolve(facts.cwd, chosen);
  const system = facts.platform ?? platform();
  const [base, belowHome, own] = places[system === 'darwin' || system === 'win32' ? system : 'linux'];
  const given = base === undefined ? undefined : facts.env[base];
  // A relative XDG folder is invalid by the XDG specification and is ignored.
  if (given !== undefined && isAbsolute(given)) return join(given, ...own);
  return join(homeOf(facts, variable), ...belowHome, ...own);
}

function homeOf(facts: FolderFacts, variable: string): string {
  try {
    const home = facts.home ?? homedir();
    if (isAbsolute(home)) return home;
  } catch {
    // No HOME and no entry in the user database: told below.
  }
  throw local('This user has no home folder.', `Set ${variable} to the folder to use.`);
}
