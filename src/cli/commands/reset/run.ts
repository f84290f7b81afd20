import { statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { accountRecords } from '../../../account/account-records.js';
import type { Entry } from '../../../account/history/types.js';
import { type Holdings, holdingsOf } from '../../../account/kept-files.js';
import { CopsError, closing, orElse, orLocal, stopped } from '../../../base/errors/errors.js';
import { heldFlags } from '../../../base/files/lock.js';
import { cops, say } from '../../../base/text/command-line.js';
import { itemsOf } from '../../../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { storeOf } from '../../../session/context/key-input.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { installedScripts } from '../../completion/installed-scripts.js';
import type { spec } from './spec.js';

type ResetOptions = OptionsOf<typeof spec>;

/** @throws CopsError stopped (12) while a run is alive, while an outcome is unknown, or without explicit consent */
export async function run(context: Context, { options }: CommandInput<ResetOptions>): Promise<Done> {
  const kept = await holdingsOf(context);
  const told = { what: 'completion of a shell', label: 'completion' };
  const scripts = installedScripts(context).map((path) => ({ path, bytes: statSync(path).size, ...told }));
  const held = { ...kept, files: [...kept.files, ...scripts] };
  const inKeychain = keychainAccounts(context);
  if (held.files.length === 0) context.notes.note('cops keeps nothing on this machine.');
  else if (!context.options.dryRun) {
    await refuseAlive(context, held);
    if (options.forgetUnknown !== true) await refuseUnknown(context, held);
    await ask(context, held, inKeychain);
    await remove(held);
  }
  for (const path of held.others) context.notes.note(`Left, because cops does not know it as its own: ${path}`);
  for (const account of inKeychain)
    context.notes.warn(
      say`A key stays in the system's keychain, as ${account}: remove it there, or run ${cops`logout first`}.`,
    );
  if (context.options.dryRun) context.notes.note(`Dry run: ${held.files.length} files would be removed, nothing was.`);
  const items = itemsOf(held.files.map(({ label: _, ...file }) => ({ ...file, removed: !context.options.dryRun })));
  const columns = [{ path: 'what' }, { path: 'bytes' }, { path: 'removed', as: 'flag' }, { path: 'path' }] as const;
  return { result: { shape: 'list', items, columns, idField: 'path' } };
}

/** A running command would continue without its history and could send a write twice. */
async function refuseAlive(context: Context, { files, folders }: Holdings): Promise<void> {
  const flags = (await Promise.all(folders.map((folder) => heldFlags(folder)))).flat();
  const hasHistory = files.some(({ what }) => what === 'the history of writes');
  const open = hasHistory ? await openWrites(context) : [];
  const running = open.filter(({ outcome }) => outcome === 'running').map(({ id }) => id);
  if (flags.length === 0 && running.length === 0) return;
  throw stopped(
    'cops is running on this machine: nothing was removed',
    `End it first. ${[...running, ...flags].slice(0, 5).join(', ')}`,
  );
}

/** A write of unknown outcome may have been done: without its record it could be sent again. */
async function refuseUnknown(context: Context, { files }: Holdings): Promise<void> {
  const unknown = (await openWrites(context)).map(({ id }) => cops`history show ${id}`);
  for (const { path } of files)
    if (path.endsWith('.journal') && (await hasUnknown(context, path))) unknown.push(cops`bulk status ${path}`);
  if (unknown.length === 0) return;
  throw stopped(
    `The outcome of ${unknown.length} writes or runs is unknown: nothing was removed`,
    `Check them first: ${unknown.slice(0, 3).join('; ')}. To remove them anyway, add --forget-unknown.`,
    { unknown: unknown.length },
  );
}

/** Writes in the history without an outcome. */
async function openWrites(context: Context): Promise<readonly Entry[]> {
  return closing(await accountRecords(context).history(), async (history) => {
    const open: Entry[] = [];
    for await (const entry of history.list({ unknownOnly: true })) open.push(entry);
    return open;
  });
}

async function hasUnknown(context: Context, path: string): Promise<boolean> {
  try {
    const { state } = await (await accountRecords(context).journal(path)).scan();
    return state.count('unknown', 'open') > 0;
  } catch (error) {
    if (!(error instanceof CopsError)) throw error;
    // Nobody knows what a damaged file holds.
    return true;
  }
}

async function ask(context: Context, { files, folders }: Holdings, keychain: readonly string[]): Promise<void> {
  const { options, notes } = context;
  const prompter = await context.prompter();
  if (options.yes) return;
  if (!prompter.canPrompt())
    throw stopped(
      'reset --everything needs a confirmation, but nobody is there to ask',
      'Nothing was removed. Add --yes to confirm it in a script.',
    );
  const kinds = new Map<string, { count: number; bytes: number }>();
  for (const { what, bytes } of files) {
    const known = kinds.get(what) ?? { count: 0, bytes: 0 };
    kinds.set(what, { count: known.count + 1, bytes: known.bytes + bytes });
  }
  notes.warn(
    `This removes ${filesOf(files.length)} below ${folders.filter((one) => [context.configDir, context.dataDir].includes(one)).join(' and ')}:`,
  );
  for (const [what, { count, bytes }] of kinds) notes.warn(`  ${what}: ${filesOf(count)}, ${sizeOf(bytes)}`);
  if (keychain.length > 0) notes.warn(`  Keys in the system's keychain stay: ${keychain.join(', ')}`);
  notes.warn('It cannot be undone. The account at the service is not touched.');
  if (!(await prompter.typed('Type everything to go ahead', 'everything')))
    throw stopped('not confirmed: nothing was removed');
}

async function remove({ files, folders }: Holdings): Promise<void> {
  // The configuration is removed last: while it exists, the command can be run again.
  const order = [...files].sort((a, b) => Number(isConfiguration(a.path)) - Number(isConfiguration(b.path)));
  for (const { path } of order) {
    await orLocal(
      () => rm(path, { force: true }),
      `${path} cannot be removed`,
      'Everything listed before it is gone; run it again for the rest.',
    );
  }
  // A folder with anything else in it stays: others use it too.
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

const isConfiguration = (path: string): boolean => basename(path) === 'config.json';

/** Names of the keys in the system keychain; none if the configuration cannot be read. */
function keychainAccounts(context: Context): string[] {
  return orElse(
    () =>
      Object.values(storeOf(context).read().profiles).flatMap(({ test_key: test, live_key: live }) =>
        [test, live].flatMap((key) => (key?.kind === 'keychain' ? [key.account] : [])),
      ),
    [],
  );
}

const filesOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

/** `97 bytes`, `22.5 kB`, `43.0 MB`. */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
