import { dirname } from 'node:path';
import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { SANDBOX_BASE_URL, SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../sandbox/serve/embedded-keys.js';
import { isLoopback } from '../../service/http/base-url.js';
import { checkDestination } from './bound.js';
import { noKey, noProfile } from './faults.js';
import { chooseName } from './glance.js';
import { checkKey, describeReference, fingerprint, readKey } from './keys.js';
import { SANDBOX, unknownProfile } from './profile-names.js';
import { checkSetting } from './setting-checks.js';
import { camelCase, SETTINGS, type SettingName, type ValueOf } from './settings.js';
import type { Configuration, Store } from './store.js';
import type {
  KeyReading,
  KeyReference,
  Mode,
  ModeProof,
  Profile,
  ResolvedSettings,
  Sourced,
  StoredProfile,
} from './types.js';

/** The global options that affect the profile; parsed but not checked. */
export interface ProfileOptions {
  readonly profile?: string;
  readonly mode?: Mode;
  readonly baseUrl?: string;
  readonly output?: string;
  readonly tz?: string;
  readonly rate?: number;
  /** `--send-key-to`: another host to which a stored key may go. */
  readonly sendKeyTo?: string;
}

export interface ResolveInput extends Omit<KeyReading, 'env'> {
  readonly store: Pick<Store, 'read' | 'exposed' | 'path'>;
  readonly options: ProfileOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** IANA name of this machine's zone: the default of `tz`. */
  readonly zone: string;
  /** The mode that items have shown for the key, compared with its declared mode. */
  readonly proof: (profile: Omit<Profile, 'proof'>) => ModeProof | Promise<ModeProof>;
  /** Receives what the operator should know (a key from the environment instead of a profile, an exposed file). */
  readonly note?: (text: string) => void;
}

/**
 * The profile of this run, each value with its source: flags, then `COPS_*`, then the profile, then defaults
 * (command-line.md#keys-and-modes). Without any profile, `COPS_API_KEY` with a base URL is enough; its name is `env`.
 * @throws CopsError `usage` for a bad value, naming its source; `not_authorised` (exit code 3) without a key;
 * `local` for a damaged configuration file
 */
export async function resolveProfile(given: ResolveInput): Promise<Profile> {
  const chosen = chooseProfile(given);
  const input = seenBy(chosen, given);
  const { stored } = chosen;
  const baseUrl = resolveBaseUrl(input, chosen);
  const envKey = variable(input, 'COPS_API_KEY');
  const settings = settingsOf(input, chosen);
  // Before the key is read, because a key command has an effect once it runs.
  if (envKey === undefined && !chosen.builtIn)
    checkDestination({
      profile: chosen.name.value,
      filedFor: stored.base_url,
      baseUrl: baseUrl.value,
      source: baseUrl.source,
      sendKeyTo: input.options.sendKeyTo,
    });
  const key =
    envKey === undefined
      ? await profileKey(settings.mode.value, stored, chosen, keyReading(input))
      : { value: checkKey(envKey, 'COPS_API_KEY'), source: 'COPS_API_KEY' };
  const unused = OF_ACCOUNTS.filter((name) => variable(given, name) !== variable(input, name));
  if (unused.length > 0)
    input.note?.(
      `${unused.join(' and ')} ${unused.length > 1 ? 'are' : 'is'} not used: the sandbox has its own key and address.`,
    );
  if (envKey !== undefined && chosen.explicit)
    input.note?.(`Using the key in COPS_API_KEY, not one of profile ${chosen.name.value}.`);
  if (Object.values(stored).some(isStoredKey) && input.store.exposed())
    input.note?.(`Others on this machine can read the keys in ${input.store.path}; make the file private: chmod 600.`);

  const embedded = chosen.builtIn && baseUrl.source === 'built in';
  const known = {
    name: chosen.name,
    account: { profile: chosen.name.value, mode: settings.mode.value, embedded },
    ...settings,
    baseUrl,
    modeAssumed: settings.mode.source === ASSUMED,
    key,
    fingerprint: fingerprint(key.value),
    embedded,
  };
  return Object.freeze({ ...known, proof: await input.proof(known) });
}

/** What is known about the profile without its key, so without running a key command. */
export interface Defaults extends Pick<Profile, 'name' | 'mode' | 'output' | 'tz'> {
  /** The pager that the profile names. */
  readonly pager: string | undefined;
  /** The address at which the profile looks for the newest version. */
  readonly updateUrl: string | undefined;
  /** The columns that the profile names for the lists of families. */
  readonly columns: Readonly<Record<string, string>> | undefined;
}

export type DefaultsInput = Pick<ResolveInput, 'store' | 'options' | 'env' | 'zone'>;

/** The profile in use and its defaults, by the same precedence, without looking at its key or base URL. */
export function resolveDefaults(given: DefaultsInput): Defaults {
  const chosen = chooseProfile(given);
  const input = seenBy(chosen, given);
  const [mode, tz, output] = [modeOf(input, chosen), zoneOf(input, chosen), heldValue('output', input, chosen)];
  const { pager, update_url: updateUrl, columns } = chosen.stored;
  return { name: chosen.name, mode, tz, output: output ?? UNSAID, pager, updateUrl, columns };
}

/** The ledger of the team that a line writes to; undefined if there is none. @throws CopsError as `ledgerInUse` */
export async function resolveLedger(input: DefaultsInput): Promise<Sourced<string> | undefined> {
  const own = ledgerOf(input);
  const { COPS_LEDGER: said } = input.env;
  if (said === undefined && own.ledger === undefined) return undefined;
  return (await import('./chosen-ledger.js')).ledgerInUse(said, own);
}

/** The profile's own ledger; none if no profile can be chosen, which a command that needs one reports. */
function ledgerOf(input: DefaultsInput): { readonly name: string; readonly ledger: string | undefined } {
  try {
    const { name, stored } = chooseProfile(input);
    return { name: name.value, ledger: stored.ledger };
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind === 'local') throw error;
    return { name: '', ledger: undefined };
  }
}

const ASSUMED = 'assumed, because COPS_API_KEY came without a mode';
const UNSAID = { value: undefined, source: 'default' } as const;

/** All settings except the address, without which a line stops. */
function settingsOf(input: DefaultsInput, chosen: Chosen): Omit<ResolvedSettings, 'baseUrl'> {
  const settings: Record<string, Sourced<unknown>> = { mode: modeOf(input, chosen), tz: zoneOf(input, chosen) };
  for (const setting of SETTINGS) {
    const name = camelCase(setting.name);
    if (setting.storedOnly || name === 'baseUrl' || name in settings) continue;
    settings[name] = heldValue(setting.name, input, chosen) ?? { value: setting.default, source: 'default' };
  }
  return settings as unknown as ResolvedSettings;
}

function modeOf(input: DefaultsInput, chosen: Chosen): Sourced<Mode> {
  const assumed = variable(input, 'COPS_API_KEY') !== undefined;
  return (
    saidValue('mode', input) ??
    (assumed ? { value: 'live', source: ASSUMED } : storedValue('mode', chosen)) ?? { value: 'test', source: 'default' }
  );
}

const zoneOf = (input: DefaultsInput, chosen: Chosen): Sourced<string> =>
  heldValue('tz', input, chosen) ?? thisMachine(input);

/** The value from the line, a variable or the profile, in this order. */
const heldValue = <Name extends SettingName>(
  name: Name,
  input: DefaultsInput,
  chosen: Chosen,
): Sourced<ValueOf<Name>> | undefined => saidValue(name, input) ?? storedValue(name, chosen);

/** The flag, otherwise the variable, checked. */
function saidValue<Name extends SettingName>(name: Name, input: DefaultsInput): Sourced<ValueOf<Name>> | undefined {
  const flag = (input.options as Readonly<Record<string, string | number | undefined>>)[camelCase(name)];
  if (flag !== undefined) {
    // The mode has two flags and no `--mode`.
    const source = name === 'mode' ? `--${flag}` : `--${name.replaceAll('_', '-')}`;
    return { value: checkSetting(name, String(flag), source), source: `flag ${source}` };
  }
  const traits = SETTINGS.find((setting) => setting.name === name);
  const value = traits?.variable && variable(input, traits.variable);
  return traits?.variable && value
    ? { value: checkSetting(name, value, traits.variable), source: traits.variable }
    : undefined;
}

function storedValue<Name extends SettingName>(name: Name, chosen: Chosen): Sourced<ValueOf<Name>> | undefined {
  const value = (chosen.stored as Readonly<Record<string, unknown>>)[name];
  const source = `profile ${chosen.name.value}`;
  return value === undefined ? undefined : { value: checkSetting(name, String(value), source), source };
}

/** The variables that name an account. */
const OF_ACCOUNTS = ['COPS_API_KEY', 'COPS_BASE_URL'] as const;

/**
 * The input as the profile sees it. The environment never leads the sandbox to another account, only to a sandbox served
 * on this machine, with the sandbox's own key.
 */
function seenBy<Input extends DefaultsInput>({ builtIn }: Chosen, input: Input): Input {
  if (!builtIn) return input;
  const { COPS_API_KEY: _key, COPS_BASE_URL: url = '', ...env } = input.env;
  const isServed = URL.canParse(url) && isLoopback(new URL(url).hostname);
  return { ...input, env: isServed ? { ...env, COPS_BASE_URL: url } : env };
}

/** A variable that is set and not empty. */
function variable(input: DefaultsInput, name: string): string | undefined {
  const value = input.env[name]?.trim();
  return value === '' ? undefined : value;
}

interface Chosen {
  readonly name: Sourced<string>;
  readonly stored: StoredProfile;
  readonly builtIn: boolean;
  /** Given by a flag or variable of this run. */
  readonly explicit: boolean;
}

function chooseProfile(input: DefaultsInput): Chosen {
  const configuration = input.store.read();
  const names = profileNames(configuration);
  const { current } = configuration;
  const name = chooseName({ flag: input.options.profile, env: input.env, current, names, path: input.store.path });
  if (name?.source === 'COPS_API_KEY') return { name, stored: {}, builtIn: false, explicit: false };
  if (name) {
    const explicit = name.source === 'flag --profile' || name.source === 'COPS_PROFILE';
    return { ...found(configuration, name), explicit };
  }
  if (names.length > 1)
    throw usage(
      `There are several profiles and none is chosen: ${names.join(', ')}.`,
      say`Choose with -p <name> for one command or \`${cops`profiles use <name>`}\` for all.`,
    );
  throw noProfile();
}

function found(configuration: Configuration, name: Sourced<string>): Omit<Chosen, 'explicit'> {
  const { profiles } = configuration;
  const stored = Object.hasOwn(profiles, name.value) ? profiles[name.value] : undefined;
  if (name.value === SANDBOX) return { name, stored: withoutKeys(stored ?? {}), builtIn: true };
  if (stored === undefined) throw unknownProfile(name.value, [...profileNames(configuration), SANDBOX], name.source);
  return { name, stored, builtIn: false };
}

/** The sandbox's keys and address are fixed, whatever a file says; its settings can be stored. */
function withoutKeys(stored: StoredProfile): StoredProfile {
  const { base_url: _url, test_key: _test, live_key: _live, ...settings } = stored;
  return settings;
}

/** The names of the stored profiles, in order; the built-in one is not among them. */
export const profileNames = (configuration: Configuration): string[] =>
  Object.keys(configuration.profiles)
    .filter((name) => name !== SANDBOX)
    .sort();

function resolveBaseUrl(input: DefaultsInput, chosen: Chosen): Sourced<string> {
  const url = heldValue('base_url', input, chosen);
  if (url !== undefined) return url;
  if (chosen.builtIn) return { value: SANDBOX_BASE_URL, source: 'built in' };
  throw usage(
    'There is no base URL.',
    say`Give it with --base-url or COPS_BASE_URL, or store it: \`${cops`profiles edit <name> --base-url <url>`}\`.`,
  );
}

async function profileKey(
  mode: Mode,
  stored: StoredProfile,
  chosen: Chosen,
  reading: KeyReading,
): Promise<Sourced<string>> {
  const { value: name } = chosen.name;
  if (chosen.builtIn) return { value: mode === 'live' ? SANDBOX_LIVE_KEY : SANDBOX_TEST_KEY, source: 'built in' };
  const reference = mode === 'live' ? stored.live_key : stored.test_key;
  if (reference === undefined) {
    const other = mode === 'live' ? 'test' : 'live';
    const instead = stored[`${other}_key`] === undefined ? '' : ` Its ${other} key is used with --${other}.`;
    throw noKey(
      `Profile ${name} has no ${mode} key.${instead}`,
      say`Add it: \`${cops`profiles edit ${name} --${mode}-key <env:NAME | @file | - | cmd:...>`}\`, or \`${cops`login -p ${name}`}\`.`,
    );
  }
  const key = await readKey(reference, `the ${mode} key of profile ${name}`, reading);
  const where = reference.kind === 'stored' ? '' : `, ${describeReference(reference)}`;
  return { value: key, source: `profile ${name}${where}` };
}

/** Its parts one by one: a copy of the whole would ask for the zone, which takes longer than all the rest. */
function keyReading(input: ResolveInput): KeyReading {
  const { env, signal, commandTimeoutMs, keychain } = input;
  return {
    ...{ env, signal, commandTimeoutMs, keychain },
    configDir: dirname(input.store.path),
    get hasTerminal() {
      return input.hasTerminal;
    },
  };
}

const isStoredKey = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as KeyReference).kind === 'stored';

/** This machine's zone, determined only when used, because that takes some milliseconds. */
const thisMachine = (input: { readonly zone: string }): Sourced<string> => ({
  get value() {
    return input.zone;
  },
  source: 'this machine',
});
