import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { homedir, platform } from 'node:os';
import { basename, dirname, join, win32 } from 'node:path';
import { CopsError, Would } from '../../base/errors/errors.js';
import { type LockOptions, whileLocked } from '../../base/files/lock.js';
import { NoFile, readOwnFile } from '../../base/files/read-file.js';
import { makeFolder, onceFreeSync } from '../../base/files/replace-file.js';
import { randomBytes } from '../../base/random.js';
import { cops, say } from '../../base/text/command-line.js';
import { changesOf } from './bound.js';
import { fileFault } from './faults.js';
import { SETTINGS, type Setting } from './settings.js';
import type { KeyReference, StoredEventSecret, StoredProfile } from './types.js';

/** Larger than any real configuration: nothing of this size is read into memory. */
const LARGEST_BYTES = 8 * 1024 * 1024;
/** The longest wait for another process, milliseconds; its work under the lock takes a few. */
const PATIENCE_MS = 10_000;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The content of the configuration file; unknown fields stay in it. */
export interface Configuration {
  readonly profiles: Readonly<Record<string, StoredProfile>>;
  /** The profile in use if none is given (`cops profiles use`). */
  readonly current?: string;
  /** User-defined commands: word → argument template. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Programs on the PATH that are commands here. */
  readonly plugins?: { readonly trusted?: readonly string[] };
  /** Secrets for signing events, by profile, then by mode and receiver. */
  readonly event_secrets?: Readonly<Record<string, Readonly<Record<string, StoredEventSecret>>>>;
}

/** The configuration file (command-line.md#keys-and-modes). */
export type Store = ReturnType<typeof openStore>;

interface StoreOptions extends Pick<LockOptions, 'waitMs' | 'processes'> {
  /** True for a dry run: `update` stops with what it would change. */
  readonly isDry?: boolean;
}

/** Opens the store in `folder`; touches nothing until `read` or `update`. */
export function openStore(folder: string, options: StoreOptions = {}) {
  const path = join(folder, 'config.json');
  return {
    path,
    /**
     * The configuration, read again; a missing file is an empty configuration.
     * @throws CopsError `local` naming the path when the file is damaged or cannot be read.
     */
    read: () => present(readWhole(path)),
    /** True if others than the owner can read or write the file. */
    exposed: () => isExposed(path),
    /**
     * Changes the configuration: lock, read again, `change`, atomic rename. `change` receives the current content and
     * returns the new one; unknown fields stay. Returns the new content. Never overwrites a damaged file; after a failure
     * the old file is intact.
     */
    update: (change: (now: Configuration) => Configuration) =>
      options.isDry ? rehearse(path, change) : update(path, change, options),
  };
}

/** @throws Would with the settings that would change, and whatever `change` itself throws */
async function rehearse(path: string, change: (now: Configuration) => Configuration): Promise<never> {
  const before = present(readWhole(path));
  const changes = changesOf(before, soundly(change(before)));
  throw new Would(`${changes.length === 0 ? 'change nothing' : changes.join(', ')} in ${path}`);
}

/** @throws Error for content that `read` would call damaged: a bug of this program */
function soundly(after: Configuration): Configuration {
  const faults = faultsOf(JSON.parse(JSON.stringify(after)));
  if (faults.length > 0) throw new Error(`A change would damage the configuration: ${faults[0]?.path}`);
  return after;
}

/** The raw content with missing optional parts filled in; unknown fields stay. */
const present = (raw: Record<string, unknown>): Configuration =>
  ({ ...raw, profiles: raw.profiles ?? {}, aliases: raw.aliases ?? {} }) as Configuration;

function readWhole(path: string): Record<string, unknown> {
  let bytes: Buffer | undefined;
  try {
    bytes = readOwnFile(path, LARGEST_BYTES);
  } catch (error) {
    if (error instanceof NoFile) throw damaged(path, error.message);
    throw fileFault('The configuration cannot be read', path, error);
  }
  return bytes === undefined ? {} : parse(bytes, path);
}

function parse(bytes: Buffer, path: string): Record<string, unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw damaged(path, 'it is not text');
  }
  if (text.trim() === '') throw damaged(path, 'it is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the fault, which may be a key.
    throw damaged(path, 'it is not JSON');
  }
  const faults = faultsOf(value);
  if (faults.length > 0) {
    const list = faults.map((fault) => `${fault.path} ${fault.message}`).join('; ');
    throw damaged(path, list, faults);
  }
  return value as Record<string, unknown>;
}

/**
 * The faults of a parsed configuration file, each with its path; empty if it is valid. Written by hand because every
 * call reads the file and a schema library would cost more than the call.
 */
function faultsOf(value: unknown): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  const say = (path: string, message: string) => faults.push({ path, message });
  if (!isRecord(value)) return [{ path: '(whole file)', message: 'must be a JSON object' }];
  if (value.current !== undefined && typeof value.current !== 'string') say('current', 'must be text');
  const { profiles, aliases } = value;
  if (profiles !== undefined && !isRecord(profiles)) say('profiles', 'must be an object');
  if (aliases !== undefined && !isRecord(aliases)) say('aliases', 'must be an object');
  if (!isPlugins(value.plugins)) say('plugins.trusted', 'must be a list of names');
  for (const fault of secretFaults(value.event_secrets)) say(fault, "is not a receiver's secret");
  if (isRecord(aliases))
    for (const [name, text] of Object.entries(aliases))
      if (typeof text !== 'string') say(`aliases.${name}`, 'must be text');
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
    // A format that only another version knows does not damage the file: it is reported where it is used.
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
    case 'by family':
      return isRecord(value) && Object.values(value).every((one) => typeof one === 'string')
        ? undefined
        : 'must be an object of texts';
    default:
      return holds.some((one) => one === value) ? undefined : `must be one of ${holds.join(', ')}`;
  }
}

function isPlugins(plugins: unknown): boolean {
  if (plugins === undefined) return true;
  const trusted = isRecord(plugins) ? plugins.trusted : null;
  return trusted === undefined || (Array.isArray(trusted) && trusted.every((name) => typeof name === 'string'));
}

/** Paths of invalid secrets. */
function secretFaults(secrets: unknown): string[] {
  if (secrets === undefined) return [];
  if (!isRecord(secrets)) return ['event_secrets'];
  return Object.entries(secrets).flatMap(([profile, own]) => {
    if (!isRecord(own)) return [`event_secrets.${profile}`];
    const isSecret = (one: unknown) =>
      isRecord(one) && isKeyReference(one.key) && (one.former === undefined || isKeyReference(one.former));
    return Object.keys(own).flatMap((name) => (isSecret(own[name]) ? [] : [`event_secrets.${profile}.${name}`]));
  });
}

function isKeyReference(value: unknown): value is KeyReference {
  if (!isRecord(value)) return false;
  const field = { stored: 'key', env: 'name', file: 'path', command: 'command', keychain: 'account' }[
    String(value.kind)
  ];
  return field !== undefined && typeof value[field] === 'string' && value[field] !== '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const damaged = (path: string, why: string, faults?: { path: string; message: string }[]): CopsError =>
  new CopsError('local', `The configuration file is damaged: ${why}: ${path}`, {
    hint: say`It was not changed. Repair it, or move it away and start with \`${cops`login`}\`; \`${cops`doctor`}\` checks it.`,
    faults,
  });

function isExposed(path: string): boolean {
  try {
    return hasPermissions() && (statSync(path).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

async function update(
  path: string,
  change: (now: Configuration) => Configuration,
  waiting: StoreOptions,
): Promise<Configuration> {
  const { default: Conf } = await import('conf');
  prepareFolder(dirname(path));
  return whileLocked(path, { what: `The configuration ${path}`, waitMs: PATIENCE_MS, ...waiting }, async () => {
    // From here to the end nothing awaits, so that no signal handler can run in between.
    const after = soundly(change(present(readWhole(path))));
    const target = realTarget(path);
    sweep(target);
    // conf writes a separate file that replaces the real one in one step, because inside a snap conf itself writes in
    // place, and a kill would leave half a file.
    const staging = `${basename(target)}.${randomBytes(5).toString('hex')}`;
    const staged = join(dirname(target), `${staging}.new`);
    try {
      const conf = new Conf<Record<string, unknown>>({
        cwd: dirname(target),
        configName: staging,
        fileExtension: 'new',
        projectName: 'cops',
        projectSuffix: '',
        configFileMode: FILE_MODE,
        accessPropertiesByDotNotation: false,
        serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
      });
      conf.store = after as unknown as Record<string, unknown>;
      settle(staged);
      onceFreeSync(() => renameSync(staged, target));
      settleFolder(dirname(target));
    } catch (error) {
      discard(staged);
      throw fileFault('The configuration cannot be written', path, error);
    }
    return after;
  });
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    const facts = statSync(folder);
    // A shared folder with the sticky bit (/tmp) belongs to everybody and keeps its permissions.
    if (hasPermissions() && (facts.mode & 0o077) !== 0 && (facts.mode & 0o1000) === 0) chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder of another user in which we may write keeps its permissions; the file's own protect the keys.
    if (code === 'EPERM') return;
    throw fileFault('The configuration folder cannot be created', folder, error);
  }
}

/** The file behind a symbolic link (dotfiles stored elsewhere), so that the link itself survives. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Removes half-written files of a killed process, which may hold keys; the lock ensures that nobody is writing. */
function sweep(target: string): void {
  const prefix = `${basename(target)}.`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix) || !/\.new($|\.tmp-)/.test(name)) continue;
    discard(join(dirname(target), name));
  }
}

function settle(path: string, flags = 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the rename itself durable; not every system can. */
function settleFolder(folder: string): void {
  try {
    settle(folder, 'r');
  } catch {
    // Windows cannot open a folder: the rename is in its journal.
  }
}

function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never created, has replaced the file already, or is not ours to remove.
  }
}

/**
 * Whether other users are kept out of the configuration folder: by its permission bits or, on Windows, which has none,
 * by lying in the user's own folder. Ignores further rights granted there.
 */
export function isPrivate(
  folder: string,
  { system = platform(), home = homedir() }: { readonly system?: string; readonly home?: string } = {},
): boolean {
  if (system !== 'win32') return true;
  const below = win32.relative(home, folder);
  return !below.startsWith('..') && !win32.isAbsolute(below);
}

/** Windows has no permission bits to look at. */
const hasPermissions = (): boolean => platform() !== 'win32';
