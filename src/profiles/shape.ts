import { SETTINGS, type Setting } from './settings.js';
import type { KeyReference, StoredProfile } from './types.js';

/** What the configuration file holds; fields that this version does not know are kept. */
export interface Configuration {
  readonly profiles: Readonly<Record<string, StoredProfile>>;
  /** The profile in use when none is said (`cops profiles use`). */
  readonly current?: string;
  /** Own command names: word → argument template. */
  readonly aliases: Readonly<Record<string, string>>;
}

/**
 * The faults of a parsed configuration file, each with its path; empty when it is sound. Written by hand
 * because every call reads the file and a schema library costs more than the call.
 */
export function faultsOf(value: unknown): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  const say = (path: string, message: string) => faults.push({ path, message });
  if (!isRecord(value)) return [{ path: '(whole file)', message: 'must be a JSON object' }];
  if (value.current !== undefined && typeof value.current !== 'string') say('current', 'must be text');
  const { profiles, aliases } = value;
  if (profiles !== undefined && !isRecord(profiles)) say('profiles', 'must be an object');
  if (aliases !== undefined && !isRecord(aliases)) say('aliases', 'must be an object');
  if (isRecord(aliases)) {
    for (const [name, text] of Object.entries(aliases))
      if (typeof text !== 'string') say(`aliases.${name}`, 'must be text');
  }
  if (isRecord(profiles)) {
    for (const [name, profile] of Object.entries(profiles)) {
      if (isRecord(profile)) profileFaults(profile, `profiles.${name}`, say);
      else say(`profiles.${name}`, 'must be an object');
    }
  }
  return faults;
}

function profileFaults(
  profile: Record<string, unknown>,
  path: string,
  say: (path: string, message: string) => void,
): void {
  for (const { name, holds } of SETTINGS) {
    // A format that only another version knows leaves the file sound: it is told where it is used.
    const fault = profile[name] === undefined ? undefined : faultOf(profile[name], name === 'output' ? 'text' : holds);
    if (fault) say(`${path}.${name}`, fault);
  }
  for (const name of ['test_key', 'live_key']) {
    const value = profile[name];
    if (value !== undefined && !isKeyReference(value)) say(`${path}.${name}`, 'is not a key reference');
  }
}

function faultOf(value: unknown, holds: Setting['holds']): string | undefined {
  switch (holds) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text';
    case 'number':
      return typeof value === 'number' && value > 0 ? undefined : 'must be a number above 0';
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    default:
      return holds.some((one) => one === value) ? undefined : `must be one of ${holds.join(', ')}`;
  }
}

function isKeyReference(value: unknown): value is KeyReference {
  if (!isRecord(value)) return false;
  const field = { stored: 'key', env: 'name', command: 'command', keychain: 'account' }[String(value.kind)];
  return field !== undefined && typeof value[field] === 'string' && value[field] !== '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
