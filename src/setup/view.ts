import { type ArrayChange, diffArrays } from 'diff';
import { replaced, serialise, type Tree } from '../items/json/tree.js';
import { sanitise } from '../items/text/inert.js';
import { PLAIN } from '../screen/style.js';
import type { Palette } from '../screen/types.js';
import { refOf } from './shape-references.js';
import { type Drift, type Environment, keptDrift, type PlannedChange, type PlanStep, type SetupPlan } from './types.js';
import { isSecretVariable } from './variables.js';

interface LineDiff {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

/** Unchanged lines shown around a change. */
const AROUND = 2;

/** Texts that differ in more lines than this are not compared line by line, which would take seconds. */
const MOST = 4000;

/** The line differences between two texts, with a few unchanged lines around them. */
function lineDiff(from: string, to: string): readonly LineDiff[] {
  const [before, after] = [from.split('\n'), to.split('\n')];
  const changes: readonly Pick<ArrayChange<string>, 'value' | 'added' | 'removed'>[] = diffArrays(before, after, {
    maxEditLength: MOST,
  }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return condensed(
    changes.flatMap(({ value, added, removed }) =>
      value.map((text): LineDiff => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
    ),
  );
}

function condensed(lines: readonly LineDiff[]): readonly LineDiff[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: LineDiff[] = [];
  let skipped = 0;
  const tell = () => {
    if (skipped > 0) shown.push({ kind: 'skipped', text: `${skipped} ${skipped === 1 ? 'line' : 'lines'} alike` });
    skipped = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (near[index]) {
      tell();
      shown.push(line);
    } else skipped++;
  }
  tell();
  return shown;
}

const SIGNS = { create: '+', edit: '~', enable: '~', delete: '-' } as const;

/** More new objects than this are shown by their names alone. */
const MANY = 25;

/** Longest value that is shown on its line. */
const LONGEST = 100;

/** A plan as people read it: by family, old and new, what it reaches, what it cannot do. */
export function planText(plan: SetupPlan, paint: Palette = PLAIN): string {
  const { profile, mode, base_url: baseUrl } = plan.environment;
  const head = mode === 'live' ? paint.alarm('LIVE mode') : paint.strong('TEST mode');
  const lines = [`${head}, profile ${profile}, ${baseUrl}`, ...directionOf(plan), ''];
  const families = [...new Set(plan.steps.map(({ family }) => family))];
  const isBrief = plan.steps.filter(({ action }) => action === 'create').length > MANY;
  for (const family of families) {
    lines.push(paint.strong(family));
    const steps = plan.steps.filter((step) => step.family === family);
    for (const step of steps) lines.push(...(isBrief ? briefLines(step, plan, paint) : stepLines(step, plan, paint)));
    if (isBrief) lines.push(...saidOnce(steps).map((text) => paint.faint(`  ${text}`)));
    lines.push('');
  }
  if (isBrief)
    lines.push(
      paint.faint('New objects are shown by their names: -o json of cops setup plan or diff has all their fields.'),
      '',
    );
  const taken = plan.drift.filter(({ overwritten }) => overwritten);
  const left = 'Drift: changed in the service, not overwritten without --overwrite-drift';
  lines.push(...driftLines(left, keptDrift(plan.drift), paint));
  lines.push(...driftLines('Drift: changed in the service, overwritten by this plan', taken, paint));
  section(lines, 'Seen by both modes, not written without --shared', plan.shared);
  section(lines, 'Must be there already', plan.externals);
  section(lines, 'Cannot be set through this interface', plan.cannot);
  section(lines, 'Notes', plan.notes);
  const nothing = plan.cannot.length > 0 ? ' Nothing of the rest can be written.' : ' Nothing to do.';
  const where =
    mode === 'live' && plan.steps.length > 0 ? ` ${paint.alarm('LIVE mode')}, profile ${sanitise(profile)}.` : '';
  lines.push(paint.strong(`${plan.summary}.`) + where + (plan.steps.length > 0 ? ` Plan ${plan.id}.` : nothing));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Which of two environments is made like the other: of these, one is only read. */
function directionOf({ environment, from }: SetupPlan): string[] {
  if (from === undefined) return [];
  const to = wordsOf(environment);
  return [`From ${wordsOf(from)} to ${to}: what it would change in ${to} (${to} now → as in ${wordsOf(from)})`];
}

const wordsOf = ({ profile, mode }: Environment): string => sanitise(`${profile} ${mode}`);

function section(lines: string[], title: string, entries: readonly string[]): void {
  if (entries.length === 0) return;
  lines.push(`${title}:`, ...entries.map((entry) => `  ${sanitise(entry)}`), '');
}

function stepLines(step: PlanStep, plan: SetupPlan, paint: Palette): string[] {
  const color = { create: paint.good, edit: paint.mild, enable: paint.mild, delete: paint.bad }[step.action];
  const verb = step.action === 'enable' ? ' (enabled at the end)' : '';
  const lines = [`  ${color(`${SIGNS[step.action]} ${sanitise(step.key)}${verb}`)}`];
  if (step.action === 'edit') for (const change of step.changes) lines.push(...changeLines(change, paint));
  if (step.action === 'create')
    lines.push(...step.changes.slice(0, 12).map(({ field, to }) => `      ${field}: ${shown(to)}`));
  if (step.changes.length > 12 && step.action === 'create')
    lines.push(paint.faint(`      and ${step.changes.length - 12} more`));
  lines.push(...asked(step));
  const reach = plan.reach[`${step.family}/${step.key}`];
  if (reach !== undefined && step.action !== 'create') lines.push(`      ${reach}`);
  for (const text of step.says) lines.push(paint.faint(`      ${text}`));
  return lines;
}

/** A new object by its name alone, with what it is given in a second step; what changes is shown as ever. */
function briefLines(step: PlanStep, plan: SetupPlan, paint: Palette): string[] {
  const isNew = ({ action, family, key }: PlanStep) =>
    action === 'create' && family === step.family && key === step.key;
  if (step.action === 'enable' || (step.action === 'edit' && plan.steps.some(isNew))) return [];
  if (step.action !== 'create') return stepLines(step, plan, paint);
  const [first = ''] = stepLines(step, plan, paint);
  return [first, ...asked(step)];
}

function asked(step: PlanStep): string[] {
  return (step.asks ?? []).map((place) => `      ${place} is required but in no file: cops will ask for it`);
}

/** What new objects of a family do beyond their fields, once for all of them, with the names where it is some. */
function saidOnce(steps: readonly PlanStep[]): string[] {
  const said = steps.filter(({ action }) => action === 'create' || action === 'enable');
  const created = steps.filter(({ action }) => action === 'create').length;
  return [...new Set(said.flatMap(({ says }) => says))].map((text) => {
    const names = [...new Set(said.filter(({ says }) => says.includes(text)).map(({ key }) => sanitise(key)))];
    return `${namesOf(names, created)}: ${text}`;
  });
}

/** Names told one by one. */
const TOLD_NAMES = 5;

function namesOf(names: readonly string[], of: number): string {
  if (of > 1 && names.length === of) return `all ${of} new ones`;
  const more = names.length - TOLD_NAMES;
  return names.slice(0, TOLD_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function changeLines({ field, from, to }: PlannedChange, paint: Palette): string[] {
  if (typeof from === 'string' && typeof to === 'string' && isLong(from, to))
    return [`      ${field}:`, ...diffLines(from, to, paint).map((line) => `        ${line}`)];
  return [`      ${field}: ${from === undefined ? '(not set)' : shown(from)} → ${shown(to)}`];
}

function isLong(from: string, to: string): boolean {
  return from.includes('\n') || to.includes('\n') || from.length > LONGEST || to.length > LONGEST;
}

function diffLines(from: string, to: string, paint: Palette): string[] {
  return lineDiff(from, to).map(({ kind, text }: LineDiff) => {
    const line = sanitise(text.length > 200 ? `${text.slice(0, 200)}…` : text);
    if (kind === 'added') return paint.good(`+ ${line}`);
    if (kind === 'removed') return paint.bad(`- ${line}`);
    return paint.faint(kind === 'skipped' ? `… ${line}` : `  ${line}`);
  });
}

function driftLines(title: string, drift: readonly Drift[], paint: Palette): string[] {
  if (drift.length === 0) return [];
  const lines = [paint.strong(title)];
  for (const { address, kind, changes } of drift) {
    lines.push(
      `  ${paint.mild(`! ${sanitise(address)}`)}${kind === 'unknown' ? ' (there already, with other values; never pulled or applied from here)' : ''}`,
    );
    for (const change of changes) lines.push(...changeLines(change, paint));
  }
  return [...lines, ''];
}

/** A value on one line. */
export function shown(value: Tree | undefined): string {
  if (value === undefined) return '(not set)';
  if (isSecretVariable(value)) return '(a secret)';
  const address = refOf(value);
  if (address !== undefined) return sanitise(address);
  const addresses = Array.isArray(value) ? value.map(refOf) : [];
  if (addresses.length > 0 && addresses.every((one) => one !== undefined)) return sanitise(addresses.join(', '));
  const text = serialise(replaced(value, (part) => (isSecretVariable(part) ? '(a secret)' : undefined)));
  return sanitise(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/**
 * A plan as a comment on a pull request.
 * @param compared the families named on the line
 */
export function planMarkdown(plan: SetupPlan, compared: readonly string[] = []): string {
  const { environment, from } = plan;
  const { profile, mode } = environment;
  const lines = [`### Set-up of ${profile}, ${mode} mode: ${plan.summary}`, ''];
  lines.push(...directionOf(plan).flatMap((line) => [line, '']));
  if (plan.steps.length > 0) lines.push('| | object | changes |', '|---|---|---|');
  for (const step of plan.steps) {
    const { action, family, key, changes, says } = step;
    const fields = action === 'edit' ? changes.map((change) => cell(change)).join('<br>') : '';
    const reach = action === 'create' ? undefined : plan.reach[`${family}/${key}`];
    const beyond = [...says, ...(reach === undefined ? [] : [reach]), ...asked(step).map((text) => text.trim())];
    const words = [fields, ...beyond.map((text) => `_${escapeCell(text)}_`)].filter((text) => text !== '').join('<br>');
    lines.push(`| ${SIGNS[action]} ${action} | ${escapeCell(`${family}/${key}`)} | ${words} |`);
  }
  const list = (title: readonly string[], entries: readonly string[]) => {
    if (entries.length > 0) lines.push('', ...title, ...entries.map((entry) => `- ${entry}`));
  };
  const drift = plan.drift.map(
    ({ address, overwritten }) => `${escapeCell(address)}: ${overwritten ? 'overwritten' : 'left as it is'}`,
  );
  list(['**Drift** (changed in the service):'], drift);
  list(['**Seen by both modes**, not written without `--shared`:'], plan.shared.map(escapeCell));
  list(['**Cannot be set:**'], plan.cannot.map(escapeCell));
  list([], plan.notes.map(escapeCell));
  const places = from && `--from ${from.profile}:${from.mode} --to ${profile}:${mode}`;
  // A comparison also counts differences that nothing from here has made.
  const does = places === undefined ? 'apply' : ['promote', ...compared, places, '--overwrite-drift'].join(' ');
  if (plan.steps.length > 0) lines.push('', `Plan \`${plan.id}\`: \`cops setup ${does} --expect-plan ${plan.id}\``);
  return `${lines.join('\n')}\n`;
}

function cell({ field, from, to }: PlannedChange): string {
  const long = typeof from === 'string' && typeof to === 'string' && isLong(from, to);
  if (long) {
    const counted = lineDiff(from, to);
    const count = (kind: LineDiff['kind']) => counted.filter((line) => line.kind === kind).length;
    return `${escapeCell(field)}: +${count('added')} −${count('removed')} lines`;
  }
  return `${escapeCell(field)}: ${escapeCell(shown(from))} → ${escapeCell(shown(to))}`;
}

function escapeCell(text: string): string {
  return sanitise(text)
    .replace(/[\\`*_{}[\]<>|]/g, '\\$&')
    .replace(/\n/g, ' ');
}

/** The plan as it is kept and shown to machines: no value of a secret is in it, only its name. */
export function planDocument(plan: SetupPlan): string {
  return `${serialise(plan)}\n`;
}
