import { CopsError } from '../base/errors/errors.js';
import { inParallel } from '../base/in-parallel.js';
import { cops } from '../base/text/command-line.js';
import type { RowEnd } from '../bulk/engine.js';
import { sendRows } from '../bulk/send-row.js';
import type { Stops } from '../bulk/stops.js';
import type { PlannedRow } from '../bulk/types.js';
import type { Operation } from '../catalogue/types.js';
import { ownMember, valueAt } from '../items/json/tree.js';
import { sanitise } from '../items/text/inert.js';
import { Meter } from '../screen/meter.js';
import { fromService } from '../service/request/wallet.js';
import { taggerOf } from '../session/write/prepared-write.js';
import { fieldsOf } from './families.js';
import { namesNow, settleOpen } from './settle-steps.js';
import { refOf } from './shape-references.js';
import { remoteOf } from './snapshot.js';
import { type Applying, createdId, groupsOf, stepAddress, stepName } from './steps.js';
import type { PlanStep } from './types.js';
import { readSecret, secretSources } from './variables.js';

/**
 * The outcome of running a plan's steps. `unknown`: steps whose outcome is unknown. `error`: the error that stopped the
 * run early.
 */
export type Applied = Awaited<ReturnType<typeof applySteps>>;

/** Rows that are checked together right before they are sent. */
const AT_ONCE = 8;

/**
 * Runs the steps of a plan level by level, each group of a level through the bulk engine: intent and key are on disk
 * before a request leaves. Skips steps that are already settled.
 */
export async function applySteps(applying: Applying, stops: Stops) {
  const { account, progress, journal } = applying;
  const { soft } = stops;
  const failed: { step: PlanStep; message: string }[] = [];
  let error: CopsError | undefined;
  const { world, notes } = account.context;
  const meter = new Meter(notes, () => world.now(), { unit: 'steps done' });
  try {
    for (const group of groupsOf(progress.plan.steps)) {
      if (soft.signal.aborted || error) break;
      await settleOpen(applying, group, true);
      error = await runGroup(applying, group, { stops, meter }, (step, message) => failed.push({ step, message }));
      if (!soft.signal.aborted) await settleOpen(applying, group, false);
    }
  } catch (problem) {
    // A failed read between writes ends the run, but says nothing about earlier writes.
    if (!(problem instanceof CopsError)) throw problem;
    error = problem;
  } finally {
    account.context.notes.progressDone();
  }
  const unknown = progress.plan.steps.filter(({ n }) => ['open', 'unknown'].includes(journal.state.stand(n)));
  return { unknown, failed, interrupted: soft.signal.aborted, error, exitWhenInterrupted: stops.exitCode() };
}

async function runGroup(
  applying: Applying,
  group: readonly PlanStep[],
  { stops, meter }: { readonly stops: Stops; readonly meter: Meter },
  tell: (step: PlanStep, message: string) => void,
): Promise<CopsError | undefined> {
  const { account, progress, journal } = applying;
  const { context, reader, reason } = account;
  const [first] = group;
  if (!first || group.every(({ n }) => progress.isDone(n))) return undefined;
  const operation = progress.operation(first);
  const { summary, contradicted } = await sendRows({
    ...{ context, reader, journal, stops },
    writes: { family: progress.managed(first).family, operation, risk: operation.risk, reason },
    rows: rowsOf(applying, group, operation),
    what: 'run',
    concurrency: account.concurrency,
    clock: account.clock,
    secrets: progress.secrets,
    // The plan was made from the current state, so a change may be sent again. A create may not: it could make a second
    // object.
    again: first.action !== 'create',
    onEnd: (end) => {
      const step = progress.plan.steps[end.row.row - 1];
      // A step held back by a stop was not refused: resuming the journal sends it.
      const isHeldBack = end.outcome === 'not_sent' && stops.soft.signal.aborted;
      if (step && !isHeldBack) noteEnd(applying, step, operation, end, tell);
      meter.show(journal.state.count('done', 'resolved_done'), progress.plan.steps.length);
    },
  });
  if (contradicted instanceof CopsError) return contradicted;
  return summary.stopped && summary.stopped !== 'interrupted' ? summary.error : undefined;
}

function noteEnd(
  { account, progress }: Applying,
  step: PlanStep,
  operation: Operation,
  end: RowEnd,
  tell: (step: PlanStep, message: string) => void,
): void {
  const { world, notes } = account.context;
  if (end.outcome === 'done') {
    if (step.action !== 'create' || !end.answer) return;
    const id = createdId(operation, fromService(end.answer.toString('utf8'), account.reader.profile.walletWord.value));
    if (id !== undefined) progress.ids.set(stepAddress(step), id);
    progress.createdAt.set(stepAddress(step), world.now());
    return;
  }
  const message = sanitise(end.message ?? end.outcome);
  notes.warn(`${stepName(step)}: ${end.outcome}: ${message}`);
  if (end.outcome !== 'unknown') tell(step, message);
}

/** The rows of a group that may be sent, each checked again right before it is. */
async function* rowsOf(
  applying: Applying,
  group: readonly PlanStep[],
  operation: Operation,
): AsyncIterable<Iterable<PlannedRow>> {
  const { account, progress, journal } = applying;
  const tag = taggerOf(account.reader.profile, operation);
  const sources = secretSources(account.context, applying.folder);
  const open = group.filter(({ n }) => !progress.isDone(n));
  const creates = group[0]?.action === 'create' ? progress.managed(group[0]) : undefined;
  const taken = creates ? await namesNow(account, creates, { whole: true }) : new Map();
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const rows: PlannedRow[] = [];
    await inParallel(open.slice(at, at + AT_ONCE), AT_ONCE, async (step) => {
      const why =
        progress.blocked(step) ?? (await notReady(applying, step)) ?? (await changedSince(applying, step, taken));
      if (why !== undefined) {
        skip(applying, step, why);
        return;
      }
      await untilReady(applying, step);
      const body = await progress.body(step, (text) => readSecret(text, sources));
      const ids = progress.pathIds(step);
      rows.push({ row: step.n, line: step.n, ids, body, tag: `${tag(ids, body)}` });
    });
    yield rows.sort((a, b) => a.row - b.row).filter(({ row }) => journal.state.stand(row) !== 'done');
  }
}

/**
 * Why a step must wait for an object that this plan created and somebody must first set up (for example a domain's
 * records); undefined if it need not.
 */
async function notReady({ account, progress }: Applying, step: PlanStep): Promise<string | undefined> {
  const operation = progress.operation(step);
  for (const [name, field] of fieldsOf(operation)) {
    const address = field.ready === undefined ? undefined : refOf(ownMember(step.body, name));
    const made = progress.plan.steps.find((one) => one.action === 'create' && stepAddress(one) === address);
    if (made === undefined || address === undefined) continue;
    const managed = progress.managed(made);
    const action = managed.family.operations.find((one) => one.action === field.ready);
    const id = progress.ids.get(address);
    if (!action?.wait?.field || id === undefined) continue;
    const item = await account.account.item(managed.family, managed.get, id);
    const found = valueAt(item, action.wait.field);
    if (typeof found === 'string' && action.wait.done?.includes(found)) continue;
    const command = cops`${managed.name} ${action.action.split(' ')} ${id} --wait`;
    return `${address} is new and not ready (${action.wait.field}): see ${cops`${managed.name} get ${id}`}, then ${command}`;
  }
  return undefined;
}

function skip({ account, progress }: Applying, step: PlanStep, why: string): void {
  progress.skipped.set(step.n, why);
  account.context.notes.warn(`Left out: ${stepName(step)}: ${why}.`);
}

/** What has changed since the plan was made: the object to change, or the name to take. */
async function changedSince(
  { account, progress, journal }: Applying,
  step: PlanStep,
  taken: ReadonlyMap<string, readonly string[]>,
): Promise<string | undefined> {
  // A step that may have been sent is settled by looking at the service, not here.
  if (journal.state.stand(step.n) === 'open') return undefined;
  const managed = progress.managed(step);
  const twins = taken.get(stepAddress(step));
  if (twins) {
    const since = 'it was created after the plan, or is older than --first-day';
    return `an object of this name exists: ${twins.join(', ')} (${since})`;
  }
  if (step.hash === undefined) return undefined;
  const item = await account.account.item(managed.family, managed.get, managed.list ? step.id : undefined);
  if (!item) return 'it no longer exists';
  const remote = remoteOf(managed, step.id ?? '', item, (id) => progress.addressOf(id));
  return remote.hash === step.hash ? undefined : 'it was changed in the service after the plan was made';
}

/** Waits until a newly created object can be changed (a function's run environment). */
async function untilReady({ account, progress }: Applying, step: PlanStep): Promise<void> {
  const { context, reader } = account;
  const wait = progress.managed(step).create?.wait?.atLeastSeconds;
  const created = progress.createdAt.get(stepAddress(step));
  if (wait === undefined || created === undefined || step.action === 'create' || reader.profile.embedded) return;
  for (;;) {
    const left = Math.ceil(created / 1000 + wait - context.world.now() / 1000);
    if (left <= 0) return;
    context.notes.progress(`${stepAddress(step)}: its environment is being created, ${left} s left`);
    await context.world.sleep(Math.min(left, 5) * 1000, context.world.interrupted);
  }
}
