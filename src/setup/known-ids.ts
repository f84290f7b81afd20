import { stopped } from '../base/errors/errors.js';
import { inParallel } from '../base/in-parallel.js';
import { cops, placeholder, say } from '../base/text/command-line.js';
import type { SetupEnvironment } from './environment.js';
import { addressOf, type Families } from './families.js';
import { type SetupState, type StatePlace, statePath } from './recorded-state.js';
import { stepAddress } from './steps.js';
import type { PlanStep, Snapshot } from './types.js';

/** What this machine knows of the environment to plan for. */
export interface KnownHere {
  readonly state: SetupState;
  readonly families: Families;
  readonly snapshot: Snapshot;
  readonly place: StatePlace;
  /** The folder of the plan; a promotion has none. */
  readonly folder?: string | undefined;
}

/** An object that no list shows, with the id this machine has recorded for it. */
interface KnownObject {
  readonly address: string;
  readonly family: string;
  readonly id: string;
}

/**
 * Asks for every object that is to be created and whose id is known here, because a list may leave out an existing
 * object. An object that is gone is created again, with a note. One that a list shows under another name was renamed in
 * the service.
 * @throws CopsError stopped (12) where one of them exists; the error of the read where that cannot be determined
 */
export async function refuseKnown(
  account: SetupEnvironment,
  { state, families, snapshot, place, folder }: KnownHere,
  steps: readonly PlanStep[],
): Promise<void> {
  const recorded = steps.flatMap((step): KnownObject[] => {
    if (step.action !== 'create') return [];
    const { family, was } = step;
    const address = stepAddress(step);
    const names = was === undefined ? [address] : [address, addressOf(family, was)];
    const ids = new Set(names.flatMap((name) => state.ids[name] ?? []));
    return [...ids].map((id) => ({ address, family, id }));
  });
  refuseRenamed(account, { state, snapshot, folder }, recorded);
  const known = recorded.filter(({ id }) => !snapshot.addresses.has(id));
  const gone = await refuseListed(account, families, known, place, 'created');
  for (const one of gone)
    account.context.notes.note(
      `${one} was in ${account.name} at the last apply or pull, but is gone: it is created again.`,
    );
}

/** @throws CopsError stopped (12) where a list shows an object that is to be created under another name */
function refuseRenamed(
  { name }: SetupEnvironment,
  { state, snapshot: { addresses }, folder: typed }: Pick<KnownHere, 'state' | 'snapshot' | 'folder'>,
  recorded: readonly KnownObject[],
): void {
  const renamed = recorded.flatMap(({ address, family, id }) => {
    const now = addresses.get(id);
    return now === undefined || now === address ? [] : [{ address, family, now, id }];
  });
  const [first] = renamed;
  if (!first) return;
  const each = renamed.map(({ address, now, id }) => `${address} is ${now} there (${id})`).sort();
  const [old = '', other = ''] = [first.address, first.now].map((one) => one.slice(one.indexOf('/') + 1));
  const family = first.family.replaceAll('_', '-');
  const folder = typed ?? placeholder('folder');
  // After a pull the folder has both, and the new one is the object.
  const isBoth = state.ids[first.now] === first.id;
  throw stopped(
    `Renamed in ${name}: ${each.join(', ')}: nothing was done`,
    isBoth
      ? say`The file of the old name is left over: ${cops`setup pull ${folder} --prune`} deletes it.`
      : say`To take that name over: ${cops`setup rename ${folder} ${family} ${old} ${other}`}. To keep yours, write _was: ${JSON.stringify(other)} into its file: the next apply renames it back.`,
    { renamed: each },
  );
}

/** The objects that are gone when asked for by id. @throws CopsError stopped (12) where one exists */
export async function refuseListed(
  { account, concurrency, name }: SetupEnvironment,
  families: Families,
  known: readonly KnownObject[],
  place: StatePlace,
  what: 'created' | 'removed here',
): Promise<readonly string[]> {
  const there: string[] = [];
  const gone: string[] = [];
  await inParallel(known, concurrency, async ({ address, family, id }) => {
    const managed = families.managed.get(family);
    if (!managed?.list) return;
    const item = await account.item(managed.family, managed.get, id);
    (item ? there : gone).push(`${address} (${id})`);
  });
  if (there.length === 0) return gone.sort();
  const objects = there.length === 1 ? `1 object to be ${what} is` : `${there.length} objects to be ${what} are`;
  throw stopped(
    `${objects} in ${name}, though its lists do not show them: ${there.sort().join(', ')}: nothing was done`,
    `The lists are incomplete: try again later. The known state of ${name} is in ${statePath(place)}.`,
    { there },
  );
}
