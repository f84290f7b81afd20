import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PolicyFile } from '../../../account/policy/file.js';
import { leftOut, leftOutText } from '../../../account/policy/verbs.js';
import { describeReference, maskKey, readKey } from '../../../account/profiles/keys.js';
import { SANDBOX } from '../../../account/profiles/profile-names.js';
import { profileNames } from '../../../account/profiles/resolve.js';
import { VARIABLES } from '../../../account/profiles/settings.js';
import { type Configuration, isPrivate } from '../../../account/profiles/store.js';
import { certificates, checkPair, checkTlsFiles, tlsSettings } from '../../../account/profiles/tls-files.js';
import type { KeyReference, Mode, StoredProfile } from '../../../account/profiles/types.js';
import { CopsError } from '../../../base/errors/errors.js';
import { cops, say, type Text } from '../../../base/text/command-line.js';
import { Item } from '../../../items/json/item-json.js';
import { baseUrlWarning, checkBaseUrl } from '../../../service/http/base-url.js';
import type { RangeEnds } from '../../../service/lists/windows.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { KEY_FIELDS, keyReading, storeOf } from '../../../session/context/key-input.js';
import type { KeyCandidate, Probe } from '../../../session/context/probe-key.js';

interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly hint: Text | null;
}

/** Oldest supported Node: major and minor. */
const OLDEST_NODE = [20, 18] as const;
/** A clock further off cuts windows wrongly and distorts the 24 hours of idempotency keys, milliseconds. */
const SKEW_WARN_MS = 30_000;
const SKEW_FAIL_MS = 300_000;

/**
 * `doctor`: works with a broken configuration, makes no calls without `--online`, and exits with 1 if a check fails.
 */
export async function run(context: Context, { options }: CommandInput<{ readonly online?: boolean }>): Promise<Done> {
  let failed = 0;
  async function* items() {
    for await (const row of checks(context, options.online === true)) {
      if (row.status === 'fail') failed += 1;
      yield Item.of(row);
    }
  }
  const columns = [
    { path: 'check' },
    { path: 'status', as: 'status' },
    { path: 'detail', as: 'prose' },
    { path: 'hint', as: 'prose' },
  ] as const;
  return {
    result: { shape: 'list', items: items(), columns, idField: 'check' },
    finish: () => {
      if (failed === 0) return undefined;
      return new CopsError('local', `${failed} ${failed === 1 ? 'check' : 'checks'} failed.`, { exitCode: 1 });
    },
  };
}

const ok = (check: string, detail: string): Check => ({ check, status: 'ok', detail, hint: null });
const warn = (check: string, detail: string, hint: Text): Check => ({ check, status: 'warn', detail, hint });
const fail = (check: string, detail: string, hint: Text): Check => ({ check, status: 'fail', detail, hint });

async function* checks(context: Context, online: boolean): AsyncGenerator<Check> {
  yield nodeCheck(context.world.nodeVersion);
  let configuration: Configuration | undefined;
  try {
    configuration = storeOf(context).read();
  } catch (error) {
    yield broken('configuration', error);
  }
  if (configuration !== undefined) yield fileCheck(context, configuration);
  const { dryRun } = context.options;
  yield folderCheck('configuration folder', context.configDir, 'COPS_CONFIG_DIR', dryRun);
  yield folderCheck('data folder', context.dataDir, 'COPS_DATA_DIR', dryRun);
  yield* variableChecks(context);
  const bundle = context.world.env.NODE_EXTRA_CA_CERTS;
  // Node itself goes on without a file that it cannot use.
  if (bundle)
    yield* tlsCheck('certificates', async () => (await certificates(bundle, 'NODE_EXTRA_CA_CERTS')) && bundle);
  yield* policyChecks(context);
  yield databaseCheck();
  if (configuration === undefined) return;
  yield* keychainCheck(configuration);
  if (online && context.world.env.COPS_API_KEY?.trim()) yield* environmentKeyChecks(context, configuration);
  const names = profileNames(configuration);
  if (configuration.current !== undefined && ![...names, SANDBOX].includes(configuration.current))
    yield fail('current profile', `${configuration.current} does not exist`, say`\`${cops`profiles use <name>`}\``);
  const isSandbox = context.options.profile === SANDBOX || configuration.current === SANDBOX;
  if (names.length === 0 && isSandbox)
    yield ok('profiles', 'the built-in sandbox is in use; no profile for a service is stored');
  else if (names.length === 0)
    yield warn('profiles', 'none is stored', say`\`${cops`login`}\` stores one; \`-p sandbox\` works without.`);
  const { profile: asked } = context.options;
  if (asked !== undefined && ![...names, SANDBOX].includes(asked))
    yield fail(`profile ${asked}`, 'does not exist', say`\`${cops`profiles list`}\` shows those that do.`);
  for (const name of asked === undefined ? names : names.filter((one) => one === asked)) {
    const stored = configuration.profiles[name] ?? {};
    yield profileCheck(context, name, stored);
    yield* tlsCheck(`profile ${name}, certificates`, () => {
      checkPair(tlsSettings(stored), name);
      return checkTlsFiles(tlsSettings(stored), name);
    });
    if (online) yield* onlineChecks(context, name, stored);
  }
  if (online) yield* databaseChecks(context);
}

/** Rules that do not cover all they seem to; nothing without rules. */
async function* policyChecks({ configDir }: Context): AsyncGenerator<Check> {
  try {
    const policy = await new PolicyFile(configDir).current();
    for (const one of leftOut(policy?.rules ?? [])) yield warn('policy', `rule "${one.rule.name}"`, leftOutText(one));
  } catch (error) {
    yield broken('policy', error);
  }
}

/** The databases that the profile in use shares with a team; nothing without one. */
async function* databaseChecks(context: Context): AsyncGenerator<Check> {
  const tried = async (check: string, work: () => Promise<string | undefined>): Promise<Check[]> => {
    try {
      const detail = await work();
      return detail === undefined ? [] : [ok(check, detail)];
    } catch (error) {
      if (context.world.interrupted.aborted) throw error;
      return [broken(check, error)];
    }
  };
  yield* await tried('ledger', async () => {
    const team = await context.team?.();
    if (!team) return undefined;
    const { user, version } = await team.facts();
    return `${team.place.address} answers: version ${version}, as ${user}`;
  });
  yield* await tried('mirror of the team', async () =>
    (await import('../../../data/mirror/own-mirror.js')).teamStanding(context),
  );
}

/** Names what does not work without the database package: it is optional, and npm skips such packages silently. */
async function databaseCheck(): Promise<Check> {
  const { findEngine } = await import('../../../base/database/engines.js');
  try {
    return ok('SQLite', (await findEngine()).name);
  } catch (error) {
    const detail = 'is not available: the sandbox, sync, sql, reports from a mirror and exports to .sqlite do not work';
    return fail('SQLite', detail, error instanceof CopsError ? (error.facts.hint ?? '') : messageOf(error));
  }
}

/** Yields nothing if no key is in a keychain: it opens the keychain only for users who stored a key there. */
async function* keychainCheck({ profiles }: Configuration): AsyncGenerator<Check> {
  const users = Object.entries(profiles).filter(([, each]) =>
    KEY_FIELDS.some((field) => each?.[field]?.kind === 'keychain'),
  );
  if (users.length === 0) return;
  const names = users.map(([name]) => name).join(', ');
  const fault = await (await import('../../../account/profiles/keychain.js')).keychainFault();
  if (fault === undefined) yield ok('keychain', `can be opened; holds the keys of ${names}`);
  else
    yield fail(
      'keychain',
      `holds the keys of ${names}, but cannot be opened: ${fault.message}`,
      fault.facts.hint ?? '',
    );
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return ok('node', version);
  return fail('node', `${version} is too old`, `cops needs node ${oldMajor}.${oldMinor} or newer.`);
}

function fileCheck(context: Context, configuration: Configuration): Check {
  const store = storeOf(context);
  const name = 'configuration';
  if (statSync(store.path, { throwIfNoEntry: false }) === undefined)
    return ok(name, `${store.path} does not exist yet; the first profile creates it`);
  if (store.exposed()) {
    const keys = Object.values(configuration.profiles).flatMap((each) => [each.test_key, each.live_key]);
    const detail = `others on this machine can read ${store.path}`;
    const hint = `chmod 600 ${store.path}`;
    return keys.some((key) => key?.kind === 'stored') ? fail(name, detail, hint) : warn(name, detail, hint);
  }
  if (!isPrivate(context.configDir)) {
    const detail = `${store.path} is outside your own folder: on Windows, cops does not check who else can read it`;
    return warn(name, detail, `icacls "${store.path}" shows it; COPS_CONFIG_DIR names another folder.`);
  }
  return ok(name, store.path);
}

/** Whether a folder is writable or, if it does not exist, can be created. Leaves nothing behind. */
function folderCheck(name: string, folder: string, variable: string, isDry: boolean): Check {
  try {
    const facts = statSync(folder, { throwIfNoEntry: false });
    if (facts?.isDirectory() === false) return fail(name, `${folder} is not a folder`, 'Move that file away.');
    const place = facts ? folder : nearestFolder(folder);
    if (isDry) accessSync(place, constants.W_OK);
    else tryFolder(place);
    return ok(name, facts ? folder : `${folder} is created when needed`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const detail = `${folder} is not writable (${code ?? String(error)})`;
    return fail(name, detail, `Fix its permissions, free some space, or name another folder with ${variable}.`);
  }
}

function tryFolder(place: string): void {
  const trial = join(place, `.doctor-${Math.random().toString(36).slice(2)}`);
  mkdirSync(trial);
  try {
    writeFileSync(join(trial, 'x'), 'x'.repeat(4096));
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

function nearestFolder(folder: string): string {
  const above = dirname(folder);
  if (above === folder || statSync(above, { throwIfNoEntry: false }) !== undefined) return above;
  return nearestFolder(above);
}

const PROXIES = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'NODE_EXTRA_CA_CERTS',
];

function* variableChecks(context: Context): Generator<Check> {
  const { env } = context.world;
  const set = VARIABLES.filter((name) => env[name]?.trim());
  const shown = set.map((name) =>
    name === 'COPS_API_KEY' ? `${name}=${maskKey(env[name] ?? '')}` : `${name}=${env[name]}`,
  );
  if (set.length === 0) yield ok('environment', 'no COPS_ variable overrides the profile');
  else {
    const isGuarded = set.includes('COPS_API_KEY') && !set.includes('COPS_MODE');
    const says = isGuarded
      ? 'COPS_API_KEY without COPS_MODE is treated as live: set COPS_MODE too.'
      : 'These override the profile.';
    yield warn('environment', shown.join(', '), says);
  }
  if (!env.HOME && !env.USERPROFILE && !(env.COPS_CONFIG_DIR && env.COPS_DATA_DIR)) {
    const places = `${context.configDir} and ${context.dataDir}`;
    yield warn('home', `HOME is not set: ${places} are used`, 'Set HOME, or COPS_CONFIG_DIR and COPS_DATA_DIR.');
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    yield fail(
      'TLS',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off',
      'Unset it; use NODE_EXTRA_CA_CERTS.',
    );
  const proxies = PROXIES.filter((name) => env[name]);
  // Proxy URLs may contain a password.
  const detail = proxies.map((name) => `${name}=${env[name]?.replace(/\/\/[^/@\s]*@/, '//****@')}`).join(', ');
  yield ok('proxy', proxies.length === 0 ? 'none set' : detail);
}

/** The certificate files in use, or what is wrong with one of them; nothing if none is named. */
async function* tlsCheck(check: string, files: () => Promise<string>): AsyncGenerator<Check> {
  try {
    const named = await files();
    if (named !== '') yield ok(check, named);
  } catch (error) {
    yield broken(check, error);
  }
}

function profileCheck(context: Context, name: string, stored: StoredProfile): Check {
  const check = `profile ${name}`;
  const keys = KEY_FIELDS.filter((field) => stored[field] !== undefined);
  if (stored.base_url === undefined)
    return fail(check, 'has no base URL', cops`profiles edit ${name} --base-url <url>`);
  try {
    const odd = baseUrlWarning(new URL(checkBaseUrl(stored.base_url, check)));
    if (odd !== undefined) return warn(check, odd, cops`profiles edit ${name} --base-url <url>`);
  } catch (error) {
    return fail(check, messageOf(error), cops`profiles edit ${name} --base-url <url>`);
  }
  if (keys.length === 0) return fail(check, 'has no key', cops`login ${name}`);
  const mode = stored.mode ?? 'test';
  if (stored[`${mode}_key`] === undefined) {
    const detail = `is in ${mode} mode and has no ${mode} key`;
    return warn(check, detail, say`${cops`login ${name}`}, or ${cops`mode <mode> -p ${name}`}`);
  }
  for (const field of keys) {
    const reference = stored[field];
    if (reference?.kind !== 'env' || context.world.env[reference.name]) continue;
    const detail = `${reference.name}, where its ${field.replace('_', ' ')} comes from, is not set`;
    return warn(check, detail, `Set ${reference.name}.`);
  }
  const described = keys.map(
    (field) => `${field.replace('_', ' ')} ${describeReference(stored[field] as KeyReference)}`,
  );
  return ok(check, `${stored.base_url}, mode ${mode}, ${described.join(', ')}`);
}

/**
 * The environment's key takes precedence over every stored one: it is tried against the address that would receive it.
 */
async function* environmentKeyChecks(context: Context, { profiles }: Configuration): AsyncGenerator<Check> {
  const check = 'key of COPS_API_KEY';
  try {
    const { name, baseUrl, key, mode, rangeEnds } = await context.profile();
    const candidate = { profile: name.value, baseUrl: baseUrl.value, key: key.value, mode: mode.value };
    const probe = await probed(context, candidate);
    yield judge(check, mode.value, baseUrl.value, probe, {
      replace: 'Correct COPS_API_KEY.',
      relabel: (shown) => `Set COPS_MODE=${shown}.`,
    });
    const isStored = Object.hasOwn(profiles, name.value);
    if (probe.rangeEnds) yield endsCheck(isStored ? name.value : undefined, probe.rangeEnds, rangeEnds.value);
  } catch (error) {
    if (context.world.interrupted.aborted) throw error;
    yield broken(check, error);
  }
}

async function* onlineChecks(context: Context, name: string, stored: StoredProfile): AsyncGenerator<Check> {
  if (stored.base_url === undefined) return;
  let baseUrl: string;
  try {
    baseUrl = checkBaseUrl(stored.base_url, name);
  } catch {
    return;
  }
  let skewTold = false;
  let endsTold = false;
  for (const mode of ['test', 'live'] as const) {
    const reference = stored[`${mode}_key`];
    if (reference === undefined) continue;
    const check = `profile ${name}, ${mode} key`;
    let probe: Probe;
    try {
      const key = await readKey(reference, `the ${mode} key of profile ${name}`, keyReading(context));
      probe = await probed(context, { profile: name, baseUrl, key, mode });
    } catch (error) {
      if (context.world.interrupted.aborted) throw error;
      yield broken(check, error);
      continue;
    }
    yield judge(check, mode, baseUrl, probe, {
      replace: cops`login ${name} --replace`,
      relabel: (shown) => say`Store it in the right mode: ${cops`profiles edit ${name} --${shown}-key <ref>`}`,
    });
    if (probe.rangeEnds && !endsTold) yield endsCheck(name, probe.rangeEnds, stored.range_ends ?? 'in');
    endsTold ||= probe.rangeEnds !== undefined;
    if (probe.skewMs === undefined || skewTold) continue;
    skewTold = true;
    yield clockCheck(name, probe.skewMs);
  }
}

/** Makes one call with a key; loads the code for it on use. */
async function probed(context: Context, candidate: KeyCandidate): Promise<Probe> {
  const { probeCandidate } = await import('../../../session/context/probe-key.js');
  return probeCandidate(context, candidate, true);
}

/** What to do about a refused key, or one of the other mode. */
interface Mending {
  readonly replace: Text;
  readonly relabel: (shown: Mode) => Text;
}

function judge(check: string, mode: Mode, baseUrl: string, probe: Probe, mending: Mending): Check {
  if (!probe.reached) {
    const certificate = /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL/.test(probe.reason ?? '');
    return fail(
      check,
      `${baseUrl} cannot be reached: ${probe.message ?? probe.reason ?? 'no answer'}`,
      certificate
        ? "NODE_EXTRA_CA_CERTS names the file with your organisation's certificates."
        : 'Check the address, the network and the proxy variables.',
    );
  }
  if (probe.accepted === false) return fail(check, probe.message ?? 'refused', mending.replace);
  if (probe.accepted === undefined) return warn(check, probe.message ?? 'no clear answer', 'Try again later.');
  if (probe.liveMode === undefined)
    return ok(
      check,
      `reached, accepted; no item has shown its mode${probe.message === undefined ? '' : `; ${probe.message}`}`,
    );
  const shown = probe.liveMode ? 'live' : 'test';
  if (shown !== mode) return fail(check, `counts as a ${mode} key and shows ${shown} items`, mending.relabel(shown));
  return ok(check, `reached, accepted, mode ${mode} as labelled`);
}

const ENDS: Readonly<Record<RangeEnds, string>> = {
  in: 'includes both ends of a date range',
  out: 'excludes both ends of a date range',
  start: 'includes the start of a date range and excludes its end',
  end: 'includes the end of a date range and excludes its start',
};

/** Nothing else shows a wrong setting: it silently loses or adds items in the first and last second of a range. */
function endsCheck(name: string | undefined, shown: RangeEnds, set: RangeEnds): Check {
  const check = name === undefined ? 'range ends' : `profile ${name}, range ends`;
  const detail = `the service ${ENDS[shown]}`;
  if (shown === set) return ok(check, detail);
  const edit = cops`profiles edit ${name ?? '<name>'} --range-ends ${shown}`;
  const hint = name === undefined ? say`Only a stored profile holds that: ${cops`login`}, then ${edit}` : edit;
  return fail(check, `${detail}, and range_ends is ${set}`, hint);
}

function clockCheck(name: string, skewMs: number): Check {
  const check = `profile ${name}, clock`;
  const seconds = Math.abs(skewMs) / 1000;
  const detail = `this machine is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the service`;
  const hint = "Set this machine's clock: time windows and the 24 hours of idempotency keys depend on it.";
  if (Math.abs(skewMs) >= SKEW_FAIL_MS) return fail(check, detail, hint);
  if (Math.abs(skewMs) >= SKEW_WARN_MS) return warn(check, detail, hint);
  return ok(check, seconds < 2 ? 'agrees with the service' : detail);
}

function broken(check: string, error: unknown): Check {
  const hint = error instanceof CopsError ? error.facts.hint : undefined;
  return fail(check, messageOf(error), hint ?? 'See the detail.');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
