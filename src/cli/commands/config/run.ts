import { statSync } from 'node:fs';
import { join } from 'node:path';
import { holdingsOf, KEPT_KINDS } from '../../../account/kept-files.js';
import { checkMove } from '../../../account/profiles/bound.js';
import { checkTrusted } from '../../../account/profiles/keys.js';
import { SANDBOX } from '../../../account/profiles/profile-names.js';
import { checkSetting, settingByName } from '../../../account/profiles/setting-checks.js';
import { SETTINGS, type Setting } from '../../../account/profiles/settings.js';
import type { Configuration } from '../../../account/profiles/store.js';
import { checkTlsFiles, tlsSettings } from '../../../account/profiles/tls-files.js';
import type { StoredProfile } from '../../../account/profiles/types.js';
import { forgetSeen } from '../../../account/seen-ids/ids.js';
import { usage } from '../../../base/errors/errors.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { Result } from '../../../screen/types.js';
import type { Context } from '../../../session/context/context.js';
import { nameInUse, storedProfile, storeOf, withProfile } from '../../../session/context/key-input.js';
import { bySubcommand, listOf, record, shownAs } from '../../../session/context/run.js';
import { installedScripts } from '../../completion/installed-scripts.js';
import { setAlias, unsetAlias } from '../../parser/alias-store.js';
import { allPlugins, findPlugin } from '../../plugins/find-plugins.js';
import { checkColumns } from './columns.js';
import { exportConfig, importConfig } from './moved-settings.js';

const ALIAS = /^alias(?:es)?\.(.*)$/s;

const TRUSTED = 'plugins.trusted';

/** Plugin names from a comma-separated string. @throws CopsError `usage` for one that is not an executable on the PATH */
function pluginNames(text: string, env: Context['world']['env']): string[] {
  checkTrusted(env, 'it cannot say whom to trust');
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => findPlugin(name, env) === undefined);
  if (wrong === undefined) return [...new Set(names)];
  const known = allPlugins(env).map(({ name }) => name);
  throw usage(
    `${JSON.stringify(wrong)} is not a plugin: no folder on the PATH has an executable cops-${wrong}.`,
    known.length > 0 ? `On the PATH: ${known.join(', ')}.` : 'There is no plugin on the PATH.',
  );
}

/** `config list`: the settings of the profile in use, and the aliases, but no keys. */
async function listConfig(context: Context): Promise<Result> {
  const configuration = storeOf(context).read();
  const name = await nameIfAny(context);
  const rows: Record<string, unknown>[] = [{ name: 'current', value: configuration.current ?? null, from: 'file' }];
  if (name !== undefined) {
    const stored = storedProfile(configuration, name);
    for (const setting of SETTINGS) {
      const value = stored[setting.name];
      const from = value === undefined ? 'default' : `profile ${name}`;
      if (typeof value === 'object')
        for (const [family, one] of Object.entries(value))
          rows.push({ name: partName(setting, family), value: one, from });
      else rows.push({ name: setting.name, value: value ?? setting.default ?? null, from });
    }
  }
  const { trusted } = configuration.plugins ?? {};
  if (trusted) rows.push({ name: TRUSTED, value: trusted.join(','), from: 'file' });
  for (const [word, template] of Object.entries(configuration.aliases))
    rows.push({ name: `alias.${word}`, value: template, from: 'file' });
  return listOf(rows, ['name', 'value', 'from']);
}

/** `config get <name>`: the bare value, for scripts; a record with an explicit `--output`. */
async function getConfig(context: Context, name: string): Promise<Result> {
  const configuration = storeOf(context).read();
  const value = await storedValueOf(context, configuration, name);
  if (context.options.output !== undefined) return record({ name, value: value ?? null });
  return value === undefined ? { shape: 'nothing' } : { shape: 'text', text: String(value) };
}

async function storedValueOf(context: Context, configuration: Configuration, name: string): Promise<unknown> {
  if (name === 'current') return configuration.current;
  if (name === TRUSTED) return configuration.plugins?.trusted?.join(',');
  const alias = ALIAS.exec(name)?.[1];
  if (alias !== undefined)
    return Object.hasOwn(configuration.aliases, alias) ? configuration.aliases[alias] : undefined;
  const { setting, family } = settingByName(name);
  const value = storedProfile(configuration, await nameInUse(context))[setting.name] ?? setting.default;
  if (family === undefined) return typeof value === 'object' ? JSON.stringify(value) : value;
  return typeof value === 'object' ? value[family] : undefined;
}

/** `columns.customers`: the name of a setting for one family. */
const partName = ({ name }: Setting, family: string): string => `${name}.${family.replaceAll('_', '-')}`;

/** The profile with a new value in a setting by family; undefined removes it. */
function withPart(before: StoredProfile, setting: Setting, family: string, value: string | undefined): StoredProfile {
  const { [family]: _former, ...others } = (before[setting.name] ?? {}) as Readonly<Record<string, string>>;
  const parts = value === undefined ? others : { ...others, [family]: value };
  const { [setting.name]: _all, ...rest } = before;
  return Object.keys(parts).length === 0 ? (rest as StoredProfile) : { ...before, [setting.name]: parts };
}

/** `config set <name> <value>`: a setting of the profile in use, `current`, or `alias.<word>`. */
async function setConfig(context: Context, name: string, value: string | undefined): Promise<Result> {
  if (value === undefined) throw usage(`config set ${name} needs a value.`);
  const store = storeOf(context);
  if (name === 'current') {
    await store.update((now) => {
      storedProfile(now, value);
      return { ...now, current: value };
    });
    return record({ name, value });
  }
  if (name === TRUSTED) {
    const trusted = pluginNames(value, context.world.env);
    await store.update((now) => ({ ...now, plugins: { ...now.plugins, trusted } }));
    return record({ name, value: trusted.join(',') });
  }
  const alias = ALIAS.exec(name)?.[1];
  if (alias !== undefined) return record({ name, value: await setAlias(context, alias, value) });
  const { setting, family } = settingByName(name);
  if (family !== undefined) {
    const called = partName(setting, family);
    const names = await checkColumns(family, value, `config set ${called}`);
    const profile = await changeable(context, setting.name);
    await store.update((now) =>
      withProfile(now, profile, withPart(storedProfile(now, profile), setting, family, names)),
    );
    return record({ name: called, value: names, profile });
  }
  const parsed = checkSetting(setting.name, value, `config set ${setting.name}`);
  const profile = await changeable(context, setting.name);
  await checkTlsFiles(tlsSettings({ [setting.name]: parsed }), profile);
  await store.update((now) => {
    const before = storedProfile(now, profile);
    const after = { ...before, [setting.name]: parsed };
    checkMove(profile, before, after, 'config set', context.options.sendKeyTo);
    return withProfile(now, profile, after);
  });
  if (setting.name === 'id_cache' && parsed === false) forgetSeen(context, profile);
  return record({ name: setting.name, value: parsed, profile });
}

/** `config unset <name>`: restores the default. */
async function unsetConfig(context: Context, name: string): Promise<Result> {
  const store = storeOf(context);
  const alias = ALIAS.exec(name)?.[1];
  if (name === 'current') {
    await store.update(({ current: _current, ...rest }) => rest);
  } else if (name === TRUSTED) {
    await store.update(({ plugins: _plugins, ...rest }) => rest);
  } else if (alias !== undefined) {
    await unsetAlias(context, alias);
  } else {
    const { setting, family } = settingByName(name);
    const profile = await changeable(context, setting.name);
    await store.update((now) => {
      if (family !== undefined)
        return withProfile(now, profile, withPart(storedProfile(now, profile), setting, family, undefined));
      const { [setting.name]: _gone, ...rest } = storedProfile(now, profile);
      return withProfile(now, profile, rest as StoredProfile);
    });
  }
  return record({ name, value: null });
}

/** The profile in use, if it can hold this setting. */
async function changeable(context: Context, setting: string): Promise<string> {
  const name = await nameInUse(context);
  if (name === SANDBOX && setting === 'base_url')
    throw usage('The sandbox runs inside this program: its address cannot be set.');
  storedProfile(storeOf(context).read(), name);
  return name;
}

async function nameIfAny(context: Context): Promise<string | undefined> {
  const { options, world } = context;
  if (options.profile !== undefined || world.env.COPS_PROFILE) return nameInUse(context);
  try {
    const name = await nameInUse(context);
    const { profiles } = storeOf(context).read();
    return name === SANDBOX || Object.hasOwn(profiles, name) ? name : undefined;
  } catch {
    // Without a profile in use, the rest of the configuration can still be shown.
    return undefined;
  }
}

export const run = bySubcommand({
  // The path of the configuration file, whether or not it exists.
  path: async (context) => ({ result: { shape: 'text', text: storeOf(context).path } }),
  list: shownAs(listConfig),
  get: shownAs((context, { words: [name = ''] }) => getConfig(context, name)),
  set: shownAs((context, { words: [name = '', value] }) => setConfig(context, name, value)),
  unset: shownAs((context, { words: [name = ''] }) => unsetConfig(context, name)),
  export: shownAs(exportConfig),
  import: shownAs((context, { words: [file = ''] }) => importConfig(context, file)),
  files: shownAs(configFiles),
});

/** `config files`: every place where cops keeps files, what they contain, and whether they are safe to delete. */
async function configFiles(context: Context): Promise<Result> {
  const folders = { config: context.configDir, data: context.dataDir };
  const { files, others } = await holdingsOf(context);
  const labels = [...new Set(KEPT_KINDS.map(({ label }) => label))];
  const rows = labels.map((label) => {
    const kind = KEPT_KINDS.find((one) => one.label === label);
    const own = files.filter((file) => file.label === label);
    const { in: place = 'data', what = '', delete: may = 'no', loss = '' } = kind ?? {};
    return {
      name: label,
      ...sizeOf(own),
      delete: may,
      holds: `${what}; if deleted, ${loss}`,
      path: join(folders[place], label),
    };
  });
  const foreign = { holds: 'not created by cops, and not needed by it' };
  for (const path of installedScripts(context))
    rows.push({
      ...{ name: 'completion', ...sizeOf([{ bytes: statSync(path).size }]), delete: 'yes' },
      ...{ holds: 'shell completion; if deleted, `cops completion install` writes it again', path },
    });
  for (const path of others) rows.push({ name: 'other', files: 1, bytes: null, delete: 'yes', ...foreign, path });
  context.notes.note(`Configuration: ${folders.config} (COPS_CONFIG_DIR moves it).`);
  context.notes.note(`Data: ${folders.data} (COPS_DATA_DIR moves it).`);
  context.notes.note('Exports, set-ups and other files that you name are stored where you say.');
  const columns = [{ path: 'name' }, { path: 'bytes' }, { path: 'delete' }, { path: 'holds', as: 'prose' }] as const;
  return { shape: 'list', items: itemsOf(rows), columns, idField: 'path' };
}

function sizeOf(files: readonly { readonly bytes: number }[]): { files: number; bytes: number | null } {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
