import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { CopsError, orLocal } from '../base/errors/errors.js';
import { readOwnFile } from '../base/files/read-file.js';
import { makeFolder } from '../base/files/replace-file.js';
import { cops, say } from '../base/text/command-line.js';
import { Item } from '../items/json/item-json.js';
import { copy, type TreeObject } from '../items/json/tree.js';
import { isSecretName } from '../items/secrets/secret-fields.js';
import type { Context, Done } from '../session/context/context.js';
import { openAccount, type SetupEnvironment, snapshotOf, wantedFamilies } from './environment.js';
import { type Families, loadFamilies, outside } from './families.js';
import { schemaFiles } from './file-schema.js';
import { hashOf } from './hash.js';
import { refuseListed } from './known-ids.js';
import { notInFiles } from './left-behind.js';
import { checkedFolder, holdingState, statePlaceOf, variablesOf } from './make-plan.js';
import { withAddresses } from './plan-objects.js';
import { writeObjects } from './pull.js';
import { readState, recordAgreed, type SetupState, type StatePlace, statePath, writeState } from './recorded-state.js';
import { folderError, readFolder } from './setup-folder.js';
import type { SetupOptions } from './setup-options.js';
import { SETTINGS_FILE } from './setup-settings.js';
import { refsIn } from './shape-references.js';
import { isOfFamily, refuseTwins } from './snapshot.js';
import type { Folder, Remote, Snapshot } from './types.js';

const SETTINGS = `# yaml-language-server: $schema=.cops/schema/cops.setup.json\n# The set-up of an account as files: cops setup pull, plan, apply.\nversion: 1\n\n# Only these families; all of them when empty.\nfamilies: []\n\n# Values of \${var.name} in files: for all environments, and for one (profile:mode).\nvar: {}\nenvironments: {}\n`;

/** The ids and hashes of the last apply belong to this machine; init makes the schemas again. */
const IGNORED = `.cops/\n*.journal\n*.journal.rows\n`;
/** Texts are kept byte for byte: another line ending would make another text. */
const ATTRIBUTES = '* -text\n';

/** `cops setup init [folder]`: keeps what already exists. */
export async function initFolder(context: Context, path: string): Promise<Done> {
  const families = await loadFamilies();
  const made: string[] = [];
  const put = async (name: string, text: string, over = false): Promise<void> => {
    const file = join(path, name);
    if (existsSync(file) && (!over || readOwnFile(file)?.toString('utf8') === text)) return;
    makeFolder(join(file, '..'), 0o755);
    // A file behind a link is not part of this set-up, and others must not be able to change what is written here.
    await rm(file, { force: true });
    await writeFile(file, text, { flag: 'wx', mode: 0o644 });
    made.push(name);
  };
  await orLocal(async () => {
    await put(SETTINGS_FILE, SETTINGS);
    await put('.gitignore', IGNORED);
    await put('.gitattributes', ATTRIBUTES);
    for (const [name, text] of schemaFiles(families)) await put(join('.cops', 'schema', name), text, true);
  }, `cannot create the set-up folder ${path}`);
  const shown = made.filter((name) => !name.startsWith('.cops'));
  const place = relative(context.world.cwd, path);
  context.notes.note(say`Next: ${cops`setup pull ${place}`}`);
  return { result: { shape: 'one', item: Item.of({ folder: path, made: shown, schemas: families.managed.size }) } };
}

/** `cops setup check [folder]`: sends nothing. */
export async function checkCommand(context: Context, path: string): Promise<Done> {
  const families = await loadFamilies();
  const folder = await readFolder(path, { families, ...variablesOf(context) });
  const { faults } = folder;
  const counts = { folder: path, objects: folder.objects.size, faults: faults.length };
  const places = faults.map(({ isGone: _, ...fault }) => fault);
  const item = faults.length > 0 ? { ...counts, places } : counts;
  return { result: { shape: 'one', item: Item.of(item) }, finish: () => folderError(folder) };
}

/** `cops setup pull [folder] [families…]`. */
export async function pullCommand(
  context: Context,
  path: string,
  names: readonly string[],
  options: SetupOptions,
): Promise<Done> {
  const account = await openAccount(context, options);
  const families = await loadFamilies();
  return holdingState(statePlaceOf(path, account), account, async () => {
    const folder = await readyFolder(context, path, families, account.name);
    const wanted = wantedFamilies(families, names.length > 0 ? names : folder.settings.families);
    const snapshot = await snapshotOf(account, families, wanted);
    refuseUnpinned(snapshot, folder, wanted);
    const objects = [...snapshot.objects.values()].map((remote) => meantBy(folder, snapshot, remote));
    return pullObjects(account, families, folder, snapshot, objects, wanted, options.prune === true);
  });
}

/** The folder as it is; created silently where none exists. */
async function readyFolder(context: Context, path: string, families: Families, environment: string): Promise<Folder> {
  const quiet = { ...context, notes: { ...context.notes, note: () => undefined } };
  if (!existsSync(join(path, SETTINGS_FILE))) await initFolder(quiet, path);
  return checkedFolder(context, path, families, environment, true);
}

/** Two objects with the same name cannot become two files until one of them is pinned. */
function refuseUnpinned(snapshot: Pick<Snapshot, 'ids'>, folder: Folder, wanted: ReadonlySet<string>): void {
  const isMeant = (address: string) => isOfFamily(wanted, address) && folder.objects.get(address)?.pinned === undefined;
  refuseTwins(snapshot, isMeant, 'Rename one of each, or pin the one you mean: a file with its name and _id: <id>.');
}

/** The object that a file pins, where several have its name. */
function meantBy(folder: Folder, snapshot: Snapshot, remote: Remote): Remote {
  const pinned = folder.objects.get(remote.address)?.pinned;
  return (pinned === undefined ? undefined : snapshot.byId.get(pinned)) ?? remote;
}

/**
 * A file may be removed only when its object is really gone, not merely left out of a list. @throws CopsError stopped
 * (12)
 */
async function refuseLeftOut(
  account: SetupEnvironment,
  families: Families,
  folder: Folder,
  snapshot: Snapshot,
  wanted: ReadonlySet<string>,
  { ids }: SetupState,
  place: StatePlace,
): Promise<void> {
  const known = [...folder.objects.values()].flatMap(({ address, managed, pinned }) => {
    const id = pinned ?? ids[address];
    // Only ids have an address each; a key that is a word is shown under its own.
    const isShown = id === undefined || snapshot.addresses.has(id) || snapshot.ids.get(address)?.includes(id) === true;
    return isShown || !wanted.has(managed.name) ? [] : [{ address, family: managed.name, id }];
  });
  await refuseListed(account, families, known, place, 'removed here');
}

async function pullObjects(
  account: SetupEnvironment,
  families: Families,
  folder: Folder,
  snapshot: Snapshot,
  objects: readonly Remote[],
  wanted: ReadonlySet<string>,
  prune: boolean,
): Promise<Done> {
  const { context } = account;
  const place = statePlaceOf(folder.path, account);
  const state = await readState(place);
  if (prune) await refuseLeftOut(account, families, folder, snapshot, wanted, state, place);
  const pulled = await writeObjects({
    folder,
    objects,
    wanted,
    prune,
    isOwnChange: (file, field) => state.base[file.address]?.[field] !== hashOf(file.shape[field]),
    unmanaged: context.options.verbose ? beyond : undefined,
  });
  const before = JSON.stringify(state);
  for (const remote of objects) recordAgreed(state, remote, true);
  if (JSON.stringify(state) !== before || !existsSync(statePath(place))) await writeState(place, state);
  const { notes } = context;
  for (const file of pulled.replaced)
    notes.warn(`${file}: the service's version replaced changes that were not applied.`);
  for (const file of pulled.orphans) notes.note(`${file}: not in the service. Use --prune to delete such files.`);
  for (const { name, why } of families.unmanaged) notes.detail(`${name} cannot be kept as files: ${why}.`);
  const counts = {
    environment: account.name,
    objects: objects.length,
    written: pulled.written.length,
    unchanged: pulled.unchanged,
    removed: pulled.removed.length,
    orphans: pulled.orphans.length,
    not_in_files: notInFiles(objects.map((one) => ({ ...one, item: withAddresses(snapshot, one.item) }))),
  };
  const missing = snapshot.unproven.length > 0;
  return {
    result: { shape: 'one', item: Item.of(counts) },
    finish: () => {
      notes.note(`The files are in ${folder.path}.`);
      notes.note(
        say`No file can hold keys and passwords, nor ${outside(families)}. To see why: ${cops`setup graph ${folder.path}`}`,
      );
      return missing
        ? new CopsError('incomplete', `Not everything could be read: ${snapshot.unproven.join('; ')}`)
        : undefined;
    },
  };
}

/** The fields of an object that the service shows and no write takes, without secrets. */
function beyond(remote: Remote): TreeObject {
  const rest = Object.entries(remote.item).filter(
    ([name]) => !Object.hasOwn(remote.managed.fields, name) && !isSecretName(name),
  );
  return copy(Object.fromEntries(rest)) as TreeObject;
}

/** `cops setup import <family> <id>…`: the objects and everything they refer to. */
export async function importCommand(
  context: Context,
  [family = '', ...ids]: readonly string[],
  path: string,
  options: SetupOptions,
): Promise<Done> {
  const account = await openAccount(context, options);
  const families = await loadFamilies();
  const [name = ''] = wantedFamilies(families, [family]);
  return holdingState(statePlaceOf(path, account), account, async () => {
    const folder = await readyFolder(context, path, families, account.name);
    const snapshot = await snapshotOf(account, families, new Set(families.managed.keys()));
    const chosen = withReferred(snapshot, name, ids);
    const wanted = new Set(chosen.map(({ managed }) => managed.name));
    const known = new Map(chosen.map(({ address }) => [address, snapshot.ids.get(address) ?? []]));
    refuseUnpinned({ ids: known }, folder, wanted);
    return pullObjects(account, families, folder, snapshot, chosen, new Set(), false);
  });
}

/** Objects by id or name, with everything they refer to. @throws CopsError usage (2) for one that does not exist */
export function withReferred(snapshot: Snapshot, name: string, ids: readonly string[]): readonly Remote[] {
  const chosen = new Map<string, Remote>();
  const take = (remote: Remote): void => {
    if (chosen.has(remote.address)) return;
    chosen.set(remote.address, remote);
    for (const { address } of refsIn(remote.shape)) {
      const next = snapshot.objects.get(address);
      if (next) take(next);
    }
  };
  for (const id of ids) {
    const remote = [...snapshot.byId.values()].find(
      (one) => one.managed.name === name && (one.id === id || one.key === id),
    );
    if (!remote)
      throw new CopsError('not_found', `There is no ${name} ${id} in this account.`, { hint: cops`${name} list` });
    take(remote);
  }
  return [...chosen.values()];
}
