import { checkMove } from '../../../account/profiles/bound.js';
import { checkKey, maskKey, readKey } from '../../../account/profiles/keys.js';
import { checkProfileName } from '../../../account/profiles/profile-names.js';
import { profileNames } from '../../../account/profiles/resolve.js';
import { checkSetting } from '../../../account/profiles/setting-checks.js';
import type { Configuration } from '../../../account/profiles/store.js';
import type { KeyReference, Mode, StoredProfile } from '../../../account/profiles/types.js';
import { CopsError, stopped, usage } from '../../../base/errors/errors.js';
import { cops, joinedTexts, say } from '../../../base/text/command-line.js';
import { baseUrlWarning, checkBaseUrl } from '../../../service/http/base-url.js';
import type { CommandInput, Context, Prompter } from '../../../session/context/context.js';
import {
  filedAs,
  forgetUnused,
  KEY_FIELDS,
  type KeyField,
  type Keys,
  keeping,
  keyReading,
  readGivenKeys,
  shownProfile,
  storeOf,
  withProfile,
} from '../../../session/context/key-input.js';
import { probeCandidate } from '../../../session/context/probe-key.js';
import { record, shownAs } from '../../../session/context/run.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import type { spec } from './spec.js';

type LoginOptions = OptionsOf<typeof spec>;

/**
 * `login`: asks for what the line lacks, checks each new key with one call, and only then writes.
 * @throws CopsError `usage` if nobody can answer, `not_authorised` for a refused key, `stopped` for the wrong mode
 */
export const run = shownAs(async (context, { words: [word], options: input }: CommandInput<LoginOptions>) => {
  const { options, world, notes } = context;
  if (options.mode !== undefined)
    throw usage(`--${options.mode} is for commands that call the service.`, `Use --${options.mode}-key or --mode.`);
  const store = storeOf(context);
  const configuration = store.read();
  const prompter = await context.prompter();
  const given = await readGivenKeys(context, input);
  const mode = input.mode === undefined ? undefined : checkSetting('mode', input.mode, '--mode');
  const said = word ?? options.profile ?? (world.env.COPS_PROFILE || undefined);
  if (!prompter.canPrompt()) requireEnough(context, said, given, configuration);

  const name = checkProfileName(said ?? (await prompter.text('Name of the profile', 'default')).trim());
  const before = filedAs(configuration, name);
  const baseUrl = await chooseBaseUrl(context, before, prompter);
  const keys = await chooseKeys(context, input, name, before, given, prompter);

  checkMove(name, before, { ...before, ...keys, base_url: baseUrl }, 'this login', options.sendKeyTo);
  if (input.check !== false) {
    for (const field of KEY_FIELDS) {
      const reference = keys[field];
      if (reference === undefined) continue;
      const isTyped = Object.keys(given).length === 0 && prompter.canPrompt();
      keys[field] = await checked(context, { name, baseUrl, field, reference }, isTyped ? prompter : undefined);
    }
  }
  const kept = { ...before, ...keys };
  let replaced: StoredProfile = {};
  const after = await keeping(context, name, keys, input, (stored) =>
    store.update((now) => {
      replaced = filedAs(now, name);
      for (const field of KEY_FIELDS)
        if (stored[field] !== undefined && JSON.stringify(replaced[field]) !== JSON.stringify(before[field]))
          throw stopped(`Another process stored a key for profile ${name} meanwhile. Nothing was stored.`);
      checkMove(name, replaced, { ...replaced, base_url: baseUrl, ...stored }, 'this login', options.sendKeyTo);
      const becomesCurrent = now.current === undefined && profileNames(now).every((each) => each === name);
      return {
        ...withProfile(now, name, { ...replaced, base_url: baseUrl, ...(mode ? { mode } : {}), ...stored }),
        ...(becomesCurrent ? { current: name } : {}),
      };
    }),
  );
  notes.note(`Profile ${name} for ${baseUrl} is written to ${store.path}.`);
  const result = filedAs(after, name);
  await forgetUnused(context, replaced, result);
  sayNext(context, name, kept, result.mode ?? 'test', after.current === name);
  return record(shownProfile(name, result, after.current === name));
});

/** If nobody can be asked, the line must be complete. */
function requireEnough(
  { options, world }: Context,
  name: string | undefined,
  given: Keys,
  configuration: Configuration,
): void {
  const missing: string[] = [];
  if (name === undefined) missing.push('a name (cops login <name>)');
  const known = filedAs(configuration, name ?? '');
  if (options.baseUrl === undefined && !world.env.COPS_BASE_URL && known.base_url === undefined)
    missing.push('--base-url');
  if (given.test_key === undefined && given.live_key === undefined) missing.push('--test-key or --live-key');
  if (missing.length === 0) return;
  throw usage(
    `Nobody is there to ask, and these are missing: ${missing.join(', ')}.`,
    say`In a script: ${cops`profiles add <name> --base-url <url> --test-key <ref> --live-key <ref>`}, where <ref> is env:NAME, @file, - (standard input) or cmd:<command line>.`,
  );
}

async function chooseBaseUrl(context: Context, before: StoredProfile, prompter: Prompter): Promise<string> {
  const { baseUrl } = context.options;
  const ask = async () =>
    checkBaseUrl((await prompter.text('Base URL (such as https://api.example.com/v2)')).trim(), 'the terminal');
  const variable = context.world.env.COPS_BASE_URL;
  let url: string;
  if (baseUrl !== undefined) url = checkBaseUrl(baseUrl, '--base-url');
  else if (variable) url = checkBaseUrl(variable, 'COPS_BASE_URL');
  else if (before.base_url !== undefined) url = checkBaseUrl(before.base_url, 'the profile');
  else url = await askAgain(context, ask);
  const warning = baseUrlWarning(new URL(url));
  if (warning !== undefined) context.notes.note(warning);
  return url;
}

/** The new keys: from the line, else typed (an empty answer keeps the stored key). */
async function chooseKeys(
  context: Context,
  input: LoginOptions,
  name: string,
  before: StoredProfile,
  given: Keys,
  prompter: Prompter,
): Promise<Keys> {
  const keys: Keys = { ...given };
  if (Object.keys(given).length === 0) {
    for (const field of KEY_FIELDS) {
      const there = before[field] === undefined ? 'none' : 'the stored one stays';
      const typed = await askAgain(context, async () => {
        const text = await prompter.secret(`${sentence(field)} (empty: ${there})`);
        return text.trim() === '' ? undefined : checkKey(text, 'the terminal');
      });
      if (typed !== undefined) keys[field] = { kind: 'stored', key: typed };
    }
  }
  if (Object.keys(keys).length === 0) throw usage('No key was given: nothing was stored.');
  for (const field of KEY_FIELDS) {
    const old = before[field];
    if (keys[field] === undefined || old === undefined || input.replace === true) continue;
    const question = `Profile ${name} already has a ${words(field)} (${old.kind === 'stored' ? maskKey(old.key) : old.kind}). Replace it?`;
    if (!prompter.canPrompt())
      throw stopped(
        `Profile ${name} already has a ${words(field)}. Nothing was stored.`,
        'Add --replace to replace it.',
      );
    if (!(await prompter.confirm(question))) delete keys[field];
  }
  if (Object.keys(keys).length === 0) throw stopped('Nothing was replaced and nothing was stored.');
  return keys;
}

/** Repeats a question after an unusable answer and says why. */
async function askAgain<T>(context: Context, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CopsError && error.kind === 'usage')) throw error;
      tell(context, error);
    }
  }
}

interface KeyFacts {
  readonly name: string;
  readonly baseUrl: string;
  readonly field: KeyField;
  readonly reference: KeyReference;
}

/** Checks a key; if the service refuses a typed key, asks for that key again and keeps the other answers. */
async function checked(context: Context, facts: KeyFacts, prompter: Prompter | undefined): Promise<KeyReference> {
  try {
    return await check(context, facts);
  } catch (error) {
    const isRefused = error instanceof CopsError && ['not_authorised', 'stopped'].includes(error.kind);
    if (!prompter || !isRefused) throw error;
    tell(context, error);
    const key = await askAgain(context, async () =>
      checkKey(await prompter.secret(`${sentence(facts.field)} again (Ctrl-C gives up)`), 'the terminal'),
    );
    return checked(context, { ...facts, reference: { kind: 'stored', key } }, prompter);
  }
}

function tell({ notes }: Context, { message, facts }: CopsError): void {
  notes.warn(joinedTexts([message, facts.hint], ' '));
}

/** Checks a key with the service; returns the reference that works. */
async function check(context: Context, facts: KeyFacts): Promise<KeyReference> {
  const { name, baseUrl, field, reference } = facts;
  const mode: Mode = field === 'live_key' ? 'live' : 'test';
  const owner = `the ${mode} key of profile ${name}`;
  const key = await readKey(reference, owner, keyReading(context));
  const probe = await probeCandidate(context, { profile: name, baseUrl, key, mode });
  if (probe.liveMode !== undefined && probe.liveMode !== (mode === 'live'))
    throw stopped(
      `This is not a ${mode} key: the service shows ${probe.liveMode ? 'live' : 'test'} items to it. Nothing was stored.`,
      `Store it as the ${probe.liveMode ? 'live' : 'test'} key.`,
    );
  const told = probe.message ?? (probe.reached ? 'no clear answer' : 'no answer');
  if (!probe.reached)
    throw new CopsError('network', `${baseUrl} cannot be reached: ${told}. Nothing was stored.`, {
      hint: 'Check the base URL; --no-check stores without a call.',
    });
  if (probe.accepted === false)
    throw new CopsError('not_authorised', `The service refuses ${owner} (${maskKey(key)}). Nothing was stored.`, {
      httpStatus: probe.status ?? 401,
    });
  if (probe.accepted === undefined)
    throw new CopsError('service_failed', `${sentence(field)}: ${told}. Nothing was stored.`, {
      hint: '--no-check stores without a call.',
      httpStatus: probe.status,
    });
  const proof = probe.liveMode === undefined ? '; the first item it reads will show its mode' : `, mode ${mode} proven`;
  context.notes.note(`${sentence(field)} ${maskKey(key)}: accepted by the service${proof}.`);
  return reference;
}

function sayNext(context: Context, name: string, keys: StoredProfile, mode: Mode, current: boolean): void {
  const { notes } = context;
  if (!current) notes.note(say`Use it with -p ${name}, or for good: \`${cops`profiles use ${name}`}\`.`);
  if (mode === 'test' && keys.test_key === undefined)
    notes.note(say`There is no test key: add --live to a command, or make live the default: \`${cops`mode live`}\`.`);
}

const words = (field: KeyField): string => field.replace('_', ' ');

const sentence = (field: KeyField): string => (field === 'test_key' ? 'Test key' : 'Live key');
