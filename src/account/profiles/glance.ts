import { join } from 'node:path';
import { readOwnFile } from '../../base/files/read-file.js';
import { FROM_ENVIRONMENT, SANDBOX } from './names.js';
import type { Sourced } from './types.js';

/** What can be seen of the configuration file without checking it. Keys are never looked at. */
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

/** Reads the configuration without any check; a file that is absent or damaged is an empty one. */
export function glanceAt(folder: string): Glance {
  let raw: Loose = {};
  try {
    const text = readOwnFile(join(folder, 'config.json'))?.toString('utf8') ?? '{}';
    raw = record(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    // Told by the commands that need it; a Tab has nowhere to say so.
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

/** What decides which profile a line means (command-line.md#keys-and-modes). */
export interface ProfileChoice {
  /** `--profile` of the line. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly current: string | undefined;
  /** The names of the stored profiles, without the built-in one. */
  readonly names: readonly string[];
  /** Where the current profile is said. */
  readonly path?: string | undefined;
}

/** The name of the profile that a line means, unchecked; undefined where several are there, or none and no key. */
export function chooseName({ flag, env, current, names, path }: ProfileChoice): Sourced<string> | undefined {
  if (flag !== undefined) return { value: flag, source: 'flag --profile' };
  const variable = env.COPS_PROFILE?.trim();
  if (variable) return { value: variable, source: 'COPS_PROFILE' };
  if (current !== undefined) return { value: current, source: `current profile in ${path}` };
  const [only] = names;
  if (names.length === 1 && only !== undefined) return { value: only, source: 'the only profile' };
  return env.COPS_API_KEY?.trim() ? { value: FROM_ENVIRONMENT, source: 'COPS_API_KEY' } : undefined;
}

/** The profile and mode that a line would use, by the precedence of the command line (section 3), unchecked. */
export function profileAndMode(
  configuration: Glance,
  env: Readonly<Record<string, string | undefined>>,
  said: { readonly profile?: string | undefined; readonly mode?: string | undefined },
): { readonly profile: string; readonly mode: string } | undefined {
  const names = configuration.profiles.filter((name) => name !== SANDBOX);
  const profile = chooseName({ flag: said.profile, env, current: configuration.current, names })?.value;
  const keyed = Boolean(env.COPS_API_KEY?.trim());
  if (profile === undefined) return undefined;
  const mode = said.mode ?? (env.COPS_MODE?.trim() || (keyed ? 'live' : (configuration.of(profile).mode ?? 'test')));
  return { profile, mode };
}

function record(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}
