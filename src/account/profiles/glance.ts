import { existsSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { readOwnFile } from '../../base/files/read-file.js';
import { NO_HOME } from '../../base/world.js';
import { FROM_ENVIRONMENT, SANDBOX } from './profile-names.js';
import type { Sourced } from './types.js';

/** The inputs that decide where the folders are. */
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
export const configFolder = (facts: FolderFacts): string =>
  folder(facts, 'COPS_CONFIG_DIR', {
    linux: ['XDG_CONFIG_HOME', ['.config'], ['cops']],
    darwin: [undefined, ['Library', 'Preferences'], ['cops']],
    win32: ['APPDATA', ['AppData', 'Roaming'], ['cops', 'Config']],
  });

/** Folder of data (the sandbox's database, caches): `COPS_DATA_DIR`, else the user's data folder of the system. */
export const dataFolder = (facts: FolderFacts): string =>
  folder(facts, 'COPS_DATA_DIR', {
    linux: ['XDG_DATA_HOME', ['.local', 'share'], ['cops']],
    darwin: [undefined, ['Library', 'Application Support'], ['cops']],
    win32: ['LOCALAPPDATA', ['AppData', 'Local'], ['cops', 'Data']],
  });

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
  return join(homeOf(facts), ...belowHome, ...own);
}

/**
 * Watches a run without HOME: its files go to the home folder in the user database, where nobody may think to look.
 * @returns a function that names the folders created there; undefined if there are none
 */
export function madeWithoutHome(facts: FolderFacts): () => string | undefined {
  if (facts.env.HOME || facts.env.USERPROFILE) return () => undefined;
  const unsaid = { ...facts, env: {} };
  const missing = [configFolder, dataFolder].flatMap((place) => {
    const path = place(unsaid);
    return place(facts) === path && !existsSync(path) ? [path] : [];
  });
  return () => {
    const made = missing.filter((path) => existsSync(path));
    if (made.length === 0) return undefined;
    return `HOME is not set: ${made.join(' and ')} ${made.length > 1 ? 'were' : 'was'} made. COPS_CONFIG_DIR and COPS_DATA_DIR name other folders.`;
  };
}

function homeOf(facts: FolderFacts): string {
  try {
    const home = facts.home ?? homedir();
    if (isAbsolute(home)) return home;
  } catch {
    // No HOME and no entry in the user database.
  }
  return NO_HOME;
}

/** The parts of the configuration file that can be read without checking it. Keys are never looked at. */
export interface Glance {
  /** Profile names, the built-in one last. */
  readonly profiles: readonly string[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly current: string | undefined;
  /** Settings of a profile, as stored. */
  of(profile: string): {
    readonly mode: string | undefined;
    readonly baseUrl: string | undefined;
    readonly idCache: boolean;
  };
}

type Loose = Readonly<Record<string, unknown>>;

/** Reads the configuration without any check; a missing or damaged file counts as empty. */
export function glanceAt(folder: string): Glance {
  let raw: Loose = {};
  try {
    const text = readOwnFile(join(folder, 'config.json'))?.toString('utf8') ?? '{}';
    raw = record(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    // Commands that need it report this; completion has nowhere to show it.
  }
  const profiles = record(raw.profiles);
  return {
    profiles: [...Object.keys(profiles).filter((name) => name !== SANDBOX), SANDBOX],
    aliases: Object.fromEntries(
      Object.entries(record(raw.aliases)).filter(
        (entry): entry is [string, string] => /^[a-z][a-z0-9-]*$/.test(entry[0]) && typeof entry[1] === 'string',
      ),
    ),
    current: typeof raw.current === 'string' ? raw.current : undefined,
    of: (name) => {
      const stored = Object.hasOwn(profiles, name) ? record(profiles[name]) : {};
      const text = (field: string) => (typeof stored[field] === 'string' ? (stored[field] as string) : undefined);
      return { mode: text('mode'), baseUrl: text('base_url'), idCache: stored.id_cache !== false };
    },
  };
}

/** The inputs that decide which profile a command uses (command-line.md#keys-and-modes). */
export interface ProfileChoice {
  /** The value of `--profile`. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly current: string | undefined;
  /** The names of the stored profiles, without the built-in one. */
  readonly names: readonly string[];
  /** The place where the current profile is set. */
  readonly path?: string | undefined;
}

/** The name of the profile a line means, unchecked; undefined if there are several, or neither profile nor key. */
export function chooseName({ flag, env, current, names, path }: ProfileChoice): Sourced<string> | undefined {
  if (flag !== undefined) return { value: flag, source: 'flag --profile' };
  const variable = env.COPS_PROFILE?.trim();
  if (variable) return { value: variable, source: 'COPS_PROFILE' };
  const byKey = env.COPS_API_KEY?.trim() ? ({ value: FROM_ENVIRONMENT, source: 'COPS_API_KEY' } as const) : undefined;
  if (current === SANDBOX && byKey) return byKey;
  if (current !== undefined) return { value: current, source: `current profile in ${path}` };
  const [only] = names;
  if (names.length === 1 && only !== undefined) return { value: only, source: 'the only profile' };
  return byKey;
}

/** The profile and mode that a command would use, by the precedence of the command line (section 3), unchecked. */
export function profileAndMode(
  configuration: Glance,
  env: Readonly<Record<string, string | undefined>>,
  said: { readonly profile?: string | undefined; readonly mode?: string | undefined },
): { readonly profile: string; readonly mode: string } | undefined {
  const names = configuration.profiles.filter((name) => name !== SANDBOX);
  const profile = chooseName({ flag: said.profile, env, current: configuration.current, names })?.value;
  if (profile === undefined) return undefined;
  const keyed = profile !== SANDBOX && Boolean(env.COPS_API_KEY?.trim());
  const mode = said.mode ?? (env.COPS_MODE?.trim() || (keyed ? 'live' : (configuration.of(profile).mode ?? 'test')));
  return { profile, mode };
}

const record = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
