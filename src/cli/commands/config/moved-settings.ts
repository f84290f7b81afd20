import { changesOf, checkMove } from '../../../account/profiles/bound.js';
import { holdsKey } from '../../../account/profiles/command.js';
import { checkProfileName, SANDBOX } from '../../../account/profiles/profile-names.js';
import { checkSetting, settingByName } from '../../../account/profiles/setting-checks.js';
import { SETTINGS, type Setting } from '../../../account/profiles/settings.js';
import type { Configuration } from '../../../account/profiles/store.js';
import type { StoredProfile } from '../../../account/profiles/types.js';
import { forgetSeen } from '../../../account/seen-ids/ids.js';
import { CopsError, jsonOf, stopped, usage } from '../../../base/errors/errors.js';
import type { Result } from '../../../screen/types.js';
import { readText } from '../../../service/body/gather.js';
import type { Context } from '../../../session/context/context.js';
import { filedAs, storeOf, withProfile } from '../../../session/context/key-input.js';
import { jsonText, listOf } from '../../../session/context/run.js';
import { inputOf } from '../../../session/write/body-input.js';
import { aliasTemplate } from '../../parser/alias-store.js';
import { checkColumns } from './columns.js';

/** The layout version of the file that `config export` writes. */
const LAYOUT = 1;
const MEMBERS = ['cops_config', 'current', 'profiles', 'aliases'];
/** Keys belong to one machine and its owner, and so does the place of a certificate's private key. */
const OF_KEYS = ['test_key', 'live_key', 'client_key'];
/** The address of the sandbox is built in. */
const isMoved = (profile: string, setting: string): boolean =>
  !OF_KEYS.includes(setting) && !(profile === SANDBOX && setting === 'base_url');

type Loose = Readonly<Record<string, unknown>>;

/**
 * `config export`: settings and aliases as JSON. Names and leaves out anything that contains a key or that import would
 * refuse.
 */
export async function exportConfig(context: Context): Promise<Result> {
  const { profiles, aliases, current } = storeOf(context).read();
  const left: string[] = [];
  const kept = async (name: string, check: () => unknown): Promise<boolean> => {
    try {
      if (!holdsKey(JSON.stringify(await check()), context.world.env, context.configDir)) return true;
    } catch (error) {
      if (!(error instanceof CopsError)) throw error;
    }
    left.push(name);
    return false;
  };
  const moved: Record<string, Record<string, unknown>> = {};
  for (const [profile, stored] of Object.entries(profiles)) {
    const settings: Record<string, unknown> = {};
    for (const setting of SETTINGS.filter(({ name }) => stored[name] !== undefined && isMoved(profile, name))) {
      const value = stored[setting.name];
      if (await kept(`profiles.${profile}.${setting.name}`, () => checkedValue(setting, value, setting.name)))
        settings[setting.name] = value;
    }
    moved[profile] = settings;
  }
  const lines: Record<string, string> = {};
  for (const [word, line] of Object.entries(aliases))
    if (await kept(`aliases.${word}`, () => aliasTemplate(context, word, line))) lines[word] = line;
  context.notes.note('Keys, event secrets and trusted plugins stay on this machine.');
  if (left.length > 0) context.notes.warn(`Left out because it contains a key or is not valid: ${left.join(', ')}`);
  const document = { cops_config: LAYOUT, ...(current && { current }), profiles: moved, aliases: lines };
  return jsonText(document);
}

/**
 * `config import`: merges the settings and aliases of a file into those here; anything the file does not name stays.
 * @throws CopsError `usage` naming everything unknown or invalid; stopped (12) without confirmation
 */
export async function importConfig(context: Context, file: string): Promise<Result> {
  const given = await checkedDocument(context, await documentIn(context, file));
  const store = storeOf(context);
  const merged = (now: Configuration): Configuration => {
    let after: Configuration = { ...now, aliases: { ...now.aliases, ...given.aliases } };
    for (const [name, settings] of Object.entries(given.profiles)) {
      const before = filedAs(now, name);
      const columns = { ...before.columns, ...settings.columns };
      const own = { ...before, ...settings, ...(Object.keys(columns).length > 0 && { columns }) };
      checkMove(name, before, own, 'config import', context.options.sendKeyTo);
      after = withProfile(after, name, own);
    }
    const { current } = given;
    if (current === undefined) return after;
    if (current !== SANDBOX && !Object.hasOwn(after.profiles, current))
      throw usage(`current: there is no profile ${JSON.stringify(current)}, here or in the file.`);
    return { ...after, current };
  };
  const before = store.read();
  const changes = changesOf(before, merged(before));
  if (changes.length === 0) context.notes.note('Nothing to change: everything is already set this way.');
  else if (context.options.dryRun) await store.update(merged);
  else {
    await ask(context, changes);
    await store.update(merged);
    for (const [name, { id_cache: keeps }] of Object.entries(given.profiles))
      if (keeps === false) forgetSeen(context, name);
  }
  return listOf(
    changes.map((change) => ({ change })),
    ['change'],
  );
}

async function ask({ options, notes, prompter: open }: Context, changes: readonly string[]): Promise<void> {
  if (options.yes) return;
  const prompter = await open();
  if (!prompter.canPrompt())
    throw stopped(
      `config import needs a confirmation of ${changes.length} changes, but nobody is there to ask`,
      'Nothing was changed. --dry-run shows them; add --yes to confirm them in a script.',
    );
  for (const change of changes) notes.warn(`  ${change}`);
  if (!(await prompter.confirm(`Make ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`}?`)))
    throw stopped('Not confirmed: nothing was changed.');
}

async function documentIn({ world }: Context, file: string): Promise<unknown> {
  const text = await readText(inputOf(world), file);
  return jsonOf(text.replace(/^\ufeff/, ''), () =>
    usage(`${file} is not JSON.`, 'Give a file that config export wrote.'),
  );
}

/** The contents of a document. @throws CopsError `usage` with every fault at once */
async function checkedDocument(context: Context, value: unknown) {
  const faults: { path: string; message: string }[] = [];
  const take = async <T>(path: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof CopsError) || error.kind !== 'usage') throw error;
      faults.push({ path, message: error.message });
      return undefined;
    }
  };
  const document = loose(value);
  if (document.cops_config !== LAYOUT)
    throw usage('This is not an export of settings: "cops_config" is missing or has another version.');
  for (const name of Object.keys(document).filter((one) => !MEMBERS.includes(one)))
    faults.push({ path: name, message: 'is not part of an export' });
  const profiles: Record<string, StoredProfile> = {};
  for (const [name, settings] of Object.entries(loose(document.profiles))) {
    await take(`profiles.${name}`, () => (name === SANDBOX ? name : checkProfileName(name)));
    const own: Record<string, unknown> = {};
    for (const [word, one] of Object.entries(loose(settings)))
      own[word] = await take(`profiles.${name}.${word}`, () => settingGiven(name, word, one));
    profiles[name] = own as StoredProfile;
  }
  const aliases: Record<string, string> = {};
  for (const [word, line] of Object.entries(loose(document.aliases)))
    aliases[word] = (await take(`aliases.${word}`, () => aliasTemplate(context, word, String(line)))) ?? '';
  const current = document.current === undefined ? undefined : String(document.current);
  if (faults.length > 0) throw usage('The settings cannot be imported: nothing was changed.', undefined, faults);
  return { profiles, aliases, current };
}

function settingGiven(profile: string, word: string, value: unknown): Promise<unknown> | unknown {
  if (OF_KEYS.includes(word)) throw usage('Keys are not imported: cops login stores them.');
  const { setting } = settingByName(word);
  if (setting.name !== word || !isMoved(profile, word)) throw usage(`${word} cannot be imported.`);
  return checkedValue(setting, value, word);
}

/** A value as the configuration file holds it. @throws CopsError `usage` naming `source` */
async function checkedValue(setting: Setting, value: unknown, source: string): Promise<unknown> {
  if (setting.holds !== 'by family') {
    if (typeof value === 'object') throw usage(`${source} must be a single value.`);
    return checkSetting(setting.name, String(value), source);
  }
  const parts: Record<string, string> = {};
  for (const [name, one] of Object.entries(loose(value))) {
    const { family = name } = settingByName(`${setting.name}.${name}`);
    parts[family] = await checkColumns(family, String(one), `${setting.name}.${name}`);
  }
  return parts;
}

function loose(value: unknown): Loose {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Loose;
  throw usage('This is not an export of settings: an object is expected.');
}
