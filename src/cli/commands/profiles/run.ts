import { checkMove } from '../../../account/profiles/bound.js';
import { withMovedSecrets } from '../../../account/profiles/event-secrets.js';
import { checkProfileName, SANDBOX } from '../../../account/profiles/profile-names.js';
import { profileNames } from '../../../account/profiles/resolve.js';
import { checkSetting } from '../../../account/profiles/setting-checks.js';
import { camelCase, optionKey, SETTINGS, type SettingName } from '../../../account/profiles/settings.js';
import type { Configuration } from '../../../account/profiles/store.js';
import { checkTlsFiles, tlsSettings } from '../../../account/profiles/tls-files.js';
import type { StoredProfile } from '../../../account/profiles/types.js';
import { forgetSeen } from '../../../account/seen-ids/ids.js';
import { stopped, usage } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import { cops, say } from '../../../base/text/command-line.js';
import type { World } from '../../../base/world.js';
import type { Result } from '../../../screen/types.js';
import { baseUrlWarning } from '../../../service/http/base-url.js';
import type { Context } from '../../../session/context/context.js';
import {
  forgetUnused,
  type KeyOptions,
  keeping,
  nameInUse,
  readGivenKeys,
  shownProfile,
  storedProfile,
  storeOf,
  withProfile,
} from '../../../session/context/key-input.js';
import { bySubcommand, listOf, record, shownAs } from '../../../session/context/run.js';

interface ProfileOptions extends KeyOptions {
  readonly mode?: string;
  readonly defaultOutput?: string;
  readonly readOnly?: boolean;
  readonly walletWord?: string;
  readonly idempotencyKey?: string;
}

/** `profiles list`: the stored profiles and the built-in one; reads no key. */
async function listProfiles(context: Context): Promise<Result> {
  const configuration = storeOf(context).read();
  const rows = [...profileNames(configuration), SANDBOX].map((name) => shown(configuration, name));
  return listOf(rows, ['profile', 'current', 'base_url', 'mode', 'test_key', 'live_key', 'read_only']);
}

/** `profiles show [name]`: one profile as stored, with keys masked. */
async function showProfile(context: Context, given: string | undefined): Promise<Result> {
  const configuration = storeOf(context).read();
  return record(shown(configuration, given ?? (await nameInUse(context))));
}

/** `profiles add <name>`. @throws CopsError `usage` for an existing profile, or a literal key */
async function addProfile(context: Context, word: string, input: ProfileOptions): Promise<Result> {
  const name = checkProfileName(word);
  const taken = () =>
    usage(
      `Profile ${name} already exists.`,
      say`Change it with \`${cops`profiles edit ${name}`}\`, or remove it first.`,
    );
  const store = storeOf(context);
  if (Object.hasOwn(store.read().profiles, name)) throw taken();
  const settings = givenSettings(context, input);
  await checkTlsFiles(tlsSettings(settings), name);
  if (settings.base_url === undefined)
    throw usage('A profile needs the address of its service.', 'Add --base-url https://<host>/<path of version 2>.');
  const given = await readGivenKeys(context, input);
  let first = false;
  const after = await keeping(context, name, given, input, (keys) =>
    store.update((now) => {
      if (Object.hasOwn(now.profiles, name)) throw taken();
      first = now.current === undefined && profileNames(now).length === 0;
      return { ...withProfile(now, name, { ...settings, ...keys }), ...(first ? { current: name } : {}) };
    }),
  );
  if (given.test_key === undefined && given.live_key === undefined)
    context.notes.note(say`Profile ${name} has no key yet: \`${cops`login -p ${name}`}\` adds one.`);
  context.notes.note(
    first
      ? `Profile ${name} is the current one.`
      : say`Use it with -p ${name}, or for good: \`${cops`profiles use ${name}`}\`.`,
  );
  return record(shown(after, name));
}

/** `profiles edit <name>`: changes the settings and keys on the line; the others stay. */
async function editProfile(context: Context, name: string, input: ProfileOptions): Promise<Result> {
  const store = storeOf(context);
  storedProfile(store.read(), name);
  const settings = givenSettings(context, input);
  await checkTlsFiles(tlsSettings(settings), name);
  if (
    name === SANDBOX &&
    (settings.base_url !== undefined || input.testKey !== undefined || input.liveKey !== undefined)
  )
    throw usage('The sandbox has its own keys and runs inside this program.', 'Its other settings can be changed.');
  if (context.options.output !== undefined && input.defaultOutput === undefined)
    context.notes.note('--output formats this answer; --default-output changes the profile.');
  const given = await readGivenKeys(context, input);
  const filed = storedProfile(store.read(), name);
  checkMove(name, filed, { ...filed, ...settings, ...given }, 'the edit', context.options.sendKeyTo);
  if (Object.keys(settings).length + Object.keys(given).length === 0)
    throw usage('No changes were given.', say`\`${cops`profiles edit --help`}\` lists what can be changed.`);
  let before: StoredProfile = {};
  const after = await keeping(context, name, given, input, (keys) =>
    store.update((now) => {
      before = storedProfile(now, name);
      const edited = { ...before, ...settings, ...keys };
      checkMove(name, before, edited, 'the edit', context.options.sendKeyTo);
      return withProfile(now, name, edited);
    }),
  );
  await forgetUnused(context, before, storedProfile(after, name));
  return record(shown(after, name));
}

/** `profiles use <name>`: makes the profile the current one. */
async function useProfile(context: Context, name: string): Promise<Result> {
  const after = await storeOf(context).update((now) => {
    storedProfile(now, name);
    return { ...now, current: name };
  });
  const { env } = context.world;
  if (env.COPS_PROFILE && env.COPS_PROFILE !== name)
    context.notes.warn(`COPS_PROFILE is set and overrides it: ${JSON.stringify(env.COPS_PROFILE)}.`);
  return record(shown(after, name));
}

/** `profiles rename <from> <to>`. */
async function renameProfile(context: Context, from: string, given: string): Promise<Result> {
  const to = checkProfileName(given);
  if (from === SANDBOX) throw usage('The profile sandbox is built in and keeps its name.');
  const after = await storeOf(context).update((now) => {
    const stored = storedProfile(now, from);
    if (Object.hasOwn(now.profiles, to)) throw usage(`Profile ${to} already exists.`);
    return {
      ...withMovedSecrets(withProfile(withProfile(now, from, undefined), to, stored), from, to),
      ...(now.current === from ? { current: to } : {}),
    };
  });
  forgetSeen(context, from);
  return record(shown(after, to));
}

/** `profiles remove <name>`: removes the profile and its keys; asks at a terminal. */
async function removeProfile(context: Context, name: string): Promise<Result> {
  const store = storeOf(context);
  if (name === SANDBOX) throw usage('The profile sandbox is built in and cannot be removed.');
  const stored = storedProfile(store.read(), name);
  const held = [stored.test_key, stored.live_key].some((key) => key?.kind === 'stored' || key?.kind === 'keychain');
  if (held && !context.options.yes && !context.options.dryRun) {
    const prompter = await context.prompter();
    if (prompter.canPrompt() && !(await prompter.confirm(`Forget profile ${name} and the keys stored with it?`)))
      throw stopped('Not removed.');
  }
  let gone: StoredProfile = {};
  await store.update((now) => {
    gone = storedProfile(now, name);
    const { current, ...rest } = withMovedSecrets(withProfile(now, name, undefined), name, undefined);
    return current === undefined || current === name ? rest : { ...rest, current };
  });
  await forgetUnused(context, gone, {});
  forgetSeen(context, name);
  return record({ profile: name, removed: true });
}

function shown(configuration: Configuration, name: string): Record<string, unknown> {
  const names = profileNames(configuration);
  const current = configuration.current ?? (names.length === 1 ? names[0] : undefined);
  return shownProfile(name, storedProfile(configuration, name), current === name);
}

/** The settings on a line, checked; includes global options that name a setting. */
function givenSettings(context: Context, input: ProfileOptions): StoredProfile {
  const { options } = context;
  if (options.mode !== undefined)
    throw usage(
      `--${options.mode} is for commands that call the service.`,
      `Use --mode ${options.mode} to make ${options.mode} the profile's default mode.`,
    );
  const settings: Record<string, unknown> = {};
  for (const { name, option, onLine } of SETTINGS) {
    const given: Readonly<Record<string, unknown>> = onLine ? { ...options } : { ...input };
    const value = given[onLine ? camelCase(name) : optionKey(option ?? '')];
    const said = option?.replace(/ .*/, '') ?? `--${name.replaceAll('_', '-')}`;
    if (value !== undefined) settings[name] = checkSetting(name, wholePath(name, String(value), context.world), said);
  }
  const stored = settings as StoredProfile;
  const warning = stored.base_url === undefined ? undefined : baseUrlWarning(new URL(stored.base_url));
  if (warning !== undefined) context.notes.warn(warning);
  return stored;
}

/** The absolute path of a file named relative to this folder: the profile is used in other folders too. */
function wholePath(name: SettingName, text: string, world: World): string {
  if (name === 'ca_file' || name === 'client_cert') return typedPath(world, text);
  return name === 'client_key' && text.startsWith('@') ? `@${typedPath(world, text.slice(1))}` : text;
}

export const run = bySubcommand<ProfileOptions>({
  list: shownAs(listProfiles),
  show: shownAs((context, { words: [name] }) => showProfile(context, name)),
  add: shownAs((context, { words: [name = ''], options }) => addProfile(context, name, options)),
  edit: shownAs((context, { words: [name = ''], options }) => editProfile(context, name, options)),
  use: shownAs((context, { words: [name = ''] }) => useProfile(context, name)),
  rename: shownAs((context, { words: [from = '', to = ''] }) => renameProfile(context, from, to)),
  remove: shownAs((context, { words: [name = ''] }) => removeProfile(context, name)),
});
