import { hash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import type { JournalPlace } from '../account/journal/types.js';
import { local, orLocal, stopped, usage } from '../base/errors/errors.js';
import { readGivenFile } from '../base/files/read-file.js';
import { cops, say } from '../base/text/command-line.js';
import { JsonSyntaxFault, parseJson } from '../items/json/parse-json.js';
import { isObject, NumberText, type Tree, type TreeObject } from '../items/json/tree.js';
import type { Families } from './families.js';
import { planId, stepRisk } from './plan-objects.js';
import type { SetupPlan } from './types.js';
import { planDocument } from './view.js';

/** Bytes; a plan of ten thousand objects has about ten million. */
const LARGEST_PLAN = 64 << 20;

/** The plan file of a journal, next to it. */
export function planPath(journal: string): string {
  return `${journal}.plan.json`;
}

/** @throws CopsError local (11) when it cannot be written, or already exists */
export async function keepPlan(journal: string, plan: SetupPlan): Promise<void> {
  await orLocal(
    () => writeFile(planPath(journal), planDocument(plan), { mode: 0o600, flag: 'wx', flush: true }),
    `cannot store the plan beside the journal ${journal}`,
    'Nothing was sent.',
  );
}

/** The digest of a plan that its journal records. */
export function planDigest(plan: SetupPlan): string {
  return hash('sha256', planDocument(plan), 'hex');
}

/**
 * @throws CopsError usage (2) for a file that is not a plan, local (11) when it cannot be read or belongs to another
 * journal
 */
export async function readSetupPlan(path: string, journal?: JournalPlace): Promise<SetupPlan> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LARGEST_PLAN) throw usage(`${path} is not a set-up plan: it has ${size} bytes.`);
  const bytes = await orLocal(() => readGivenFile(path), `cannot read the plan ${path}`);
  const text = bytes.toString('utf8');
  if (journal !== undefined) {
    const { header } = (await journal.scan()).state;
    if (header.family !== 'setup')
      throw usage(`${journal.name} is not a set-up journal.`, cops`bulk resume ${journal.name}`);
    if (hash('sha256', text, 'hex') !== header.input.sha256)
      throw local(`${path} is not the plan that ${journal.name} started with`, 'Restore the original file.');
  }
  try {
    const { value } = parseJson(text);
    if (isPlan(value)) return unchanged(planFrom(value), path);
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxFault)) throw fault;
  }
  throw usage(`${path} is not a set-up plan.`, say`Make one with: ${cops`setup plan --out plan.json`}`);
}

function isPlan(value: Tree): value is TreeObject {
  if (!isObject(value) || !isObject(value.environment) || !isObject(value.ids)) return false;
  const lists = ['steps', 'drift', 'shared', 'cannot', 'notes', 'externals', 'families'];
  return lists.every((name) => Array.isArray(value[name])) && (value.steps as readonly Tree[]).every(isStep);
}

function isStep(value: Tree): boolean {
  if (!isObject(value) || !isObject(value.body)) return false;
  const texts = ['action', 'family', 'key'].every((name) => typeof value[name] === 'string');
  const lists = ['changes', 'needs', 'says'].every((name) => Array.isArray(value[name]));
  return texts && lists && ['create', 'edit', 'enable', 'delete'].includes(String(value.action));
}

/** @throws CopsError stopped (12) when its steps are not those that were shown */
function unchanged(plan: SetupPlan, path: string): SetupPlan {
  if (planId(plan.environment, plan.steps, plan.ids) === plan.id) return plan;
  throw stopped(
    `${path} was changed after plan ${plan.id} was made: nothing was sent`,
    say`Make a new one: ${cops`setup plan`}`,
  );
}

/** The plan with the risk of each step taken from the catalogue. */
export function withRisks(plan: SetupPlan, families: Families): SetupPlan {
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, risk: stepRisk(step, families) })) };
}

/** Converts a tree to a plan: step numbers become numbers, values of bodies keep their digits. */
function planFrom(tree: Record<string, Tree>): SetupPlan {
  const count = (value: Tree | undefined) => (value instanceof NumberText ? value.value : 0);
  const steps = (tree.steps as Record<string, Tree>[]).map((step) => ({
    ...step,
    n: count(step.n),
    level: count(step.level),
    needs: (step.needs as Tree[]).map(count),
  }));
  return { ...tree, version: 1, steps } as unknown as SetupPlan;
}
