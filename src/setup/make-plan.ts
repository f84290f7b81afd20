import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keyVariables } from '../account/profiles/command.js';
import { CopsError, faultsError } from '../base/errors/errors.js';
import { whileLocked } from '../base/files/lock.js';
import { cops, say, type Text } from '../base/text/command-line.js';
import { FAMILY_INDEX, loadFamily } from '../catalogue/index.js';
import type { Family, Operation } from '../catalogue/types.js';
import { isSecretName } from '../items/secrets/secret-fields.js';
import { someOf } from '../items/text/numbered.js';
import { planRequest } from '../service/request/request-plan.js';
import type { Context, Done } from '../session/context/context.js';
import type { PlanFault, PlanningInput } from './creation.js';
import { type SetupEnvironment, snapshotOf, wantedFamilies } from './environment.js';
import { type Families, loadFamilies } from './families.js';
import { type KnownHere, refuseKnown } from './known-ids.js';
import { makePlan } from './plan-objects.js';
import { readState, type StatePlace, secretMarks, statePath } from './recorded-state.js';
import { seenRenamed } from './renamed.js';
import { folderError, type ReadFolderOptions, readFolder } from './setup-folder.js';
import type { SetupOptions } from './setup-options.js';
import { isId, isOfFamily } from './snapshot.js';
import type { FileObject, Folder, Remote, SetupPlan } from './types.js';
import { secretFromEnv } from './variables.js';

/** A plan with everything it was made from. */
export interface Planned extends Omit<KnownHere, 'folder'> {
  readonly plan: SetupPlan;
  /** The files behind the plan; empty for a kept plan. */
  readonly files: ReadonlyMap<string, FileObject>;
  /** Objects of the service that no file of the folder holds. */
  readonly unkept?: readonly Remote[] | undefined;
}

/** Where a folder keeps its state of an environment. */
export function statePlaceOf(folder: string, account: SetupEnvironment): StatePlace {
  return { folder: join(folder, '.cops'), environment: account.environment };
}

/** Where the state of a plan's environment is kept: in its folder, or in the user's data folder for a promotion. */
export function placeOfPlan(plan: SetupPlan, account: SetupEnvironment): StatePlace {
  if (plan.folder !== undefined) return statePlaceOf(plan.folder, account);
  return { folder: join(account.context.dataDir, 'setup'), environment: account.environment };
}

/** Runs the work while no other command on this machine works on the same set-up. */
export async function holdingState(
  place: StatePlace,
  account: SetupEnvironment,
  work: () => Promise<Done>,
): Promise<Done> {
  // A dry run only reads, and leaves no lock file behind.
  if (account.context.options.dryRun) return work();
  return whileLocked(statePath(place), { waitMs: 500, what: `The set-up of ${account.name}` }, work);
}

/** The variables that files may name, without those of keys and passwords, which a plan would show. */
export function variablesOf({ world: { env }, configDir }: Context): Pick<ReadFolderOptions, 'env' | 'isSecret'> {
  const isKey = keyVariables(env, configDir);
  return { env, isSecret: (name) => isKey(name) || isSecretName(name) };
}

/** Reads a folder for an environment. @throws CopsError usage (2) with every fault in the files */
export async function checkedFolder(
  context: Context,
  path: string,
  families: Families,
  environment?: string,
  isPull = false,
): Promise<Folder> {
  const folder = await readFolder(path, { families, ...variablesOf(context), environment });
  const error = folderError({ faults: folder.faults.filter(({ isGone }) => !(isPull && isGone)) });
  if (error) throw error;
  return folder;
}

/** Makes the plan of a folder from its files and the service; sends only GETs. */
export async function planFolder(
  account: SetupEnvironment,
  path: string,
  names: readonly string[],
  options: SetupOptions,
): Promise<Planned> {
  const families = await loadFamilies();
  const folder = await checkedFolder(account.context, path, families, account.name);
  const chosen = names.length > 0 ? names : folder.settings.families;
  const wanted = wantedFamilies(families, chosen.length > 0 ? chosen : [...folder.families]);
  const files = new Map([...folder.objects].filter(([, file]) => wanted.has(file.managed.name)));
  const place = statePlaceOf(path, account);
  const state = await readState(place);
  const snapshot = await snapshotOf(account, families, wanted);
  const sharedIds = await idsOfOtherModes(place);
  const planned = await planOf(
    account,
    { families, wanted, files, known: folder.objects, place, state, snapshot, sharedIds, folder: path },
    options,
  );
  const { plan } = planned;
  const unkept = unkeptOf(planned, wanted);
  const shown = unkept.length > 0 && (await account.context.shown(unkeptNote(unkept, path)));
  return { ...planned, unkept, plan: { ...plan, notes: [...plan.notes, ...(shown ? [shown] : [])] } };
}

/** Objects of the planned families that no file holds, except those whose file was deleted. */
function unkeptOf({ snapshot, files, state }: Planned, wanted: ReadonlySet<string>): readonly Remote[] {
  const pinned = new Set([...files.values()].flatMap(({ pinned: id }) => id ?? []));
  return [...snapshot.objects.values()].filter(
    ({ address, id }) =>
      isOfFamily(wanted, address) && !files.has(address) && !pinned.has(id) && state.own[address] === undefined,
  );
}

/** The most names that a note lists. */
const TOLD_NAMES = 20;

function unkeptNote(unkept: readonly Remote[], folder: string): Text {
  const names = unkept.map(({ address }) => address);
  const what = unkept.length === 1 ? '1 object is' : `${unkept.length} objects are`;
  return say`${what} in the service but in no file, and not part of the plan: ${someOf(names, TOLD_NAMES)}. To write files for them: ${cops`setup pull ${folder}`}`;
}

export interface PlanSources
  extends Omit<Planned, 'plan'>,
    Pick<PlanningInput, 'wanted' | 'sharedIds' | 'partial' | 'folder' | 'from'> {
  /** All objects of the folder when only some take part: their renames count too. */
  readonly known?: ReadonlyMap<string, FileObject> | undefined;
}

/** @throws CopsError usage (2) for a plan that cannot be made, incomplete (10) where a list could not be read whole */
export async function planOf(account: SetupEnvironment, given: PlanSources, options: SetupOptions): Promise<Planned> {
  const { context } = account;
  const { wanted, known, files } = given;
  const snapshot = seenRenamed(given.snapshot, known ?? files);
  const sources = { ...given, snapshot };
  const broken = snapshot.unproven.filter((text) => wanted.has(text.split(':')[0] ?? ''));
  if (broken.length > 0)
    throw new CopsError(
      'incomplete',
      `The service could not be read completely, so nothing can be planned: ${broken.join('; ')}`,
    );
  const mark = await secretMarks(context.dataDir, false);
  const { plan, faults } = makePlan({
    ...sources,
    environment: account.environment,
    time: new Date(context.world.now()).toISOString(),
    deletable: deletable(options, sources),
    overwriteDrift: options.overwriteDrift === true,
    writeShared: options.shared === true,
    secretMark: (_file, variable) => {
      const value = secretFromEnv(variable, context.world.env);
      return value === undefined ? undefined : mark(value);
    },
  });
  await refuseKnown(account, sources, plan.steps);
  if (faults.length > 0) throw planError(faults);
  const reach = await reachOf(account, plan);
  return { ...sources, plan: { ...plan, reach } };
}

function deletable(options: SetupOptions, { families }: PlanSources): ReadonlySet<string> {
  const { allowDelete } = options;
  if (allowDelete === undefined) return new Set();
  return wantedFamilies(families, allowDelete === true ? [] : allowDelete.split(',').map((name) => name.trim()));
}

/** All faults of a plan in one error, each with its place. */
function planError(faults: readonly PlanFault[]): CopsError {
  return faultsError(
    'The plan cannot be made, nothing was sent',
    faults.map(({ object, parts, message }) => {
      if (!object) return { path: '', message };
      const { file, line, column } = object.placeOf(parts);
      const field = parts.join('.');
      return { path: `${file}:${line}:${column}${field === '' ? '' : ` ${field}`}`, message };
    }),
  );
}

/** Ids recorded here for the other mode of the same service: objects that both modes show are shared. */
async function idsOfOtherModes(place: StatePlace): Promise<ReadonlySet<string>> {
  const { environment } = place;
  const mode = environment.mode === 'test' ? 'live' : 'test';
  const files = await readdir(place.folder).catch(() => []);
  const known = new Set<string>();
  const suffix = `-${mode}.json`;
  for (const file of files.filter((name) => name.endsWith(suffix))) {
    const profile = file.slice(0, -suffix.length);
    const other = await readState({ ...place, environment: { ...environment, profile, mode } });
    for (const id of Object.values(other.ids)) if (isId(id)) known.add(id);
  }
  return known;
}

/** Families whose items depend on set-up objects: counted where their list can be filtered by them. */
const COUNTED: ReadonlySet<string> = new Set(['subscriptions', 'trials']);

/** Only the first objects of a plan are counted, because each takes a request per family. */
const MOST = 25;

/** Describes what uses the objects that a plan changes, where the service can count it. Sends only GETs. */
async function reachOf(account: SetupEnvironment, plan: SetupPlan): Promise<Readonly<Record<string, string>>> {
  const reach: Record<string, string> = {};
  const changed = plan.steps.filter(({ action, id }) => (action === 'edit' || action === 'delete') && id !== undefined);
  for (const { family, key, id } of changed.slice(0, MOST)) {
    const words: string[] = [];
    for (const { users, list, filter } of await listsFilteredBy(family.replaceAll('-', '_'))) {
      const count = await countOf(account, users, list, [[filter, id ?? '']]);
      if (count !== undefined) words.push(`${count.toLocaleString('en-US')} ${users.name.replaceAll('_', ' ')}`);
    }
    if (words.length > 0) reach[`${family}/${key}`] = `used by ${words.join(' and ')}`;
  }
  return reach;
}

async function listsFilteredBy(family: string): Promise<{ users: Family; list: Operation; filter: string }[]> {
  const found: { users: Family; list: Operation; filter: string }[] = [];
  for (const { name } of FAMILY_INDEX) {
    if (!COUNTED.has(name)) continue;
    const users = await loadFamily(name);
    const list = users.operations.find(({ action }) => action === 'list');
    const filter = Object.entries(list?.query ?? {}).find(([, field]) => field.refers?.includes(family))?.[0];
    if (list && filter !== undefined) found.push({ users, list, filter });
  }
  return found;
}

async function countOf(
  { reader }: SetupEnvironment,
  family: Family,
  list: Operation,
  query: readonly (readonly [string, string])[],
): Promise<number | undefined> {
  try {
    const paging = [['limit', '1'] as const, ['page', '1'] as const];
    return (await reader.page(planRequest(family, list, { ids: [], query: [...paging, ...query] }), family.idField))
      .totalCount;
  } catch (error) {
    if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
    return undefined;
  }
}
