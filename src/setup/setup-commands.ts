import { existsSync } from 'node:fs';
import { accountRecords } from '../account/account-records.js';
import { checkTarget, writeGiven } from '../account/given-target.js';
import { stopped, usage } from '../base/errors/errors.js';
import { typedPath } from '../base/files/typed-path.js';
import { cops } from '../base/text/command-line.js';
import { bound } from '../bulk/binding.js';
import type { Field } from '../catalogue/types.js';
import { itemsOf } from '../items/json/item-json.js';
import type { CommandInput, Context, Done } from '../session/context/context.js';
import { applyPlan, resumePlan } from './apply-plan.js';
import { folderPath, openAccount, type SetupEnvironment, snapshotOf } from './environment.js';
import { type Families, loadFamilies, type Managed } from './families.js';
import { refuseKnown } from './known-ids.js';
import { leftEverywhere } from './left-behind.js';
import { checkedFolder, holdingState, type Planned, placeOfPlan, planFolder, statePlaceOf } from './make-plan.js';
import { checkCommand, importCommand, initFolder, pullCommand } from './open-folder.js';
import { planPath, readSetupPlan, withRisks } from './plan-file.js';
import { diffCommand, promoteCommand } from './promote.js';
import { readState } from './recorded-state.js';
import { renameObject } from './rename-object.js';
import type { SetupOptions } from './setup-options.js';
import { refsIn } from './shape-references.js';
import { differs, planResult } from './step-results.js';
import type { Environment, FileObject, SetupPlan } from './types.js';
import { planDocument } from './view.js';

type Input = CommandInput<SetupOptions>;

/**
 * The first argument is the folder, unless no such folder exists and it names a family: `plan products`, `plan shop
 * products`.
 */
async function folderAndFamilies(
  context: Context,
  words: readonly string[],
): Promise<{ path: string; names: readonly string[] }> {
  const [first, ...rest] = words;
  if (first === undefined) return { path: folderPath(context, undefined), names: [] };
  const { managed } = await loadFamilies();
  const name = first.replaceAll('_', '-');
  const isFamily = managed.has(name) || managed.has(`${name}s`);
  if (isFamily && !existsSync(`${folderPath(context, first)}/cops.setup.yaml`))
    return { path: folderPath(context, undefined), names: words };
  return { path: folderPath(context, first), names: rest };
}

async function planCommand(context: Context, { words, options }: Input): Promise<Done> {
  const { path, names } = await folderAndFamilies(context, words);
  const { out } = options;
  const kept =
    out === undefined ? undefined : { path: folderPath(context, out), typed: out, option: '--out', own: context };
  // Check that the file can be written before reading anything for it.
  if (kept) await checkTarget(kept);
  const account = await openAccount(context, options);
  const { plan, unkept = [] } = await planFolder(account, path, names, options);
  if (kept && !context.options.dryRun) await writeGiven(kept, planDocument(plan));
  else if (kept) context.notes.note('Dry run: the plan is shown but not stored.');
  const result = await planResult(context, plan, options.markdown === true);
  return { result, finish: () => differs(plan, result, options.strict ? unkept.length : 0) };
}

async function applyCommand(context: Context, { words, options }: Input): Promise<Done> {
  const [first] = words;
  if (first !== undefined && /\.json$/.test(first)) return applyKept(context, folderPath(context, first), options);
  const { path, names } = await folderAndFamilies(context, words);
  const account = await openAccount(context, options);
  return holdingState(statePlaceOf(path, account), account, async () => {
    const planned = await planFolder(account, path, names, options);
    return applyPlan(account, planned, options);
  });
}

/** Applies a kept plan: only for the environment and key it was made with. */
async function applyKept(context: Context, path: string, options: SetupOptions): Promise<Done> {
  const plan = await readSetupPlan(path);
  const account = await openAccount(context, options);
  refuseOther(plan, account.environment, path);
  return withPlan(account, plan, async (input) => {
    await refuseKnown(account, { ...input, folder: plan.folder }, plan.steps);
    return applyPlan(account, input, options);
  });
}

async function resumeCommand(context: Context, { words: [word = ''], options }: Input): Promise<Done> {
  const journal = folderPath(context, word);
  const place = await accountRecords(context).journal(journal);
  const { state } = await place.scan();
  const plan = await readSetupPlan(planPath(journal), place);
  // The command line chooses the environment, not a file.
  bound(state.header, await context.profile(), place, cops`setup resume ${word}`);
  const account = await openAccount(context, options);
  return withPlan(account, plan, async (input) => {
    // Only unsent steps are checked: a sent one may be known here by now, and is settled by looking for it.
    await refuseKnown(
      account,
      { ...input, folder: plan.folder },
      plan.steps.filter(({ n }) => state.stand(n) === 'not_started'),
    );
    return resumePlan(account, input, journal);
  });
}

async function withPlan(
  account: SetupEnvironment,
  plan: SetupPlan,
  work: (input: Planned) => Promise<Done>,
): Promise<Done> {
  // A kept plan names its folder itself.
  if (plan.folder !== undefined) typedPath(account.context.world, plan.folder);
  const place = placeOfPlan(plan, account);
  return holdingState(place, account, async () => {
    const families = await loadFamilies();
    const snapshot = await snapshotOf(account, families, new Set());
    return work({
      plan: withRisks(plan, families),
      families,
      place,
      state: await readState(place),
      snapshot,
      files: new Map(),
    });
  });
}

function refuseOther(plan: SetupPlan, is: Environment, path: string): void {
  const was = plan.environment;
  const wrong = (['profile', 'mode', 'base_url', 'fingerprint'] as const).filter((name) => was[name] !== is[name]);
  if (wrong.length === 0) return;
  const words = wrong.map((name) => `${name.replace('_', ' ')} ${was[name]}, not ${is[name]}`).join('; ');
  throw stopped(`${path} was made for ${words}: nothing was sent`, `Use: -p ${was.profile} --${was.mode}`);
}

async function graphCommand(context: Context, { words: [folder], options }: Input): Promise<Done> {
  const families = await loadFamilies();
  const path = folderPath(context, folder);
  const hasFolder = existsSync(`${path}/cops.setup.yaml`);
  if (folder !== undefined && !hasFolder) throw usage(`${path} is not a set-up folder: it has no cops.setup.yaml.`);
  const objects = hasFolder ? [...(await checkedFolder(context, path, families)).objects.values()] : [];
  const edges: readonly Edge[] = hasFolder ? objectEdges(objects) : familyEdges(families);
  const left = [
    ...families.unmanaged,
    ...[...families.external.keys()].map((name) => ({
      name,
      why: 'files can only refer to it: it cannot be created or edited through this interface',
    })),
    ...leftEverywhere(families),
  ];
  const names = left.map(({ name }) => name);
  if (!context.options.verbose) context.notes.note(`Not kept as files: ${names.join(', ')}. --verbose says why.`);
  for (const { name, why } of left) context.notes.detail(`Not kept as files: ${name} (${why}).`);
  if (options.dot === true || context.options.output?.toLowerCase() === 'dot')
    return { result: { shape: 'text', text: dotOf(edges, objects) } };
  const columns = [{ path: 'from' }, { path: 'field', as: 'prose' }, { path: 'to' }] as const;
  return { result: { shape: 'list', items: itemsOf(edges), columns, idField: 'from' } };
}

/** The handler of each `cops setup` command. */
export const SETUP_COMMANDS: Readonly<Record<string, (context: Context, input: Input) => Promise<Done>>> = {
  init: (context, { words: [folder] }) => initFolder(context, folderPath(context, folder)),
  check: (context, { words: [folder] }) => checkCommand(context, folderPath(context, folder)),
  pull: async (context, { words, options }) => {
    const { path, names } = await folderAndFamilies(context, words);
    return pullCommand(context, path, names, options);
  },
  import: (context, { words, options }) => importCommand(context, words, folderPath(context, options.folder), options),
  plan: planCommand,
  apply: applyCommand,
  resume: resumeCommand,
  diff: (context, { words, options }) => diffCommand(context, words, options),
  promote: (context, { words, options }) => promoteCommand(context, words, options),
  graph: graphCommand,
  rename: (context, { words: [folder, ...rest] }) => renameObject(context, folderPath(context, folder), rest),
};

interface Edge {
  readonly from: string;
  readonly to: string;
  /** Field that holds the reference. */
  readonly field: string;
}

/** The references between the objects of a folder. */
function objectEdges(objects: Iterable<FileObject>): readonly Edge[] {
  return [...objects].flatMap((object) =>
    refsIn(object.shape).map(({ address, parts }) => ({ from: object.address, to: address, field: parts.join('.') })),
  );
}

/** The references that families can have, from the catalogue. */
function familyEdges(families: Families): readonly Edge[] {
  return [...families.managed.values()].flatMap((managed: Managed) =>
    managedReferences(managed).map(({ to, field }) => ({ from: managed.name, to, field })),
  );
}

/** The families that a family's fields refer to, each with the path of the field. */
function managedReferences(managed: Managed): readonly { readonly to: string; readonly field: string }[] {
  const found: { to: string; field: string }[] = [];
  const walk = (fields: Readonly<Record<string, Field>>, path: string): void => {
    for (const [name, field] of Object.entries(fields)) {
      const here = path === '' ? name : `${path}.${name}`;
      for (const to of field.refers ?? []) found.push({ to: to.replaceAll('_', '-'), field: here });
      walk(field.fields ?? {}, here);
      walk(field.items?.fields ?? {}, `${here}[]`);
    }
  };
  walk(managed.fields, '');
  return found;
}

/** The graph in Graphviz's language. */
function dotOf(edges: readonly Edge[], alone: readonly FileObject[]): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
  const nodes = alone.map(({ address }) => `  ${quoted(address)};`);
  const lines = edges.map(({ from, to, field }) => `  ${quoted(from)} -> ${quoted(to)} [label=${quoted(field)}];`);
  return `digraph setup {\n  rankdir=LR;\n${[...nodes, ...lines].join('\n')}\n}\n`;
}
