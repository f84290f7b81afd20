import { accountRecords } from '../account/account-records.js';
import { recordOutcome } from '../bulk/reconcile-journal.js';
import { notTaken } from './compare-object.js';
import type { SetupEnvironment } from './environment.js';
import { addressOf, type Managed } from './families.js';
import { keyOfItem } from './shape-references.js';
import { idOf, remoteOf } from './snapshot.js';
import { type Applying, stepAddress, stepName } from './steps.js';
import type { PlanStep } from './types.js';

/** The current ids of a family, by address. */
export async function namesNow(
  { account }: Pick<SetupEnvironment, 'account'>,
  managed: Managed,
  options: { readonly whole?: boolean } = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>();
  if (!managed.list) return names;
  for (const item of (await account.list(managed.family, managed.list, options)).items) {
    const [id, key] = [idOf(managed.family, item), keyOfItem(managed, item)];
    if (id === undefined || key === undefined) continue;
    const address = addressOf(managed.name, key);
    names.set(address, [...(names.get(address) ?? []), id]);
  }
  return names;
}

/**
 * Settles steps whose outcome is unknown by looking at the service: an object of that name exists, the change shows,
 * the object is gone. A step that shows is recorded as done. One that does not is sent again with its own key where
 * `again` allows it (the service accepts a key once), and never with another key.
 */
export async function settleOpen(applying: Applying, group: readonly PlanStep[], again: boolean): Promise<void> {
  const { account, progress, journal } = applying;
  const { state } = journal;
  const [first] = group;
  const unsure = group.filter(({ n }) => ['open', 'unknown'].includes(state.stand(n)));
  const nameless = group.filter(
    (step) => step.action === 'create' && progress.isDone(step.n) && !progress.ids.has(stepAddress(step)),
  );
  if (!first || unsure.length + nameless.length === 0) return;
  const names = first.action === 'create' ? await namesNow(account, progress.managed(first)) : new Map();
  for (const step of nameless) {
    const [id] = names.get(stepAddress(step)) ?? [];
    if (id !== undefined) progress.ids.set(stepAddress(step), id);
    progress.createdAt.set(stepAddress(step), account.context.world.now());
  }
  for (const step of unsure) {
    const evidence = await evidenceOf(applying, step, names);
    if (evidence !== undefined) await recordDone(applying, step, evidence);
    else if (again && state.stand(step.n) === 'unknown') await reopen(applying, step);
  }
}

/** The evidence that a step was done; undefined without any. */
async function evidenceOf(
  { account, progress }: Applying,
  step: PlanStep,
  names: ReadonlyMap<string, readonly string[]>,
): Promise<string | undefined> {
  const managed = progress.managed(step);
  const address = stepAddress(step);
  if (step.action === 'create') {
    const ids = names.get(address) ?? [];
    const [id] = ids;
    if (id === undefined) return undefined;
    if (ids.length > 1) account.context.notes.warn(`${address} is there ${ids.length} times: ${ids.join(', ')}.`);
    progress.ids.set(address, id);
    progress.createdAt.set(address, account.context.world.now());
    return `an object of this name exists: ${id}`;
  }
  const [id] = progress.pathIds(step);
  const item = await account.account.item(managed.family, managed.get, id);
  if (step.action === 'delete') return item ? undefined : 'it no longer exists';
  if (!item) return undefined;
  const remote = remoteOf(managed, id ?? '', item, (known) => progress.addressOf(known));
  return notTaken(managed, step.body, remote.shape).length === 0 ? 'the object shows the change' : undefined;
}

async function recordDone({ account, journal }: Applying, step: PlanStep, evidence: string): Promise<void> {
  const { ids = [], key, history: entry } = journal.state.pending.get(step.n) ?? {};
  const history = await accountRecords(account.context).history();
  const row = { row: step.n, line: step.n, ids, key, history: entry };
  await recordOutcome(journal, history, row, { as: 'done', evidence: [evidence], api_call_id: null });
  await history.close();
  account.context.notes.note(`${stepName(step)}: its answer was lost; ${evidence}.`);
}

/** Prepares a step whose answer was lost to be sent once more with its own key. */
async function reopen({ account, journal }: Applying, step: PlanStep): Promise<void> {
  const open = journal.state.pending.get(step.n);
  // The service knows a key only for the credential it came with.
  if (open?.key === undefined || open.credential !== account.reader.profile.fingerprint) return;
  const line = {
    type: 'intent',
    row: step.n,
    line: step.n,
    ids: open.ids,
    key: open.key,
    history: open.history,
    tag: open.tag,
    // A step that is sent again keeps the age of its key.
    time: new Date(open.time).toISOString(),
    skew: journal.state.skewOf(open),
  } as const;
  await journal.append(line, true);
  journal.state.apply(line, -1);
}
