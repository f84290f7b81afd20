import { inParallel } from '../base/in-parallel.js';
import { ownMember, type TreeObject } from '../items/json/tree.js';
import type { Applied } from './apply.js';
import { notTaken } from './compare-object.js';
import { hashOf } from './hash.js';
import type { Planned } from './make-plan.js';
import { forget, secretMarks, writeState } from './recorded-state.js';
import { namesNow } from './settle-steps.js';
import { remoteOf } from './snapshot.js';
import { type Applying, stepAddress } from './steps.js';
import type { PlanStep, Remote } from './types.js';
import { readSecret, secretSources, secretsIn } from './variables.js';

/**
 * Reads the written objects again, records them, and reports differences from what was sent: fields that the service
 * did not accept, and duplicate names. It cannot rule out later changes.
 */
export async function verify(applying: Applying, input: Planned, applied: Applied): Promise<readonly string[]> {
  const { progress, account } = applying;
  const written = new Map<string, PlanStep[]>();
  for (const step of progress.plan.steps) {
    if (!progress.isDone(step.n)) continue;
    if (step.action === 'delete') forget(input.state, stepAddress(step));
    else written.set(stepAddress(step), [...(written.get(stepAddress(step)) ?? []), step]);
  }
  const told: string[] = [];
  await inParallel([...written.values()], account.concurrency, async (steps) => {
    const [first] = steps as [PlanStep];
    const managed = progress.managed(first);
    const id = progress.ids.get(stepAddress(first));
    const item = await account.account.item(managed.family, managed.get, managed.list ? id : undefined);
    if (!item || id === undefined) {
      told.push(`${stepAddress(first)} is not there after it was written.`);
      return;
    }
    const remote = remoteOf(managed, id, item, (known) => progress.addressOf(known));
    const body: TreeObject = Object.assign({}, ...steps.map((step) => step.body));
    const lost = notTaken(managed, body, remote.shape);
    if (lost.length > 0)
      told.push(`${stepAddress(first)}: the service shows otherwise than it was sent: ${lost.join(', ')}.`);
    await rememberWritten(applying, input, remote, body, steps);
  });
  if (!applied.interrupted) told.push(...(await doubledNames(applying)));
  rememberEqual(input, written);
  await writeState(input.place, input.state);
  for (const text of told) account.context.notes.warn(text);
  return told;
}

/** Created names that exist more than once. */
async function doubledNames({ progress, account }: Applying): Promise<readonly string[]> {
  const created = progress.plan.steps.filter((step) => step.action === 'create' && progress.isDone(step.n));
  const told: string[] = [];
  for (const family of new Set(created.map((step) => step.family))) {
    const names = await namesNow(account, progress.managed({ family }));
    for (const step of created) {
      const ids = step.family === family ? (names.get(stepAddress(step)) ?? []) : [];
      if (ids.length > 1) told.push(`${stepAddress(step)} is there ${ids.length} times: ${ids.join(', ')}.`);
    }
  }
  return told;
}

/** Records what was sent as agreed; fields that were not sent keep their known values. */
async function rememberWritten(
  { account, folder }: Applying,
  { state, files }: Planned,
  remote: Remote,
  body: TreeObject,
  steps: readonly PlanStep[],
): Promise<void> {
  const { address } = remote;
  const isNew = steps.some(({ action }) => action === 'create');
  const base: Record<string, string> = { ...state.base[address] };
  for (const [name, value] of Object.entries(remote.shape)) {
    // A list that others added to holds entries that this set-up has never seen.
    if (!isNew && files.get(address)?.adds?.has(name)) delete base[name];
    else if (isNew || Object.hasOwn(body, name)) base[name] = hashOf(value);
  }
  state.ids[address] = remote.id;
  state.base[address] = base;
  if (isNew) state.own[address] = true;
  const secrets = secretsIn(body);
  if (secrets.length === 0) return;
  const { dataDir, options } = account.context;
  const mark = await secretMarks(dataDir, !options.dryRun);
  for (const text of secrets) {
    const value = await readSecret(text, secretSources(account.context, folder)).catch(() => undefined);
    if (value !== undefined) state.secrets[`${address}#${text}`] = mark(value);
  }
}

/** Records files that match the service as agreed too. */
function rememberEqual({ files, snapshot, state }: Planned, written: ReadonlyMap<string, unknown>): void {
  for (const [address, file] of files) {
    const remote = snapshot.objects.get(address);
    if (!remote || written.has(address)) continue;
    const base: Record<string, string> = { ...state.base[address] };
    for (const [name, value] of Object.entries(file.shape)) {
      const found = ownMember(remote.shape, name);
      if (found !== undefined && !file.adds?.has(name) && hashOf(value) === hashOf(found)) base[name] = hashOf(found);
    }
    state.ids[address] = remote.id;
    state.base[address] = base;
  }
}
