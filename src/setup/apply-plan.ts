import { existsSync } from 'node:fs';
import { accountRecords } from '../account/account-records.js';
import { checkTarget, journalTarget } from '../account/given-target.js';
import type { JournalHeader } from '../account/journal/journal-lines.js';
import { retryable } from '../account/journal/state.js';
import type { JournalPlace } from '../account/journal/types.js';
import { confirm, decide, needsProof } from '../account/safety/decide.js';
import { CopsError, local, stopped } from '../base/errors/errors.js';
import { typedPath } from '../base/files/typed-path.js';
import { randomUUID } from '../base/random.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../base/text/command-line.js';
import { endInHistory } from '../bulk/binding.js';
import { type Stops, watchStops } from '../bulk/stops.js';
import { Item } from '../items/json/item-json.js';
import { sanitise } from '../items/text/inert.js';
import type { Context, Done } from '../session/context/context.js';
import { lineWithout } from '../session/context/lines.js';
import { tellingAtOnce } from '../session/context/run.js';
import { proveKey } from '../session/write/write.js';
import { type Applied, applySteps } from './apply.js';
import type { SetupEnvironment } from './environment.js';
import { loadFamilies } from './families.js';
import type { Planned } from './make-plan.js';
import { keepPlan, planDigest } from './plan-file.js';
import { riskOf } from './plan-objects.js';
import { type SetupState, writeState } from './recorded-state.js';
import { coloured, planResult } from './step-results.js';
import { type Applying, PlanProgress, stepAddress, stepName } from './steps.js';
import { type Drift, keptDrift, type PlanStep, type SetupPlan } from './types.js';
import { STAND_IN } from './variables.js';
import { verify } from './verify.js';
import { planText } from './view.js';

export interface ApplyOptions {
  readonly expectPlan?: string | undefined;
  readonly journal?: string | undefined;
  /** False where the plan has already been shown. */
  readonly show?: boolean;
}

/**
 * Shows a plan, asks for confirmation once, and applies it with a journal.
 * @throws CopsError stopped (12) when it is not the expected plan, or nobody confirms it
 */
export async function applyPlan(account: SetupEnvironment, input: Planned, options: ApplyOptions): Promise<Done> {
  const { plan } = input;
  const { context } = account;
  if (options.expectPlan !== undefined && options.expectPlan !== plan.id)
    throw stopped(`--expect-plan ${options.expectPlan}, but the plan is ${plan.id}: nothing was sent`);
  if (plan.steps.length === 0) return nothingToDo(account, input);
  refuseUnfinished(account, input.state);
  if (context.options.dryRun) return dryRun(context, plan);
  const given = options.journal;
  if (given !== undefined) await checkTarget(journalTarget(context, given));
  await askOnce(account, plan, options.show !== false);
  const path =
    given === undefined
      ? await (await accountRecords(context).runs()).newName('setup apply')
      : typedPath(context.world, given);
  await keepPlan(path, plan);
  const journal = await (await accountRecords(context).journal(path)).create(headerOf(account, plan));
  input.state.open = path;
  await writeState(input.place, input.state);
  const progress = new PlanProgress(plan, input.families, journal.state, input.snapshot.addresses);
  await askSecrets(context, progress);
  return carryOut({ account, journal, progress, folder: plan.folder ?? context.world.cwd }, input, path);
}

/** For each command that writes, the one that only compares and exits with 13 if anything differs. */
const COMPARES: Readonly<Record<string, string>> = { 'setup promote': 'diff', 'setup apply': 'plan' };

/** The plan as a dry run shows it. */
async function dryRun(context: Context, plan: SetupPlan): Promise<Done> {
  const compares = COMPARES[context.command];
  const { argv } = context.world;
  const writes = context.command.split(' ').at(-1);
  const words = argv.map((word) => (word === writes && compares ? compares : word));
  const line = lineWithout(words, [
    '--dry-run',
    '--overwrite-drift',
    '--expect-plan',
    '--journal',
    '--reason',
    '-y',
    '--yes',
  ]);
  const tells = compares && !argv.some((word) => word.endsWith('.json'));
  context.notes.note(
    say`Dry run: nothing is sent.${tells ? say` To end with exit code 13 where anything differs: ${line}` : ''}`,
  );
  const drift = keptDrift(plan.drift);
  const result = await planResult(context, plan, false);
  return { result, finish: () => (drift.length > 0 ? leftError('Nothing is sent', context, plan) : undefined) };
}

/** What a plan leaves as it is, since nothing from here has set it so. */
const leftError = (done: string, context: Context, plan: SetupPlan): CopsError =>
  new CopsError('incomplete', `${done}: ${leftAsIs(keptDrift(plan.drift))}.`, { hint: leftHint(context, plan) });

/**
 * Refuses to start while a killed apply has unsettled steps: they are settled through its own journal first, because a
 * new plan would not know which requests are still under way.
 * @throws CopsError stopped (12)
 */
function refuseUnfinished(account: SetupEnvironment, { open }: SetupState): void {
  if (open === undefined || !existsSync(open)) return;
  throw stopped(
    'The last apply to this environment was stopped in the middle: nothing was sent',
    say`Continue it first: ${resumeLine(account, open)}`,
  );
}

/** `cops setup resume <journal>`. */
export async function resumePlan(account: SetupEnvironment, input: Planned, path: string): Promise<Done> {
  const { context } = account;
  const file = await accountRecords(context).journal(path);
  const { state } = await file.scan();
  // Anybody may have written a journal and its plan, so the remaining steps are confirmed like a new plan.
  const left = input.plan.steps.filter(({ n }) => !['done', 'resolved_done'].includes(state.stand(n)));
  if (left.length < input.plan.steps.length)
    context.notes.note(`${input.plan.steps.length - left.length} of ${input.plan.steps.length} steps are done.`);
  if (context.options.dryRun) return dryRun(context, { ...input.plan, steps: left });
  if (left.length > 0) await askOnce(account, { ...input.plan, steps: left }, true);
  const { fingerprint } = account.reader.profile;
  const journal = await file.open(state.header.id, fingerprint);
  await refuseOlder(context, file, state.header.id).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  await endInHistory(context, file, state.header.id);
  const progress = new PlanProgress(input.plan, input.families, journal.state, input.snapshot.addresses);
  await askSecrets(context, progress);
  return carryOut({ account, journal, progress, folder: input.plan.folder ?? context.world.cwd }, input, path);
}

/**
 * Refuses a journal that lacks writes the history has recorded for this run: an older or damaged copy would send those
 * steps again under new keys.
 * @throws CopsError local (11)
 */
async function refuseOlder(context: Context, file: JournalPlace, id: string): Promise<void> {
  const known = new Set<string>();
  await file.scan((line) => {
    if (line.type === 'intent' && line.history !== undefined) known.add(line.history);
  });
  const history = await accountRecords(context).history();
  const lost: string[] = [];
  for await (const intent of history.intentsOf(id)) if (!known.has(intent.id)) lost.push(intent.id);
  if (lost.length === 0) return;
  throw local(
    `the history knows ${lost.length} writes of this set-up that ${file.name} lacks: it is an older copy, or damaged`,
    say`Nothing was sent. Check them (${cops`history show ${lost[0]}`}), move the journal away, and make a new plan: it compares with what is there.`,
  );
}

async function carryOut(given: Applying, input: Planned, path: string): Promise<Done> {
  const account = { ...given.account, context: tellingAtOnce(given.account.context) };
  const applying = { ...given, account };
  const { journal } = applying;
  const { state } = journal;
  const resume = resumeLine(account, path);
  const told = () =>
    `${state.count('done', 'resolved_done')} of ${state.header.rows} steps done. Continue with: ${resume}`;
  const stops = watchStops(account.context, state, told);
  let applied: Applied;
  let unlike: readonly string[];
  try {
    applied = await applySteps(applying, stops).finally(() => journal.close());
    input.state.open = undefined;
    unlike = await verified(applying, input, applied, stops);
  } finally {
    stops.undo();
  }
  const { progress } = applying;
  const steps = progress.plan.steps;
  const done = steps.filter(({ n }) => progress.isDone(n)).length;
  const failed = failedOf(applying, applied);
  const known = new Set(applied.failed.map(({ step }) => stepName(step)));
  for (const { step, message } of failed) if (!known.has(step)) account.context.notes.warn(`${step}: ${message}.`);
  const item = {
    environment: account.name,
    plan: progress.plan.id,
    steps: steps.length,
    done,
    skipped: [...progress.skipped].map(([n, why]) => ({ step: stepName(steps[n - 1] as PlanStep), why })),
    failed,
    unknown: applied.unknown.map(stepName),
    drift: keptDrift(progress.plan.drift).map(({ address }) => address),
    cannot: progress.plan.cannot,
    ids: await idsOf(account.context, input, progress),
    journal: path,
  };
  await tellLeft(account.context, progress.plan);
  return {
    wrote: true,
    result: { shape: 'one', item: Item.of(item) },
    finish: () => endOf(applying, applied, unlike, resume, path),
  };
}

/** A table shows the ids of at most this many objects. */
const SHOWN_IDS = 20;

/** The ids of a plan's objects in its environment, by address. A table gets them only when there are few. */
async function idsOf(
  context: Context,
  { plan, files, snapshot }: Planned,
  progress?: PlanProgress,
): Promise<Readonly<Record<string, string>> | undefined> {
  const steps = plan.steps.filter(({ action }) => action !== 'delete').map(stepAddress);
  const found = [...new Set([...steps, ...files.keys()])].flatMap((address) => {
    const id = progress?.ids.get(address) ?? snapshot.objects.get(address)?.id;
    return id === undefined ? [] : [[address, id] as const];
  });
  const isMuch = found.length > SHOWN_IDS && (await context.settings()).format === 'table';
  return isMuch ? undefined : Object.fromEntries(found);
}

/** Warns about what the plan cannot carry over. A table shows it anyway, so only other formats need the warning. */
async function tellLeft(context: Context, { cannot }: SetupPlan): Promise<void> {
  if ((await context.settings()).format !== 'table') for (const line of cannot) context.notes.warn(`${line}.`);
}

/** What reading back finds. A failure to read is reported, not thrown, because the writes have been made. */
async function verified(
  applying: Applying,
  input: Planned,
  applied: Applied,
  { hard }: Stops,
): Promise<readonly string[]> {
  const unread = (why: string) => [`The result was not read back: ${why}`];
  const stopped = new Promise<readonly string[]>((resolve) => {
    const stop = () => resolve(unread('stopped.'));
    if (hard.signal.aborted) stop();
    else hard.signal.addEventListener('abort', stop, { once: true });
  });
  const reading = verify(applying, input, applied).catch((error: unknown) => {
    if (!(error instanceof CopsError) || error.kind === 'stopped') throw error;
    return unread(error.message);
  });
  return Promise.race([reading, stopped]);
}

/** The command line that resumes the journal, for the environment it began with. */
function resumeLine({ environment }: SetupEnvironment, path: string): CommandLine {
  const { profile, mode } = environment;
  return cops`setup resume ${path}`.in(profile === 'env' ? undefined : profile, mode);
}

/** Steps refused in this run or in an earlier run of this journal. The latter are not repeated. */
function failedOf({ progress, journal }: Applying, applied: Applied): { step: string; message: string }[] {
  const now = new Map(applied.failed.map(({ step, message }) => [step.n, message]));
  return progress.plan.steps.flatMap((step) => {
    const isRefused = retryable().includes(journal.state.stand(step.n));
    const message = now.get(step.n) ?? (isRefused ? 'an earlier run was refused it; it needs another plan' : undefined);
    return message === undefined ? [] : [{ step: stepName(step), message }];
  });
}

/** The error an apply ends with (9 before 10 before 130); undefined when everything is done. */
function endOf(
  { account, progress }: Applying,
  applied: Applied,
  told: readonly string[],
  resume: CommandLine,
  path: string,
): CopsError | undefined {
  const { steps } = progress.plan;
  const drift = keptDrift(progress.plan.drift);
  const done = steps.filter(({ n }) => progress.isDone(n)).length;
  const hint = say`Continue with: ${resume}`;
  const facts = { hint, more: { journal: path, done, steps: steps.length } };
  if (applied.unknown.length > 0) {
    const names = applied.unknown.map(stepName).join(', ');
    return new CopsError(
      'outcome_unknown',
      `${done} of ${steps.length} steps done; the outcome of these is unknown: ${names}.`,
      facts,
    );
  }
  if (applied.interrupted && applied.failed.length === 0)
    return new CopsError('interrupted', `${done} of ${steps.length} steps done.`, {
      ...facts,
      exitCode: applied.exitWhenInterrupted,
    });
  if (done < steps.length) {
    const all = applied.error && (done === 0 || applied.error.kind === 'stopped') ? applied.error.kind : 'incomplete';
    const cause = applied.error ? `: ${applied.error.message}` : '';
    const again = applied.failed.length > 0 ? say`Refused steps need another plan: ${cops`setup plan`}.` : '';
    return new CopsError(all, `${done} of ${steps.length} steps done${cause}.`, {
      ...facts,
      hint: joinedTexts([again, hint], ' '),
    });
  }
  if (told.length > 0) return new CopsError('incomplete', told.join(' '));
  if (drift.length > 0) return leftError('All steps done', account.context, progress.plan);
  return undefined;
}

/** What to do about drift: the typed command line, with the option it needs. */
function leftHint({ world }: Context, plan: SetupPlan): Text {
  const { argv } = world;
  const isKept = argv.includes('resume') || argv.some((word) => word.endsWith('.json'));
  const line = lineWithout(argv, ['--expect-plan', '--journal'], '--overwrite-drift');
  const over = isKept ? 'another plan with --overwrite-drift' : line;
  const pull = plan.folder === undefined ? '' : say`. To copy it into the files: ${cops`setup pull`}`;
  return say`The service's version stays${pull}. To overwrite it: ${over}`;
}

function leftAsIs(drift: readonly Drift[]): string {
  const isUnseen = drift.every(({ kind }) => kind === 'unknown');
  const what = isUnseen ? 'with other values, which nothing from here has set,' : 'changed since it was last applied,';
  return `${drift.length} ${drift.length === 1 ? 'object' : 'objects'} there ${what} left unchanged`;
}

async function nothingToDo(account: SetupEnvironment, input: Planned): Promise<Done> {
  const { plan } = input;
  const drift = keptDrift(plan.drift);
  const item = {
    environment: account.name,
    plan: plan.id,
    steps: 0,
    done: 0,
    drift: drift.map(({ address }) => address),
    cannot: plan.cannot,
    ids: await idsOf(account.context, input),
  };
  await tellLeft(account.context, plan);
  if (drift.length === 0 && plan.shared.length === 0) {
    const has = plan.cannot.length === 0 ? 'it all already' : 'already everything that can be written';
    account.context.notes.note(`Nothing to do: ${account.name} has ${has}, and nothing was sent.`);
  }
  if (drift.length > 0 || plan.shared.length > 0) account.context.notes.warn(planText(plan).trimEnd());
  return {
    result: { shape: 'one', item: Item.of(item) },
    finish: () => (drift.length === 0 ? undefined : leftError('Nothing was done', account.context, plan)),
  };
}

/** One question for the whole plan; deletions and live money as everywhere else (command-line.md#writes). */
async function askOnce(account: SetupEnvironment, plan: SetupPlan, show: boolean): Promise<void> {
  const { context, reader } = account;
  const { profile } = reader;
  const prompter = await context.prompter();
  const risk = riskOf(plan.steps);
  const asked = {
    risk,
    method: 'POST',
    profile,
    yes: context.options.yes,
    dryRun: false,
    operation: context.command,
  } as const;
  let decision = decide({ ...asked, yes: true, canPrompt: true });
  let proven = !needsProof(profile, risk);
  if (!proven) {
    const [family] = (await loadFamilies()).managed.values();
    if (family) proven = await proveKey(context, reader, family.family, context.command, {});
  }
  if (!(proven && profile.mode.value === 'test')) decision = decide({ ...asked, canPrompt: prompter.canPrompt() });
  // A person at the terminal sees the plan before anything is sent, whatever its risk.
  if (decision === 'allow' && prompter.canPrompt() && !context.options.yes) decision = 'ask';
  await confirm({
    decision,
    lines: show ? [(await coloured(context, plan, context.world.stderr)).trimEnd()] : [],
    expected: plan.id,
    asker: async () => prompter,
    show: (text) => (context.notes.painted ?? context.notes.warn)(text),
  });
}

/** Asks for secrets that no file names, if somebody is there to answer. */
async function askSecrets(context: Context, progress: PlanProgress): Promise<void> {
  const prompter = await context.prompter();
  const isConfined = context.world.confined !== undefined;
  if (!isConfined && (!prompter.canPrompt() || context.options.yes)) return;
  for (const step of progress.plan.steps) {
    if (!step.asks || progress.isDone(step.n)) continue;
    if (isConfined) {
      progress.typed.set(step.n, Object.fromEntries(step.asks.map((place) => [place, STAND_IN])));
      continue;
    }
    const typed: Record<string, string> = {};
    for (const place of step.asks) {
      const answer = (
        await prompter.secret(`${sanitise(stepName(step))}: ${place} (not shown; empty leaves it out)`)
      ).trim();
      if (answer !== '') typed[place] = answer;
    }
    progress.typed.set(step.n, typed);
  }
}

function headerOf({ reader, environment }: SetupEnvironment, plan: SetupPlan): JournalHeader {
  const { profile } = reader;
  return {
    type: 'header',
    version: 2,
    id: randomUUID(),
    created: plan.time,
    profile: environment.profile,
    base_url: environment.base_url,
    mode: environment.mode,
    family: 'setup',
    action: 'apply',
    risk: riskOf(plan.steps),
    credential: profile.fingerprint,
    input: { kind: 'list', list: plan.steps.map(stepName), sha256: planDigest(plan) },
    templates: [],
    rows: plan.steps.length,
    keyless: profile.idempotencyKey.value === 'never',
  };
}
