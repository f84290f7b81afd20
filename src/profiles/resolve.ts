import { usage } from '../errors/errors.js';
import { SANDBOX_BASE_URL, SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../sandbox/keys.js';
import { checkDestination } from './bound.js';
import { chooseName } from './choose.js';
import { noKey } from './faults.js';
import { checkKey, describeReference, fingerprint, readKey } from './keys.js';
import { SANDBOX, unknownProfile } from './names.js';
import type { Configuration } from './shape.js';
import type { Store } from './store.js';
import type { KeyReading, KeyReference, Mode, ModeProof, Profile, Sourced, StoredProfile } from './types.js';
import { checkBaseUrl, checkMode, checkOutput, checkRate, checkWalletWord, checkZone } from './values.js';

/** The global options that have a say in the profile; already parsed, not yet checked. */
export interface ProfileOptions {
  readonly profile?: string;
  readonly mode?: Mode;
  readonly baseUrl?: string;
  readonly output?: string;
  readonly tz?: string;
  readonly rate?: number;
  /** `--send-key-to`: a host, other than its own, that a filed key may go to. */
  readonly sendKeyTo?: string;
}

export interface ResolveInput extends Omit<KeyReading, 'env'> {
  readonly store: Pick<Store, 'read' | 'exposed' | 'path'>;
  readonly options: ProfileOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** IANA name of this machine's zone: the default of `tz`. */
  readonly zone: string;
  /** What items have shown of the key's mode, against the mode that it is said to have. */
  readonly proof: (profile: Omit<Profile, 'proof'>) => ModeProof | Promise<ModeProof>;
  /** Told what the operator should know (a key from the environment in a profile's place, an exposed file). */
  readonly note?: (text: string) => void;
}

/**
 * The profile of this run, each value with its source: flags, then `COPS_*`, then the profile, then defaults
 * (command line, section 3). Without any profile, `COPS_API_KEY` with a base URL is enough; its name is `env`.
 * @throws CopsError `usage` for a bad value, naming its source; `not_authorised` (exit code 3) without a key;
 * `local` for a damaged configuration file
 */
export async function resolveProfile(input: ResolveInput): Promise<Profile> {
  const said = everythingSaid(input);
  const chosen = chooseProfile(input);
  const { stored } = chosen;
  const from = `profile ${chosen.name.value}`;
  const baseUrl = resolveBaseUrl(said, stored, from, chosen.builtIn);
  const envKey = said.env('COPS_API_KEY');
  const defaults = defaultsOf(input, said, stored, from);
  const rate = said.pick(input.options.rate, '--rate', 'COPS_RATE', checkRate) ??
    storedValue(stored.rate, from, checkRate) ?? { value: undefined, source: 'default' };
  // Before the key is read: a key command that is run already has done what it does.
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
      ? await profileKey(defaults.mode.value, stored, chosen, input)
      : { value: checkKey(envKey, 'COPS_API_KEY'), source: 'COPS_API_KEY' };
  if (envKey !== undefined && chosen.explicit)
    input.note?.(`The key of COPS_API_KEY is used, not one of profile ${chosen.name.value}.`);
  if (Object.values(stored).some(isStoredKey) && input.store.exposed())
    input.note?.(`Others on this machine can read the keys in ${input.store.path}; make it private: chmod 600.`);

  const known = {
    name: chosen.name,
    ...defaults,
    baseUrl,
    modeAssumed: defaults.mode.source === ASSUMED,
    key,
    fingerprint: fingerprint(key.value),
    readOnly: setting<boolean>(stored.read_only, from, false),
    walletWord: setting<string>(
      stored.wallet_word === undefined ? undefined : checkWalletWord(stored.wallet_word, from),
      from,
      'wallet',
    ),
    idempotencyKey: setting<'auto' | 'always' | 'never'>(stored.idempotency_key, from, 'auto'),
    rate,
    embedded: chosen.builtIn && baseUrl.source === 'built in',
  };
  return Object.freeze({ ...known, proof: await input.proof(known) });
}

/** What can be known of the profile without its key, so without running a key command. */
export interface Defaults {
  readonly name: Sourced<string>;
  readonly mode: Sourced<Mode>;
  readonly output: Sourced<string | undefined>;
  readonly tz: Sourced<string>;
  /** The pager that the profile names. */
  readonly pager: string | undefined;
}

export type DefaultsInput = Pick<ResolveInput, 'store' | 'options' | 'env' | 'zone'>;

/** The profile in use and its defaults, by the same precedence, without a look at its key or base URL. */
export function resolveDefaults(input: DefaultsInput): Defaults {
  const said = everythingSaid(input);
  const { name, stored } = chooseProfile(input);
  return { name, ...defaultsOf(input, said, stored, `profile ${name.value}`), pager: stored.pager };
}

function defaultsOf(
  input: DefaultsInput,
  said: Said,
  stored: StoredProfile,
  from: string,
): Omit<Defaults, 'name' | 'pager'> {
  const assumed = said.env('COPS_API_KEY') !== undefined;
  return {
    mode: said.pick(input.options.mode, '--mode', 'COPS_MODE', checkMode) ??
      (assumed ? { value: 'live', source: ASSUMED } : storedValue(stored.mode, from, checkMode)) ?? {
        value: 'test',
        source: 'default',
      },
    tz:
      said.pick(input.options.tz, '--tz', 'COPS_TZ', checkZone) ??
      storedValue(stored.tz, from, checkZone) ??
      thisMachine(input),
    output: said.pick(input.options.output, '--output', 'COPS_OUTPUT', checkOutput) ??
      storedValue(stored.output, from, checkOutput) ?? { value: undefined, source: 'default' },
  };
}

const ASSUMED = 'assumed, COPS_API_KEY came without a mode';

interface Said {
  /** A variable that is set and not empty. */
  env(name: string): string | undefined;
  /** The flag, else the variable, checked. */
  pick<T>(
    flag: string | number | undefined,
    flagName: string,
    variable: string,
    check: (text: string, source: string) => T,
  ): Sourced<T> | undefined;
  readonly options: ProfileOptions;
}

function everythingSaid({ options, env: variables }: DefaultsInput): Said {
  const env = (name: string): string | undefined => {
    const value = variables[name]?.trim();
    return value === '' ? undefined : value;
  };
  return {
    env,
    options,
    pick(flag, flagName, variable, check) {
      if (flag !== undefined) {
        // The mode has two flags and no `--mode`.
        const name = flagName === '--mode' ? `--${flag}` : flagName;
        return { value: check(String(flag), name), source: `flag ${name}` };
      }
      const value = env(variable);
      return value === undefined ? undefined : { value: check(value, variable), source: variable };
    },
  };
}

interface Chosen {
  readonly name: Sourced<string>;
  readonly stored: StoredProfile;
  readonly builtIn: boolean;
  /** Named by a flag or variable of this run. */
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
      'Choose with -p <name> for one command or `cops profiles use <name>` for all.',
    );
  throw noKey(
    'There is no key: no profile and no COPS_API_KEY.',
    '`cops login` sets up a profile; `-p sandbox` works without one, on a service inside this program.',
  );
}

function found(configuration: Configuration, name: Sourced<string>): Omit<Chosen, 'explicit'> {
  const { profiles } = configuration;
  const stored = Object.hasOwn(profiles, name.value) ? profiles[name.value] : undefined;
  if (name.value === SANDBOX) return { name, stored: withoutKeys(stored ?? {}), builtIn: true };
  if (stored === undefined) throw unknownProfile(name.value, [...profileNames(configuration), SANDBOX], name.source);
  return { name, stored, builtIn: false };
}

/** The sandbox's keys and address are its own, whatever a file says; its settings may be stored. */
function withoutKeys(stored: StoredProfile): StoredProfile {
  const { base_url: _url, test_key: _test, live_key: _live, ...settings } = stored;
  return settings;
}

/** The names of the stored profiles, in order; the built-in one is not among them. */
export function profileNames(configuration: Configuration): string[] {
  return Object.keys(configuration.profiles)
    .filter((name) => name !== SANDBOX)
    .sort();
}

function resolveBaseUrl(said: Said, stored: StoredProfile, from: string, builtIn: boolean): Sourced<string> {
  const url =
    said.pick(said.options.baseUrl, '--base-url', 'COPS_BASE_URL', checkBaseUrl) ??
    storedValue(stored.base_url, from, checkBaseUrl);
  if (url !== undefined) return url;
  if (builtIn) return { value: SANDBOX_BASE_URL, source: 'built in' };
  throw usage(
    'There is no base URL.',
    'Give it with --base-url or COPS_BASE_URL, or store it: `cops profiles edit <name> --base-url <url>`.',
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
      `Add it: \`cops profiles edit ${name} --${mode}-key <env:NAME | @file | - | cmd:...>\`, or \`cops login -p ${name}\`.`,
    );
  }
  const key = await readKey(reference, `the ${mode} key of profile ${name}`, reading);
  const where = reference.kind === 'stored' ? '' : `, ${describeReference(reference)}`;
  return { value: key, source: `profile ${name}${where}` };
}

function storedValue<T>(
  value: string | number | undefined,
  source: string,
  check: (text: string, source: string) => T,
): Sourced<T> | undefined {
  return value === undefined ? undefined : { value: check(String(value), source), source };
}

function setting<T>(value: T | undefined, source: string, otherwise: T): Sourced<T> {
  return value === undefined ? { value: otherwise, source: 'default' } : { value, source };
}

function isStoredKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as KeyReference).kind === 'stored';
}

/** The zone of this machine, asked for only when it is used: the answer takes some milliseconds. */
function thisMachine(input: { readonly zone: string }): Sourced<string> {
  return {
    get value() {
      return input.zone;
    },
    source: 'this machine',
  };
}
